"""Pai Gow's settlement by the text (act-pg:11), against a second reading of every two parts there are."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement
from math import ceil, floor
from random import Random
from typing import Any

import pytest

from chance.tiles import TILES
from kernel.authority import Authority
from kernel.money import Money
from kernel.refusal import Refusal
from tablegames import approvables
from tablegames.approvables import NewTable
from tablegames.rules.baccarat import BACCARAT
from tablegames.rules.owed import Owed
from tablegames.rules.pai_gow import check_terms, is_higher
from tablegames.rules.pai_gow_bank import bank_commission, settle
from tablegames.rules.terms import Limit, Terms
from tablegames.sign import read

# The second reading: highest first, as the rule lists the tiles and what they count.
COUNTS = dict(zip(TILES, (2, 2, 8, 4, 0, 6, 4, 1, 0, 7, 6, 9, 8, 7, 5, 3), strict=True))
PARTS = list(combinations_with_replacement(TILES, 2))


def count(part: tuple[str, ...]) -> int:
    jun = part.count("gee-jun")
    total = sum(COUNTS[tile] for tile in part)
    return max((total + 3 * changed) % 10 for changed in range(jun + 1))


def named(part: tuple[str, ...]) -> tuple[int, int]:
    """Pairs above Wongs, Gongs and High Nines, each by its tile; (0, 0) is a plain count."""
    first, second = sorted(part, key=TILES.index)
    if first == second:
        return 4, 99 if first == "gee-jun" else 50 - TILES.index(first)
    if first in ("teen", "day") and second not in ("teen", "day") and COUNTS[second] in (9, 8, 7):
        return {9: 3, 8: 2, 7: 1}[COUNTS[second]], 50 - TILES.index(first)
    return 0, 0


def beats(player: tuple[str, ...], bank: tuple[str, ...], *, low: bool) -> bool:
    if named(player) != named(bank) or named(player) != (0, 0):
        return named(player) > named(bank)
    mine, theirs = count(player), count(bank)
    if mine != theirs:
        return mine > theirs
    if low and mine == 0:
        return False
    return min(map(TILES.index, player)) < min(map(TILES.index, bank))


@pytest.mark.clause("act-pg:3.1", "act-pg:3.2", "act-pg:4.1", "act-pg:4.2", "act-pg:11.2", "act-pg:11.5", "act-pg:11.6")
@pytest.mark.parametrize("low", [True, False])
def test_every_two_parts_are_decided_as_a_second_reading_decides_them(low: bool) -> None:
    for player in PARTS:
        for bank in PARTS:
            assert is_higher(player, bank, low=low) == beats(player, bank, low=low), (player, bank)


@pytest.mark.clause("act-pg:11.2", "act-pg:11.6")
def test_nothing_against_nothing_is_decided_by_tile_in_the_high_part_only() -> None:
    zeros = [part for part in PARTS if named(part) == (0, 0) and count(part) == 0]
    higher, lower = sorted(zeros, key=lambda part: min(map(TILES.index, part)))[:: len(zeros) - 1]
    assert is_higher(higher, lower, low=False)
    assert not is_higher(higher, lower, low=True)


def set_by_chance(tiles: list[str], chance: Random) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """High and low, in whatever way somebody sets four tiles."""
    chance.shuffle(tiles)
    one, other = tuple(tiles[:2]), tuple(tiles[2:])
    return (other, one) if beats(other, one, low=False) else (one, other)


@pytest.mark.clause("act-pg:11.1", "act-pg:11.3", "act-pg:11.4", "act-pg:11.8", "act-pg:11.9", "act-pg:11.10")
@pytest.mark.clause("act-pg:11.11", "act-pg:9.1")
def test_rounds_dealt_out_are_settled_as_a_second_reading_settles_them() -> None:
    """All 32 tiles to eight boxes; the House, a player or both at the Bank."""
    chance, seen = Random("pai gow by the text"), set[str]()
    for _ in range(200):
        tiles = [*TILES, *TILES]
        chance.shuffle(tiles)
        hands = [set_by_chance(tiles[4 * n : 4 * n + 4], chance) for n in range(8)]
        bank, boxes = hands[0], {f"box-{n}": hands[n] for n in range(1, 8)}
        stakes = {name: chance.randrange(500, 20_000) for name in boxes}  # cents
        won = {
            name: sum(beats(hand[part], bank[part], low=part == 1) for part in (0, 1)) for name, hand in boxes.items()
        }
        part = {"bank_high": bank[0], "bank_low": bank[1]}
        for name, (high, low) in boxes.items():
            one = {"player_high": high, "player_low": low} | part
            found = settle(terms=Terms(), wagers={"hand": Money.cents(stakes[name])}, cards=one, choices={}).owed[0]
            pays = stakes[name] * 95 // 100 if won[name] == 2 else 0
            back = stakes[name] if won[name] else 0
            assert (found.pays, found.returns) == (Money.cents(pays), Money.cents(back)), (hands, name)
            if beats(high, low, low=False):
                wrong = one | {"player_high": low, "player_low": high}
                with pytest.raises(Refusal, match="change them over"):
                    settle(terms=Terms(), wagers={"hand": Money.dollars(1)}, cards=wrong, choices={})
        made = sum(stakes[name] * {0: 1, 1: 0, 2: -1}[won[name]] for name in boxes)  # what the Bank made
        cards = part | {f"{name}_high": hand[0] for name, hand in boxes.items()}
        cards |= {f"{name}_low": hand[1] for name, hand in boxes.items()}
        for held, mine in (("player", Fraction(made)), ("co-bank", Fraction(made, 2))):
            wagers = {"bank": Money.dollars(10_000)} | {name: Money.cents(stake) for name, stake in stakes.items()}
            found = settle(terms=Terms(), wagers=wagers, cards=cards, choices={"bank": held}).owed[0]
            gain = floor(mine) if mine > 0 else 0  # an odd half cent is the House's
            seen.add(f"{held} {'makes' if mine > 0 else 'loses' if mine < 0 else 'nothing'}")
            assert found.pays == Money.cents(gain - gain * 5 // 100), (held, made)  # a part of a cent is not charged
            assert found.returns == Money.cents(1_000_000 + min(ceil(mine), 0))
    assert seen >= {f"{held} {how}" for held in ("player", "co-bank") for how in ("makes", "loses")}


def line(choices: dict[str, Any], **parts: tuple[str, str]) -> Owed:
    return settle(terms=Terms(), wagers={"hand": Money.dollars(100)}, cards=parts, choices=choices).owed[0]


WON: dict[str, Any] = {
    "player_high": ("teen", "teen"),
    "player_low": ("day", "day"),
    "bank_high": ("chop-bot", "chop-ng"),
    "bank_low": ("chong", "bon"),
}


@pytest.mark.clause("act-pg:11.8", "act-pg:11.9", "act-pg:11.7")
def test_a_win_is_less_commission_but_for_the_houses_own_hand() -> None:
    assert (str(line({}, **WON).pays), line({}, **WON).payments[0].clause) == ("95.00", "act-pg:11.8")
    house = line({"house_hand": True}, **WON)
    assert (str(house.pays), house.payments[0].clause) == ("100.00", "act-pg:11.9")
    conceded = line({"play": "concede"})
    assert (str(conceded.result), conceded.clause) == ("loses", "act-pg:11.7")


@pytest.mark.clause("act-pg:11.10", "act-pg:11.11")
def test_who_holds_the_bank_pays_commission_on_what_he_made() -> None:
    assert str(bank_commission(Money.parse("130.50"))) == "6.52"
    assert str(bank_commission(Money.parse("-20.00"))) == "0.00"


# A round with a player at the Bank: what each box comes to against a Bank of nine and seven.
BANKED: dict[str, Any] = {
    "bank_high": ("chop-bot", "foo"),  # nine
    "bank_low": ("chong", "foo"),  # seven
    "box-1_high": ("teen", "teen"),
    "box-1_low": ("day", "day"),  # the House's hand wins
    "box-2_high": ("yun", "yun"),
    "box-2_low": ("mooy", "mooy"),  # wins
    "box-3_high": ("ping", "chop-ng"),
    "box-3_low": ("gor", "ping"),  # five and four: loses
    "box-4_high": ("bon", "bon"),
    "box-4_low": ("gor", "tif"),  # a pair and one: a push
}
STAKES = {"box-1": "20.00", "box-2": "100.00", "box-3": "400.00", "box-4": "50.00"}


def banked(
    bank: str, held: str, terms: Terms | None = None, *, loser: str = "400.00"
) -> dict[str, tuple[str, str, str, str]]:
    wagers = {name: Money.parse(amount) for name, amount in ({"bank": bank} | STAKES | {"box-3": loser}).items()}
    settled = settle(terms=terms or Terms(), wagers=wagers, cards=BANKED, choices={"bank": held})
    return {line.wager: (str(line.result), str(line.pays), str(line.returns), line.clause) for line in settled.owed}


@pytest.mark.clause("act-pg:11.8", "act-pg:11.9", "act-pg:11.10")
def test_a_players_bank_is_settled_with_every_box() -> None:
    assert banked("1000.00", "player") == {
        "bank": ("wins", "266.00", "1000.00", "act-pg:11.10"),  # 400 - 100 - 20, less 14.00
        "box-1": ("wins", "20.00", "20.00", "act-pg:11.1"),  # the House's own: no commission
        "box-2": ("wins", "95.00", "100.00", "act-pg:11.1"),
        "box-3": ("loses", "0.00", "0.00", "act-pg:11.4"),
        "box-4": ("stands-off", "0.00", "50.00", "act-pg:11.3"),
    }
    assert banked("1000.00", "player", loser="100.00")["bank"] == ("loses", "0.00", "980.00", "act-pg:11.10")
    assert banked("1000.00", "player", loser="120.00")["bank"][:3] == ("stands-off", "0.00", "1000.00")
    with pytest.raises(Refusal, match="does not cover"):
        banked("10.00", "player", loser="5.00")


@pytest.mark.clause("act-pg:11.11", "act-pg:5.3", "act-pg:5.4", "act-pg:6.7")
def test_a_co_banker_has_half_and_pays_commission_on_it() -> None:
    assert banked("1000.00", "co-bank")["bank"] == ("wins", "133.00", "1000.00", "act-pg:11.11")  # 140 less 7.00
    assert banked("1000.00", "co-bank", loser="99.99")["bank"][:3] == ("loses", "0.00", "990.00")  # of 20.01
    # Twice the box's maximum against a co-bank, no maximum against a player's own.
    terms = Terms(limits={"hand": Limit(Money.dollars(5), Money.dollars(40))})
    assert banked("1000.00", "co-bank", terms)["box-2"] == ("wins", "76.00", "100.00", "act-pg:11.1")
    assert banked("1000.00", "player", terms)["box-2"] == ("wins", "95.00", "100.00", "act-pg:11.1")


@pytest.mark.clause("act-pg:11.12")
def test_less_than_five_percent_is_charged_where_the_sign_was_approved_so() -> None:
    sign = read({"commission": 250})
    assert (sign.commission, sign.as_data()["commission"]) == (250, 250)
    line = settle(terms=sign, wagers={"hand": Money.dollars(100)}, cards=WON, choices={}).owed[0]
    assert (str(line.pays), str(line.payments[0].odds), line.payments[0].clause) == (
        "97.50",
        "1 to 1 less 2.5%",
        "act-pg:11.12",
    )
    found = banked("1000.00", "player", sign)
    assert (found["bank"], found["box-1"][1]) == (("wins", "273.00", "1000.00", "act-pg:11.12"), "20.00")
    for wrong in (500, 501, -1):
        with pytest.raises(Refusal) as refusal:
            check_terms(Terms(commission=wrong))
        assert (refusal.value.clause, refusal.value.field) == ("act-pg:11.12", "terms.commission")
    with pytest.raises(Refusal, match="no choice of commission"):
        BACCARAT.check_terms(Terms(commission=250))
    # A sign of the ACT is an inspector's to approve.
    assert approvables.TABLE.authority("", NewTable(game="pai-gow", terms=sign)) is Authority.INSPECTOR
