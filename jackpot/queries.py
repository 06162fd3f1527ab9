"""What is read of links, tables, rounds and hits, by calls and pages alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from django.db.models import Count, Q, QuerySet

from house.approvals import Standing, standing_of
from jackpot import pools
from jackpot.finish_round import void_boxes
from jackpot.links import find_link
from jackpot.models import (
    Batch,
    Hit,
    Instalment,
    Link,
    LinkDay,
    LinkStatus,
    MeterDisagreement,
    MeterSeal,
    Payout,
    Round,
    Table,
    Terms,
)
from jackpot.open_link import SEED_KIND
from jackpot.permissions import PAY, VERIFY
from jackpot.pools import Meter, meters_of
from jackpot.rules.policies import PRIZE
from jackpot.terms import authority, of
from kernel.actors import Actor
from kernel.money import Money
from kernel.refusal import NotFound
from kernel.rooms import offered
from ledger.models import Account, Transfer

_WAITING: Final = (Hit.Status.CLAIMED, Hit.Status.VERIFIED)
_MOVEMENT_ROWS: Final = 240  # of a purse, read for its course
_BOOK_DAYS: Final = 14
_LAST_HITS: Final = 8
_WAITING_HITS_LIMIT: Final = 20


# Links


@dataclass(frozen=True, slots=True)
class LinkBand:
    """A link at a glance: what it shows, whether its books agree, what waits."""

    link: Link
    meter: Meter
    tables: Sequence[Table]
    books: LinkDay | None
    last: Hit | None
    waiting: int

    @property
    def open_tables(self) -> int:
        return sum(table.status == Table.Status.OPEN for table in self.tables)


def table_links() -> QuerySet[Link]:
    """The links of tables. Keno's own have no terms and no tables."""
    return Link.objects.filter(terms__version=1)


def link_codes() -> QuerySet[Link, str]:
    return table_links().values_list("code", flat=True)


def links_with_tables() -> QuerySet[Link]:
    return table_links().prefetch_related("tables")


def find_table_link(code: str) -> Link:
    found = table_links().filter(code=code).first()
    if found is None:
        raise NotFound("no-such-pool", f"There is no jackpot {code}.")
    return found


def links_called(text: str) -> QuerySet[Link]:
    """By code, title, or the word for all of them; Keno's own are shown with Keno."""
    named = Q(code__iexact=text) | Q(title__icontains=text) | Q(tables__code__iexact=text)
    return Link.objects.filter(named, status=Link.Status.OPEN).distinct().order_by("code")


def hit_numbered(number: int) -> Hit | None:
    return Hit.objects.filter(pk=number).select_related("table").first()


def open_links_but(link: Link) -> QuerySet[Link]:
    """Where what is in a link may go when it is retired."""
    return table_links().filter(status=LinkStatus.OPEN).exclude(pk=link.pk)


def bands() -> list[LinkBand]:
    """Every link of tables, the open ones first."""
    waiting = dict(Hit.objects.filter(status__in=_WAITING).order_by().values_list("link").annotate(count=Count("id")))
    links = list(links_with_tables().order_by("status", "id"))
    meters = meters_of(links)
    return [
        LinkBand(
            link=link,
            meter=meters[link.code],
            tables=list(link.tables.all()),
            books=LinkDay.objects.filter(link=link).first(),
            last=Hit.objects.filter(link=link, restarts=True)
            .exclude(status=Hit.Status.DENIED)
            .select_related("table")
            .order_by("-id")
            .first(),
            waiting=waiting.get(link.pk, 0),
        )
        for link in links
    ]


def books_of(link: Link) -> list[LinkDay]:
    """The last gaming days, the newest first."""
    return list(LinkDay.objects.filter(link=link)[:_BOOK_DAYS])


def last_hits_of(link: Link) -> list[Hit]:
    return list(Hit.objects.filter(link=link).select_related("table").order_by("-id")[:_LAST_HITS])


def versions_of(code: str) -> QuerySet[Terms]:
    return Terms.objects.filter(link=find_link(code)).select_related("proposal")


def standing(version: Terms) -> Standing:
    """By whose word these terms are in force: the authority's own, a letter's, or nobody's (the demo)."""
    return standing_of(version.proposal, authority=authority(of(version)))


def meter_seals_of(code: str, *, fell: bool | None = None) -> QuerySet[MeterSeal]:
    """The sealed movements of a must-hit-by link; *fell*: only those in which it fell, or did not."""
    found = MeterSeal.objects.filter(link=find_link(code)).select_related("link", "commitment")
    if fell is None:
        return found
    decided = found.filter(decided_at__isnull=False)
    return decided.exclude(falls=[]) if fell else decided.filter(falls=[])


def first_undecided(link: Link) -> MeterSeal | None:
    """The movement that the witness was asked about and that waits for it."""
    return MeterSeal.objects.filter(link=link, decided_at__isnull=True, waits=True).order_by("number").first()


def meter_seal(key: int) -> MeterSeal:
    """By the number of its row."""
    seal = MeterSeal.objects.select_related("link", "commitment").filter(pk=key).first()
    if seal is None:
        raise NotFound("no-such-trigger", "There is no such movement.")
    return seal


def find_meter_seal(code: str, number: int) -> MeterSeal:
    seal = meter_seals_of(code).filter(number=number).first()
    if seal is None:
        raise NotFound("no-such-trigger", f"{code} has no sealed movement {number}.")
    return seal


# Tables, rounds and what controllers count


def tables(*, link: str | None = None) -> QuerySet[Table]:
    found = Table.objects.select_related("link")
    return found if link is None else found.filter(link__code=link)


def tables_in_play() -> list[Table]:
    """Those whose link is not retired."""
    return list(tables().filter(link__status=LinkStatus.OPEN))


def rounds() -> QuerySet[Round]:
    """With how many wagers each accepted (``wagers_in``)."""
    return Round.objects.select_related("table", "terms__link").annotate(wagers_in=Count("wagers"))


def rounds_at(table: Table, *, day: date | None = None) -> QuerySet[Round]:
    found = Round.objects.filter(table=table).select_related("table", "terms__link")
    return found if day is None else found.filter(day=day)


@dataclass(frozen=True, slots=True)
class BoxPlayed:
    """A wagering box of a round, and what became of it."""

    box: int
    became: str
    hits: Sequence[Hit]


def boxes_of(played: Round) -> list[BoxPlayed]:
    named, late = {hand["box"] for hand in played.hands or ()}, set(played.late_hands.values_list("box", flat=True))
    words = {
        **dict.fromkeys(named, "Hand on record"),
        **dict.fromkeys(late, "Hand claimed late"),
        **dict.fromkeys(void_boxes(played), "Void hand: the wager went back"),
        **dict.fromkeys(set(played.folded or ()) - named - late, "Folded"),
    }
    rest = "In play" if played.status == Round.Status.OPEN else "No hand on record"
    won: dict[int | None, list[Hit]] = {}
    for hit in Hit.objects.filter(round=played).order_by("place"):
        won.setdefault(hit.box, []).append(hit)
    boxes = played.wagers.order_by("box").values_list("box", flat=True)
    return [BoxPlayed(box, words.get(box, rest), won.get(box, ())) for box in boxes]


def unnamed_boxes(played: Round) -> list[int]:
    """Those with a wager and no hand on record: one may be claimed late."""
    known = {hand["box"] for hand in played.hands or ()} | set(played.late_hands.values_list("box", flat=True))
    boxes = played.wagers.exclude(box__in=known).order_by("box")
    return list(boxes.values_list("box", flat=True))


def open_round_at(table: Table) -> Round | None:
    return Round.objects.filter(table=table, status=Round.Status.OPEN).first()


def batches(*, status: str | None = None, day: date | None = None) -> QuerySet[Batch]:
    return Batch.objects.select_related("table").filter(_where(status=status, day=day))


def held_for(link: Link) -> QuerySet[Batch]:
    """What came in for it and waits for a person, the first first."""
    return batches(status=Batch.Status.HELD).filter(terms__link=link).order_by("at")


# Hits


def hits(*, status: str | None = None, link: str | None = None, day: date | None = None) -> QuerySet[Hit]:
    return Hit.objects.select_related("link", "table").filter(_where(status=status, link__code=link, day=day))


def hits_waiting_at(table: Table) -> list[Hit]:
    """To be verified or paid, the first of them first."""
    return list(Hit.objects.filter(table=table, status__in=_WAITING).order_by("id")[:_WAITING_HITS_LIMIT])


# Tonight, on the home page and the boards


@dataclass(frozen=True, slots=True)
class MetersOf:
    """Links whose meters another room works out by its own rules: offered by that room."""

    note: str
    displayed: Callable[[], Mapping[str, Money]]  # by the link's code
    begun_kind: str  # of the transfer with which such a meter begins anew


def displayed_by_others() -> dict[str, tuple[str, Money]]:
    """Whose meter it is and what it shows, by the link's code."""
    return {code: (each.note, amount) for each in offered(MetersOf) for code, amount in each.displayed().items()}


def open_links() -> QuerySet[Link]:
    return Link.objects.filter(status=Link.Status.OPEN).order_by("code")


def displayed() -> dict[str, Money]:
    """What every open link's meter shows: those of the tables by their own terms, the others by their room's."""
    others = displayed_by_others()
    links = list(open_links())
    meters = meters_of([link for link in links if link.code not in others])
    return {link.code: others[link.code][1] if link.code in others else meters[link.code].total for link in links}


def payouts(link: str | None = None) -> QuerySet[Payout]:
    """Who is owed, or has got, a share of what was in a link when it ended."""
    return Payout.objects.filter(_where(link__code=link)).select_related("link")


def disagreements(status: str | None = None) -> QuerySet[MeterDisagreement]:
    """Where a table’s meter and what was counted differ, or did."""
    return MeterDisagreement.objects.filter(_where(status=status)).select_related("table__link")


def hits_for(actor: Actor) -> QuerySet[Hit]:
    """The hits whose next step this person may take; nobody takes two steps of one."""
    steps = ((Hit.Status.CLAIMED, VERIFY), (Hit.Status.VERIFIED, PAY))
    wanted = [status for status, right in steps if actor.may(right)]
    rows = Hit.objects.filter(status__in=wanted).exclude(claimed_by=actor.identity)
    rows = rows.exclude(round__started_by=actor.identity).exclude(round__ended_by=actor.identity)
    return rows.exclude(verified_by=actor.identity).select_related("table", "link").order_by("id")


def has_hits(**by: str) -> bool:
    """Whether there is a hit that this person has claimed, verified or paid."""
    return Hit.objects.filter(**by).exists()


def has_rounds(*, started_by: str) -> bool:
    return Round.objects.filter(started_by=started_by).exists()


def unpaid_hits() -> QuerySet[Hit]:
    return Hit.objects.filter(status__in=_WAITING).select_related("link", "table").order_by("pk")


def latest_days() -> list[LinkDay]:
    """The latest reconciled day of every open link."""
    rows = LinkDay.objects.filter(link__status=Link.Status.OPEN).order_by("link_id", "-day").distinct("link_id")
    return list(rows.select_related("link"))


def prize_course(code: str, amount: Money) -> list[int]:
    """How a link's prize came to where it is, in micro-dollars: backwards from now, over its latest movements."""
    account = Account.objects.filter(code=pools.account(code, PRIZE)).first()
    if account is None:
        return []
    moves = [
        (tx, pk, sign * moved.micros, kind)
        for sign, side in ((1, "credit"), (-1, "debit"))
        for tx, pk, moved, kind in Transfer.objects.filter(**{side: account})
        .order_by("-tx")
        .values_list("tx", "id", "amount", "kind")[:_MOVEMENT_ROWS]
    ]
    moves.sort(reverse=True)
    beginnings = {SEED_KIND, *(each.begun_kind for each in offered(MetersOf))}  # before it there is no course
    level, points = amount.micros, [amount.micros]
    for _, _, moved, kind in moves[:_MOVEMENT_ROWS]:
        if kind in beginnings:
            break
        level -= moved
        points.append(level)
    points.reverse()
    return points


def _where(**asked: str | date | None) -> Q:
    """What was asked for, of the columns that were."""
    return Q(**{column: value for column, value in asked.items() if value is not None})


def instalments(*, link: str | None = None) -> QuerySet[Instalment]:
    """Parts of hits that are paid in instalments."""
    found = Instalment.objects.select_related("hit__link")
    return found.filter(hit__link__code=link) if link else found
