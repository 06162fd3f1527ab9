"""A player who may lose $5 a day wagers on under other spellings of his card: all of it counts against one limit."""

from __future__ import annotations

from tests.attacks.cards import SPELLINGS, TICKET, path, refused_wager, register
from tests.attacks.insider import House


def test_one_limit_for_one_card(house: House) -> None:
    supervisor, player = register(house)
    limit = {"kind": "loss", "period": "day", "amount": "5.00"}
    supervisor.post(f"players/{player}/limits", limit).ok(201)
    writer, table = house.insider("writer"), house.insider("table")
    writer.post("keno/tickets", TICKET | {"player": "rx-1"}).ok(201)
    table.post("jackpot/tables/CSP-01/rounds", {"wagers": [{"box": 1, "player": "Rx-1"}]}).ok(201)  # $2.50
    for spelling in SPELLINGS:
        with house.unchanged(but=["player.wager-above-limit"]):
            assert writer.post("keno/tickets", TICKET | {"player": spelling}).refused("loss-limit")
            bet = {"table": "CSP-02", "wagers": [{"name": "ante", "amount": "50.00"}]}
            answer = table.post(f"cards/{path(spelling)}/wagers", bet)
            # What lies above the limit goes back (nsw-csp:14.21): of $50.00 fifty cents stand, the first time.
            assert answer.ok(201)["wagers"][0]["stands"] in ("0.50", "0.00")
    (used,) = supervisor.get(f"players/{player}").ok()["limits"]
    assert used["used"] == "5.00"


def test_one_hand_a_player_whatever_the_spelling(house: House) -> None:
    register(house)
    table = house.insider("table")
    two = [{"box": 1, "player": "RX-1"}, {"box": 2, "player": " rx-1 "}]
    started = table.post("jackpot/tables/CSP-01/rounds", {"wagers": two}).ok(201)
    assert [each["code"] for each in started["refused"]] == ["second-hand-of-player"]
    elsewhere = table.post("jackpot/tables/CSP-02/rounds", {"wagers": [{"box": 1, "player": "rx-1"}]})
    assert refused_wager(elsewhere, "card-in-use")
