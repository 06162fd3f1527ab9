"""What is read of tournaments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import BigIntegerField, Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from kernel.actors import Actor
from kernel.money import ZERO, Money
from tournaments.find import find_entry
from tournaments.kinds import TournamentKind
from tournaments.models import Tournament, TournamentEntry
from tournaments.permissions import NAMES
from tournaments.rules.money import retained_of

__all__ = [
    "TournamentMoney",
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
            prizes=Sum("prize"),
            paid=Sum("prize", filter=Q(paid_at__isnull=False)),
        )
    )
    fees = sums["fees"] or ZERO
    kept = fees - sums["prizes"] if sums["ranked"] else retained_of(fees, retained_basis_points)
    return TournamentMoney(sums["entries"], fees, kept, sums["paid"] or ZERO)


def is_open(kind_name: str, code: str) -> bool:
    """Whether somebody has entered: from then on its conditions stand."""
    return Tournament.objects.filter(kind=kind_name, code=code).exists()


def to_be_ranked(kind: TournamentKind) -> list[str]:
    """The codes of tournaments that somebody entered and that are not over."""
    running = tournaments_of(kind).filter(finished_at=None, cancelled_at=None)
    return list(running.order_by("code").values_list("code", flat=True))


def listed(versions: QuerySet[Any], kind: TournamentKind) -> QuerySet[Any]:
    """Of all versions of conditions one row a code: those a tournament is played under, or else those in force."""
    opened = tournaments_of(kind).filter(code=OuterRef("code"))
    entries = TournamentEntry.objects.filter(tournament__kind=kind.name, tournament__code=OuterRef("code"))
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
            finished=Exists(opened.filter(finished_at__isnull=False)),
            cancelled=Exists(opened.filter(cancelled_at__isnull=False)),
        )
    )
    return rows
