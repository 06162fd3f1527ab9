"""What waits for this person: decisions that are theirs, people to be told, devices that have gone silent."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from console import incidents as shown
from console import proposals, words
from house import approvals, devices, incidents
from house.actors import Actor
from house.models import Notice, Proposal
from jackpot import permissions as jackpot
from jackpot.models import Hit
from keno.models import Claim as KenoClaim
from keno.models import Draw as KenoDraw
from keno.models import Order, OrderStatus, TournamentEntry
from keno.permissions import PAY_CLAIM, RUN_GAMES, SELL, TOURNAMENT
from keno.tournaments import find_tournament
from promotions import draw_permissions as prizes
from promotions.models import Claim, ClaimStatus, Draw, Promotion, Win
from promotions.notify import overdue

_SOON = dt.timedelta(days=3)


@dataclass(frozen=True, slots=True)
class Item:
    icon: str
    tone: str
    sentence: str
    state: str
    second: str
    url: str
    action: str


def approvals_for(actor: Actor) -> list[Proposal]:
    return [each for each in approvals.waiting_for(actor) if proposals.decidable(each, actor)]


def approvals_count(actor: Actor) -> int:
    return len(approvals_for(actor))


def overdue_count(_: Actor) -> int:
    return incidents.overdue().count()


def items(actor: Actor) -> list[Item]:
    return [
        *_notices(actor),
        *_hits(actor),
        *_balls(actor),
        *_keno_claims(actor),
        *_orders(actor),
        *_tournaments(actor),
        *_untold(actor),
        *_claims(actor),
        *_draws(actor),
        *_approvals(actor),
        *_devices(actor),
    ]


def _notices(actor: Actor) -> list[Item]:
    if not actor.may("incidents.notify"):
        return []
    now = timezone.now()
    owed: QuerySet[Notice] = (
        Notice.objects.filter(told_at=None, due_at__lt=now + _SOON).select_related("incident").order_by("due_at", "id")
    )
    found = []
    for notice in shown.clocks(owed[:20], now=now):
        found.append(
            Item(
                icon="alert" if notice.is_overdue else "wait",
                tone="is-stopped" if notice.is_overdue else "is-attention",
                sentence=f"Tell the {notice.to} of incident {notice.incident_id}: {shown.title(notice.incident.kind)}",
                state=f"Overdue by {notice.late}" if notice.is_overdue else f"Due in {notice.left}",
                second=f"happened {words.moment(notice.incident.happened_at)}",
                url=reverse("console:incident", args=[notice.incident_id]),
                action="Record",
            )
        )
    return found


def _approvals(actor: Actor) -> list[Item]:
    return [
        Item(
            icon="approvals",
            tone="is-attention",
            sentence=f"Decide: {row.title}",
            state="Needs a second person",
            second=f"proposed by {row.proposer}, {words.moment(row.proposed_at)}",
            url=reverse("console:approval", args=[row.pk]),
            action="Decide",
        )
        for row in proposals.described(approvals_for(actor)[:20])
    ]


def hits_for(actor: Actor) -> QuerySet[Hit]:
    """The hits whose next step this person may take; nobody takes two steps of one."""
    steps = ((Hit.Status.CLAIMED, jackpot.VERIFY), (Hit.Status.VERIFIED, jackpot.PAY))
    wanted = [status for status, right in steps if actor.may(right)]
    rows = Hit.objects.filter(status__in=wanted).exclude(claimed_by=actor.identity)
    return rows.exclude(verified_by=actor.identity).select_related("table", "pool").order_by("id")


def hits_count(actor: Actor) -> int:
    return hits_for(actor).count()


def _hits(actor: Actor) -> list[Item]:
    return [
        Item(
            icon="hits",
            tone="is-money",
            sentence=f"{'Verify' if hit.status == Hit.Status.CLAIMED else 'Pay'} {words.money(hit.amount)}: "
            f"{words.label(hit.hand or hit.kind).lower()} at {hit.table}, box {hit.box or 'not known yet'}",
            state="Needs a second person" if hit.status == Hit.Status.CLAIMED else "Verified, to be paid",
            second=f"won {words.moment(hit.claimed_at)}",
            url=reverse("console:hit", args=[hit.pk]),
            action="Verify" if hit.status == Hit.Status.CLAIMED else "Pay",
        )
        for hit in hits_for(actor)[:20]
    ]


def _balls(actor: Actor) -> list[Item]:
    """Balls that one person has entered and another is to confirm, while the draw stands still."""
    if not actor.may(RUN_GAMES):
        return []
    return [
        Item(
            icon="balls",
            tone="is-attention",
            sentence=f"Confirm {words.count(len(draw.waiting), 'ball')} of game {words.number(draw.game_id)}",
            state="Needs a second person",
            second="the draw waits",
            url=reverse("console:keno-control"),
            action="Look",
        )
        for draw in KenoDraw.objects.filter(game__status__in=["closed", "drawing"], voided_at=None, waiting__len__gt=0)
        if draw.waiting_by != actor.identity
    ]


def _keno_claims(actor: Actor) -> list[Item]:
    if not actor.may(PAY_CLAIM):
        return []
    return [
        Item(
            icon="claim",
            tone="is-attention",
            sentence=f"Pay claim {claim.pk}, {words.money(claim.amount)}, by cheque",
            state="Approved",
            second=f"made {words.moment(claim.made_at)}",
            url=f"{reverse('console:keno-claims')}?state=approved",
            action="Pay",
        )
        for claim in KenoClaim.objects.filter(approved_by__isnull=False, paid_at=None).order_by("pk")[:20]
    ]


def orders_count(actor: Actor) -> int:
    """Runner orders that this person could issue as tickets: until then they are in no game."""
    return Order.objects.filter(status=OrderStatus.WAITING).count() if actor.may(SELL) else 0


def _orders(actor: Actor) -> list[Item]:
    waiting = orders_count(actor)
    if not waiting:
        return []
    oldest = Order.objects.filter(status=OrderStatus.WAITING).earliest("id")
    return [
        Item(
            icon="list",
            tone="is-attention",
            sentence=f"Issue {words.count(waiting, 'runner order')}",
            state="In no game yet",
            second=f"the oldest taken {words.moment(oldest.taken_at)}",
            url=f"{reverse('console:keno-orders')}?state=waiting",
            action="Issue",
        )
    ]


def _tournaments(actor: Actor) -> list[Item]:
    """Tournaments whose games are over and whose entries are not ranked yet."""
    if not actor.may(TOURNAMENT):
        return []
    playing = TournamentEntry.objects.filter(place=None).order_by("tournament").values_list("tournament", flat=True)
    return [
        Item(
            icon="hits",
            tone="is-attention",
            sentence=f"Finish {each.terms['name']} and rank its {words.count(each.entries, 'entry', 'entries')}",
            state="Played",
            second=f"{words.money(each.prizes)} in prizes",
            url=reverse("console:keno-tournament", args=[each.code]),
            action="Finish",
        )
        for each in map(find_tournament, playing.distinct())
        if each.state == "played"
    ]


def _devices(actor: Actor) -> list[Item]:
    """One line, not one for each: a network that is down is one thing to look into."""
    if not actor.may("devices.view"):
        return []
    silent = [device for device in devices.offline() if hasattr(device, "seen")]
    if not silent:
        return []
    return [
        Item(
            icon="devices",
            tone="is-attention",
            sentence=f"{words.count(len(silent), 'device')} offline",
            state="Not heard from for two minutes or more",
            second=words.listed([d.code for d in silent[:6]] + (["others"] if len(silent) > 6 else [])),
            url=f"{reverse('console:devices')}?state=offline",
            action="Look",
        )
    ]


def untold_count(_: Actor) -> int:
    return overdue().count()


def _untold(actor: Actor) -> list[Item]:
    """17.8, 15.8: winners who should have been told, or must be within the day."""
    if not actor.may(prizes.NOTIFY):
        return []
    now = timezone.now()
    owed = Win.objects.filter(told_at=None, status="drawn", notify_by__lt=now + _SOON)
    found = []
    for win in owed.select_related("promotion", "prize", "pick").order_by("notify_by", "id")[:10]:
        assert win.notify_by is not None
        late = win.notify_by < now
        span = words.span(now - win.notify_by)
        found.append(
            Item(
                icon="alert" if late else "wait",
                tone="is-stopped" if late else "is-attention",
                sentence=f"Tell the winner of {win.prize.name}, entry {win.pick.number} in {win.promotion.code}",
                state=f"Overdue by {span}" if late else f"Due in {span}",
                second=f"won {words.moment(win.won_at)}",
                url=reverse("console:promotion-winner", args=[win.pk]),
                action="Tell",
            )
        )
    return found


def claims_for(actor: Actor) -> QuerySet[Claim]:
    """The claims whose next step this person may take: decided by one, paid by another."""
    wanted = Claim.objects.none()
    if actor.may(prizes.DECIDE_CLAIM):
        wanted = wanted | Claim.objects.filter(status=ClaimStatus.MADE)
    if actor.may(prizes.PAY):
        accepted = Claim.objects.filter(status=ClaimStatus.ACCEPTED, win__status="claimed")
        wanted = wanted | accepted.exclude(decided_by=actor.identity)
    return wanted.select_related("promotion", "win").order_by("id")


def claims_count(actor: Actor) -> int:
    return claims_for(actor).count()


def _claims(actor: Actor) -> list[Item]:
    return [
        Item(
            icon="claim",
            tone="is-money",
            sentence=f"{'Decide' if claim.status == ClaimStatus.MADE else 'Pay'} claim {claim.pk}: {claim.what}, "
            f"{words.money(claim.value)}",
            state="To be decided" if claim.status == ClaimStatus.MADE else "Accepted, to be paid",
            second=f"{claim.promotion.code}, made {words.moment(claim.made_at)}",
            url=reverse("console:promotion-claim", args=[claim.pk]),
            action="Decide" if claim.status == ClaimStatus.MADE else "Pay",
        )
        for claim in claims_for(actor)[:10]
    ]


def _draws(actor: Actor) -> list[Item]:
    """Draws that are due and wait for a person, and those that this person is to oversee."""
    found = []
    if actor.may(prizes.DRAW):
        for each in Promotion.objects.filter(status="sealed", draw_at__lte=timezone.now()).order_by("draw_at")[:5]:
            assert each.draw_at is not None
            found.append(_draw(each, f"Draw {each.title}", "Its time has come", words.moment(each.draw_at)))
    mine = Draw.objects.filter(scrutineer=actor.identity, voided_at=None, signed_at=None).exclude(
        promotion__status="finished"
    )
    if actor.may(prizes.SCRUTINISE):
        for draw in mine.select_related("promotion").order_by("id")[:5]:
            what = "Sign" if draw.drawn_at else "Attend"
            found.append(
                _draw(draw.promotion, f"{what} the draw of {draw.promotion.title}", "You are its scrutineer", "")
            )
    return found


def _draw(promotion: Promotion, sentence: str, state: str, second: str) -> Item:
    return Item(
        icon="gift",
        tone="is-attention",
        sentence=sentence,
        state=state,
        second=second or promotion.code,
        url=reverse("console:promotion-room", args=[promotion.code]),
        action="Open",
    )
