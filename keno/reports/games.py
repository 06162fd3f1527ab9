"""What games brought: write, payout, win and hold, by game, gaming day and month; the jackpots.

Sold is what was paid for a game. It went three ways, and the report shows them from the tickets themselves, not as a
remainder: stakes of tickets that won something, stakes of tickets that lost, stakes refunded. `sold` comes from the
ledger, so a report whose lines do not add up would be seen.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from typing import Any, Final

from django.db import connection

from keno.jackpots import displayed
from keno.models import Correction
from keno.rules.schedules import GUARANTEES
from kernel.money import MICROS_PER_DOLLAR, ZERO, Money
from web import words
from web.charts import Chart, Series
from web.reports import Report, percent, report

_OVER: Final = "gaming_day BETWEEN %(first)s AND %(last)s AND status IN ('settled', 'invalidated')"
_SPAN: Final = f"SELECT min(number), max(number) FROM keno_game WHERE {_OVER}"  # noqa: S608  from constants
# Games over (settled or invalidated) of these gaming days, with the tickets that were in them. The tickets are read
# once for all games, each spread over those it was in: game by game, every later ticket would be looked at each time.
# Materialized: how few they are the planner does not guess, and it would join them by reading every ticket there is.
_GAMES: Final = f"""
    WITH prize AS (
        SELECT ticket_id, game, sum(amount) FILTER (WHERE kind <> 'refund' AND void_id IS NULL) AS won,
               sum(jackpot) FILTER (WHERE void_id IS NULL) AS jackpot,
               sum(amount) FILTER (WHERE kind = 'refund') AS refunded
        FROM keno_prize WHERE replaced_id IS NULL AND game BETWEEN %(low)s AND %(high)s GROUP BY 1, 2
    ), ticket AS MATERIALIZED (
        SELECT id, first_game, plays_to, charged_to, price_a_game
        FROM keno_ticket WHERE plays_to >= %(low)s AND first_game <= %(high)s
    ), played AS (
        SELECT number, count(*) AS tickets,
               sum(price_a_game) FILTER (WHERE charged_to >= number AND won IS NOT NULL AND refunded IS NULL)
                   AS of_winners,
               sum(price_a_game) FILTER (WHERE charged_to >= number AND won IS NULL AND refunded IS NULL) AS of_losers,
               sum(refunded) AS refunded, sum(won) AS won, sum(p.jackpot) AS jackpot
        FROM ticket t
        CROSS JOIN generate_series(greatest(t.first_game, %(low)s), least(t.plays_to, %(high)s)) number
        LEFT JOIN prize p ON p.ticket_id = t.id AND p.game = number
        GROUP BY number
    )
    SELECT g.number, g.gaming_day, g.status, coalesce(tickets, 0), coalesce(of_winners, 0)::bigint,
           coalesce(of_losers, 0)::bigint, coalesce(refunded, 0)::bigint, coalesce(won, 0)::bigint,
           coalesce(jackpot, 0)::bigint,
           (SELECT coalesce(sum(amount), 0)::bigint FROM ledger_transfer
            WHERE kind IN ('keno.stakes', 'keno.refunds') AND reference = 'game/' || g.number)
    FROM keno_game g LEFT JOIN played ON played.number = g.number
    WHERE {_OVER} ORDER BY g.number
"""  # noqa: S608  from constants
_COLUMNS: Final = (
    "Games", "Tickets", "Sold", "Stakes on winning tickets", "Stakes on losing tickets", "Refunded",
    "Payout", "Jackpots in payout", "Win", "Hold",
)  # fmt: skip
_ADDED: Final = _COLUMNS[:-1]
BARS_LIMIT: Final = 60


def rows(first: date, last: date) -> list[tuple[Any, ...]]:
    """(game, gaming day, status, tickets, sold, of winners, of losers, refunded, payout, jackpot) of games over."""
    with connection.cursor() as cursor:
        cursor.execute(_SPAN, {"first": first, "last": last})
        low, high = cursor.fetchone()
        if low is None:
            return []
        cursor.execute(_GAMES, {"first": first, "last": last, "low": low, "high": high})
        found = cursor.fetchall()
    return [
        (number, day, status, tickets, Money(sold), *map(Money, (won, lost, refunded, payout, jackpot)))
        for number, day, status, tickets, won, lost, refunded, payout, jackpot, sold in found
    ]


def _finished(sold: Money, refunded: Money, payout: Money) -> tuple[Money, str]:
    """Win is what was sold and not refunded, less what it paid; hold is its share of that."""
    write = sold - refunded
    return write - payout, percent(write - payout, write)


def by_game(first: date, last: date) -> Report:
    """Write, payout, win and hold of each game; sold = stakes of winners + stakes of losers + refunded."""
    made = [
        (number, day, status, tickets, sold, won, lost, refunded, payout, jackpot, *_finished(sold, refunded, payout))
        for number, day, status, tickets, sold, won, lost, refunded, payout, jackpot in rows(first, last)
    ]
    return report(
        f"Keno by game, {words.days(first, last)}", ("Game", "Gaming day", "Status", *_COLUMNS[1:]), made,
        add=_ADDED[1:],
        chart=_chart("Keno by game: sold and paid out", [(row[0], row[4], row[8]) for row in made]),
    )  # fmt: skip


def by_day(first: date, last: date) -> Report:
    """Write, payout, win and hold of each gaming day."""
    return _grouped(f"Keno by gaming day, {words.days(first, last)}", "Gaming day", first, last, lambda day: day)


def by_month(first: date, last: date) -> Report:
    """Write, payout, win and hold of each month."""
    return _grouped(f"Keno by month, {words.days(first, last)}", "Month", first, last, lambda day: day.isoformat()[:7])


def _grouped(title: str, name: str, first: date, last: date, key: Any) -> Report:
    """*key*: what the days of a group have in common, by which they stand in order."""
    groups: dict[Any, list[Any]] = defaultdict(lambda: [0, 0, *[ZERO] * 6])
    for _, day, _, tickets, *amounts in rows(first, last):
        group = groups[key(day)]
        group[0] += 1
        group[1] += tickets
        for place, amount in enumerate(amounts, start=2):
            group[place] += amount
    made = [(label, *values, *_finished(values[2], values[5], values[6])) for label, values in sorted(groups.items())]
    points = [(words.day(row[0]) if isinstance(row[0], date) else row[0], row[3], row[7]) for row in made]
    chart = _chart(f"{title}: sold and paid out", points)
    return report(title, (name, *_COLUMNS), made, add=_ADDED, chart=chart)


def _chart(title: str, points: list[tuple[Any, Money, Money]]) -> Chart:
    """The latest of them, as far as bars can still be told apart."""
    points = points[-BARS_LIMIT:]
    sold, paid = ([amounts[n].micros / MICROS_PER_DOLLAR for _, *amounts in points] for n in (0, 1))
    return Chart(
        kind="bars", title=title, labels=tuple(str(label) for label, *_ in points), dollars=True,
        name="Sold", values=tuple(sold), beside=(Series("Payout", paid),),
    )  # fmt: skip


_WON: Final = """
    SELECT (way->>'spots')::int, p.game, p.day, count(DISTINCT p.ticket_id),
           (1000000 * sum((way->>'prize')::numeric * (way->>'count')::bigint + (way->>'loose')::numeric))::bigint
    FROM keno_prize p, jsonb_array_elements(p.ways) way
    WHERE p.jackpot > 0 AND p.void_id IS NULL AND p.replaced_id IS NULL AND p.day BETWEEN %s AND %s
      AND (way->>'jackpot')::boolean
    GROUP BY 1, 2, 3 ORDER BY 2, 1
"""


def jackpots(first: date, last: date) -> Report:
    """Where the jackpots stand, and who won them when."""
    shown = displayed()
    made: list[tuple[Any, ...]] = [
        (f"{spots} numbers", "displayed now", "", "", shown[spots], "") for spots in sorted(GUARANTEES)
    ]
    with connection.cursor() as cursor:
        cursor.execute(_WON, [first, last])
        made += [
            (f"{spots} numbers", "won", day, game, Money(int(amount)), tickets)
            for spots, game, day, tickets, amount in cursor.fetchall()
        ]
    return report(
        f"Keno jackpots, {words.days(first, last)}",
        ("Jackpot", "What", "Gaming day", "Game", "Amount", "Tickets"),
        made,
    )


def resettled(first: date, last: date) -> Report:
    """Games whose balls had been recorded wrongly (12.1): what had been paid, and what the right ones give."""
    rows = Correction.objects.filter(resettlement__game__gaming_day__range=(first, last)).select_related(
        "resettlement__game", "ticket"
    )
    made = [
        (
            each.resettlement.game_id, each.resettlement.game.gaming_day, each.ticket.serial, each.kind, each.paid,
            each.owed, max(ZERO, each.paid - each.owed), max(ZERO, each.owed - each.paid),
        )
        for each in rows.order_by("resettlement__game", "ticket__serial", "kind")
    ]  # fmt: skip
    columns = ("Game", "Gaming day", "Ticket", "For", "Paid", "Won", "Overpaid", "Underpaid")
    return report(f"Keno games settled again, {words.days(first, last)}", columns, made, add=columns[4:])
