"""Claims for prizes: taken, accepted, or denied with the reasons told to the person (17.9, 17.10; 15.10, 15.11).

Names and addresses stay in the claim's row and never enter the log.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from house.log import record_act
from kernel.actors import Actor
from kernel.money import ZERO, Money
from kernel.refusal import NotFound, Refusal
from promotions import claimants
from promotions import prize_steps as steps
from promotions.acts.prizes import ClaimAccepted, ClaimDenied, ClaimMade, DenialTold
from promotions.finish import finish_if_over
from promotions.locks import database_time, lock_promotion
from promotions.losses import note
from promotions.models import Claim, ClaimStatus, LossCase, LossReason, Promotion, WinStatus
from promotions.permissions import CLAIM, DECIDE_CLAIM
from promotions.rules.claims import check_denial, check_notification, kept
from promotions.versions import edition_of, terms_in_force
from promotions.wins import lock_win

LIMITS = (("name", 120), ("address", 300), ("contact", 254))


@transaction.atomic
def make_claim(
    *,
    win_id: int,
    name: str,
    address: str,
    by: Actor,
    contact: str = "",
    grounds: str = "",
    shown: claimants.Shown = claimants.NOTHING_SHOWN,
    now: datetime | None = None,
) -> Claim:
    """The winner claims the prize, in time. Where entrants must be present, once he has come forward; where the terms
    ask for it, he shows how old he is and says whether he is of an employee's household."""
    by.require(CLAIM)
    promotion, win = lock_win(win_id)
    person = _person(name=name, address=address, contact=contact)
    for field in ("name", "address"):
        if not person[field]:
            raise Refusal("claimant-incomplete", f"The claim form asks for the claimant's {field}.", field=field)
    now = now or database_time()
    _, terms = terms_in_force(promotion)
    steps.must_be_claimable(win, terms, claims=Claim.objects.filter(win=win), now=now)
    known = claimants.take(win, terms, shown, by=by)
    claimed = {"win": win, "what": win.prize.name, "value": win.value, "grounds": grounds.strip()}
    return _take(promotion, by, now, known, **claimed, **person, born=shown.born, household=shown.household)


@transaction.atomic
def make_other_claim(
    *,
    code: str,
    what: str,
    value: Money,
    name: str,
    by: Actor,
    address: str = "",
    contact: str = "",
    grounds: str = "",
    now: datetime | None = None,
) -> Claim:
    """Somebody claims a prize of this promotion that, by the draw, is not his. To be decided, and kept if denied."""
    by.require(CLAIM)
    promotion = lock_promotion(code)
    if not 0 < len(what.strip()) <= 200 or not value > ZERO:
        raise Refusal("claim-of-nothing", "Say which prize is claimed, in up to 200 characters, and its value.")
    person = _person(name=name, address=address, contact=contact)
    now = now or database_time()
    return _take(promotion, by, now, (None, None), what=what.strip(), value=value, grounds=grounds.strip(), **person)


@transaction.atomic
def accept_claim(*, claim_id: int, by: Actor, now: datetime | None = None) -> Claim:
    """It is theirs: to be paid, by another person."""
    by.require(DECIDE_CLAIM)
    promotion, claim = lock_claim(claim_id)
    win = steps.must_be_acceptable(claim)
    now = now or database_time()
    claim.status, claim.decided_at, claim.decided_by = ClaimStatus.ACCEPTED, now, by.identity
    claim.save(update_fields=["status", "decided_at", "decided_by"])
    win.status = WinStatus.CLAIMED
    win.save(update_fields=["status"])
    record_act(ClaimAccepted(promotion=promotion.code, claim=claim.pk), by=by)
    return claim


@transaction.atomic
def deny_claim(
    *, claim_id: int, reasons: str, by: Actor, address: str = "", forfeit: bool = True, now: datetime | None = None
) -> Claim:
    """Refuse the prize, with reasons for the person. *forfeit*: the winner is to lose it, too, which another person
    seconds and the scrutineer signs (`promotions.losses`); the terms say to whom.

    Without *forfeit* the prize stays the winner's: it was claimed by somebody else, or not as the terms ask.
    """
    by.require(DECIDE_CLAIM)
    promotion, claim = lock_claim(claim_id)
    steps.must_be_undecided(claim)
    if address.strip():
        claim.address = _person(name=claim.name, address=address, contact="")["address"]
    edition = edition_of(promotion)
    check_denial(edition, value=claim.value, name=claim.name, address=claim.address, reasons=reasons)
    now = now or database_time()
    claim.status, claim.decided_at, claim.decided_by = ClaimStatus.DENIED, now, by.identity
    claim.reasons = reasons.strip()
    claim.save(update_fields=["status", "decided_at", "decided_by", "reasons", "address"])
    denied = ClaimDenied(promotion=promotion.code, claim=claim.pk, value=claim.value, reasons=claim.reasons)
    record_act(denied, by=by)
    if claim.win is not None and forfeit and claim.win.status == WinStatus.DRAWN and not steps.case_of(claim.win):
        claim.win.promotion = promotion
        note(win=claim.win, reason=LossReason.DENIED, by=by, now=now)
    finish_if_over(promotion=promotion, by=by, now=now)
    return claim


@transaction.atomic
def decline_prize(*, win_id: int, by: Actor, now: datetime | None = None) -> LossCase:
    """The winner does not want it, says one person: another seconds it, and the scrutineer signs."""
    by.require(CLAIM)
    _, win = lock_win(win_id)
    steps.must_be_declinable(win, claims=Claim.objects.filter(win=win))
    return note(win=win, reason=LossReason.DECLINED, by=by, now=now or database_time())


@transaction.atomic
def told_of_denial(*, claim_id: int, how: str, by: Actor, now: datetime | None = None) -> Claim:
    """The person has been told the reasons and the right to complain; the letter says both (`promotions.letters`)."""
    by.require(CLAIM)
    promotion, claim = lock_claim(claim_id)
    steps.must_be_denied(claim)
    check_notification(edition_of(promotion), how)
    if claim.told_at is None:
        claim.told_at, claim.told_by, claim.told_how = now or database_time(), by.identity, how
        claim.save(update_fields=["told_at", "told_by", "told_how"])
        record_act(DenialTold(claim=claim.pk, how=how), by=by)
    return claim


def forget_claimants(promotion: Promotion) -> int:
    """With a promotion's personal data go the claimants', but for denied claims above $100, which are kept (17.9.1)."""
    gone = 0
    for claim in claims_naming(promotion):
        keep = keeps_its_name(claim)
        claim.contact, claim.grounds, claim.born = "", "", None
        if not keep:
            claim.name = claim.address = ""
        claim.save(update_fields=["name", "address", "contact", "grounds", "born"])
        gone += not keep
    return gone


def claims_naming(promotion: Promotion) -> QuerySet[Claim]:
    """Claims that still say who made them."""
    return Claim.objects.filter(promotion=promotion).exclude(name="", address="", contact="", grounds="", born=None)


def keeps_its_name(claim: Claim) -> bool:
    return claim.status == ClaimStatus.DENIED and kept(claim.value)


def find_claim(claim_id: int) -> Claim:
    claim = Claim.objects.select_related("promotion", "win__prize", "win__pick").filter(pk=claim_id).first()
    if claim is None:
        raise NotFound("no-such-claim", f"There is no claim {claim_id}.")
    return claim


def lock_claim(claim_id: int) -> tuple[Promotion, Claim]:
    """A claim with the rows of promotion, winner and claim locked, in that order."""
    seen = find_claim(claim_id)
    if seen.win_id is not None:
        promotion, win = lock_win(seen.win_id)
    else:
        promotion, win = lock_promotion(seen.promotion.code), None
    claim = Claim.objects.select_for_update().get(pk=claim_id)
    claim.promotion, claim.win = promotion, win
    return promotion, claim


def _take(
    promotion: Promotion,
    by: Actor,
    now: datetime,
    known: tuple[str | None, str | None],
    **claimed: object,
) -> Claim:
    """*known*: by what his age is, and by whose record."""
    age, player = known
    claim = Claim.objects.create(promotion=promotion, **claimed, made_at=now, made_by=by.identity)
    made = ClaimMade(
        promotion=promotion.code,
        claim=claim.pk,
        value=claim.value,
        win=claim.win_id,
        age=age,
        player=player,
        household=claim.household,
    )
    record_act(made, by=by)
    return claim


def _person(**given: str) -> dict[str, str]:
    person = {field: given[field].strip() for field, _ in LIMITS}
    for field, most in LIMITS:
        if len(person[field]) > most:
            raise Refusal("too-long", f"The {field} has at most {most} characters.", field=field)
    return person
