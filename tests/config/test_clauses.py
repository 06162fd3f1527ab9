"""The page that says which tests show which clause."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.plugins.clauses import Clause, page, read_list, read_no_part
from tests.plugins.numbering import Differences, compare, kept_numbering, main, numbering_of


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
    text = page(clauses, shown, {"d:1": "dealer's hands", "d:2": "definition", "d:3": "dealer's hands"})
    assert text.endswith(
        "3 of them, each with its reason in `docs/rules/no_part.csv`: dealer's hands 2; definition 1.\n"
    )


def test_list_names_no_clause_twice() -> None:
    ids = [clause.id for clause in read_list()]
    assert len(ids) == len(set(ids)) > 0
    assert {clause.kind for clause in read_list()} <= {"enforce", "record", "show"}


def test_every_clause_of_the_five_documents_has_a_line() -> None:
    """Against the numbering that is kept; ``python -m tests.plugins.numbering FOLDER`` asks the documents."""
    numbering, no_part = kept_numbering(), read_no_part()
    assert len(numbering) == len(set(numbering)) == 1428
    assert compare(numbering, (clause.id for clause in read_list()), no_part) == Differences([], [], [])
    assert all(1 <= len(reason.split()) <= 3 for reason in no_part.values())


def test_a_clause_without_a_line_is_found() -> None:
    numbering = ["a:3.1", "a:3.2", "a:9.1", "a:9.4.1", "a:9.5", "a:12.1.3", "a:12.1.5", "a:12.2", "p:A2.1", "p:B2.1"]
    part = ["a:3.1c-i", "a:3.1-royal", "a:9.1-9.5", "a:12.1.3-5", "a:def-approved", "p:A2.1", "a:7.7"]
    found = compare(numbering, part, ["a:3.2", "a:9.5"])
    assert found == Differences(forgotten=["a:12.2", "p:B2.1"], twice=["a:9.5"], unknown=["a:7.7"])


def test_the_numbering_is_read_as_the_documents_print_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = {
        "nsw-caribbean-stud-v4-2025.txt": "1. Definitions\t2\n1.1 In\n- 2.1 A\n - 2.1.1 B\n- 17.1 The\n",
        "nsw-lunar-poker-2019.txt": "#### 1.1. In\n  - 2.1. A\n15.1. The\n",
        "vanuatu-lunar-poker-2013.txt": "1 Order\nSCHEDULE\n1 Interpretation\nx\n3 Table\n- 3.1 A\n1 Pair\t1 to 1\n",
        "nz-lunar-poker.txt": "<|mark-7|>1.0\tInterpretation\n 7.2\tWhere\n",
        "act-casino-canberra-1999.txt": "## **RULES OF MINI-BACCARAT**\n- 1.1 A\n## **RULES OF POKER *IN:***\n2.1 B\n"
        "**POKER – HOLD-EM ADDITIONAL RULES****1. X**\n- 1.1 C\n## **RULES OF KENO**\n**8.1 D**\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    assert " ".join(numbering_of(tmp_path)) == (
        "nsw-csp:1.1 nsw-csp:2.1 nsw-csp:2.1.1 nsw-promo-2025:17.1 nsw-lp:1.1 nsw-lp:2.1 nsw-promo-2019:15.1 "
        "vu-lp:1 vu-lp:3.1 nz-lp:1.0 nz-lp:7.2 act-mb:1.1 act-pk:2.1 act-pk:E1.1 act-keno:8.1"
    )
    assert main([str(tmp_path)]) == 1
    assert "in the documents, not in numbering.txt: nsw-csp:2.1.1\n" in capsys.readouterr().out
    assert main([]) == 2
