"""A hit is taken by somebody who goes to the table: the alert ends everywhere, and the dealer sees who comes."""

from __future__ import annotations

import pytest

from jackpot.attend import attend_hit, coming, unattended
from jackpot.hits import deny_hit
from kernel.refusal import Conflict, Forbidden
from ledger.models import Act
from tests.jackpot.dealt import FULL_HOUSE, ROYAL
from tests.jackpot.test_hits import hit, unchanged
from tests.world.people import MANAGER, SUPERVISOR, someone

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("floor")]


def test_whoever_may_verify_is_alerted_until_one_of_them_takes_it() -> None:
    won = hit(ROYAL)
    assert unattended(SUPERVISOR) == unattended(MANAGER) == [won]
    assert unattended(someone("dealer")) == unattended(someone("auditor")) == []
    attend_hit(hit_id=won.pk, by=SUPERVISOR)
    attend_hit(hit_id=won.pk, by=SUPERVISOR)  # said once
    assert unattended(SUPERVISOR) == unattended(MANAGER) == []
    assert coming([won.pk]) == {won.pk: SUPERVISOR.identity}
    (said,) = Act.objects.filter(kind="jackpot.hit-attended")
    assert (said.actor, said.data) == (SUPERVISOR.identity, {"hit": won.pk, "link": "CSP", "table": won.table.code})
    attend_hit(hit_id=won.pk, by=MANAGER)  # who says it last is who comes
    assert coming([won.pk]) == {won.pk: MANAGER.identity}


def test_what_the_house_pays_by_itself_is_no_jackpot() -> None:
    won = hit(FULL_HOUSE)
    assert unattended(SUPERVISOR) == ([won] if won.from_pool else [])


def test_who_may_not_and_what_is_decided() -> None:
    won = hit(ROYAL)
    unchanged(won, lambda: attend_hit(hit_id=won.pk, by=someone("dealer")), Forbidden, "no-permission")
    deny_hit(hit_id=won.pk, reason="A card fell on the floor.", by=MANAGER)
    unchanged(won, lambda: attend_hit(hit_id=won.pk, by=SUPERVISOR), Conflict, "hit-not-ready")
    assert not Act.objects.filter(kind="jackpot.hit-attended").exists()
    assert unattended(SUPERVISOR) == []
