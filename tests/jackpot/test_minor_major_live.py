"""The minor/major link, live: two purses, two meters, hits from each, one denied without touching the other."""

from __future__ import annotations

import pytest

from jackpot import links, pools
from jackpot.finish_round import finish_round
from jackpot.hits import deny_hit
from jackpot.models import Hit
from jackpot.open_link import open_link
from jackpot.reconcile import reconcile
from jackpot.reports import meters
from jackpot.rules.catalogue import MINOR_MAJOR
from jackpot.rules.payouts import Dealt
from jackpot.rules.pool import Level, Parameters
from jackpot.start_round import Offer, start_round
from jackpot.tables import join_table
from jackpot.terms import LinkTerms
from jackpot.void_round import invalidate_round, void_round
from kernel.money import Money
from ledger.balance import balance
from tests.jackpot.dealt import FLUSH, ROYAL, STRAIGHT_FLUSH, cards
from tests.world.approvals import SYSTEM
from tests.world.calls import Caller, make_device
from tests.world.jackpot_table import pay, verify
from tests.world.money import dollars
from tests.world.people import MANAGER, SUPERVISOR, TABLE

TERMS = LinkTerms(
    rules=MINOR_MAJOR,
    parameters=Parameters(
        wager=Money.dollars(5),
        levels=(
            Level(name="minor", increment_rate=2000, seed=Money.dollars(500)),
            Level(name="major", increment_rate=4000, seed=Money.dollars(20_000)),
        ),
        reserve_rate=1000,
        retained_rate=3000,
    ),
)
LEVELS = ("minor", "major")


@pytest.fixture(autouse=True)
def link(floor: None) -> None:
    open_link(code="MM", title="Minor and major", link_terms=TERMS, by=SYSTEM)
    for table in ("MM-01", "MM-02"):
        join_table(code=table, link="MM", by=SUPERVISOR)


def play(*hands: Dealt, table: str = "MM-01") -> list[Hit]:
    started = start_round(table=table, wagers=[Offer(box=box) for box in (1, 2, 3, 4)], by=TABLE)
    return finish_round(round_id=started.pk, hands=hands, by=TABLE)


def purses() -> tuple[str, str, str]:
    now = pools.read_pools("MM", levels=LEVELS).balances
    return str(now["minor"]), str(now["major"]), str(now["reserve"])


def conserved() -> None:
    now = pools.read_pools("MM", levels=LEVELS)
    inside = Money.total([*now.balances.values(), now.owed_to_winners])
    kept = balance(pools.account("MM", "house")).amount
    paid = Money.total(-balance(pools.account("MM", how)).amount for how in ("cash", "cheque", "chips", "transfer"))
    assert inside + kept + paid == balance(pools.account("MM", pools.DROP)).amount + now.advanced
    assert reconcile(link=links.find_link("MM")).fault == ""


def test_each_hand_wins_its_own_level_and_both_restart() -> None:
    play()  # four wagers: 4.00 to the minor, 8.00 to the major, 2.00 to the reserve
    assert purses() == ("504.00", "20008.00", "2.00")
    shown = start_round(table="MM-02", wagers=[Offer(box=1)], by=TABLE)
    assert shown.displayed == {"minor": "504.00", "major": "20008.00"}
    hits = play(cards(1, ROYAL), cards(2, STRAIGHT_FLUSH), cards(3, FLUSH))
    assert [(hit.box, hit.kind, hit.level, str(hit.amount), str(hit.from_pool)) for hit in hits] == [
        (3, "fixed", None, "100.00", "0.00"),
        (2, "minor", "minor", "509.00", "509.00"),
        (1, "major", "major", "20018.00", "20018.00"),
    ]
    assert purses() == ("500.00", "20000.00", "0.00")  # 4.50 of the minor's seed from the reserve, the rest the house's
    void_round(round_id=shown.pk, by=TABLE)
    for hit in hits:
        verify(hit)
        pay(hit)
    assert [(row.level, row.hits, str(row.wins)) for row in meters(link="MM")] == [
        ("minor", 1, "509.00"),
        ("major", 1, "20018.00"),
    ]
    conserved()


def test_a_denied_major_leaves_the_minor_as_it_was_won() -> None:
    hits = play(cards(1, ROYAL), cards(2, STRAIGHT_FLUSH))
    minor, major = hits
    assert purses() == ("500.00", "20000.00", "0.00")
    deny_hit(hit_id=major.pk, reason="The camera saw another card.", by=MANAGER)
    assert purses() == ("500.00", "20008.00", "0.00")  # as if it had not been; the minor's restart stands
    deny_hit(hit_id=minor.pk, reason="And here too.", by=MANAGER)
    assert purses() == ("504.00", "20008.00", "2.00")
    conserved()


def test_an_invalidated_round_puts_both_back() -> None:
    (hit, *_) = play(cards(1, ROYAL), cards(2, STRAIGHT_FLUSH))
    assert hit.round is not None
    invalidate_round(round_id=hit.round.pk, by=SUPERVISOR, cause="fire", why="Fire alarm.")
    assert purses() == ("500.00", "20000.00", "0.00")
    conserved()


def test_both_meters_over_http() -> None:
    table = Caller(make_device("table")[1])
    link = table.get("jackpot/pools/MM").json()
    assert link["displayed"] == "20500.00"
    assert [(each["name"], each["displayed"]) for each in link["levels"]] == [
        ("minor", "500.00"),
        ("major", "20000.00"),
    ]
    started = table.post("jackpot/tables/MM-01/rounds", {"wagers": [{"box": 1}]}).json()
    assert (started["displayed"], started["levels"]) == ("20500.00", {"minor": "500.00", "major": "20000.00"})
    hands = {"hands": [{"box": 1, "cards": STRAIGHT_FLUSH.split()}]}
    ended = table.post(f"jackpot/rounds/{started['round']}/finish", hands).json()
    assert [(each["level"], each["amount"]) for each in ended["hits"]] == [("minor", "501.00")]
    assert ended["displayed"] == str(dollars("20502.00"))
