"""A round begins: wagers are accepted box by box, and where every wager contributes at once, they contribute now.

On a must-hit-by link they are held until the round ends, and count then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Final

from django.db import transaction
from django.utils import timezone

from house.gaming_days import gaming_day_at
from house.log import record_act
from house.players import cards, play
from house.rules.cards import read_card
from jackpot import movements, pace, permissions, pools, promises, steps, terms
from jackpot.claim import CONTRIBUTION
from jackpot.models import Placed, Round, Table, Wager
from jackpot.pools import Meter
from jackpot.round_acts import RoundStarted
from jackpot.rules.policies import Contributes
from jackpot.rules.pool import WAGERS, Movement, contribute
from jackpot.tables import hear, lock_table
from jackpot.terms import LinkTerms
from kernel.actors import Actor
from kernel.money import Money
from kernel.refusal import Conflict, Refusal

HELD_WAGERS: Final = "jackpot.wagers"
BY_HOUSE: Final = "house"  # who banks may offer it; it is never accepted (act-pg:12.1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A wager as it lies on the table."""

    box: int
    ante: bool = True
    player_card: str | None = None
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
    steps.must_be_at(table, by)
    gaming_table = lock_table(table)
    steps.must_start(gaming_table, by)
    if Round.objects.filter(table=gaming_table, status=Round.Status.OPEN).exists():
        raise Conflict("round-open", f"A round is open at {table}: finish or void it first.")
    link = gaming_table.link
    version = terms.in_force(link)
    link_terms = terms.of(version)
    moment = timezone.now()
    must_hit_by = promises.is_must_hit_by(link_terms)
    if must_hit_by:
        promises.must_be_promised(link, moment)
        movements.must_be_below_ceiling(link, link_terms.parameters)
    accepted, refused = sift(gaming_table, link_terms, wagers, by)
    pace.must_keep(gaming_table, link_terms.parameters, wagers=len(accepted), at=moment, by=by)
    hear([gaming_table], at=moment)
    day = gaming_day_at(moment).date
    held = pools.read_pools(link.code, levels=link_terms.levels)
    displayed = Meter(link, link_terms, held).displayed
    at_once = link_terms.rules.contributes is Contributes.EVERY_WAGER and not must_hit_by
    started = Round.objects.create(
        table=gaming_table,
        terms=version,
        day=day,
        displayed={level: str(amount) for level, amount in displayed.items()},
        refused=[asdict(each) for each in refused],
        status=Round.Status.OPEN,
        started_at=moment,
        started_by=by.identity,
        started_device=by.device,
        fed=len(accepted) if at_once else 0,
        fed_day=day if at_once else None,
    )
    wager = link_terms.parameters.wager
    _keep(started, accepted, wager)
    _record(started, accepted, displayed, held.seen, by)
    if accepted:
        pools.book(
            link=link.code,
            movements=contribute(link_terms.parameters, wagers=len(accepted))
            if at_once
            else [Movement(pools.DROP, WAGERS, wager * len(accepted))],
            kind=CONTRIBUTION if at_once else HELD_WAGERS,
            reference=reference(started),
            # A wager that contributes at once never waits: it goes from the table into the purses.
            outside={WAGERS: pools.account(link.code, pools.DROP)} if at_once else None,
            memo={"table": table, "wagers": len(accepted)},
            by=by,
            day=day,
            at=moment,
        )
    return started


def _keep(started: Round, accepted: Sequence[Offer], wager: Money) -> None:
    Wager.objects.bulk_create(
        [
            Wager(
                round=started,
                box=each.box,
                player_card=each.player_card,
                amount=wager,
                placed=each.placed,
                allowed_by=each.allowed_by,
            )
            for each in accepted
        ]
    )


def _record(started: Round, accepted: Sequence[Offer], displayed: Mapping[str, Money], seen: str, by: Actor) -> None:
    started.started_act = record_act(
        RoundStarted(
            link=started.terms.link.code,
            round=started.pk,
            table=started.table.code,
            terms=started.terms.version,
            boxes=tuple(sorted(each.box for each in accepted)),
            displayed=displayed,
            seen=seen,
        ),
        by=by,
    )
    started.save(update_fields=["started_act"])


def reference(started: Round) -> str:
    return f"round/{started.pk}"


def accepted_wagers(started: Round) -> list[dict[str, object]]:
    return [
        {"box": wager.box, "player": wager.player_card, "amount": wager.amount, "placed": wager.placed}
        for wager in Wager.objects.filter(round=started).order_by("box")
    ]


def sift(table: Table, link_terms: LinkTerms, offers: Sequence[Offer], by: Actor) -> tuple[list[Offer], list[Refused]]:
    """What the rules accept, and what they refuse with its clause. The constraints of the database stand behind it:
    they never have to speak."""
    offers = [replace(offer, player_card=_one_form(offer.player_card)) for offer in offers]
    play.hold_players([offer.player_card for offer in offers if offer.player_card])
    accepted: list[Offer] = []
    refused: list[Refused] = []
    boxes: set[int] = set()
    player_cards: set[str] = set()
    for offer in offers:
        try:
            _check(table, link_terms, offer, boxes, player_cards)
            play.take_wager(card=offer.player_card, amount=link_terms.parameters.wager, place=table.code, by=by)
        except Refusal as why:
            refused.append(Refused(offer.box, why.code, why.detail, why.clause))
            continue
        accepted.append(offer)
        boxes.add(offer.box)
        if offer.player_card is not None:
            player_cards.add(offer.player_card)
    return accepted, refused


def _one_form(card: str | None) -> str | None:
    """What is kept with the wager; what cannot be a card is refused with it, as it was sent."""
    return card and (read_card(card) or card)


def _check(table: Table, link_terms: LinkTerms, offer: Offer, boxes: set[int], player_cards: set[str]) -> None:
    rules, wager = link_terms.rules, link_terms.parameters.wager
    if not 1 <= offer.box <= table.boxes:
        raise Refusal("no-such-box", f"There is no box {offer.box} at {table.code}: it has {table.boxes}.")
    if not offer.ante:
        raise Refusal("no-ante", "A jackpot wager needs an ante on its box.", clause=rules.ante_clause)
    if offer.amount is not None and offer.amount != wager:
        raise Refusal("wrong-denomination", f"The jackpot wager is {wager}.", clause=rules.denomination_clause)
    _check_right(link_terms, offer)
    if offer.box in boxes:
        raise Refusal(
            "second-wager-on-box", f"Box {offer.box} has a jackpot wager already.", clause=rules.one_wager_clause
        )
    if offer.player_card is not None:
        if offer.player_card in player_cards:
            raise Refusal("second-hand-of-player", "One hand a player a round.", clause=rules.one_hand_clause)
        _refuse_elsewhere(table, offer.player_card)


def _refuse_elsewhere(table: Table, player_card: str) -> None:
    """A card is for its own player, who sits at one table: in use at another, it is somebody else's (nsw-csp:16.1)."""
    elsewhere = (
        Wager.objects.filter(player_card=player_card, round__status=Round.Status.OPEN)
        .exclude(round__table=table)
        .values_list("round__table__code", flat=True)
        .first()
    )
    if elsewhere is not None and cards.holder(player_card) is not None:
        raise Refusal("card-in-use", f"Card {player_card} is playing at {elsewhere}.", clause="nsw-csp:16.1")


def _check_right(link_terms: LinkTerms, offer: Offer) -> None:
    """By what right this player wagers on this box. People decide it; what they decided is kept with the wager."""
    rules = link_terms.rules
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
