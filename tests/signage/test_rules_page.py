"""The rules of every game, for a stranger with a telephone."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils.html import escape

from tests.plugins.clauses import read_list
from web import rulebook

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
