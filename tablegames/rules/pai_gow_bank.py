"""Pai Gow where a player holds the Bank, or shares it with the House (act-pg:6, 11.9–11.12): a whole round at once.

Entered are the Bank's wager and every box's, ``bank`` and ``box-1`` to ``box-8``, with their tiles, ``box-2_high``
and so on. Box one is the House's own hand (7.9). The Bank pays and takes even money; a player's commission is the
House's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from kernel.money import ZERO, Money
from kernel.refusal import Refusal
from tablegames.rules import owed, pai_gow
from tablegames.rules.layout import check_amounts, no_such_wager
from tablegames.rules.owed import Owed, Result, Settlement
from tablegames.rules.terms import Terms

BANK: Final = "bank"
BOXES: Final = tuple(f"box-{number}" for number in range(1, 9))
HOUSE_BOX: Final = BOXES[0]
PLAYER, CO_BANK = "player", "co-bank"
# Which rule charges commission on what the Bank made.
COMMISSION_CLAUSE: Final[Mapping[str, str]] = {PLAYER: "act-pg:11.10", CO_BANK: "act-pg:11.11"}


def bank_commission(profit: Money, *, basis_points: int = pai_gow.COMMISSION) -> Money:
    """11.10, 11.11: of what a player made as the Bank, or beside it, in a round: 5%, and nothing of a loss. A part of a
    cent is not charged."""
    return Money(max(profit.micros, 0) * basis_points // 10_000).down_to_cents()


def settle(
    *, terms: Terms, wagers: Mapping[str, Money], cards: Mapping[str, Sequence[str]], choices: Mapping[str, object]
) -> Settlement:
    """One hand against the Bank; or, where a player is the Bank, his round."""
    held = choices.get("bank")
    if held is None:
        return pai_gow.settle(terms=terms, wagers=wagers, cards=cards, choices=choices)
    if not isinstance(held, str) or held not in COMMISSION_CLAUSE:
        raise Refusal("choice-not-known", "The Bank is a player’s, or a co-bank.", field="choices.bank")
    for name in choices:
        if name != "bank":
            raise Refusal("choice-not-offered", "Not of a whole round.", field=f"choices.{name}")
    pai_gow.check_terms(terms)
    check_amounts(wagers)
    for wager in wagers:
        if wager not in (BANK, *BOXES):
            raise no_such_wager(wager, (BANK, *BOXES))
    if BANK not in wagers or len(wagers) < 2:
        raise Refusal("wagers-missing", "Enter the Bank’s wager and those against it.", field="wagers")
    boxes = [wager for wager in wagers if wager != BANK]
    parts = pai_gow.read_tiles(cards, [*boxes, BANK])
    lines, made = {}, ZERO
    for box in boxes:
        won = pai_gow.parts_won(parts, box)
        stake = _in_play(wagers[box], terms, held=held)
        pays = pai_gow.HOUSE_WINS if box == HOUSE_BOX else pai_gow.winning_cell(terms)
        line = pai_gow.settled_line(box, stake, won, pays)
        lines[box] = owed.with_excess(line, wagers[box] - stake, clause="act-pg:5.7")
        made += stake if won == 0 else -stake if won == 2 else ZERO
    share = made if held == PLAYER else _half(made)
    lines[BANK] = _bank(wagers[BANK], share, terms, clause=COMMISSION_CLAUSE[held])
    says = f"The Bank made {made}." if held == PLAYER else f"The Bank made {made}: {share} of it the player’s."
    return Settlement(game=pai_gow.CODE, owed=tuple(lines[wager] for wager in wagers), notes=(says,))


def _half(made: Money) -> Money:
    """6.7: the other half is the House's, with the part of a cent that cannot be divided, won or lost."""
    half = Money(abs(made.micros) // 2).down_to_cents()
    return half if made >= ZERO else -half


def _in_play(placed: Money, terms: Terms, *, held: str) -> Money:
    """5.3: against a player's Bank there is no maximum; 5.4: against a co-bank it is twice the box's."""
    limit = terms.limits.get(pai_gow.WAGER)
    maximum = limit.maximum if limit is not None and held == CO_BANK else None
    return placed if maximum is None else min(placed, 2 * maximum)


def _bank(placed: Money, share: Money, terms: Terms, *, clause: str) -> Owed:
    """What is the player's of the round, less the commission on a profit."""
    if share <= ZERO:
        if placed + share < ZERO:
            raise Refusal("bank-too-small", f"The Bank of {placed} does not cover {-share}.", field=f"wagers.{BANK}")
        result = Result.LOSES if share else Result.STANDS_OFF
        says = "The Bank has paid more than it took." if share else "The Bank paid what it took."
        return Owed(wager=BANK, stake=placed, result=result, returns=placed + share, clause=clause, why=says)
    commission = bank_commission(share, basis_points=pai_gow.commission_of(terms))
    reduced = terms.commission is not None
    return Owed(
        wager=BANK,
        stake=placed,
        result=Result.WINS,
        pays=share - commission,
        returns=placed,
        clause="act-pg:11.12" if reduced else clause,
        why=f"{share} was made, less {commission} commission.",
    )
