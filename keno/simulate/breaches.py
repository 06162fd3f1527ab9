"""What is looked into in a simulation: prizes on hold, wagers of people in breach, disputes (14.3, 14.6)."""

from __future__ import annotations

from random import Random

from house.approvals import approve
from house.incidents import close_incident, report_incident
from keno.acts import game_subject
from keno.disputes import review_dispute
from keno.hold import hold_prize, release_hold
from keno.incident_kinds import DISPUTE
from keno.models import Game, Prize, PrizeKind, Ticket
from keno.refunds import void_wagers
from keno.simulate.book import Book
from keno.simulate.staff import People
from keno.steps import Status
from keno.void_win import propose_void_win


def void_ticket(serial: str, *, people: People, book: Book) -> None:
    why = "Played by a person who is not allowed to."
    void_wagers(serial=serial, why=why, by=people.manager)
    stops = Ticket.objects.values_list("cancelled_from", flat=True).get(serial=serial)
    assert stops is not None
    book.stopped(serial, before=stops, refunded=True)


def look_into(ticket: Ticket, chance: Random, *, people: People, book: Book) -> bool:
    """A prize is put on hold; mostly there is nothing against it, now and then its wager is void."""
    unpaid = Prize.objects.filter(ticket=ticket, payment=None, void=None, replaced=None).exclude(kind=PrizeKind.REFUND)
    won = unpaid.order_by("game").first()
    if won is None:
        return False
    hold_prize(serial=ticket.serial, why="Surveillance looks at it.", by=people.supervisor)
    if chance.random() < 0.6:
        release_hold(serial=ticket.serial, why="Nothing was found.", by=people.manager)
        return True
    why = "Played with a device that records the draws."
    made = propose_void_win(serial=ticket.serial, game=won.game, why=why, by=people.supervisor)
    approve(proposal_id=made.pk, by=people.manager)
    book.void_win(ticket.serial, won.game)
    if unpaid.exists():
        release_hold(serial=ticket.serial, why="The rest stands.", by=people.manager)
    return True


def dispute(chance: Random, *, people: People) -> bool:
    """A player says that it was otherwise: the manager decides, or the inspector does in his own name."""
    last = Game.objects.filter(status=Status.SETTLED).order_by("-number").first()
    if last is None:
        return False
    what = "She says that number 7 was called."
    made = report_incident(kind=DISPUTE, what=what, subject=game_subject(last.number), by=people.supervisor)
    if chance.random() < 0.5:
        close_incident(incident_id=made.pk, outcome="The record was shown to her.", by=people.manager)
    if chance.random() < 0.5:
        review_dispute(incident_id=made.pk, decision="The record stands.", by=people.inspector)
    return True
