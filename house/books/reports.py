"""The back office's reports, made from the transfers alone: revenue and duty by game, the general ledger, the mapping.

What a transfer moves it moves from one account to another, so every day balances by construction; what rounding to
cents leaves (pools accrue to the micro-dollar) is a line of its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import groupby
from typing import Final

from django.db import connection

from house.books.games import played_games, sides
from house.books.mapping import ALL_OF_IT, Books, books, in_force
from kernel.money import MICROS_PER_CENT, Money
from kernel.refusal import Conflict
from ledger.models import Account
from web.reports import Make, Report, report

_MOVED: Final = """
    SELECT day, code, sum(debit)::bigint, sum(credit)::bigint FROM (
        SELECT day, debit_id AS account, amount AS debit, 0 AS credit
        FROM ledger_transfer WHERE day BETWEEN %(first)s AND %(last)s
        UNION ALL
        SELECT day, credit_id, 0, amount FROM ledger_transfer WHERE day BETWEEN %(first)s AND %(last)s
    ) AS moved JOIN ledger_account ON ledger_account.id = account
    GROUP BY day, code ORDER BY day, code
"""
_FIGURES: Final = ("Stakes", "Prizes", "Gaming revenue")
Moved = tuple[date, str, int, int]  # the day, the account, micro-dollars in and out
Sums = tuple[int, int]  # micro-dollars of stakes and of prizes


def moved(first: date, last: date) -> list[Moved]:
    """What went into and out of each account, a row a day and account."""
    with connection.cursor() as cursor:
        cursor.execute(_MOVED, {"first": first, "last": last})
        return list(cursor.fetchall())


def revenue(first: date, last: date) -> Report:
    """Gaming revenue and duty by game: stakes, prizes, what is left, and the duty on it; none on a loss."""
    mapping, sums = in_force(), _by_game(moved(first, last))
    rows = []
    for game in played_games():
        stakes, prizes, left = _figures(sums.get(game.code, (0, 0)))
        rate = mapping.rate(game.code) if mapping else 0
        due = Money.cents(_cents(max(left, 0) * MICROS_PER_CENT * rate // ALL_OF_IT))
        said = f"{rate / 100:.2f}%" if mapping else "not approved"
        rows.append((game.label, *map(Money.cents, (stakes, prizes, left)), said, due))
    return report("Gaming revenue and duty", ("Game", *_FIGURES, "Duty", "Duty due"), rows, add=(*_FIGURES, "Duty due"))


def days(first: date, last: date) -> Report:
    """Gaming revenue of each gaming day, by game."""
    labels = {game.code: game.label for game in played_games()}
    rows = [
        (day, labels[game], *map(Money.cents, _figures(sums)))
        for day, of_day in groupby(moved(first, last), key=_day)
        for game, sums in sorted(_by_game(of_day).items())
    ]
    return report("Gaming revenue by day", ("Gaming day", "Game", *_FIGURES), rows, add=_FIGURES)


def ledger(first: date, last: date) -> Report:
    """The general ledger's entries, a line a gaming day and account; debits are credits, day by day."""
    mapping = books()
    rows = [
        (day, *line)
        for day, of_day in groupby(moved(first, last), key=_day)
        for line in _entries(_by_ledger(of_day, mapping), mapping)
    ]
    columns = ("Gaming day", "Account", "Name", "Debit", "Credit")
    return report("General ledger", columns, rows, add=columns[3:])


def trial(first: date, last: date) -> Report:
    """What went into and out of each account of the general ledger over the days: its days added up."""
    mapping, cents = books(), defaultdict[str, int](int)
    for _, of_day in groupby(moved(first, last), key=_day):
        for code, amount in _by_ledger(of_day, mapping).items():
            cents[code] += amount
    columns = ("Account", "Name", "Debit", "Credit")
    return report("General ledger, all days", columns, list(_entries(cents, mapping)), add=columns[2:])


def accounts(first: date, last: date) -> Report:
    """Every account of the house and what the general ledger calls it."""
    mapping = books()
    rows = [
        (each.code, each.name, each.kind, found.code if found else "", found.name if found else "not mapped")
        for each in Account.objects.order_by("code")
        for found in [mapping.mapped(each.code)]
    ]
    return report("Accounts and the general ledger", ("Account", "Name", "Kind", "Ledger", "Ledger’s name"), rows)


def _day(row: Moved) -> date:
    return row[0]


def _by_game(rows: Iterable[Moved]) -> dict[str, Sums]:
    side_of = sides()
    sums: dict[str, Sums] = {}
    for _, account, into, out in rows:
        if (found := side_of(account)) is not None:
            game, side = found
            stakes, prizes = sums.get(game, (0, 0))
            sums[game] = (stakes + out - into, prizes) if side == 1 else (stakes, prizes + into - out)
    return sums


def _figures(sums: Sums) -> tuple[int, int, int]:
    """Cents of stakes, of prizes, and what is left of them."""
    stakes, prizes = map(_cents, sums)
    return stakes, prizes, stakes - prizes


def _by_ledger(rows: Iterable[Moved], mapping: Books) -> dict[str, int]:
    """Cents by account of the ledger, debits above zero; together nothing."""
    micros: dict[str, int] = defaultdict(int)
    for _, account, into, out in rows:
        found = mapping.mapped(account)
        if found is None:
            raise Conflict(
                "account-not-mapped", f"{account} has moved and has no account in the general ledger: propose one."
            )
        micros[found.code] += into - out
    assert sum(micros.values()) == 0, "every transfer has two sides"
    cents = {code: _cents(amount) for code, amount in micros.items()}
    cents[mapping.rounding] = cents.get(mapping.rounding, 0) - sum(cents.values())
    return cents


def _entries(cents: dict[str, int], mapping: Books) -> Iterator[tuple[object, ...]]:
    for code, amount in sorted(cents.items()):
        if amount:
            sides_of = Money.cents(max(amount, 0)) or None, Money.cents(max(-amount, 0)) or None
            yield code, mapping.name_of(code), *sides_of


def _cents(micros: int) -> int:
    """To the nearest cent, halves to the even one: so neither side gains by it."""
    cents, rest = divmod(micros, MICROS_PER_CENT)
    twice = 2 * rest
    return cents + (twice > MICROS_PER_CENT or (twice == MICROS_PER_CENT and cents % 2 == 1))


REPORTS: Final[dict[str, Make]] = {
    "revenue": revenue,
    "days": days,
    "ledger": ledger,
    "trial": trial,
    "accounts": accounts,
}
