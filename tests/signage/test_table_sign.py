"""The sign at a table: what the game asks with its notices, and its jackpot to the cent and to the terms in force."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from house.approvals import propose
from house.gaming_days import forget
from house.plan_days import ensure_gaming_days
from jackpot import demo, terms
from jackpot.contribute import Message, contribute_bulk
from jackpot.open_link import open_link
from jackpot.pools import read_meter
from jackpot.tables import join_table, suspend_table
from tablegames.demo import build_demo
from tablegames.notices import announce_limits
from tablegames.sign import read_limits
from tablegames.tables import find_table
from tests.world.approvals import SYSTEM, decide
from tests.world.house_game import HOUSE_STUD
from tests.world.people import SUPERVISOR, TABLE


def page(code: str) -> str:
    answer = Client().get(f"/signage/tables/{code}")
    assert answer.status_code == 200
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


@pytest.mark.clause("nsw-csp:11.3", "nsw-csp:11.11", "nsw-csp:6.5")
def test_the_sign_says_limits_notices_and_the_jackpot(db: None) -> None:
    forget()
    ensure_gaming_days()
    (link, *_) = demo.build_demo()
    build_demo()
    contribute_bulk(messages=[Message("m-1", "CSP-01", 3, timezone.now())], by=TABLE)
    shown = read_meter(link).displayed["prize"]
    assert str(shown) == "50005.25"
    sign = Client().get("/signage/tables/CSP-01.json").json()
    assert sign["limits"]["ante"]["minimum"] == "5.00"
    jackpot = sign["jackpot"]
    assert (jackpot["displayed"], jackpot["wager"], jackpot["bonus"]) == ({"prize": "50005.25"}, "2.50", "250.00")
    straight = next(each for each in jackpot["prizes"] if each["hand"] == "straight-flush")
    assert (straight["share"], straight["at_least"]) == ("10.00", "5000.00")
    said = page("CSP-01")
    assert all(words in said for words in ("$50,005.25", "10% of the prize, at least $5,000.00", "$5.00", "$200.00"))
    # Other terms, and a notice of 20 minutes: the sign says so in the same moment.
    data = terms.write(demo.CSP) | {"wager": "3.00", "bonus": "300.00"}
    decide(propose(kind="jackpot.terms", subject="jackpot:CSP", new=data, why="Agreed.", by=SUPERVISOR))
    at = timezone.now() + timedelta(minutes=21)
    limits = read_limits({"ante": {"minimum": "10.00", "maximum": "200.00"}})
    announce_limits(table=find_table("CSP-01").code, limits=limits, takes_effect_at=at, by=SUPERVISOR)
    said = page("CSP-01")
    assert "$3.00" in said
    assert f"From {timezone.localtime(at):%H:%M}" in said
    assert "$10.00 to $200.00" in said
    notice = Client().get("/signage/tables/CSP-01.json").json()["notice"]
    assert notice["limits"]["ante"]["minimum"] == "10.00"
    suspend_table(table="CSP-01", what="No signal.", by=SUPERVISOR)
    assert "Link down" in page("CSP-01")
    assert Client().get("/signage/tables/CSP-01.json").json()["jackpot"]["status"] == "suspended"
    # A table of a link that no game is set up for has its sign, too; an unknown one has none.
    assert Client().get("/signage/tables/GJ-02.json").json()["jackpot"]["link"] == "GJ"
    assert Client().get("/signage/tables/NONE-1").status_code == 404
    # Less than a whole per cent is said as it is, in a game of the house.
    half = tuple(replace(each, percent=50) if each.hand == "straight-flush" else each for each in HOUSE_STUD.prizes)
    fine = replace(demo.CSP, rules=replace(HOUSE_STUD, prizes=half))
    open_link(code="FINE", title="Half a per cent", link_terms=fine, by=SYSTEM)
    join_table(code="FINE-01", link="FINE", by=SUPERVISOR)
    prizes = Client().get("/signage/tables/FINE-01.json").json()["jackpot"]["prizes"]
    assert [(each["percent"], each["share"]) for each in prizes if each["hand"] == "straight-flush"] == [(None, "0.50")]
    assert "0.5% of the prize" in page("FINE-01")
    listed = [each["code"] for each in Client().get("/signage/tables.json").json()["tables"]]
    assert len(set(listed)) == len(listed)
    assert {"CSP-01", "GJ-02"} <= set(listed)
