"""The rules as staff read them: every clause once, under its document, in the order of the document."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils.html import escape

from tests.plugins.clauses import PAGE, Clause, page, read_list
from tests.world.rule_texts import ON_REQUEST
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


def test_no_clause_is_said_to_be_kept_that_no_test_shows() -> None:
    """What the suite writes, the book reads."""
    some = [Clause("a:1", "enforce", "this | that"), Clause("a:2-3", "record", "2nd"), Clause("b:def-x", "show", "3rd")]
    written = page(some, {"a:1": {"x/test_a.py::test_1"}, "b:def-x": {"x/test_a.py::test_2"}})
    assert rulebook.shown_in(written) == {"a:1", "b:def-x"}
    shown = rulebook.shown_in(PAGE.read_text())
    said = {clause.id: clause.part for clause in rulebook.clauses().values()}
    assert {id for id, part in said.items() if part == "Not shown by a test yet"} == said.keys() - shown
    assert {part for id, part in said.items() if id in shown} == {"Enforced", "Recorded", "Shown"}


@pytest.mark.django_db
def test_the_page_says_how_many_clauses_a_test_shows(
    signed_in: Callable[[str], Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rulebook, "shown_by_a_test", lambda: frozenset({"act-keno:3.1a"}))
    said = " ".join(signed_in("writer").get("/rules/").content.decode().split())
    assert f"{len(read_list())} in all, of which a test shows 1." in said
    assert said.count("Not shown by a test yet") == len(read_list()) - 1
    assert said.count('class="soft">Enforced') == 1


@pytest.mark.clause(*ON_REQUEST)
@pytest.mark.django_db
def test_whoever_is_asked_for_the_rules_of_a_game_has_them(signed_in: Callable[[str], Client]) -> None:
    client = signed_in("writer")
    for clause in ON_REQUEST:
        code = clause.partition(":")[0]
        said = client.get("/rules/", {"q": f"{code}:"}).content.decode()
        assert escape(rulebook.DOCUMENTS[code]) in said
        ours = [each for each in read_list() if each.id.startswith(f"{code}:")]
        assert len(ours) > 9
        assert all(f">{each.id}<" in said or f'id="{each.id}"' in said for each in ours), code
