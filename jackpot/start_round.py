"""A round begins: wagers are accepted box by box, and where every wager contributes, they contribute now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from house.actors import Actor
from house.gaming_days import gaming_day_at
from house.players import cards, play
from house.refusal import Conflict, Refusal
from jackpot import links, mystery, permissions, pools, terms
from jackpot.claim import CONTRIBUTION
from jackpot.models import Placed, Round, Table, Wager
from jackpot.rules.policies import Contributes
from jackpot.rules.pool import WAGERS, Movement, contribute
from jackpot.terms import LinkTerms
from ledger.money import Money

HELD_WAGERS: Final = "jackpot.wagers"
BY_HOUSE: Final = "house"  # who banks may offer it; it is never accepted (act-pg:12.1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A wager as it lies on the table."""

    box: int
    ante: bool = True
    player: str | None = None
    amount: Money | None = None
    """Where the table can tell it; otherwise the table's one denomination is meant."""
    placed: str = Placed.OWN
    allowed_by: str | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    box: int
    code: str
    detail: str
    clause: str | None


@transaction.atomic
def start_round(*, table: str, wagers: Sequence[Offer], by: Actor) -> Round:
    """Start a round. One is open at a table at a time; a wager that is refused says why and is given back."""
    by.require(permissions.PLAY)
    held = _hold(table, len(wagers))
    at = links.lock_table(table)
    if at.status != Table.Status.OPEN:
        raise Conflict(
            "table-not-open",
            f"The jackpot of {table} is {at.status}: play goes on without it.",
            clause="nsw-csp:14.15" if at.status == Table.Status.SUSPENDED else None,
        )
    if Round.objects.filter(table=at, status=Round.Status.OPEN).exists():
        raise Conflict("round-open", f"A round is open at {table}: finish or void it first.")
    version = terms.in_force(at.pool)
    now = terms.of(version)
    accepted, refused = _sift(at, now, wagers, by)
    moment = timezone.now()
    day = gaming_day_at(moment).date
    displayed = links.Meter(at.pool, now, pools.standing(at.pool.code, levels=now.levels)).displayed
    every = now.rules.contributes is Contributes.EVERY_WAGER
    started = Round.objects.create(
        table=at,
        terms=version,
        day=day,
        displayed={level: str(amount) for level, amount in displayed.items()},
        refused=[asdict(each) for each in refused],
        status=Round.Status.OPEN,
        started_at=moment,
        started_by=by.identity,
        fed=len(accepted) if every else 0,
        fed_day=day if every else None,
    )
    wager = now.parameters.wager
    Wager.objects.bulk_create(
        [
            Wager(
                round=started,
                box=each.box,
                player=each.player,
                amount=wager,
                placed=each.placed,
                allowed_by=each.allowed_by,
            )
            for each in accepted
        ]
    )
    if accepted:
        pools.book(
            pool=at.pool.code,
            movements=contribute(now.parameters, wagers=len(accepted))
            if every
            else [Movement(pools.DROP, WAGERS, wager * len(accepted))],
            kind=CONTRIBUTION if every else HELD_WAGERS,
            reference=reference(started),
            # A wager that contributes at once never waits: it goes from the table into the purses.
            outside={WAGERS: pools.account(at.pool.code, pools.DROP)} if every else None,
            memo={"table": table, "wagers": len(accepted)},
            by=by,
            day=day,
            at=moment,
        )
        if held:
            mystery.settle(at.pool, by=by)
    return started


def _hold(table: str, wagers: int) -> bool:
    """On a must-hit-by link: whether the point might be reached by this round; the link is held then."""
    found = Table.objects.select_related("pool").filter(code=table).first()
    if found is None or mystery.running(found.pool) is None:
        return False
    parameters = terms.of(terms.in_force(found.pool)).parameters
    increment = Money.total(parameters.wager.basis_points(level.increment_rate) for level in parameters.levels)
    return bool(mystery.hold({found.pool: increment * wagers}))


def reference(started: Round) -> str:
    return f"round/{started.pk}"


def accepted_wagers(started: Round) -> list[dict[str, Any]]:
    return [
        {"box": wager.box, "player": wager.player, "amount": wager.amount, "placed": wager.placed}
        for wager in Wager.objects.filter(round=started).order_by("box")
    ]


def _sift(table: Table, now: LinkTerms, offers: Sequence[Offer], by: Actor) -> tuple[list[Offer], list[Refused]]:
    cards.hold_players([offer.player for offer in offers if offer.player])
    accepted: list[Offer] = []
    refused: list[Refused] = []
    boxes: set[int] = set()
    players: set[str] = set()
    for offer in offers:
        try:
            _check(table, now, offer, boxes, players)
            play.take_wager(card=offer.player, amount=now.parameters.wager, place=table.code, by=by)
        except Refusal as why:
            refused.append(Refused(offer.box, why.code, why.detail, why.clause))
            continue
        accepted.append(offer)
        boxes.add(offer.box)
        if offer.player is not None:
            players.add(offer.player)
    return accepted, refused


def _check(table: Table, now: LinkTerms, offer: Offer, boxes: set[int], players: set[str]) -> None:
    rules, wager = now.rules, now.parameters.wager
    if not 1 <= offer.box <= table.boxes:
        raise Refusal("no-such-box", f"There is no box {offer.box} at {table.code}: it has {table.boxes}.")
    if not offer.ante:
        raise Refusal("no-ante", "A jackpot wager needs an ante on its box.", clause=rules.ante_clause)
    if offer.amount is not None and offer.amount != wager:
        raise Refusal("wrong-denomination", f"The jackpot wager is {wager}.", clause=rules.denomination_clause)
    _check_right(now, offer)
    if offer.box in boxes:
        raise Refusal(
            "second-wager-on-box", f"Box {offer.box} has a jackpot wager already.", clause=rules.one_wager_clause
        )
    if offer.player is not None:
        if offer.player in players:
            raise Refusal("second-hand-of-player", "One hand a player a round.", clause=rules.one_hand_clause)
        _refuse_elsewhere(table, offer.player)


def _refuse_elsewhere(table: Table, player: str) -> None:
    """A card is for its own player, who sits at one table: in use at another, it is somebody else's (nsw-csp:16.1)."""
    elsewhere = (
        Wager.objects.filter(player=player, round__status=Round.Status.OPEN)
        .exclude(round__table=table)
        .values_list("round__table__code", flat=True)
        .first()
    )
    if elsewhere is not None and cards.holder(player) is not None:
        raise Refusal("card-in-use", f"Card {player} is playing at {elsewhere}.", clause="nsw-csp:16.1")


def _check_right(now: LinkTerms, offer: Offer) -> None:
    """By what right this player wagers on this box. People decide it; what they decided is kept with the wager."""
    rules = now.rules
    if offer.placed == BY_HOUSE:
        raise Refusal("house-wager", "The house does not wager on its own jackpot.", clause=rules.house_clause)
    if offer.placed == Placed.OTHER_PLAYER:
        if rules.other_player_clause is None:
            raise Refusal("not-own-box", f"{rules.title}: nobody wagers on another player’s box.")
        if not (offer.allowed_by or "").strip():
            raise Refusal(
                "supervisor-missing",
                "A wager on another player’s box needs the supervisor who allows it.",
                clause=rules.other_player_clause,
            )
    elif offer.allowed_by is not None:
        raise Refusal("supervisor-not-needed", "Only a wager on another player’s box is allowed by somebody.")
    if offer.placed in (Placed.SETTER, Placed.SECOND, Placed.AGREED) and rules.box_players_clause is None:
        raise Refusal("not-own-box", f"{rules.title}: one player plays on a box.")
