"""What may be done next with a winner or a claim, and by whom, as `promotions.steps` says it of promotions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum

from house.persons import is_another
from house.times import for_people
from kernel.actors import Actor
from kernel.codes import Permission
from kernel.refusal import Conflict, Forbidden
from promotions.claimants import must_be_shown
from promotions.models import Claim, ClaimStatus, Draw, LossCase, Promotion, Win, WinStatus
from promotions.people import refuse_barred_winner
from promotions.permissions import CLAIM, DECIDE_CLAIM, DRAW, LOSE, NOTIFY, PAY, PERSONAL, SCRUTINISE
from promotions.rules.terms import Terms
from promotions.steps import allows, must_be_scrutineer
from promotions.versions import edition_of, terms_in_force


class WinStep(StrEnum):
    CALL = "call"
    PRESENT = "present"
    ABSENT = "absent"
    NOTIFY = "notify"
    CLAIM = "claim"
    DECLINE = "decline"
    UNCLAIMED = "unclaimed"
    INELIGIBLE = "ineligible"
    SECOND = "second"  # a loss that another person has noted
    SIGN = "sign"  # as the scrutineer
    WITHDRAW = "withdraw"  # what was said of a loss


class ClaimStep(StrEnum):
    ACCEPT = "accept"
    DENY = "deny"
    TELL = "tell"
    LETTER = "letter"
    PAY = "pay"


def must_be_waiting(win: Win) -> None:
    """Neither claimed, nor paid, nor lost."""
    if win.status != WinStatus.DRAWN:
        raise Conflict(f"win-{win.status}", f"This prize is {win.get_status_display()}.")


def must_be_signed(win: Win) -> None:
    """17.2, 15.2: nothing is called, told, claimed or paid on a result that the scrutineer has still to sign."""
    if win.pick.draw.published_at is None:
        raise Conflict(
            "result-not-signed",
            "The scrutineer has not signed the result of this draw: until then it is none.",
            clause=edition_of(win.promotion).clause("scrutineer"),
        )


def must_be_eligible(win: Win) -> None:
    """17.7.3, 15.7.3; nsw-csp:16.19: who may not take part claims nothing and is paid nothing."""
    _, terms = terms_in_force(win.promotion)
    refuse_barred_winner(win.pick.entry.entrant.identity, terms, win.promotion)


def must_be_held(win: Win) -> None:
    """Neither paid nor lost."""
    if win.status not in (WinStatus.DRAWN, WinStatus.CLAIMED):
        raise Conflict(f"win-{win.status}", f"This prize is {win.get_status_display()}.")


def case_of(win: Win) -> LossCase | None:
    """What is said of this winner's loss, and not taken back."""
    return LossCase.objects.filter(win=win, withdrawn_at=None).first()


def must_have_no_case(win: Win) -> None:
    if case_of(win) is not None:
        raise Conflict("loss-noted", "It is noted already: another person seconds it, the scrutineer signs.")


def must_have_case(win: Win) -> LossCase:
    case = case_of(win)
    if case is None or case.signed_at is not None:
        raise Conflict("loss-not-noted", "Nobody has said that this prize is lost.")
    must_be_held(win)
    return case


def must_be_secondable(win: Win, by: Actor) -> LossCase:
    case = must_have_case(win)
    if not is_another(by, LOSE, case.noted_by):
        raise Forbidden("same-person", "Another person seconds it than the one who noted it.")
    if case.seconded_at is not None:
        raise Conflict("loss-seconded", "It is seconded already: the scrutineer signs.")
    return case


def must_be_signable(win: Win, draw: Draw, by: Actor) -> LossCase:
    """By the scrutineer of the draw, who has neither noted nor seconded it."""
    must_be_scrutineer(draw, by)
    case = must_have_case(win)
    if draw.attended_at is None:
        raise Conflict("scrutineer-absent", "Say first that you are there.")
    if case.seconded_at is None:
        raise Conflict("loss-not-seconded", "A second person says so first.")
    if not is_another(by, SCRUTINISE, case.noted_by, case.seconded_by):
        raise Forbidden("same-person", "The scrutineer is another person than the two who said so.")
    return case


def must_be_unclaimed(win: Win, now: datetime) -> None:
    """The time of the terms is over and no claim is under way."""
    must_be_waiting(win)
    if now <= win.claim_by:
        raise Conflict(
            "claim-not-over",
            f"By the terms it can be claimed until {for_people(win.claim_by)}.",
            clause=edition_of(win.promotion).particular("7.8"),
        )
    if Claim.objects.filter(win=win, status=ClaimStatus.MADE).exists():
        raise Conflict("claimed-already", "A claim for this prize is under way: decide it first.")


def must_be_called_by_the_terms(promotion: Promotion, terms: Terms) -> int:
    """How many seconds a winner has to come forward; refused where nobody need be present."""
    if terms.call_seconds is None:
        raise Conflict(
            "presence-not-needed",
            f"By its terms nobody need be present at the draw of {promotion.code}: winners are notified.",
            clause=edition_of(promotion).clause("notification"),
        )
    return terms.call_seconds


def must_be_next(win: Win, wins: Iterable[Win]) -> None:
    """Prizes are called in their order, once the result is signed: *wins* are those of the same draw."""
    must_be_signed(win)
    waiting = [each for each in wins if each.status == WinStatus.DRAWN and each.present_at is None]
    earlier = [each.pick.prize for each in waiting if (each.pick.prize or 0) < (win.pick.prize or 0)]
    if earlier:
        first = min(prize or 0 for prize in earlier)
        raise Conflict("earlier-prize-first", f"Prize {first} comes first: its winner has not come forward.")


def must_be_called(win: Win) -> datetime:
    """When the time to come forward ends."""
    if win.call_ends_at is None:
        raise Conflict("not-called", "Call the winner first.")
    return win.call_ends_at


def must_be_in_time(win: Win, now: datetime) -> None:
    ends = must_be_called(win)
    if now > ends:
        raise Conflict(
            "call-over",
            f"The time to come forward ended {for_people(ends)}: the winner is absent.",
            clause=edition_of(win.promotion).particular("7.8"),
        )


def must_be_absent(win: Win, now: datetime) -> None:
    must_have_no_case(win)
    if win.present_at is not None:
        raise Conflict("winner-present", "This winner has come forward.")
    ends = must_be_called(win)
    if now <= ends:
        raise Conflict(
            "call-not-over",
            f"By the terms the winner has until {for_people(ends)} to come forward.",
            clause=edition_of(win.promotion).particular("7.8"),
        )


def must_be_tellable(win: Win) -> None:
    must_be_signed(win)
    if win.status == WinStatus.LOST:
        raise Conflict("win-lost", "This prize is not theirs any more.")


def must_be_claimable(win: Win, terms: Terms, *, claims: Iterable[Claim], now: datetime) -> None:
    """By the winner, in time and, where entrants must be present, once he has come forward."""
    must_be_waiting(win)
    must_be_signed(win)
    must_have_no_case(win)
    must_be_eligible(win)
    clause = edition_of(win.promotion).particular("7.8")
    if terms.must_be_present and win.present_at is None:
        raise Conflict("not-present", "The winner has to come forward when called.", clause=clause)
    if now > win.claim_by:
        words = f"By the terms it was to be claimed by {for_people(win.claim_by)}."
        raise Conflict("too-late", words, clause=clause)
    if any(claim.status in (ClaimStatus.MADE, ClaimStatus.ACCEPTED) for claim in claims):
        raise Conflict("claimed-already", "A claim for this prize is under way.")


def must_be_declinable(win: Win, *, claims: Iterable[Claim]) -> None:
    must_be_waiting(win)
    must_be_signed(win)
    must_have_no_case(win)
    if any(claim.status == ClaimStatus.MADE for claim in claims):
        raise Conflict("claimed-already", "A claim for this prize is under way: decide it first.")


def of_win(win: Win, *, claims: Sequence[Claim], by: Actor, now: datetime) -> frozenset[WinStep]:
    """On the page of one winner."""
    _, terms = terms_in_force(win.promotion)
    found = set()
    if by.may(NOTIFY) and win.notify_by is not None and allows(lambda: must_be_tellable(win)):
        found.add(WinStep.NOTIFY)
    if by.may(CLAIM):
        if allows(lambda: must_be_claimable(win, terms, claims=claims, now=now)):
            found.add(WinStep.CLAIM)
        if allows(lambda: must_be_declinable(win, claims=claims)):
            found.add(WinStep.DECLINE)
    if by.may(DRAW) and terms.call_seconds is not None and win.status == WinStatus.DRAWN and win.present_at is None:
        found.add(WinStep.CALL)
    found |= of_loss(win, by=by, now=now)
    return frozenset(found)


def of_loss(win: Win, *, by: Actor, now: datetime) -> set[WinStep]:
    """What this person may say of a loss."""
    checks: list[tuple[WinStep, Permission, Callable[[], object]]] = [
        (WinStep.SECOND, LOSE, lambda: must_be_secondable(win, by)),
        (WinStep.SIGN, SCRUTINISE, lambda: must_be_signable(win, win.pick.draw, by)),
        (WinStep.WITHDRAW, LOSE, lambda: must_have_case(win)),
    ]
    if case_of(win) is None:
        checks = [
            (WinStep.INELIGIBLE, LOSE, lambda: must_be_held(win)),
            (WinStep.UNCLAIMED, LOSE, lambda: must_be_unclaimed(win, now)),
        ]
    return {step for step, permission, check in checks if by.may(permission) and allows(check)}


def of_call(win: Win, wins: Sequence[Win], terms: Terms, *, by: Actor, now: datetime) -> frozenset[WinStep]:
    """In the draw room, where winners are called one after another: *wins* are all of the draw."""
    said = of_loss(win, by=by, now=now) & {WinStep.SECOND, WinStep.SIGN, WinStep.WITHDRAW}
    called = terms.call_seconds is not None and win.status == WinStatus.DRAWN and win.present_at is None
    if said or not by.may(DRAW) or not called:
        return frozenset(said)
    checks: Mapping[WinStep, Callable[[], object]] = {
        WinStep.PRESENT: lambda: must_be_in_time(win, now),
        WinStep.ABSENT: lambda: must_be_absent(win, now),
    }
    if win.called_at is None:
        checks = {WinStep.CALL: lambda: must_be_next(win, wins)}
    return frozenset(step for step, check in checks.items() if allows(check))


# A claim


def must_be_undecided(claim: Claim) -> None:
    if claim.status != ClaimStatus.MADE:
        raise Conflict("claim-decided", f"This claim was {claim.status}.")


def must_be_acceptable(claim: Claim) -> Win:
    must_be_undecided(claim)
    if claim.win is None:
        raise Conflict("no-such-win", "By the draw this prize is not the claimant's: the claim can only be denied.")
    must_be_waiting(claim.win)
    must_be_signed(claim.win)
    must_have_no_case(claim.win)
    must_be_eligible(claim.win)
    must_be_shown(claim, claim.win)
    return claim.win


def must_be_denied(claim: Claim) -> None:
    if claim.status != ClaimStatus.DENIED:
        raise Conflict("not-denied", "This claim was not denied.", clause=edition_of(claim.promotion).clause("refusal"))


def must_be_unpaid(claim: Claim) -> Win:
    """Accepted, and its prize neither paid nor lost."""
    if claim.status != ClaimStatus.ACCEPTED or claim.win is None:
        raise Conflict("claim-not-accepted", f"Claim {claim.pk} has not been accepted.")
    if claim.win.status == WinStatus.PAID:
        raise Conflict("already-paid", "This prize has been paid.")
    if claim.win.status != WinStatus.CLAIMED:  # its draw was declared void since
        raise Conflict(f"win-{claim.win.status}", f"This prize is {claim.win.get_status_display()}.")
    return claim.win


def must_be_payable(claim: Claim, by: Actor) -> Win:
    """By another person than the one who accepted it."""
    win = must_be_unpaid(claim)
    must_be_signed(win)
    must_have_no_case(win)
    must_be_eligible(win)
    must_be_shown(claim, win)
    if not is_another(by, PAY, claim.decided_by):
        raise Conflict("same-person", "Who accepted the claim does not pay it.")
    return win


def is_unpaid(claim: Claim) -> bool:
    return allows(lambda: must_be_unpaid(claim))


def of_claim(claim: Claim, by: Actor) -> frozenset[ClaimStep]:
    checks: Mapping[ClaimStep, tuple[Permission, Callable[[], object]]] = {
        ClaimStep.ACCEPT: (DECIDE_CLAIM, lambda: must_be_acceptable(claim)),
        ClaimStep.DENY: (DECIDE_CLAIM, lambda: must_be_undecided(claim)),
        ClaimStep.LETTER: (PERSONAL, lambda: must_be_denied(claim)),
        ClaimStep.PAY: (PAY, lambda: must_be_payable(claim, by)),
    }
    found = {step for step, (permission, check) in checks.items() if by.may(permission) and allows(check)}
    if by.may(CLAIM) and claim.status == ClaimStatus.DENIED and claim.told_at is None:
        found.add(ClaimStep.TELL)
    return frozenset(found)
