"""Tickets are cancelled, in subsets tried offline, until the numbers suit: what once won $1,006.75.

What stops it: the root over the tickets is sealed once, right after the close, and never changes; a cancellation since
then takes a ticket out of the winners, not out of the root, and the witness's answer is not known to anybody before it
is asked, when no cancellation counts any more. A cancellation that slips through later is found by whoever verifies the
export. Not stopped: cancelling before the asking, blindly, which gives the stake back and nothing else.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from draws import ask
from house.log import record_act
from keno.acts import TicketCancelled
from keno.attempts import current_attempt, promise_of, said_of
from keno.draw import ask_witness
from keno.models import CancellationRequest, Game, Ticket
from keno.sealed_set import ticket_set
from kernel.money import Money
from ledger.export import export
from ledger.models import Act
from ledger.seal import SEALER, seal_now
from tests.attacks import counter
from tests.attacks.insider import Caller, House
from tests.world.owner import unguarded
from verify.result import Wrong
from verify.verifier import verify


@pytest.fixture
def closed(house: House) -> tuple[Caller, int, list[dict[str, Any]]]:
    """A writer, a sealed game, and four of his tickets in it."""
    writer = house.insider("writer")
    sold = [counter.sell(writer, numbers=[n, n + 20, n + 40]) for n in range(1, 5)]
    number = sold[0]["first_game"]
    house.insider("supervisor").post(f"keno/games/{number}/close").ok()
    return writer, number, sold


def cancel(writer: Caller, sold: dict[str, Any]) -> Any:
    return writer.post(f"keno/tickets/{sold['serial']}/cancel", counter.code(sold))


def test_cancelling_changes_neither_root_nor_numbers(
    house: House, closed: tuple[Caller, int, list[dict[str, Any]]]
) -> None:
    writer, number, sold = closed
    before = Game.objects.get(pk=number)
    assert cancel(writer, sold[0]).ok()["refund"] == "2.00"
    game = Game.objects.get(pk=number)
    assert (game.ticket_root, game.ticket_count) == (before.ticket_root, 4)
    assert ticket_set(number).root == bytes(game.ticket_root or b"")
    drawn = house.insider("supervisor").post(f"keno/games/{number}/draw").ok()
    assert (drawn["ticket_root"], drawn["totals"]["tickets"], drawn["totals"]["stakes"]) == (
        bytes(before.ticket_root or b"").hex(),
        3,
        "6.00",
    )
    gone = Ticket.objects.get(serial=sold[0]["serial"])
    assert not gone.prizes.filter(kind="prize").exists()


def test_who_could_know_the_numbers_takes_no_stake_back(
    house: House, closed: tuple[Caller, int, list[dict[str, Any]]]
) -> None:
    """Refused with the clause; the request is on record with its time, and refused for good with the first number."""
    writer, number, sold = closed
    assert ask_witness(number=number, now=timezone.now()) is not None
    draw = current_attempt(Game.objects.get(pk=number))
    said = said_of(draw)
    assert said is not None
    assert len(ask.numbers(promise_of(number), said, pool=80, count=20)) == 20  # known to whoever has the master
    with house.unchanged(but={"keno.cancellation-asked"}):
        refusal = cancel(writer, sold[0])
        assert refusal.refused("draw-begun")
        assert refusal.body["clause"] == "act-keno:6.1"
    request = CancellationRequest.objects.get()
    assert (request.ticket.serial, request.game_id, request.outcome) == (sold[0]["serial"], number, "")
    house.insider("supervisor").post(f"keno/games/{number}/draw").ok()
    request.refresh_from_db()
    assert request.outcome == "refused"
    assert Game.objects.get(pk=number).totals["tickets"] == 4  # type: ignore[index]


def test_a_later_cancellation_forced_into_the_database_is_found_in_the_export(
    house: House, closed: tuple[Caller, int, list[dict[str, Any]]], tmp_path: Path
) -> None:
    """With the owner's password and the sealing key: the log itself says when it was."""
    _, number, sold = closed
    ask_witness(number=number, now=timezone.now())
    with unguarded("keno_ticket", "keno_play") as cursor:
        cursor.execute(
            "UPDATE keno_ticket SET cancelled_from = first_game, cancelled_at = now(), cancelled_by = 'device:W',"
            " status = 'cancelled' WHERE serial = %s",
            [sold[0]["serial"]],
        )
    act = TicketCancelled(ticket=sold[0]["serial"], from_=number, to=number, refund=Money.dollars(2), late=(number,))
    record_act(act, by=SEALER)
    seal_now()
    file = io.BytesIO()
    export(to=file, by=SEALER, venue="Demo")
    path = tmp_path / "export"
    path.write_bytes(file.getvalue())
    with path.open("rb") as opened, pytest.raises(Wrong, match="was cancelled after the checkpoint"):
        verify(opened)


def test_another_root_for_the_same_attempt_is_not_even_written(
    house: House, closed: tuple[Caller, int, list[dict[str, Any]]]
) -> None:
    _, number, _ = closed
    from django.db import DatabaseError, transaction

    with house.unchanged(), pytest.raises(DatabaseError), transaction.atomic():
        Game.objects.filter(pk=number).update(ticket_root=bytes(32))
    assert Act.objects.filter(kind="draw.sealed", subject=f"draw:keno/{number}").count() == 1
