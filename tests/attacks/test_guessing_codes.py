"""A writer who guesses security codes: five wrong ones are one incident and his terminal takes no paper any more; the
player whose ticket he tried is paid all the same."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from house.models import Incident
from keno.models import WrongCode
from tests.attacks.counter import code, sell, winner
from tests.attacks.insider import House

REPORTED = "incident.reported"


def guess(number: int) -> dict[str, str]:
    return {"security_code": f"{number:016d}"}


def test_the_fifth_guess_is_the_last(house: House) -> None:
    honest, thief = house.insider("writer"), house.insider("writer")
    won, own = winner(house, honest), sell(thief)
    address = f"keno/tickets/{won['serial']}"
    before = house.log()
    with house.unchanged():
        for number, step in enumerate(("pay", "cancel", "look-up", "pay")):
            assert thief.post(f"{address}/{step}", guess(number)).refused("security-code-wrong")
    assert house.acts_since(before) == []  # counted, and no act each
    with house.unchanged(but={REPORTED}):
        assert thief.post(f"{address}/pay", guess(5)).refused("security-code-wrong")
        for number in range(6, 12):
            assert thief.post(f"{address}/pay", guess(number)).refused("terminal-held")
        assert thief.post(f"{address}/pay", code(won)).refused("terminal-held")
        assert thief.post(f"keno/tickets/{own['serial']}/cancel", code(own)).refused("terminal-held")
    assert house.acts_since(before).count(REPORTED) == 1
    incident = Incident.objects.get(kind="keno-wrong-codes")
    assert incident.subject == thief.identity
    assert not any(guess(number)["security_code"] in incident.what for number in range(12))
    sell(thief)  # for cash the counter stays open
    assert honest.post(f"{address}/pay", code(won)).ok()["paid"] == "60.00"  # and the player is paid

    assert thief.post(f"incidents/{incident.pk}/close", {"outcome": "I looked."}).refused("no-permission")
    supervisor = house.insider("supervisor")
    supervisor.post(f"incidents/{incident.pk}/close", {"outcome": "Looked at the pictures."}).ok()
    assert thief.post(f"keno/tickets/{own['serial']}/cancel", code(own)).ok()


def test_a_slip_of_the_finger_is_forgiven_and_a_way_round_is_not(house: House) -> None:
    honest, thief = house.insider("writer"), house.insider("writer")
    tried, own = sell(honest), sell(thief)
    for number in range(4):  # four slips, then the right one: forgiven
        assert thief.post(f"keno/tickets/{own['serial']}/look-up", guess(number)).refused("security-code-wrong")
    thief.post(f"keno/tickets/{own['serial']}/look-up", code(own)).ok()
    assert not WrongCode.objects.exists()
    for number in range(4):  # his own ticket in between forgives nothing of another's
        assert thief.post(f"keno/tickets/{tried['serial']}/look-up", guess(number)).refused("security-code-wrong")
        thief.post(f"keno/tickets/{own['serial']}/look-up", code(own)).ok()
    thief.post(f"keno/tickets/{tried['serial']}/look-up", guess(5)).refused("security-code-wrong")
    assert thief.post(f"keno/tickets/{own['serial']}/look-up", code(own)).refused("terminal-held")


def test_guesses_spread_over_terminals_flag_the_ticket_and_do_not_lock_it(house: House) -> None:
    honest = house.insider("writer")
    sold = sell(honest)
    for number in range(7):
        thief = house.insider("writer")
        assert thief.post(f"keno/tickets/{sold['serial']}/look-up", guess(number)).refused("security-code-wrong")
    assert Incident.objects.get(kind="keno-wrong-codes").subject == f"ticket {sold['serial']}"
    assert honest.post(f"keno/tickets/{sold['serial']}/cancel", code(sold)).ok()["refund"] == "2.00"


def test_guesses_at_once_are_one_incident(house: House) -> None:
    honest, thief = house.insider("writer"), house.insider("writer")
    sold = sell(honest)
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda n: thief.post(f"keno/tickets/{sold['serial']}/look-up", guess(n)), range(12)))
    assert all(answer.refused("security-code-wrong", "terminal-held") for answer in answers)
    assert Incident.objects.filter(kind="keno-wrong-codes", subject=thief.identity).count() == 1
    assert thief.post(f"keno/tickets/{sold['serial']}/look-up", code(sold)).refused("terminal-held")
