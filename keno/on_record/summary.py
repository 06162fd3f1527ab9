"""What the check of Keno says in the end: how much was computed again, and the figures by gaming day. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from keno.on_record.game import GameMoney
from keno.on_record.games import GamesOnRecord
from keno.on_record.walk import Walk
from kernel.export_check import Figure
from kernel.money import Money


def count(many: int, noun: str) -> str:
    return f"{many:,} {noun}{'' if many == 1 else 's'}"


def drawn(found: GamesOnRecord) -> str:
    said = f"Keno: {count(found.recomputed, 'draw')} computed again from promised masters and the witness’s answers"
    said += f", {found.by_balls:,} with balls" if found.by_balls else ""
    if found.void:
        said += f"; {count(found.void, 'attempt')} {'was' if found.void == 1 else 'were'} void and drawn again"
    return said


def tickets(walk: Walk) -> str:
    return f". {count(walk.tickets, 'ticket')} stand in the sealed roots of {count(walk.rooted, 'game')}"


def put_right(found: GamesOnRecord, *, void_wins: int, again: int) -> str:
    said = ""
    if found.late.total:
        said += f"; {found.late.total:,} of the entries were cancelled before the witness was asked, and could not win"
    if void_wins:
        said += f"; {count(void_wins, 'winning wager')} of persons in breach void after the draw"
    if again:
        said += f"; {count(again, 'game')} settled again on the balls that came out"
    return said


def money(found: GamesOnRecord, *, paid: int) -> str:
    settled = [each for each in found.money.values() if each.totals is not None]
    stakes = sum(each.booked.get("keno.stakes", 0) for each in settled)
    prizes = Money.total(Money.parse(_stands(each)["prizes"]) for each in settled)
    return (
        f"Keno: every sale, prize, pro-rated major, jackpot share, bonus, refund and payment by the rules: "
        f"{Money(stakes).said} staked, {prizes.said} won and {Money(paid).said} paid in "
        f"{count(len(settled), 'settled game')}."
    )


def figures(found: GamesOnRecord) -> list[Figure]:
    days: dict[tuple[str, str], int] = {}
    for each in found.money.values():
        if each.totals is None:
            continue
        for what, micros in (
            ("Stakes", each.booked.get("keno.stakes", 0)),
            ("Prizes", Money.parse(_stands(each)["prizes"]).micros),
        ):
            days[each.day, what] = days.get((each.day, what), 0) + micros
    return [Figure(day, what, value) for (day, what), value in sorted(days.items())]


def _stands(game: GameMoney) -> Mapping[str, Any]:
    """What a settled game came to, in the end (12.1)."""
    return (game.again or game).totals or {}
