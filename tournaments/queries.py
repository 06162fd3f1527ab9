"""What is read of tournaments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.db.models import BigIntegerField, Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from kernel.actors import Actor
from kernel.money import ZERO, Money
from tournaments.find import find_entry
from tournaments.kinds import TournamentKind
from tournaments.models import Tournament, TournamentEntry, TournamentRound
from tournaments.permissions import NAMES
from tournaments.rules.final import FINAL, final_of
from tournaments.rules.money import retained_of
from tournaments.stages import round_of

__all__ = [
    "BoardLine",
    "Shown",
    "TournamentMoney",
    "are_confirmed",
    "board_of",
    "boards_of",
    "entries_of",
    "entries_of_kind",
    "find_entry",
    "find_tournament",
    "is_open",
    "listed",
    "money_of",
    "shown_player",
    "to_be_ranked",
    "tournaments_of",
]


RECENT: Final = timedelta(days=2)  # how long the room still sees how it came out


@dataclass(frozen=True, slots=True)
class TournamentMoney:
    """What a tournament comes to: fees = retained + prizes, to the cent."""

    entries: int
    fees: Money
    retained: Money  # while it is played: what would be retained of the fees so far
    paid: Money

    @property
    def prizes(self) -> Money:
        return self.fees - self.retained

    @property
    def unpaid(self) -> Money:
        return self.prizes - self.paid


def tournaments_of(kind: TournamentKind) -> QuerySet[Tournament]:
    return Tournament.objects.filter(kind=kind.name)


def find_tournament(kind: TournamentKind, code: str) -> Tournament | None:
    return tournaments_of(kind).filter(code=code).first()


def shown_player(entry: TournamentEntry, by: Actor) -> str:
    """Who entered a player sees the name again; others see it with the power for it."""
    return entry.player if entry.entered_by == by.identity else by.shown(NAMES, entry.player)


def entries_of_kind(kind: TournamentKind) -> QuerySet[TournamentEntry]:
    return TournamentEntry.objects.filter(tournament__kind=kind.name).select_related("tournament")


def entries_of(kind: TournamentKind, code: str) -> QuerySet[TournamentEntry]:
    return entries_of_kind(kind).filter(tournament__code=code)


def money_of(kind: TournamentKind, code: str, *, retained_basis_points: int) -> TournamentMoney:
    sums = (
        entries_of(kind, code)
        .filter(refunded_at=None)
        .aggregate(
            entries=Count("id"),
            ranked=Count("place"),
            fees=Sum("fee"),
            rebought=Sum("rebought"),
            prizes=Sum("prize"),
            paid=Sum("prize", filter=Q(paid_at__isnull=False)),
        )
    )
    fees = Money.total([sums["fees"] or ZERO, sums["rebought"] or ZERO])
    kept = fees - sums["prizes"] if sums["ranked"] else retained_of(fees, retained_basis_points)
    return TournamentMoney(sums["entries"], fees, kept, sums["paid"] or ZERO)


def is_open(kind_name: str, code: str) -> bool:
    """Whether somebody has entered: from then on its conditions stand."""
    return Tournament.objects.filter(kind=kind_name, code=code).exists()


def are_confirmed(kind: TournamentKind, code: str, round_name: str | None = None) -> bool:
    """Whether two people have written its scores down; *round_name*: those of a play-off or the final."""
    rows = tournaments_of(kind).filter(code=code)
    if round_name is not None:
        return TournamentRound.objects.filter(tournament__in=rows, name=round_name, confirmed_at__isnull=False).exists()
    return rows.filter(confirmed_at__isnull=False).exists()


def to_be_ranked(kind: TournamentKind) -> list[str]:
    """The codes of tournaments that somebody entered and that are not over."""
    running = tournaments_of(kind).filter(finished_at=None, cancelled_at=None)
    return list(running.order_by("code").values_list("code", flat=True))


def listed(versions: QuerySet[Any], kind: TournamentKind) -> QuerySet[Any]:
    """Of all versions of conditions one row a code: those a tournament is played under, or else those in force."""
    opened = tournaments_of(kind).filter(code=OuterRef("code"))
    entries = TournamentEntry.objects.filter(
        tournament__kind=kind.name, tournament__code=OuterRef("code"), refunded_at=None
    )
    finals = TournamentRound.objects.filter(tournament__kind=kind.name, tournament__code=OuterRef("code"), name=FINAL)
    counted = entries.order_by().values("tournament__code").annotate(count=Count("pk")).values("count")
    latest = versions.filter(code=OuterRef("code")).order_by("-pk")
    rows: QuerySet[Any] = (
        versions.annotate(
            in_force=Coalesce(
                Subquery(opened.values("conditions")[:1]),
                Subquery(latest.values("pk")[:1]),
                output_field=BigIntegerField(),
            )
        )
        .filter(pk=F("in_force"), value__isnull=False)
        .annotate(
            entries=Coalesce(Subquery(counted), 0),
            scored=Exists(opened.filter(scored_at__isnull=False)),
            confirmed=Exists(opened.filter(confirmed_at__isnull=False)),
            qualified=Exists(finals),
            final_confirmed=Exists(finals.filter(confirmed_at__isnull=False)),
            finished=Exists(opened.filter(finished_at__isnull=False)),
            cancelled=Exists(opened.filter(cancelled_at__isnull=False)),
        )
    )
    return rows


@dataclass(frozen=True, slots=True)
class BoardLine:
    """An entry as everybody sees it: by its number."""

    entry: int
    heat: int | None
    table: str
    seat: int | None
    score: int | Money | None
    in_final: bool | None
    final_table: str
    final_seat: int | None
    final_score: int | None
    place: int | None
    prize: Money | None


@dataclass(frozen=True, slots=True)
class Shown:
    """A tournament as the room sees it."""

    code: str
    name: str
    state: str
    reason: str
    money: TournamentMoney
    lines: Sequence[BoardLine]
    has_final: bool


def board_of(kind: TournamentKind, code: str) -> Shown | None:
    """Entries by place, or in the order of their seats; scores once they stand."""
    tournament = find_tournament(kind, code)
    if tournament is None:
        return None
    rows = entries_of(kind, code).filter(refunded_at=None)
    rows = rows.order_by("place", F("in_final").desc(nulls_last=True), "heat", "table", "seat", "id")
    stands = tournament.confirmed_at is not None
    final = round_of(tournament, FINAL)
    final_stands = final is not None and final.confirmed_at is not None
    lines = [
        BoardLine(
            row.pk,
            row.heat,
            row.table,
            row.seat,
            kind.shown_score(row.score) if stands and row.score is not None else None,
            row.in_final,
            row.final_table,
            row.final_seat,
            row.final_score if final_stands else None,
            row.place,
            row.prize,
        )
        for row in rows
    ]
    money = money_of(kind, code, retained_basis_points=tournament.terms["retained"])
    return Shown(
        code,
        tournament.terms["name"],
        _state(tournament, final),
        tournament.cancel_reason,
        money,
        lines,
        has_final=final_of(tournament.terms) is not None,
    )


def _state(tournament: Tournament, final: TournamentRound | None) -> str:
    if tournament.cancelled_at is not None:
        return "Called off: every fee goes back"
    if tournament.finished_at is not None:
        return "Finished"
    if final is not None and final.confirmed_at is None:
        return "The final is being played"
    return "The scores stand" if tournament.confirmed_at is not None else "Being played"


def boards_of(kind: TournamentKind) -> list[Shown]:
    """Those that run, and those that ended lately."""
    lately = timezone.now() - RECENT
    rows = tournaments_of(kind).exclude(finished_at__lt=lately).exclude(cancelled_at__lt=lately).order_by("-opened_at")
    shown = (board_of(kind, row.code) for row in rows[:20])
    return [each for each in shown if each is not None]
