"""How a row, an act or a ticket of a Keno export is changed: what the forgeries of keno_forgeries.py are made of."""

from __future__ import annotations

import re
from typing import Any

from kernel.canonical import canonical
from kernel.merkle import leaf_hash, root_of
from tests.world.falsified import Change, Draft, Row

DOLLAR = 1_000_000
BALLS, NOBODY_WINS = 2, 3  # games


def tickets(draft: Draft) -> list[Row]:
    """The entries attached, in their order, to be changed in place."""
    return draft.tickets


def ticket(draft: Draft, *numbers: int) -> Row:
    """The ticket that plays these numbers, in one group."""
    return next(each for each in tickets(draft) if each["groups"] == [list(numbers)])


def leave_out(draft: Draft, *serials: str) -> None:
    draft.tickets = [each for each in draft.tickets if each["serial"] not in serials]


def root_anew(draft: Draft, *games: int) -> None:
    """The roots of these games from the entries as they are now, wherever the log has them."""
    stopped = {
        row["subject"].partition(":")[2]: row["data"]
        for kind in ("keno.cancelled", "keno.wagers-voided")
        for row in draft.acts(kind)
    }
    for game in games:
        inside = [
            each
            for each in tickets(draft)
            if each["first_game"] <= game <= each["last_game"]
            and (each["serial"] not in stopped or _stays(stopped[each["serial"]], game))
        ]
        inside.sort(key=lambda each: str(each["serial"]))
        root = root_of(leaf_hash(canonical(each)) for each in inside).hex()
        for row in draft.rows:
            if row["type"] == "act" and row["kind"] == "draw.sealed" and row["subject"] == f"draw:keno/{game}":
                row["data"].update(root=root, count=len(inside))
            elif row["type"] == "act" and row["subject"] == f"keno-game:{game}" and "ticket_root" in row["data"]:
                row["data"].update(ticket_root=root, ticket_count=len(inside))


def _stays(stop: Row, game: int) -> bool:
    """In the sealed set of a game, though it was cancelled."""
    return bool(stop["from"] > game or game in stop["late"])


def of_game(draft: Draft, kind: str, game: int) -> Row:
    return next(row for row in draft.acts(kind) if row["subject"] == f"keno-game:{game}")


def booked_for(draft: Draft, kind: str, game: int) -> Row:
    return next(row for row in draft.transfers(kind) if row["reference"] == f"game/{game}")


def more_for(kind: str, game: int, micros: int = 1000 * DOLLAR) -> Change:
    """More is booked for a game."""

    def change(draft: Draft) -> None:
        booked_for(draft, kind, game)["micros"] += micros

    return change


def sale(draft: Draft, serial: str) -> Row:
    return next(row for row in draft.transfers("keno.sale") if row["reference"] == serial)


def payment(draft: Draft, serial: str) -> Row:
    return next(row for row in draft.transfers("keno.payment") if row["memo"]["ticket"] == serial)


def more(kind: str, micros: int = 1000 * DOLLAR, at: int = 0) -> Change:
    """A transfer with more on it."""

    def change(draft: Draft) -> None:
        draft.transfer(kind, at)["micros"] += micros

    return change


def without(kind: str, at: int = 0) -> Change:
    def change(draft: Draft) -> None:
        found = [row for row in draft.rows if row["kind"] == kind]
        draft.remove(found[at])

    return change


def says(kind: str, at: int = 0, **said: Any) -> Change:
    """An act that says something else."""

    def change(draft: Draft) -> None:
        draft.act(kind, at)["data"].update(said)

    return change


def row(kind: str, at: int = 0, **fields: Any) -> Change:
    """A row with other fields."""

    def change(draft: Draft) -> None:
        [row for row in draft.rows if row["kind"] == kind][at].update(fields)

    return change


def both(*changes: Change) -> Change:
    def change(draft: Draft) -> None:
        for each in changes:
            each(draft)

    return change


def totals(game: int, **said: Any) -> Change:
    return lambda draft: of_game(draft, "keno.settled", game)["data"]["totals"].update(said)


_AMOUNT = re.compile(r"\d+\.\d{2,6}")
Path = tuple[str | int, ...]


def amounts(row: Row) -> list[Path]:
    """Where amounts and counts stand in a row."""
    if row["type"] == "transfer":
        return [("micros",)]
    return [("data", *path) for path in _numbers(row["data"])]


def _numbers(value: Any) -> list[Path]:
    if isinstance(value, dict):
        return [(key, *path) for key, part in value.items() for path in _numbers(part)]
    if isinstance(value, list):
        return [(at, *path) for at, part in enumerate(value) for path in _numbers(part)]
    counts = isinstance(value, int) and not isinstance(value, bool)
    return [()] if counts or (isinstance(value, str) and _AMOUNT.fullmatch(value)) else []


def raised(at: int, path: Path) -> Change:
    """More in one place of one of Keno's rows."""

    def change(draft: Draft) -> None:
        inside: Any = [row for row in draft.rows if row["kind"].startswith("keno.")][at]
        for step in path[:-1]:
            inside = inside[step]
        old = inside[path[-1]]
        if isinstance(old, str):
            dollars, _, rest = old.partition(".")
            inside[path[-1]] = f"{int(dollars) + 1}.{rest}"
        else:
            inside[path[-1]] = old + (10_000 if path == ("micros",) else 1)

    return change
