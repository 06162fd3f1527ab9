"""Draws are promised several games ahead, so that sales go on for a while when the witness is away, and no further."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from draws import second_party as turned_to
from draws.commit import commit_ahead, find_commitment
from draws.models import Commitment
from draws.record import KINDS, DrawsOnRecord
from keno.attempts import promise_of
from keno.models import Game, KenoSettings
from keno.open_games import CLERK
from keno.tick import tick
from kernel.environment import Trouble, keno_promised_ahead
from kernel.export_check import Doubt
from ledger.models import Act
from tests.world.keno_games import OPENS, open_days, put_ticket, raw
from tests.world.second_party import AtHand

pytestmark = pytest.mark.django_db
AT_ONCE: Any = {"draw_after": timedelta(0), "pace": timedelta(0)}


def promised() -> list[int]:
    return [int(name) for name in Commitment.objects.order_by("id").values_list("name", flat=True)]


def close_in_turn(times: int) -> None:
    """The clock comes to the close of whatever is open, again and again."""
    for _ in range(times):
        game = Game.objects.filter(status="open").first()
        if game is not None:
            put_ticket(first_game=game.number, groups=[[1, 2, 3]], plays=[(3, 100)])
            tick(game.closes_at)


def test_as_many_go_on_sale_without_the_witness_as_it_saw_promised(second_party: AtHand, settings: Any) -> None:
    settings.KENO_PROMISED_AHEAD = 3
    KenoSettings.objects.create(**AT_ONCE)
    open_days()
    tick(OPENS)
    assert promised() == [1, 2, 3, 4]
    second_party.goes_away()
    close_in_turn(6)
    statuses = dict(Game.objects.values_list("number", "status"))
    assert statuses == {1: "sealed", 2: "sealed", 3: "sealed", 4: "sealed", 5: "scheduled"}  # nothing is on sale
    assert promised() == [1, 2, 3, 4, 5, 6, 7]  # written down, and seen by nobody else
    assert not Act.objects.filter(kind="keno.ball").exists()
    second_party.comes_back()
    second_party.ask(promise_of(1), occasion="1", attempt=1, by=CLERK)  # as the ledger's tick does, unchanged
    now = Game.objects.get(number=5).opens_at + timedelta(minutes=3)
    for _ in range(8):  # the first number of each, then the others
        tick(now)
    assert set(Game.objects.filter(number__lte=4).values_list("status", flat=True)) == {"settled"}
    assert Game.objects.get(status="open").number >= 5
    drawn = Act.objects.filter(kind="keno.drawn").order_by("id").values_list("subject", flat=True)
    assert list(drawn) == [f"keno-game:{number}" for number in range(1, 5)]  # in their order
    for number in range(1, 5):
        acts = Act.objects.filter(subject=f"keno-game:{number}", kind="keno.opened")
        assert acts.get().data["commitment"] == raw(promise_of(number).commitment).hex()


def test_each_game_adds_one_promise(second_party: AtHand, settings: Any) -> None:
    settings.KENO_PROMISED_AHEAD = 2
    KenoSettings.objects.create(**AT_ONCE)
    open_days()
    tick(OPENS)
    close_in_turn(2)
    assert promised() == [1, 2, 3, 4, 5]
    settings.KENO_PROMISED_AHEAD = 1  # fewer from now on: what was promised stays so
    close_in_turn(3)
    assert promised() == [1, 2, 3, 4, 5, 6, 7][: len(promised())]
    assert len(set(promised())) == len(promised())


@pytest.mark.parametrize("wrong", ["0", "501", "-1", "many", "1.5"])
def test_how_many_is_read_with_care(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KENO_PROMISED_AHEAD", wrong)
    with pytest.raises(Trouble):
        keno_promised_ahead()
    monkeypatch.delenv("KENO_PROMISED_AHEAD")
    assert keno_promised_ahead() == 20


def replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """An inspector has appointed another."""
    another = replace(turned_to.in_force(), name="witness.example/another", rsa=b"another key")
    monkeypatch.setattr(turned_to, "in_force", lambda: another)


def on_record() -> DrawsOnRecord:
    record = DrawsOnRecord("keno")
    for act in Act.objects.filter(kind__in=KINDS).order_by("id"):
        record.act(act.kind, act.data)
    return record


def test_what_is_not_on_sale_is_promised_anew_under_a_new_witness(
    second_party: AtHand, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.KENO_PROMISED_AHEAD = 2
    KenoSettings.objects.create(**AT_ONCE)
    open_days()
    tick(OPENS)
    on_sale, given_up = find_commitment(purpose="keno", name="1"), find_commitment(purpose="keno", name="2")
    replaced(monkeypatch)
    close_in_turn(1)
    assert promised() == [1, 2, 3, 2, 3, 4]
    given_up.refresh_from_db()
    anew = find_commitment(purpose="keno", name="2")
    assert (given_up.master is not None, anew.witness) == (True, "witness.example/another")
    assert raw(anew.commitment) != raw(given_up.commitment)
    assert find_commitment(purpose="keno", name="1") == on_sale  # the one on sale keeps its own, to the end
    assert Act.objects.get(kind="keno.opened", subject="keno-game:2").data["commitment"] == raw(anew.commitment).hex()
    record = on_record()
    assert record.promise("2").commitment == raw(anew.commitment)


def test_nobody_else_is_promised_a_second_time(second_party: AtHand, monkeypatch: pytest.MonkeyPatch) -> None:
    commit_ahead(purpose="keno", names=["1", "2"], device="rng", by=CLERK)
    commit_ahead(purpose="keno", names=["1", "2"], device="rng", by=CLERK)
    assert promised() == [1, 2]
    replaced(monkeypatch)
    commit_ahead(purpose="keno", names=["1"], device="rng", by=CLERK)
    first, _, shown, anew = Act.objects.filter(kind__in=KINDS).order_by("id")
    on_record()
    twice = DrawsOnRecord("keno")
    twice.act(first.kind, first.data)
    with pytest.raises(Doubt, match="promised a second time"):  # its master was not shown
        twice.act(anew.kind, anew.data)
    twice.act(shown.kind, shown.data)
    with pytest.raises(Doubt, match="promised a second time"):  # the witness is the same
        twice.act(first.kind, first.data)
    twice.act("draw.sealed", {"venue": first.data["venue"], "purpose": "keno", "occasion": "1", "root": "", "count": 0})
    with pytest.raises(Doubt, match="promised a second time"):  # something depended on it
        twice.act(anew.kind, anew.data)
