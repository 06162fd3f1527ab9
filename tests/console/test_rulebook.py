"""The rules as staff read them: every clause once, under its document, in the order of the document."""

from __future__ import annotations

from tests.plugins.clauses import read_list
from web import rulebook


def test_every_document_stands_once_with_its_clauses_in_order() -> None:
    book = rulebook.documents()
    assert [code for code, *_ in book] == [code for code in rulebook.DOCUMENTS if code in {each for each, *_ in book}]
    listed = [clause.id for *_, clauses in book for clause in clauses]
    assert sorted(listed) == sorted(clause.id for clause in read_list())
    keno = [clause.id.removeprefix("act-keno:") for clause in book[0][2]]
    known = ["3.1", "3.1a", "4.4-form", "4.4a", "4.5", "12.1-record", "12.5", "14.2", "14.10"]
    assert [each for each in keno if each in known] == known


def test_it_is_narrowed_to_what_contains_the_words() -> None:
    [(code, _, clauses)] = rulebook.documents("ACT-KENO:14.2")
    assert (code, [clause.id for clause in clauses]) == ("act-keno", ["act-keno:14.2"])
    assert rulebook.documents("no clause says this") == []
