"""A draw between two parties through the verbs: promised, sealed, asked, replaced, void, revealed, restored."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import DatabaseError, transaction

from chance.two_party import How
from draws import ask, commit, masters
from draws.acts import MasterPromised
from draws.models import Commitment
from draws.record import KINDS, DrawsOnRecord
from draws.replace import throw_dice
from kernel import escrow
from kernel.environment import data_folder
from kernel.refusal import Conflict, Forbidden, Refusal
from ledger.models import Act
from tests.draws.conftest import BY
from tests.world.demo import demo_actor
from tests.world.second_party import AtHand

pytestmark = pytest.mark.django_db
ROOT = bytes([7] * 32)


def sealed(promised: Commitment) -> Commitment:
    ask.seal_set(promised, occasion="1042", root=ROOT, count=14, by=BY)
    return promised


def test_a_promise_is_made_once_and_nothing_of_it_changes(promised: Commitment) -> None:
    act = Act.objects.get(kind=MasterPromised.kind)
    assert (act.id, act.data["commitment"]) == (promised.act, bytes(promised.commitment).hex())
    with pytest.raises(DatabaseError), transaction.atomic():
        commit.commit(purpose="keno", name="1042", device="rng", by=BY)
    with pytest.raises(DatabaseError), transaction.atomic():
        Commitment.objects.update(commitment=bytes(32))
    assert Act.objects.filter(kind=MasterPromised.kind).count() == 1


def test_numbers_come_from_both_parties_and_are_the_same_for_whoever_reads_the_log(promised: Commitment) -> None:
    sealed(promised)
    assert not ask.is_asked(promised, occasion="1042", attempt=1)
    said = ask.ask(promised, occasion="1042", attempt=1, by=BY)
    assert said is not None
    assert said.is_witnessed
    drawn = ask.numbers(promised, said, pool=80, count=20)
    assert ask.ask(promised, occasion="1042", attempt=1, by=BY) == said  # asked again: the same
    commit.reveal(promised, by=BY)
    record = on_record()
    from chance import two_party

    master = record.promise("1042").master
    assert master is not None
    assert two_party.numbers(master, record.said("1042", 1), pool=80, count=20) == drawn


def test_the_witness_is_away_and_an_inspector_throws_dice(promised: Commitment, second_party: AtHand) -> None:
    inspector, manager = demo_actor("inspector"), demo_actor("manager")
    throws = "123456" * 10
    with pytest.raises(Conflict, match="not been asked"):
        throw_dice(sealed(promised), occasion="1042", attempt=1, dice=throws, why="Away.", by=inspector)
    second_party.away = True
    assert ask.ask(promised, occasion="1042", attempt=1, by=BY) is None
    assert ask.is_asked(promised, occasion="1042", attempt=1)
    with pytest.raises(Forbidden):
        throw_dice(promised, occasion="1042", attempt=1, dice=throws, why="Away.", by=manager)
    with pytest.raises(Refusal):
        throw_dice(promised, occasion="1042", attempt=1, dice="123", why="Away.", by=inspector)
    throw_dice(promised, occasion="1042", attempt=1, dice=throws, why="The line is down.", by=inspector)
    said = ask.said_to(promised, occasion="1042", attempt=1)
    assert said is not None
    assert said.how is How.DICE
    drawn = ask.numbers(promised, said, pool=80, count=20)
    with pytest.raises(Conflict):
        throw_dice(promised, occasion="1042", attempt=1, dice=throws[::-1], why="Again.", by=inspector)
    # The witness comes back: what it says is on record, and changes nothing.
    from draws import second_party as turned_to

    second_party.away = False
    turned_to.ask(promised, occasion="1042", attempt=1, by=BY)
    assert ask.said_to(promised, occasion="1042", attempt=1) == said
    assert ask.numbers(promised, said, pool=80, count=20) == drawn
    assert on_record().said("1042", 1) == said
    assert on_record().unwitnessed == 1


def test_what_was_answered_is_not_replaced(promised: Commitment) -> None:
    ask.ask(sealed(promised), occasion="1042", attempt=1, by=BY)
    with pytest.raises(Conflict, match="has answered"):
        throw_dice(promised, occasion="1042", attempt=1, dice="1" * 60, why="Liked better.", by=demo_actor("inspector"))


def test_no_attempt_is_void_before_what_it_gives_is_known(promised: Commitment, second_party: AtHand) -> None:
    second_party.away = True
    ask.ask(sealed(promised), occasion="1042", attempt=1, by=BY)
    with pytest.raises(Conflict, match="no answer yet"):
        ask.void_attempt(promised, occasion="1042", attempt=1, cause="malfunction", numbers=[], by=BY)
    second_party.away = False
    said = ask.ask(promised, occasion="1042", attempt=1, by=BY)
    assert said is not None
    first = ask.numbers(promised, said, pool=80, count=20)
    ask.void_attempt(promised, occasion="1042", attempt=1, cause="malfunction", numbers=first, by=BY)
    again = ask.ask(promised, occasion="1042", attempt=2, by=BY)
    assert again is not None
    assert ask.numbers(promised, again, pool=80, count=20) != first
    void = on_record().attempt("1042", 1).void
    assert void is not None
    assert void.numbers == first


def test_a_lost_master_comes_back_from_the_inspectors_escrow(
    promised: Commitment, monkeypatch: pytest.MonkeyPatch
) -> None:
    master = commit.master_of(promised)
    private = bytes.fromhex((data_folder() / "witness" / "inspector-escrow").read_text().strip())
    assert (
        escrow.decrypt(private=private, escrow=bytes(promised.escrow), bound_to=masters.bound_to(promised.promise))
        == master
    )
    inspector = demo_actor("inspector")
    give_back: Callable[..., Commitment] = commit.restore_master
    of = {"purpose": "keno", "name": "1042", "why": "The key folder was lost."}
    with pytest.raises(Conflict):
        give_back(**of, master=master, by=inspector)
    monkeypatch.setenv("METERHOUSE_KEY_DRAW_MASTERS", "another key altogether")
    with pytest.raises(masters.MasterLost):
        commit.master_of(promised)
    for wrong, by in ((bytes(32), inspector), (master, demo_actor("manager"))):
        with pytest.raises(Refusal):
            give_back(**of, master=wrong, by=by)
    with pytest.raises(masters.MasterLost):
        commit.master_of(Commitment.objects.get())
    assert commit.master_of(give_back(**of, master=master, by=inspector)) == master


def test_a_revealed_master_stays(promised: Commitment) -> None:
    master = commit.reveal(promised, by=BY)
    assert commit.reveal(promised, by=BY) == master
    assert Act.objects.filter(kind="draw.revealed").count() == 1
    with pytest.raises(DatabaseError), transaction.atomic():
        Commitment.objects.update(master=bytes(32))


def on_record() -> DrawsOnRecord:
    record = DrawsOnRecord("keno")
    for act in Act.objects.filter(kind__in=KINDS).order_by("id"):
        record.act(act.kind, act.data)
    return record
