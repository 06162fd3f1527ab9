"""The page that says which tests show which clause."""

from __future__ import annotations

from tests.plugins.clauses import Clause, page, read_list


def test_page_lists_every_clause_once_in_the_order_of_the_list() -> None:
    clauses = [Clause("b:2", "enforce", "2nd"), Clause("a:1", "show", "this | that"), Clause("c:3", "record", "3rd")]
    shown = {"a:1": {"x/test_a.py::test_2", "x/test_a.py::test_1"}, "b:2": {"y/test_b.py::test"}, "c:3": set[str]()}
    text = page(clauses, shown)
    table = [line for line in text.splitlines() if line.startswith("| ") and not line.startswith("| clause")]
    assert table == [
        "| b:2 | enforce | 2nd | `y/test_b.py::test` |",
        "| a:1 | show | this \\| that | `x/test_a.py::test_1`<br>`x/test_a.py::test_2` |",
    ]
    assert text.endswith("## Not shown by a test yet\n\n- c:3 (record): 3rd\n")
    assert "2 of 3 clauses" in text


def test_list_names_no_clause_twice() -> None:
    ids = [clause.id for clause in read_list()]
    assert len(ids) == len(set(ids)) > 0
    assert {clause.kind for clause in read_list()} <= {"enforce", "record", "show"}
