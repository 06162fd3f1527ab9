"""Every game there is, under one door: ``settle(code, …)``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from house.rules.invalid_wagers import Found
from kernel.money import Money
from kernel.refusal import NotFound, Refusal
from tablegames.rules import baccarat, blackjack, mathematics, pai_gow, pai_gow_bank, poker, poker_room
from tablegames.rules.dice_and_wheel import MONEY_WHEEL, SIC_BO
from tablegames.rules.invalid_wagers import settle_invalid
from tablegames.rules.layout import LayoutGame
from tablegames.rules.mathematics import Figures
from tablegames.rules.odds import PayTable
from tablegames.rules.owed import Settlement
from tablegames.rules.poker_games import POKER_GAMES, PokerGame
from tablegames.rules.roulette import ROULETTE
from tablegames.rules.terms import Terms

Cards = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    code: str
    title: str
    document: str
    wagers: tuple[str, ...]
    """What may be wagered on; the kinds, where a wager says what it is on."""
    takes: str
    """``cards`` by whose they are, or one ``outcome`` in one line."""
    pay_tables: tuple[PayTable, ...]
    selectable: Mapping[str, tuple[str, ...]]
    """What the operator chooses for a table, and from what."""
    irregularities: tuple[str, ...]
    check_terms: Callable[[Terms], None]
    figures: Callable[[], list[Figures]]
    _settle: Callable[..., Settlement]
    approved_amounts: tuple[str, ...] = ()
    """Wagers whose amount is approved, and not changed by a notice of the house."""


def _poker(game: PokerGame) -> Game:
    wagers = ("ante", "bet", "super", "draw-fee", "force-fee") if game.lunar else ("ante", "bet")
    choose = {
        name: tuple(tables) for name, tables in (("super", game.supers), ("instant", game.instant)) if len(tables) > 1
    }
    ante = PayTable("ante", tuple(cell for _, cell in game.ante))
    return Game(
        code=game.code,
        title=game.title,
        document=game.document,
        wagers=wagers if game.forces else tuple(name for name in wagers if name != "force-fee"),
        takes="cards",
        pay_tables=(
            ante,
            game.bet,
            *(PayTable(f"super {name}", table.cells) for name, table in game.supers.items()),
            *(PayTable(f"instant {name}", table.cells) for name, table in game.instant.items()),
        ),
        selectable=choose,
        irregularities=tuple(game.irregularities),
        check_terms=partial(poker.check_terms, game),
        figures=partial(mathematics.poker_figures, game),
        _settle=partial(poker.settle, game),
    )


def _layout(game: LayoutGame[Any]) -> Game:
    return Game(
        code=game.code,
        title=game.title,
        document=game.document,
        wagers=tuple(game.kinds),
        takes="outcome",
        pay_tables=(PayTable("wagers", tuple(cell for cells in game.kinds.values() for cell in cells)),),
        selectable={},
        irregularities=tuple(game.irregularities),
        check_terms=game.check_terms,
        figures=partial(mathematics.layout_figures, game),
        _settle=game.settle,
    )


def _baccarat(game: baccarat.BaccaratGame) -> Game:
    return Game(
        code=game.code,
        title=game.title,
        document=game.document,
        wagers=baccarat.WAGERS,
        takes="cards",
        pay_tables=(PayTable("wagers", tuple(game.cells.values())),),
        selectable={},
        irregularities=tuple(game.irregularities),
        check_terms=game.check_terms,
        figures=partial(mathematics.baccarat_figures, game),
        _settle=game.settle,
    )


def _blackjack_figures() -> list[Figures]:
    return [each for decks in blackjack.DECKS for each in mathematics.blackjack_figures(decks)]


_BLACKJACK: Final = Game(
    code=blackjack.CODE,
    title=blackjack.TITLE,
    document="act-bj",
    wagers=blackjack.WAGERS,
    takes="cards",
    pay_tables=(PayTable("wagers", tuple(blackjack.CELLS.values())),),
    selectable={"decks": tuple(map(str, blackjack.DECKS))},
    irregularities=tuple(blackjack.IRREGULARITIES),
    check_terms=blackjack.check_terms,
    figures=_blackjack_figures,
    _settle=blackjack.settle,
    approved_amounts=(blackjack.SEVENS,),
)
_PAI_GOW: Final = Game(
    code=pai_gow.CODE,
    title=pai_gow.TITLE,
    document="act-pg",
    wagers=(pai_gow.WAGER, pai_gow_bank.BANK, *pai_gow_bank.BOXES),
    takes="cards",
    pay_tables=(PayTable("wagers", (pai_gow.WINS,)),),
    selectable={},
    irregularities=tuple(pai_gow.IRREGULARITIES),
    check_terms=pai_gow.check_terms,
    figures=list,
    _settle=pai_gow_bank.settle,
)

GAMES: Final[Mapping[str, Game]] = {
    game.code: game
    for game in (
        *map(_poker, POKER_GAMES.values()),
        _BLACKJACK,
        _layout(ROULETTE),
        _baccarat(baccarat.BACCARAT),
        _baccarat(baccarat.MINI_BACCARAT),
        _PAI_GOW,
        _layout(SIC_BO),
        _layout(MONEY_WHEEL),
    )
}


POKER_ROOM: Final = Game(
    code="poker-room",
    title="Poker room",
    document="act-pk",
    wagers=("table-stake", "bet"),
    takes="cards",
    pay_tables=(),
    selectable={},
    irregularities=(),
    check_terms=poker_room.check_terms,
    figures=list,
    _settle=poker_room.settle,
)
"""Players play against each other there: a table has a sign, but its pots are decided by ``showdown.py``."""


def find(code: str) -> Game:
    game = POKER_ROOM if code == POKER_ROOM.code else GAMES.get(code)
    if game is None:
        raise NotFound("no-such-game", f"The games are: {', '.join(GAMES)}.", field="game")
    return game


def settle(
    code: str,
    *,
    terms: Terms,
    wagers: Mapping[str, Money],
    cards: Cards | None = None,
    outcome: str | None = None,
    choices: Mapping[str, Any] | None = None,
) -> Settlement:
    """What every wager is owed: of one box where cards decide, of a layout where one outcome does."""
    game = find(code)
    other = "outcome" if game.takes == "cards" else "cards"
    if (outcome if game.takes == "cards" else cards) is not None:
        raise Refusal("not-entered-so", f"{game.title}: enter the {game.takes}, not the {other}.", field=other)
    chosen = dict(choices or {})
    invalid = chosen.pop("invalid", None)
    if game.takes == "cards":
        settled = game._settle(terms=terms, wagers=wagers, cards=cards or {}, choices=chosen)
    else:
        settled = game._settle(terms=terms, wagers=wagers, outcome=outcome or "", choices=chosen)
    return settled if invalid is None else _invalid(game, settled, invalid)


def _invalid(game: Game, settled: Settlement, found: str) -> Settlement:
    """Wagers of a person without a player card of his own (nsw-csp:14.20, 16.1)."""
    if game.document != "nsw-csp":
        raise Refusal("choice-not-offered", f"{game.title} knows no invalid wagers.", field="choices.invalid")
    if found not in tuple(Found):
        raise Refusal("choice-not-known", f"Found {', '.join(Found)} the hand: one of these.", field="choices.invalid")
    return replace(settled, owed=tuple(settle_invalid(line, Found(found)) for line in settled.owed))
