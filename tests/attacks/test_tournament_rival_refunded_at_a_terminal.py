"""A supervisor wants his friend's rival out of a tournament, who has asked for nothing: he says that his fee goes back,
walks to a writer's terminal on the floor, and hands it over to himself.

What stops it: at a device on the floor a fee goes back once two people have said so, since nobody knows who stands
before it; away from one, another person hands it over. Not stopped: two of the house together, in the log.
"""

from __future__ import annotations

from ledger.balance import balance
from ledger.models import Act
from tests.attacks.cards import register
from tests.attacks.insider import House
from tests.attacks.test_tournament_entered_by_name import ENTRIES, approved, body
from tournaments.models import TournamentEntry

WHY = {"why": "He went home."}


def test_one_person_and_a_terminal_take_nobody_out(house: House) -> None:
    approved(house)
    register(house)
    supervisor, manager, terminal = (house.insider(role) for role in ("supervisor", "manager", "writer"))
    terminal.post("keno/shifts", {}).ok(201)
    for address in ENTRIES:
        room = "keno/" if address.startswith("keno") else ""
        entry = terminal.post(address, body(address, card="RX-1")).ok(201)["id"]
        rival = f"{room}tournament-entries/{entry}"
        supervisor.post(f"{rival}/authorise-refund", WHY).ok()
        with house.unchanged():
            assert terminal.post(f"{rival}/refund").refused("two-people-needed")
            assert supervisor.post(f"{rival}/refund").refused("two-people-needed", "no-permission")
            assert supervisor.post(f"{rival}/authorise-refund", WHY).refused("authorised-already")
        assert TournamentEntry.objects.get(pk=entry).refunded_at is None
        manager.post(f"{rival}/authorise-refund", WHY).ok()
        terminal.post(f"{rival}/refund").ok()
    assert Act.objects.filter(kind="tournament.refund-seconded").count() == len(ENTRIES)
    assert str(balance("promotions:tournaments").amount) == "0.00"
