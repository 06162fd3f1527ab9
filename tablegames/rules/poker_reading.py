"""What the supervisor entered about a hand of poker, read strictly: what cannot have happened is refused."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from chance.cards import Card, read_card
from kernel.money import ZERO, Money
from kernel.refusal import Refusal
from tablegames.rules.odds import PayTable
from tablegames.rules.poker_games import PokerGame
from tablegames.rules.terms import Terms

ANTE: Final = "ante"
BET: Final = "bet"
SUPER: Final = "super"
DRAW_FEE: Final = "draw-fee"
FORCE_FEE: Final = "force-fee"
DEALER: Final = "dealer"
BOX: Final = re.compile(r"box-[1-9]", re.ASCII)
FOLD, CONCEDE = "fold", "concede"
EXCHANGE, SIXTH_CARD, NO_DRAW = "exchange", "sixth-card", "none"
TAKEN, PAID = "taken", "paid"
_CHOICES: Final = {
    "play": (BET, FOLD, CONCEDE),
    "draw": (NO_DRAW, EXCHANGE, SIXTH_CARD),
    "force": (True, False),
    "declared": (True, False),
    "elected": (True, False),
    "reshuffled": (True, False),
    "interim": (TAKEN, PAID),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    play: str
    draw: str = NO_DRAW
    force: bool = False
    declared: bool = True
    """The player said before drawing that the first five cards win (nsw-lp:8.3, vu-lp:9.2)."""
    elected: bool = False
    """He said it too late, and the house elected to pay (nsw-lp:12.16.1, vu-lp:11.15–16, nz-lp:11.15, 11.17)."""
    reshuffled: bool = False
    """The deck ran out and the discards were dealt again (nsw-lp:4.1.4, vu-lp:11.17, nz-lp:11.19)."""
    irregularity: str | None = None
    interim: str | None = None
    """What had become of the super wager on the own hand before the irregularity (nsw-lp:12.15); None: nothing yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cards:
    player: tuple[Card, ...]
    """The first five."""
    final: tuple[Card, ...]
    """Five or six, after the draw."""
    dealer: tuple[Card, ...] | None
    forced: tuple[Card, ...] | None
    """The dealer's five after the replacement."""
    boxes: Mapping[str, tuple[Card, ...]] = field(default_factory=dict)


def money_of(wagers: Mapping[str, Money], known: Iterable[str]) -> None:
    """Every wager is one of the game and more than nothing."""
    known = list(known)
    for name, amount in wagers.items():
        if name not in known:
            raise Refusal(
                "wager-not-of-this-game",
                f"There is no wager “{name}” here: the wagers are {', '.join(known)}.",
                field=f"wagers.{name}",
            )
        if amount <= ZERO or not amount.whole_cents:
            raise Refusal("wager-not-allowed", "A wager is more than nothing, in whole cents.", field=f"wagers.{name}")


def read_wagers(game: PokerGame, terms: Terms, wagers: Mapping[str, Money]) -> None:
    known = [ANTE, BET]
    if game.lunar:
        known += [SUPER, DRAW_FEE] + ([FORCE_FEE] if game.forces else [])
    elsewhere = [
        name
        for name in wagers
        if name.startswith(f"{SUPER}:") and (name[6:] == DEALER or BOX.fullmatch(name[6:])) and game.lunar
    ]
    if elsewhere and not game.super_elsewhere:
        raise Refusal(
            "wager-not-allowed",
            "Here a super wager is made on one's own hand only.",
            clause=game.clause("wager"),
            field=f"wagers.{elsewhere[0]}",
        )
    money_of(wagers, [*known, *elsewhere])
    if ANTE not in wagers:
        raise Refusal(
            "ante-missing", "There is no hand without an ante.", clause=game.clause("ante-missing"), field="wagers.ante"
        )
    if game.super_is_a_must:
        if SUPER not in wagers:
            raise Refusal(
                "super-missing",
                "A hand is dealt only to an ante with a super wager.",
                clause=game.clause("super-missing"),
                field="wagers.super",
            )
        for name in (SUPER, *elsewhere):
            if wagers[name] < wagers[ANTE]:
                raise Refusal(
                    "super-too-small",
                    f"A super wager is at least the ante of {wagers[ANTE]}.",
                    clause=game.clause("super-too-small"),
                    field=f"wagers.{name}",
                )
    if "maximum" not in game.clauses:
        for name in wagers:
            limit = terms.limits.get(name)
            if limit and limit.maximum is not None and wagers[name] > limit.maximum:
                raise Refusal(
                    "wager-above-maximum",
                    f"The sign at the table allows {limit.maximum}.",
                    field=f"wagers.{name}",
                )


def read_choices(game: PokerGame, wagers: Mapping[str, Money], choices: Mapping[str, object]) -> Choices:
    given: dict[str, Any] = {}
    for name, value in choices.items():
        if name == "irregularity":
            if value not in game.irregularities:
                raise Refusal(
                    "irregularity-not-known",
                    f"The rules of {game.title} know: {', '.join(game.irregularities)}.",
                    field="choices.irregularity",
                )
        elif name not in _CHOICES:
            raise Refusal("choice-not-known", f"There is no choice “{name}”.", field=f"choices.{name}")
        elif not any(value is each or (value == each and type(value) is str) for each in _CHOICES[name]):
            words = ", ".join(str(each).lower() for each in _CHOICES[name])
            raise Refusal("choice-not-known", f"The choice is one of: {words}.", field=f"choices.{name}")
        given[name] = value
    read = Choices(**({"play": BET if BET in wagers else FOLD} | given))
    for name, offered in (
        ("draw", game.lunar or read.draw == NO_DRAW),
        ("force", game.forces or not read.force),
        ("declared", game.lunar or read.declared),
        ("elected", game.lunar or not read.elected),
        ("play", game.concedes or read.play != CONCEDE),
        ("interim", read.interim is None or read.irregularity in game.interim_stands),
    ):
        if not offered:
            raise Refusal("choice-not-offered", f"{game.title} does not offer this.", field=f"choices.{name}")
    if read.elected and (read.declared or read.draw == NO_DRAW):
        raise Refusal(
            "nothing-to-elect",
            "The house elects to pay only what was not declared before a draw.",
            clause=game.clause("instant-elected"),
            field="choices.elected",
        )
    return read


def read_cards(game: PokerGame, choices: Choices, cards: Mapping[str, Sequence[str]], *, boxes: Iterable[str]) -> Cards:
    """Each card once, and as many of them as were dealt."""
    boxes = list(boxes)
    wanted = {"player": 5}
    # The dealer turns the hand up only for somebody who plays on, or bets on it.
    wanted |= {DEALER: 5} if choices.play != FOLD or DEALER in boxes or DEALER in cards else {}
    wanted |= {box: 5 for box in boxes if box != DEALER}
    if choices.draw == SIXTH_CARD:
        wanted["sixth"] = 1
    if choices.force:
        wanted["replacement"] = 1
    read = {name: _some(game, cards, name, count) for name, count in wanted.items()}
    if choices.draw == EXCHANGE:
        read |= _exchange(game, cards)
    for name in cards:
        if name not in read:
            raise Refusal("cards-not-wanted", "Leave these cards out.", field=f"cards.{name}")
    player, dealer = read["player"], read.get(DEALER)
    kept = [card for card in player if card not in read.get("discarded", ())]
    for i, card in enumerate(read.get("discarded", ())):
        if card not in player:
            raise Refusal(
                "card-not-held",
                f"{card} is not one of the first five.",
                clause=game.clause("exchange"),
                field=f"cards.discarded[{i}]",
            )
    _refuse_twice(game, {name: read[name] for name in wanted if name not in ("sixth", "replacement")})
    final = (*kept, *read.get("drawn", ()), *read.get("sixth", ()))
    live = {"player": tuple(final), **{name: read[name] for name in read if name in (DEALER, "replacement", *boxes)}}
    if not choices.reshuffled:
        live["discarded"] = read.get("discarded", ())
    _refuse_twice(game, live)
    forced = None
    if choices.force and dealer is not None:
        highest = max(dealer, key=lambda card: card.rank)
        forced = (*(card for card in dealer if card != highest), *read["replacement"])
    return Cards(
        player=player,
        final=final,
        dealer=dealer,
        forced=forced,
        boxes={name: read[name] for name in boxes},
    )


def read_interim(
    game: PokerGame, choices: Choices, cards: Mapping[str, Sequence[str]], *, boxes: Sequence[str]
) -> Cards:
    """The cards that super wagers were settled on, or still are, where the hand itself cannot be put together again."""
    wanted = [*(["player"] if choices.interim == PAID else []), *boxes]
    for name in cards:
        if name not in wanted:
            raise Refusal("cards-not-wanted", "Leave these cards out.", field=f"cards.{name}")
    read = {name: _some(game, cards, name, 5) for name in wanted}
    _refuse_twice(game, read)
    mine = read.get("player", ())
    return Cards(player=mine, final=mine, dealer=read.get(DEALER), forced=None, boxes=read)


def _exchange(game: PokerGame, cards: Mapping[str, Sequence[str]]) -> dict[str, tuple[Card, ...]]:
    given = len(cards.get("discarded", ()))
    if not 2 <= given <= 5:
        raise Refusal(
            "exchange-not-allowed",
            f"Two to five cards are exchanged, not {given}.",
            clause=game.clause("exchange"),
            field="cards.discarded",
        )
    return {name: _some(game, cards, name, given) for name in ("discarded", "drawn")}


def _some(game: PokerGame, cards: Mapping[str, Sequence[str]], name: str, count: int) -> tuple[Card, ...]:
    given = cards.get(name, ())
    if len(given) != count:
        raise Refusal(
            "wrong-number-of-cards",
            f"{count} cards belong here, not {len(given)}. Where a wrong number was dealt, enter the irregularity.",
            clause=game.clause("exchange" if name == "drawn" else "sixth" if name == "sixth" else "hand"),
            field=f"cards.{name}",
        )
    return tuple(
        read_card(each, clause=game.clause("cards"), field=f"cards.{name}[{i}]") for i, each in enumerate(given)
    )


def _refuse_twice(game: PokerGame, dealt: Mapping[str, Sequence[Card]]) -> None:
    seen: set[Card] = set()
    for name, cards in dealt.items():
        for i, card in enumerate(cards):
            if card in seen:
                raise Refusal(
                    "card-twice",
                    f"{card} is there twice: one deck has it once.",
                    clause=game.clause("cards"),
                    field=f"cards.{name}[{i}]",
                )
            seen.add(card)


def chosen(game: PokerGame, terms: Terms, what: str) -> PayTable:
    """The pay table on the table's sign; where the text has only one, that."""
    tables = game.supers if what == "super" else game.instant
    name: str | None = getattr(terms, what)
    if name is None and len(tables) == 1:
        return next(iter(tables.values()))
    if name is None or name not in tables:
        raise Refusal(
            "pay-table-not-chosen",
            f"Say which {what} pay table the table shows: {', '.join(tables)}.",
            clause=next(iter(tables.values())).cells[0].clause,
            field=f"terms.{what}",
        )
    return tables[name]
