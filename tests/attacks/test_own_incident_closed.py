"""A supervisor closes what is about himself: the drawer that he was short of, the game that he invalidated, the
terminal with whose token he guessed, and what a colleague has reported of him."""

from __future__ import annotations

from house.models import Incident
from tests.attacks.counter import sell
from tests.attacks.insider import Caller, House

DONE = {"outcome": "Nothing came of it."}


def stays_open(house: House, incident: Incident, *by: Caller) -> None:
    with house.unchanged():
        for each in by:
            assert each.post(f"incidents/{incident.pk}/close", DONE).refused("own-affair")
    incident.refresh_from_db()
    assert (incident.status, incident.closed_by, incident.outcome) == ("open", None, "")


def closed_by(incident: Incident, by: Caller) -> None:
    assert by.post(f"incidents/{incident.pk}/close", DONE).ok()["closed_by"] == by.identity


def test_what_he_did_another_closes(house: House) -> None:
    supervisor, other = house.insider("supervisor"), house.insider("manager")
    game = supervisor.get("keno/games/current").ok()["number"]
    supervisor.post(f"keno/games/{game}/invalidate", {"reason": "Fire."}).ok()
    incident = Incident.objects.get(kind="keno-game-invalidated")
    for told in ("inspector", "players"):
        other.post(f"incidents/{incident.pk}/notices", {"to": told, "how": "telephone"}).ok()
    stays_open(house, incident, supervisor)
    closed_by(incident, other)


def test_a_drawer_is_not_closed_by_whose_it_is_nor_by_who_counted_it(house: House) -> None:
    manager, other = house.insider("manager"), house.insider("supervisor")
    shift = manager.post("keno/shifts", {"opening_float": "500.00"}).ok(201)["id"]
    manager.post(f"keno/shifts/{shift}/close", {"counted_cash": "0.00"}).ok()
    incident = Incident.objects.get(kind="keno-over-short")
    stays_open(house, incident, manager)
    closed_by(incident, other)


def test_what_a_colleague_reported_of_him_however_he_is_written(house: House) -> None:
    device = house.insider("supervisor", holder="supervisor")
    console, writer = house.at_console("supervisor"), house.insider("writer")
    for subject in ("staff:supervisor", "supervisor", " Supervisor ", device.get("me").ok()["device"]):
        body = {"kind": "equipment-malfunction", "what": "He unplugged the shuffler.", "subject": subject}
        incident = Incident.objects.get(pk=writer.post("incidents/", body).ok(201)["id"])
        house.insider("manager").post(f"incidents/{incident.pk}/notices", {"to": "inspector", "how": "telephone"}).ok()
        stays_open(house, incident, device)
        with house.unchanged():
            assert console.call(f"incidents/{incident.pk}/close", DONE).refused("own-affair")
            console.post(f"/incidents/{incident.pk}/close/", {"comment": "Nothing came of it."})
            assert "Close incident" not in console.get(f"/incidents/{incident.pk}/").body
        closed_by(incident, house.insider("manager"))


def test_whoever_has_the_terminals_token_does_not_let_it_go_on(house: House) -> None:
    manager, honest = house.insider("manager"), house.insider("writer")
    sold, identity = sell(honest), house.insider("writer").identity
    rolled = manager.post(f"devices/{identity.removeprefix('device:')}/roll", {"overlap": 0}).ok()
    terminal = Caller(house.server, rolled["token"], identity)
    for number in range(5):
        wrong = {"security_code": f"{number:016d}"}
        assert terminal.post(f"keno/tickets/{sold['serial']}/look-up", wrong).refused("security-code-wrong")
    incident = Incident.objects.get(kind="keno-wrong-codes")
    stays_open(house, incident, manager)
    closed_by(incident, house.insider("supervisor"))


def test_who_only_reported_it_may_close_it(house: House) -> None:
    supervisor = house.insider("supervisor")
    body = {"kind": "payment-error", "what": "Box 3 was paid twice.", "subject": "table:CSP-02"}
    incident = Incident.objects.get(pk=supervisor.post("incidents/", body).ok(201)["id"])
    assert incident.concerns == []
    closed_by(incident, supervisor)
