"""Chips that a player with a loss limit declares at a table (nsw-csp:16.2)."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Max, Sum
from django.utils import timezone

from house.log import record_act
from house.models import ChipDeclaration, DeclarationKind, Player, PlayLine, PlayLineKind
from house.permissions import WAGER_OF_PLAYERS
from house.players.acts import ChipsDeclared
from house.players.cards import lock_player
from house.players.play import LONGEST_ODDS, holder_of, keep_line
from kernel.actors import Actor
from kernel.money import Money
from kernel.refusal import Refusal


@transaction.atomic
def declare_chips(*, card: str, table: str, kind: str, amount: Money, by: Actor) -> ChipDeclaration:
    """Bought or brought before the round; remaining when leaving, which settles what the visit cost.

    What was declared wins over what was seen of single wagers: the difference becomes a line of its own, so that a
    visit counts exactly what was bought and brought less what was taken away.
    """
    by.require(WAGER_OF_PLAYERS)
    player = lock_player(holder_of(card, clause="nsw-csp:16.2", field="card").number)
    new = ChipDeclaration.objects.create(
        player=player,
        table=table,
        kind=kind,
        amount=amount.micros,
        after_line=PlayLine.objects.filter(player=player).aggregate(last=Max("id"))["last"] or 0,
        at=timezone.now(),
        by=by.identity,
    )
    record_act(ChipsDeclared(player=player.number, table=table, kind_=kind, amount=amount), by=by)
    if kind == DeclarationKind.REMAINING:
        _settle_visit(player, new, by)
    return new


def _settle_visit(player: Player, leaving: ChipDeclaration, by: Actor) -> None:
    at_table = ChipDeclaration.objects.filter(player=player, table=leaving.table, pk__lt=leaving.pk)
    before = at_table.filter(kind=DeclarationKind.REMAINING).order_by("-id").first()
    visit = at_table.filter(pk__gt=before.pk) if before else at_table
    first = visit.order_by("id").first()
    if first is None:
        raise Refusal(
            "nothing-declared",
            f"Player {player} declared no chips at {leaving.table} in this visit: declare what was brought first.",
            clause="nsw-csp:16.2",
            field="kind",
        )
    put_in = int(visit.aggregate(sum=Sum("amount"))["sum"] or 0)
    if leaving.amount > put_in * (LONGEST_ODDS + 1):
        raise Refusal(
            "remaining-too-much",
            f"Player {player} brought {Money(put_in)} to {leaving.table}: so much cannot remain of it.",
            clause="nsw-csp:16.2",
            field="amount",
        )
    lines = PlayLine.objects.filter(player=player, place=leaving.table, pk__gt=first.after_line)
    seen = int(lines.exclude(kind=PlayLineKind.DEPOSIT).aggregate(sum=Sum("loss"))["sum"] or 0)
    keep_line(
        player,
        PlayLineKind.CHIPS,
        Money(put_in - leaving.amount - seen),
        place=leaving.table,
        reference=f"visit/{leaving.pk}",
        at=leaving.at,
        by=by,
    )
