"""tests/plugins/worlds.py, committed.py: what is built once is lent to each test as it was built."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from house.models import Staff
from ledger.cosign import cosign_now
from ledger.seal import seal_now
from tests.plugins.committed import stands_on
from tests.plugins.worlds import kept
from tests.world.books import open_books
from tests.world.witness import RunningWitness

BUILT: list[str] = []


def _hire() -> list[str]:
    BUILT.append("people")
    Staff.objects.create(username="ada", name="Ada")
    return ["ada"]


def _hire_more() -> str:
    Staff.objects.create(username="bea", name="Bea")
    return "bea"


hired = kept(_hire)
more = kept(_hire, _hire_more)


def here() -> set[str]:
    return set(Staff.objects.values_list("username", flat=True))


@pytest.mark.django_db
@pytest.mark.parametrize("time", range(2))
def test_as_it_was_built_whatever_a_test_does_to_it(hired: list[str], time: int) -> None:
    assert (hired, here()) == (["ada"], {"ada"})
    hired.append("somebody")
    Staff.objects.update(username="somebody")
    assert here() == {"somebody"}
    assert BUILT == ["people"], "built once"


@pytest.mark.django_db
def test_one_stands_on_the_other(more: str, hired: list[str]) -> None:
    assert (more, hired, here()) == ("bea", ["ada"], {"ada", "bea"})


@pytest.mark.django_db
def test_nothing_of_it_is_there_for_who_did_not_ask() -> None:
    assert here() == set()


@pytest.mark.django_db(transaction=True)
def test_who_commits_has_his_own(hired: list[str]) -> None:
    assert (hired, here()) == (["ada"], {"ada"})


HEADS: list[tuple[str, int, bytes, int]] = []


def _on_record() -> datetime:
    BUILT.append("a house")
    _hire()
    seal_now()
    cosign_now()
    return timezone.now() + timedelta(hours=1)


@pytest.fixture
@stands_on(_on_record)
def house_on_record(witness: RunningWitness) -> RunningWitness:
    return witness


@pytest.mark.parametrize("time", range(2))
def test_a_house_on_record_is_as_it_was_built_and_so_is_its_witness(house_on_record: RunningWitness, time: int) -> None:
    assert here() == {"ada"}
    HEADS.extend(heads := house_on_record.memory.heads(limit=9))
    assert heads * (time + 1) == HEADS
    open_books()
    seal_now()
    cosign_now()
    assert len(house_on_record.memory.heads(limit=9)) > len(heads)
    assert BUILT.count("a house") == 1
