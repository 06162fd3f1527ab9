"""Each report with its columns, totals and, where it helps, a chart. ``(first day, last day, link=…)``."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime

from house.models import GamingDay
from house.venue import zone
from jackpot.models import Link
from jackpot.reports import rows
from kernel.money import MICROS_PER_DOLLAR, Money
from web import words
from web.charts import Chart
from web.reports import Report, report

_BOOKS = ("Opening", "Contributions", "Top-ups", "Wins", "Adjustments", "Closing", "Wagers")


def reconciled(first: date, last: date, link: str | None = None) -> Report:
    """Each link's books by gaming day: opening + contributions + top-ups − wins ± adjustments = closing."""
    found = rows.reconciliation(first=first, last=last, link=link)
    closing: Counter[date] = Counter()
    for row in found:
        closing[row.gaming_day] += row.closing.micros
    return report(
        _titled("reconciliation", first, last, link),
        ("Link", "Gaming day", *_BOOKS, "Fault"),
        [
            (
                row.link,
                row.gaming_day,
                row.opening,
                row.contributions,
                row.topped_up,
                row.wins,
                row.adjustments,
                row.closing,
                row.wagers,
                row.fault,
            )
            for row in found
        ],
        chart=_line(
            "Dollars in the pools at the end of the day", {words.day(day): closing[day] for day in sorted(closing)}
        ),
    )


def by_table(first: date, last: date, link: str | None = None) -> Report:
    """The same books by table: what each brought in and what was won at it, day by day; then its link’s."""
    lines: list[tuple[object, ...]] = []
    found = rows.by_table_and_day(first=first, last=last, link=link)
    for day in rows.reconciliation(first=first, last=last, link=link):
        own = [row for row in found if (row.link, row.gaming_day) == (day.link, day.gaming_day)]
        lines += [
            (day.link, day.gaming_day, row.table, None, row.contributions, None, row.wins, None, None,
             row.wagers)
            for row in own
        ]  # fmt: skip
        lines.append(
            (
                day.link,
                day.gaming_day,
                "all",
                day.opening,
                day.contributions,
                day.topped_up,
                day.wins,
                day.adjustments,
                day.closing,
                day.wagers,
            )
        )
    return report(
        _titled("reconciliation by table", first, last, link),
        ("Link", "Gaming day", "Table", *_BOOKS),
        lines,
    )


def hits(first: date, last: date, link: str | None = None) -> Report:
    """Everything won, in the strict order of each link."""
    found = rows.hits_history(first=first, last=last, link=link)
    kinds = Counter(row.kind for row in found if row.status != "denied")
    return report(
        _titled("hits", first, last, link),
        ("Link", "No.", "Gaming day", "Won", "Table", "Round", "Box", "Player", "Hand", "Kind", "Amount",
         "From the jackpot", "From the house", "Status", "Verified by", "Paid by", "Method", "Reason"),
        [
            (row.link, row.sequence, row.gaming_day, row.claimed_at, row.table, row.round, row.box, row.player_card,
             row.hand, row.kind, row.amount, row.from_pool, row.from_house, row.status, row.verified_by, row.paid_by,
             row.method, row.reason)
            for row in found
        ],
        add=("Amount", "From the jackpot", "From the house"),
        chart=_bars("Hits by kind", {words.label(kind): kinds[kind] for kind in sorted(kinds)}),
    )  # fmt: skip


def owed(first: date, last: date, link: str | None = None) -> Report:
    """What stands in each pool’s purses and is owed to winners now, Keno’s pools included."""
    del first, last  # what is owed is owed now
    found = [row for row in rows.liabilities() if link in (None, row.link)]
    held = {row.link: _dollars(row.levels + row.overflow + row.reserve + row.reimbursement) for row in found}
    return report(
        "Jackpots: what is owed now",
        (
            "Link",
            "Meters",
            "Overflow",
            "Reserve",
            "Reimbursement",
            "Owed to winners",
            "Instalments",
            "Tax",
            "Advanced by the house",
        ),
        [
            (
                row.link,
                row.levels,
                row.overflow,
                row.reserve,
                row.reimbursement,
                row.owed_to_winners,
                row.instalments,
                row.tax,
                row.advanced_by_house,
            )
            for row in found
        ],
        add=("Owed to winners", "Instalments", "Tax"),
        chart=_bars("Dollars of players in the purses", held, dollars=True),
    )


def by_hour(first: date, last: date, link: str | None = None) -> Report:
    """Wagers that fed the pools, by table and hour of the venue’s clock."""
    days = GamingDay.objects.filter(date__range=(first, last)).order_by("date")
    begins, ends = days.first(), days.last()
    # What is played after the close still belongs to that day, until the next one opens.
    following = GamingDay.objects.filter(date__gt=last).order_by("date").first()
    upto = following.opens_at if following else ends.closes_at if ends else None
    found = (
        rows.contributions_by_table_and_hour(first=begins.opens_at, upto=upto, link=link)
        if begins is not None and upto is not None
        else []
    )
    hours: Counter[datetime] = Counter()
    clock = zone()
    for row in found:
        hours[row.hour.astimezone(clock)] += row.wagers
    return report(
        _titled("contributions by table and hour", first, last, link),
        ("Link", "Table", "Hour", "Wagers"),
        [(row.link, row.table, row.hour, row.wagers) for row in found],
        add=("Wagers",),
        chart=_bars("Wagers an hour", {f"{words.day(hour)}, {hour:%H:%M}": hours[hour] for hour in sorted(hours)}),
    )


def expected(first: date, last: date, link: str | None = None) -> Report:
    """How often each hand was won beside how often it should have been, with the band of 99%."""
    codes = [link] if link else Link.objects.filter(terms__version=1).order_by("code").values_list("code", flat=True)
    found = [row for code in codes for row in rows.expected_and_observed(link=code, first=first, last=last)]
    return report(
        _titled("hits expected and observed", first, last, link),
        ("Link", "Hand", "Wagers", "Expected", "Band from", "Band to", "Observed", "Within"),
        [
            (
                row.link,
                row.hand,
                row.wagers,
                row.expected,
                row.low,
                row.high,
                row.observed,
                "yes" if row.within else "no",
            )
            for row in found
        ],
        chart=Chart(
            kind="band",
            title="Hits: the band of 99%, and what was seen",
            labels=tuple(f"{row.link} {row.hand}" for row in found),
            values=tuple(float(row.observed) for row in found),
            low=tuple(float(row.low) for row in found),
            high=tuple(float(row.high) for row in found),
        ),
    )


def metered(first: date, last: date, link: str | None = None) -> Report:
    """What a regulator reads off each link now, level by level: wagers in, displayed, hits, wins, overflow, reserve."""
    del first, last  # meters are read now
    codes = [link] if link else Link.objects.filter(terms__version=1).order_by("code").values_list("code", flat=True)
    return report(
        "Jackpots: meters now",
        ("Link", "Level", "Wagers in", "Displayed", "Hits", "Wins", "Overflow", "Reserve"),
        [
            (
                row.link,
                row.level,
                row.wagers,
                row.displayed,
                row.hits,
                row.wins,
                row.overflow,
                row.reserve,
            )
            for code in codes
            for row in rows.meters(link=code)
        ],
    )


def _titled(what: str, first: date, last: date, link: str | None) -> str:
    return f"Jackpots: {what}, {words.days(first, last)}{f', {link}' if link else ''}"


def _dollars(amount: Money) -> float:
    return amount.micros / MICROS_PER_DOLLAR  # for a chart only


def _bars(title: str, values: dict[str, float] | dict[str, int], *, dollars: bool = False) -> Chart:
    amounts = tuple(float(each) for each in values.values())
    return Chart(kind="bars", title=title, labels=tuple(values), values=amounts, dollars=dollars, whole=not dollars)


def _line(title: str, micros: dict[str, int]) -> Chart:
    values = tuple(each / MICROS_PER_DOLLAR for each in micros.values())
    return Chart(kind="line", title=title, labels=tuple(micros), values=values, dollars=True)
