"""A player collects $12,600 in three payments at three terminals, each below the limit, so that nobody asks for him."""

from __future__ import annotations

from house.models import Incident, Structuring, ThresholdReport
from kernel.money import Money
from tests.attacks.cards import register
from tests.attacks.counter import pay, winners
from tests.attacks.felt import WHO
from tests.attacks.insider import House


def test_the_third_terminal_asks_who_he_is(house: House) -> None:
    register(house, "SM-1")
    writers = [house.insider("writer") for _ in range(3)]
    first, second, third = winners(house, *writers, stake="70.00", player="sm-1")
    pay(writers[0], first).ok()
    pay(writers[1], second, card=" SM\N{EN DASH}1").ok()
    with house.unchanged():
        assert pay(writers[2], third).refused("identity-needed")
        assert pay(writers[2], third, card="SM-1").refused("identity-needed")
        assert pay(writers[0], third, method="mix", cheque="0.01").refused("identity-needed")
    pay(writers[2], third, identity=WHO).ok()
    report = ThresholdReport.objects.get()
    assert (str(report.cash), report.lines.count()) == ("12600.00", 3)
    hint = Structuring.objects.get(way="out")
    assert (hint.incident.kind, "Wu Li" in hint.incident.what) == ("possible-structuring", False)
    assert house.insider("manager").get("cash/structuring").ok()["results"][0]["about"] == hint.about


def test_nor_do_rooms_hide_him_from_each_other(house: House) -> None:
    """Two tickets, then a hit in chips, a cancelled ticket, a voucher: it is one person's one day."""
    register(house, "SM-1")
    writer, table = house.insider("writer"), house.insider("table")
    (first,) = winners(house, writer, stake="120.00", player="SM-1")
    pay(writer, first).ok()
    started = table.post("jackpot/tables/CSP-01/rounds", {"wagers": [{"box": 1, "player": "sm-1"}]}).ok(201)
    hands = [{"box": 1, "cards": ["9S", "8S", "7S", "6S", "5S"]}]
    hits = table.post(f"jackpot/rounds/{started['round']}/finish", {"hands": hands}).ok()["hits"]
    seen = {"cards": hands[0]["cards"], "surveillance": "CAM-12"}
    manager = house.insider("manager")
    supervisor = house.insider("supervisor")
    hit = next(each for each in hits if each["kind"] == "straight")
    for each in hits:
        supervisor.post(f"jackpot/hits/{each['id']}/verify", seen).ok()
        if each is not hit:
            manager.post(f"jackpot/hits/{each['id']}/pay", {"method": "chips"}).ok()
    with house.unchanged():
        assert manager.post(f"jackpot/hits/{hit['id']}/pay", {"method": "cash"}).refused("identity-missing")
        assert manager.post(f"jackpot/hits/{hit['id']}/pay", {"method": "chips"}).refused("identity-missing")
    manager.post(f"jackpot/hits/{hit['id']}/pay", {"method": "cash", "identity": WHO}).ok()
    report = ThresholdReport.objects.get()
    assert {each.what for each in report.lines.all()} == {"ticket", "hit"}
    assert report.cash == Money.total(each.cash for each in report.lines.all())


def test_unknown_people_at_one_terminal_are_a_hint(house: House) -> None:
    writer, other = house.insider("writer"), house.insider("writer")
    first, second = winners(house, writer, other, stake="120.00")
    before = Incident.objects.count()
    pay(writer, first).ok()
    pay(writer, second).ok()
    assert Structuring.objects.filter(way="out", about=f"at:{writer.identity}").exists()
    assert Incident.objects.count() > before
    assert writer.get("cash/structuring").refused("no-permission")
    assert writer.get("incidents/").refused("no-permission")
