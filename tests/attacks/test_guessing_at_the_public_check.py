"""Security codes are tried where nobody counts: at the public check, and in the proof of an entry."""

from __future__ import annotations

from house.models import Incident
from keno.models import WrongCode
from kernel import redis
from tests.attacks.counter import code, sell, winner
from tests.attacks.insider import Answer, Caller, House

KIND = "keno-wrong-codes"


def guess(caller: Caller, sold: dict[str, object], number: int, path: str = "/verify/ticket.json") -> Answer:
    body = {"game": sold["first_game"], "serial": sold["serial"], "security_code": f"{number:016d}"}
    with redis.client() as client:  # he has many addresses, or all night
        for key in client.scan_iter("throttle:*"):
            client.delete(key)
    return caller.post(path, body)


def drawn(house: House, *writers: Caller, count: int) -> list[dict[str, object]]:
    """Tickets of one game that is drawn: their proofs are there to be asked for."""
    sold = [sell(writers[0]) for _ in range(count)]
    won = winner(house, writers[0])
    assert {each["first_game"] for each in sold} == {won["first_game"]}
    return sold


def test_five_are_one_incident_and_the_player_is_paid(house: House) -> None:
    writer, stranger = house.insider("writer"), house.stranger()
    won = winner(house, writer)
    before = house.log()
    with house.unchanged():
        for number in range(4):
            assert guess(stranger, won, number).refused("no-such-ticket")
    assert house.acts_since(before) == []
    with house.unchanged(but={"incident.reported"}):
        for number in range(4, 15):
            assert guess(stranger, won, number).refused("no-such-ticket")
    incident = Incident.objects.get(kind=KIND)
    assert incident.subject == f"ticket {won['serial']}"
    assert house.acts_since(before) == ["incident.reported"]
    # Its owner proves it and is paid; what he proves does not make the guesses unmade.
    own = {"game": won["first_game"], "serial": won["serial"], **code(won)}
    assert stranger.post("/verify/ticket.json", own).ok()["entry"]
    assert WrongCode.objects.count() == 15
    assert writer.post(f"keno/tickets/{won['serial']}/pay", code(won)).ok()["paid"] == "60.00"


def test_asking_what_it_won_is_counted_with_the_rest(house: House) -> None:
    """Half of the guesses at one address, half at the other: one paper, one count, and nothing is told."""
    writer, stranger = house.insider("writer"), house.stranger()
    won = winner(house, writer)
    for number in range(6):
        path = "/verify/won.json" if number % 2 else "/verify/ticket.json"
        refused = guess(stranger, won, number, path)
        assert refused.refused("no-such-ticket")
        assert "60.00" not in str(refused.body)
    assert WrongCode.objects.count() == 6
    assert Incident.objects.get(kind=KIND).subject == f"ticket {won['serial']}"
    own = {"serial": won["serial"], **code(won)}
    assert stranger.post("/verify/won.json", own).ok()["owing"] == "60.00"


def test_a_stranger_with_many_serials_does_not_flood_the_list(house: House) -> None:
    writer, stranger = house.insider("writer"), house.stranger()
    for sold in drawn(house, writer, count=9):
        for number in range(6):
            assert guess(stranger, sold, number).refused("no-such-ticket")
    subjects = list(Incident.objects.filter(kind=KIND).order_by("id").values_list("subject", flat=True))
    assert len(subjects) == 4
    assert subjects[-1] == "system:public check"


def test_a_serial_that_nobody_has_counts_nothing(house: House) -> None:
    won = winner(house, house.insider("writer"))
    with house.unchanged():
        for number in range(8):
            assert guess(house.stranger(), won | {"serial": "0" * 12}, number).refused("no-such-ticket")
    assert not WrongCode.objects.exists()


def test_here_and_there_together(house: House) -> None:
    """Three at the check, one at each of two terminals: five for one ticket, wherever."""
    writer = house.insider("writer")
    won = winner(house, writer)
    for number in range(3):
        guess(house.stranger(), won, number)
    for number in range(2):
        wrong = {"security_code": f"{number:016d}"}
        house.insider("writer").post(f"keno/tickets/{won['serial']}/look-up", wrong).refused("security-code-wrong")
    assert Incident.objects.get(kind=KIND).subject == f"ticket {won['serial']}"


def test_a_writer_asks_for_the_proof_of_an_entry_instead(house: House) -> None:
    thief = house.insider("writer")
    won = winner(house, house.insider("writer"))
    address = f"keno/games/{won['first_game']}/entry-proof"
    for number in range(5):
        wrong = {"serial": won["serial"], "security_code": f"{number:016d}"}
        assert thief.post(address, wrong).refused("no-such-ticket")
    assert Incident.objects.get(kind=KIND).subject == thief.identity
    assert thief.post(address, {"serial": won["serial"], **code(won)}).refused("terminal-held")
    assert thief.post(f"keno/tickets/{won['serial']}/pay", code(won)).refused("terminal-held")
