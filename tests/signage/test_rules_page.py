"""The rules of every game, for a stranger with a telephone."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client
from django.utils.html import escape

from tests.plugins.clauses import read_list
from tests.plugins.numbering import kept_numbering
from tests.world.rule_texts import ON_REQUEST
from web import gazetted, rulebook

pytestmark = pytest.mark.django_db


@pytest.mark.clause("nsw-csp:16.20", "nsw-lp:14.14")
def test_a_stranger_reads_the_rules_of_every_game() -> None:
    client = Client()
    every = client.get("/signage/rules/")
    assert every.status_code == 200
    for code in {clause.id.partition(":")[0] for clause in read_list()}:
        assert f'href="/signage/rules/{code}/"' in every.content.decode(), code
        said = client.get(f"/signage/rules/{code}/").content.decode()
        assert escape(rulebook.DOCUMENTS[code]) in said
        for clause in read_list():
            if clause.id.startswith(f"{code}:"):
                assert f'id="{clause.id}"' in said, clause.id
    assert client.get("/signage/rules/xx-yy/").status_code == 404
    assert not every.cookies


# The last section of an order is the rule of promotions, which has ids of its own.
PROMOTIONS = {"nsw-csp": "nsw-promo-2025", "nsw-lp": "nsw-promo-2019"}


@pytest.mark.parametrize("clause", [pytest.param(each, marks=pytest.mark.clause(each)) for each in ON_REQUEST])
def test_a_copy_of_the_rules_is_there_word_for_word(clause: str) -> None:
    """Every clause that the document numbers, in its order, and every word of it on the page."""
    code = clause.partition(":")[0]
    documents = (code, PROMOTIONS.get(code))
    numbering = [id.partition(":") for id in kept_numbering()]
    numbered = [number.lstrip("ABCDEFGH") for document, _, number in numbering if document in documents]
    assert [part.number for part in gazetted.parts(code) if part.number] == numbered
    page = Client().get(f"/signage/rules/{code}/").content.decode()
    told = " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())
    for part in gazetted.parts(code):
        for text in (part.text, *(" ".join(filter(None, row)) for row in part.rows)):
            assert " ".join(text.split()) in told, text
    number = clause.partition(":")[2]
    (own,) = (part.text for part in gazetted.parts(code) if part.number == number)
    assert "copy of these rules" in own
