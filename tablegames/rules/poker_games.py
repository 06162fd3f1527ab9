"""The five poker games against a dealer who plays with ace-king or higher: one engine (poker.py), the differences here.

| | Lunar NSW | Lunar Vanuatu | Lunar NZ | Caribbean Stud | Canberra Poker |
|---|---|---|---|---|---|
| dealer does not qualify: ante | 1 to 1, straight up 4 to 1 | 1 to 1 | 1 to 1 | 1 to 1 | 1 to 1 |
| player's hand wins: ante | goes back | goes back | goes back | 1 to 1 | 1 to 1 |
| royal flush on the bet | 100 to 1 | 100 to 1 | 100 to 1 | 250 to 1 | 250 to 1 |
| instant payout | 250 / 1000 | one of 13 | one of 13 | – | – |
| super wager | a must, from the ante up, also on others | one of 4 | one of 7 | – | – |
| draw, sixth card, second combination | yes | yes | yes | – | – |
| force the dealer | – | yes | yes | – | – |
| maximum payout | – | all wagers | all wagers | bet | bet |
| a bet that is not twice the ante | up to twice | refused | refused | up to twice | refused |
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from chance.hands import Category
from tablegames.rules.combinations import ACE_KING
from tablegames.rules.odds import EVENS, Cell, Odds, PayTable, pay_table


class Effect(StrEnum):
    """What an irregularity does to the wagers on the hand."""

    VOID = "void"
    FOLDED = "folded"
    FORFEITED = "forfeited"
    ANTE_WINS = "ante-wins"


@dataclass(frozen=True, slots=True, kw_only=True)
class PokerGame:
    code: str
    title: str
    document: str
    bet: PayTable
    ante: tuple[tuple[Category, Cell], ...]
    """When the dealer does not qualify: the first whose category the player's hand reaches."""
    ante_wins: Cell | None
    """When the player's hand wins. None: the ante goes back."""
    clauses: Mapping[str, str]
    """Which rule decides what, by its number in the document."""
    irregularities: Mapping[str, tuple[Effect, str]]
    instant: Mapping[str, PayTable] = field(default_factory=dict)
    supers: Mapping[str, PayTable] = field(default_factory=dict)
    super_is_a_must: bool = False
    super_elsewhere: bool = False
    forces: bool = False
    capped: frozenset[str] = frozenset()
    """The wagers that a displayed maximum payout limits."""
    interim_stands: frozenset[str] = frozenset()
    """The irregularities that leave standing what was settled before them."""
    concedes: bool = False
    corrects_bet: bool = False

    def clause(self, about: str) -> str:
        return f"{self.document}:{self.clauses[about]}"

    @property
    def lunar(self) -> bool:
        return bool(self.supers)


def _bet(clause: str, *, lunar: bool) -> PayTable:
    ladder = pay_table(
        "bet",
        clause,
        royal_flush=100 if lunar else 250,
        straight_flush=50,
        four_of_a_kind=20,
        full_house=7,
        flush=5,
        straight=4,
        three_of_a_kind=3,
        two_pairs=2,
        pair=1,
        ace_king=1,
    )
    assert ladder.names[-1] == ACE_KING
    return ladder


def _instant(clause: str, *pairs: tuple[int, int]) -> dict[str, PayTable]:
    """By name: the straight flush's odds, then the royal flush's."""
    return {
        f"{straight}/{royal}": pay_table(f"{straight}/{royal}", clause, royal_flush=royal, straight_flush=straight)
        for straight, royal in pairs
    }


THIRTEEN: Final = (
    (200, 600), (300, 600), (200, 800), (300, 800), (200, 1000), (300, 1000), (200, 1200),
    (300, 1200), (400, 1200), (200, 1500), (300, 1500), (400, 1500), (500, 1500),
)  # fmt: skip


def _super(name: str, clause: str, four: int, coloured: int, full: int, *rest: int) -> PayTable:
    flush, straight, three, ace_king_queen, five = rest
    return pay_table(
        name,
        clause,
        four_of_a_kind=four,
        same_coloured_straight=coloured,
        full_house=full,
        flush=flush,
        straight=straight,
        three_of_a_kind=three,
        ace_king_queen=ace_king_queen,
        five_same_coloured=five,
    )


_NSW_SUPER: Final = pay_table(
    "standard",
    "nsw-lp:10.5.3",
    four_of_a_kind=200,
    five_picture_cards=150,
    full_house=100,
    flush=60,
    straight=25,
    three_of_a_kind=8,
    ace_king_queen=5,
    five_same_coloured=2,
)

LUNAR_NSW: Final = PokerGame(
    code="lunar-poker-nsw",
    title="Lunar Poker (New South Wales)",
    document="nsw-lp",
    bet=_bet("nsw-lp:10.1", lunar=True),
    ante=(
        (Category.STRAIGHT, Cell("straight-or-higher", Odds(4), "nsw-lp:10.2")),
        (Category.HIGH_CARD, Cell("less-than-a-straight", EVENS, "nsw-lp:10.2")),
    ),
    ante_wins=None,
    instant=_instant("nsw-lp:10.3", (250, 1000)),
    supers={"standard": _NSW_SUPER},
    super_is_a_must=True,
    super_elsewhere=True,
    interim_stands=frozenset({"not-reconstructed"}),
    concedes=True,
    corrects_bet=True,
    clauses={
        "ante-missing": "5.2.1",
        "super-missing": "5.2.2",
        "super-too-small": "5.2.5",
        "wager": "5.2",
        "bet-missing": "8.4.2",
        "bet-amount": "5.3",
        "bet-corrected": "12.12",
        "maximum": "6.3",
        "cards": "3.1",
        "hand": "7.2",
        "not-qualified": "9.3",
        "not-qualified-bet": "9.3.4",
        "bet-wins": "9.4.3.1",
        "bet-loses": "9.4.3.2",
        "bet-stands-off": "9.4.3.3",
        "ante-goes-back": "9.5.2",
        "ante-loses": "9.4.5",
        "ante-stands-off": "9.4.3.3",
        "second": "9.5.1",
        "fold": "8.6",
        "concede": "9.1",
        "exchange": "8.8.1",
        "sixth": "8.8.2",
        "fee": "8.4.5",
        "over": "10.4",
        "undeclared": "8.3",
        "instant-lost": "12.16.2",
        "instant-elected": "12.16.1",
        "reshuffled": "4.1.4",
        "super-loses": "10.5.3",
    },
    irregularities={
        "misdeal": (Effect.VOID, "12.10"),
        "wrong-number-of-cards": (Effect.VOID, "12.2"),
        "two-cards-exposed": (Effect.VOID, "12.5"),
        "dealt-without-an-ante": (Effect.VOID, "12.8"),
        "missing-or-foreign-card": (Effect.VOID, "12.11.2"),
        "player-absent": (Effect.VOID, "12.14"),
        "not-reconstructed": (Effect.VOID, "12.15"),
        "shuffler": (Effect.VOID, "13.2.1"),
        "device-used": (Effect.VOID, "14.3.1"),
        "invalidated": (Effect.VOID, "14.5"),
        "fraud": (Effect.FORFEITED, "14.5"),
    },
)

_ISLANDS: Final[Mapping[str, str]] = {
    "ante-missing": "5.1",
    "wager": "5.1",
    "bet-missing": "5.2",
    "bet-amount": "5.2",
    "cards": "7.3",
    "hand": "8.3",
    "not-qualified": "10.2",
    "not-qualified-bet": "10.2",
    "bet-wins": "10.8",
    "bet-loses": "10.7",
    "bet-stands-off": "10.6",
    "ante-goes-back": "10.8",
    "ante-loses": "10.7",
    "ante-stands-off": "10.6",
    "second": "10.9",
    "fold": "9.4",
    "exchange": "8.5",
    "sixth": "8.6",
    "over": "5.8",
    "undeclared": "9.2",
    "instant-elected": "11.15",
    "force": "10.3",
    "force-fails": "10.4",
    "cap": "5.12",
    "super-loses": "5.9",
}
_ISLAND_IRREGULARITIES: Final[Mapping[str, tuple[Effect, str]]] = {
    "misdeal": (Effect.VOID, "11.11"),
    "wrong-number-of-cards": (Effect.VOID, "11.2"),
    "two-cards-exposed": (Effect.VOID, "11.5"),
    "dealt-without-an-ante": (Effect.VOID, "11.8"),
    "missing-or-foreign-card": (Effect.VOID, "11.10"),
    "player-absent": (Effect.FORFEITED, "11.12"),
    "not-reconstructed": (Effect.VOID, "11.13"),
    "collusion": (Effect.VOID, "11.1"),
}

LUNAR_VANUATU: Final = PokerGame(
    code="lunar-poker-vanuatu",
    title="Lunar Poker (Vanuatu)",
    document="vu-lp",
    bet=_bet("vu-lp:5.5", lunar=True),
    ante=((Category.HIGH_CARD, Cell("ante", EVENS, "vu-lp:5.5")),),
    ante_wins=None,
    instant=_instant("vu-lp:5.6", *THIRTEEN),
    # The operator may lower three of a kind to 7, ace-king-queen to 5, or both.
    supers={
        name: _super(name, "vu-lp:5.9", 200, 150, 100, 50, 25, three, ace_king_queen, 2)
        for name, three, ace_king_queen in (
            ("standard", 8, 6),
            ("three-7", 7, 6),
            ("ace-king-queen-5", 8, 5),
            ("three-7-ace-king-queen-5", 7, 5),
        )
    },
    forces=True,
    capped=frozenset({"ante", "bet", "super"}),
    clauses={
        **_ISLANDS,
        "fee": "8.5",
        "instant-lost": "11.15",
        "super-elected": "11.16",
        "reshuffled": "11.17",
    },
    irregularities=_ISLAND_IRREGULARITIES,
)

LUNAR_NEW_ZEALAND: Final = PokerGame(
    code="lunar-poker-new-zealand",
    title="Lunar Poker (New Zealand)",
    document="nz-lp",
    bet=_bet("nz-lp:5.5", lunar=True),
    ante=((Category.HIGH_CARD, Cell("ante", EVENS, "nz-lp:5.5")),),
    ante_wins=None,
    instant=_instant("nz-lp:5.6", *THIRTEEN),
    supers={
        name: _super(name, "nz-lp:5.9", *figures)
        for name, figures in {
            "1": (200, 150, 100, 50, 25, 8, 6, 2),
            "2": (250, 150, 100, 60, 30, 8, 6, 2),
            "3": (250, 150, 100, 60, 30, 8, 5, 2),
            "4": (250, 150, 100, 60, 30, 7, 5, 2),
            "5": (200, 150, 100, 50, 25, 8, 5, 2),
            "6": (200, 150, 100, 50, 25, 7, 6, 2),
            "7": (200, 150, 100, 50, 25, 7, 5, 2),
        }.items()
    },
    forces=True,
    capped=frozenset({"ante", "bet", "super"}),
    clauses={
        **_ISLANDS,
        "fee": "8.5",
        "instant-lost": "11.16",
        "super-elected": "11.17",
        "reshuffled": "11.19",
    },
    irregularities=_ISLAND_IRREGULARITIES,
)

CARIBBEAN_STUD: Final = PokerGame(
    code="caribbean-stud",
    title="Caribbean Stud Poker (New South Wales)",
    document="nsw-csp",
    bet=_bet("nsw-csp:10.1", lunar=False),
    ante=((Category.HIGH_CARD, Cell("ante", EVENS, "nsw-csp:10.1")),),
    ante_wins=Cell("ante", EVENS, "nsw-csp:10.1"),
    capped=frozenset({"bet"}),
    concedes=True,
    corrects_bet=True,
    clauses={
        "ante-missing": "5.3.1",
        "wager": "5.3",
        "bet-missing": "5.5",
        "bet-amount": "5.6",
        "bet-corrected": "14.12",
        "bet-returned": "14.11.2",
        "maximum": "6.3",
        "cards": "3.1",
        "hand": "14.8",
        "not-qualified": "9.4.1",
        "not-qualified-bet": "9.2",
        "bet-wins": "9.5.1.1",
        "bet-loses": "9.5.1.2",
        "bet-stands-off": "9.5.1.3",
        "ante-wins": "9.5.1.1",
        "ante-loses": "9.5.1.2",
        "ante-stands-off": "9.5.1.3",
        "fold": "8.6",
        "concede": "9.8",
        "cap": "10.2",
    },
    irregularities={
        "misdeal": (Effect.VOID, "14.4"),
        "dealer-wrong-number-of-cards": (Effect.VOID, "14.2"),
        "two-cards-exposed": (Effect.VOID, "14.3"),
        "wrong-number-of-cards": (Effect.VOID, "14.8"),
        "missing-or-foreign-card": (Effect.VOID, "14.9.2"),
        "player-absent": (Effect.FOLDED, "14.14"),
        "shuffler": (Effect.VOID, "15.2.1"),
        "device-used": (Effect.VOID, "16.8.1"),
        "invalidated": (Effect.VOID, "16.10"),
        "fraud": (Effect.FORFEITED, "16.10"),
    },
)

CANBERRA_POKER: Final = PokerGame(
    code="canberra-poker",
    title="Canberra Poker (Australian Capital Territory)",
    document="act-cp",
    bet=_bet("act-cp:8.1", lunar=False),
    ante=((Category.HIGH_CARD, Cell("ante", EVENS, "act-cp:8.1")),),
    ante_wins=Cell("ante", EVENS, "act-cp:8.1"),
    capped=frozenset({"bet"}),
    clauses={
        "ante-missing": "4.1",
        "wager": "4.1",
        "bet-missing": "7.2",
        "bet-amount": "7.2",
        "maximum": "3.5",
        "cards": "2.1",
        "hand": "2.5",
        "not-qualified": "9.3",
        "not-qualified-bet": "9.3",
        "bet-wins": "9.4",
        "bet-loses": "9.5",
        "bet-stands-off": "9.6",
        "ante-wins": "9.4",
        "ante-loses": "9.5",
        "ante-stands-off": "9.6",
        "fold": "7.3",
        "cap": "8.2",
    },
    irregularities={
        "three-cards-exposed": (Effect.VOID, "13.1"),
        "dealt-out-of-order": (Effect.VOID, "13.3"),
        "wrong-number-of-cards": (Effect.VOID, "13.4"),
        "dealer-wrong-number-of-cards": (Effect.ANTE_WINS, "13.5"),
        "collusion": (Effect.VOID, "12.2"),
        "rules-broken": (Effect.VOID, "15.3"),
        "invalidated": (Effect.VOID, "15.5"),
    },
)

POKER_GAMES: Final[Mapping[str, PokerGame]] = {
    game.code: game for game in (LUNAR_NSW, LUNAR_VANUATU, LUNAR_NEW_ZEALAND, CARIBBEAN_STUD, CANBERRA_POKER)
}
