"""A terminal sends a card that nobody was ever given, so that no limit, exclusion or person is behind the wager, the
entry or the hit: refused wherever a card matters. Without any card one still plays where the venue requires none."""

from __future__ import annotations

from tests.attacks.cards import TICKET, refused_wager
from tests.attacks.insider import House

INVENTED = "ZZ-404"


def test_an_invented_card_does_nothing(house: House) -> None:
    from promotions.demo import build_demo

    build_demo()
    writer, table, supervisor = house.insider("writer"), house.insider("table"), house.insider("supervisor")
    manager = house.insider("manager")
    writer.post("keno/tickets", TICKET).ok(201)
    with house.unchanged(but={"jackpot.round-started"}):  # a round, and no wager in it
        assert writer.post("keno/tickets", TICKET | {"player": INVENTED}).refused("card-unknown")
        round_ = table.post("jackpot/tables/CSP-01/rounds", {"wagers": [{"box": 1, "player": INVENTED}]})
        assert refused_wager(round_, "card-unknown")
        wagers = {"table": "CSP-02", "wagers": [{"name": "ante", "amount": "50.00"}]}
        assert table.post(f"cards/{INVENTED}/wagers", wagers).refused("card-unknown")
        assert table.post(f"cards/{INVENTED}/returns", {"table": "CSP-02", "amount": "5.00"}).refused("card-unknown")
        chips = {"table": "CSP-02", "kind": "bought", "amount": "5.00"}
        assert table.post(f"cards/{INVENTED}/chips", chips).refused("card-unknown")
        deposit = {"amount": "5.00", "method": "cash"}
        assert writer.post(f"cards/{INVENTED}/deposits", deposit).refused("card-unknown")
        assert writer.post("promotions/LUNAR/entries", {"card": INVENTED}).refused("card-unknown")
        assert manager.post("promotions/excluded-cards", {"card": INVENTED, "why": "other"}).refused("card-unknown")
        assert supervisor.post(f"cards/{INVENTED}/cancel", {"reason": "lost"}).refused("no-such-card")


def test_a_file_of_invented_cards_enters_nobody_and_says_so(house: House) -> None:
    from promotions.demo import build_demo
    from promotions.imports import go_on
    from promotions.models import Entry

    build_demo()
    before = Entry.objects.count()
    manager = house.insider("manager")
    lines = "reference,card\n" + "".join(f"R-{n},ZZ-{n}\n" for n in range(5)) + "R-9,c-1001\n"
    made = manager.post("promotions/LUNAR/imports", {"name": "x.csv", "csv": lines, "all_or_nothing": False}).ok()
    done = go_on(made["id"])
    assert (done.entered, done.refused) == (1, 5)
    assert Entry.objects.count() == before + 1
    rows = manager.get(f"promotions/imports/{made['id']}/refused").ok()["results"]
    assert {each["error"] for each in rows} == {"There is no such player card: register the player first."}
