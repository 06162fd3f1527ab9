"""What may be done with a proposal next, by whom. The pages ask for the steps; the verbs refuse by the same checks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from house.approvals.authority import (
    is_inspector,
    power_to_decide,
    refuse_for_authority,
    refuse_inspector,
    refuse_unless_inspector,
)
from house.approvals.registry import find, kinds
from house.models import Letter, LetterStatus, Proposal, ProposalStatus
from house.permissions import RECORD_LETTERS
from house.persons import is_another
from kernel.actors import Actor
from kernel.authority import Authority
from kernel.refusal import Conflict, Forbidden, Refusal

Steps = frozenset[str]
DECIDE, SECOND, WITHDRAW = "decide", "second", "withdraw"
LETTER, CONFIRM, DISCARD, ANSWER = "letter", "confirm-letter", "discard-letter", "answer-letter"


def refuse_proposer(by: Actor) -> None:
    """The house proposes, the authority decides: never the other way round."""
    if is_inspector(by):
        raise Forbidden("inspector-proposes", "The house proposes; an inspector decides. Tell the house what you want.")


def refuse_decision(proposal: Proposal, by: Actor) -> None:
    """Another person decides, whom the rule names, and once."""
    _refuse_own(proposal, by)
    refuse_for_authority(proposal, by)
    _refuse_decided(proposal)
    if needs_second(proposal):
        raise Conflict("needs-second-person", "Another person of the house seconds this first: tell the house.")
    second = find(proposal.kind).second
    if second is not None and not is_another(by, second, proposal.seconded_by):
        raise Forbidden("own-proposal", "A third person decides: you seconded this proposal.")


def refuse_seconding(proposal: Proposal, by: Actor) -> None:
    """Another person of the house stands behind it, once, before its authority looks at it."""
    second = find(proposal.kind).second
    assert second is not None
    refuse_inspector(by)
    by.require(second)
    if not is_another(by, second, proposal.proposed_by):
        raise Forbidden("own-proposal", "Another person has to second it: nobody seconds their own proposal.")
    _refuse_decided(proposal)
    if proposal.seconded_by is not None:
        raise Conflict("seconded-already", f"{_needs(proposal)} decides it now.")


def needs_second(proposal: Proposal) -> bool:
    """Whether a second person of the house comes before its authority."""
    return find(proposal.kind).second is not None and proposal.seconded_by is None


def _needs(proposal: Proposal) -> str:
    words = Authority(proposal.authority).words
    return words[0].upper() + words[1:]


def refuse_withdrawal(proposal: Proposal, by: Actor) -> None:
    if proposal.proposed_by != by.identity:
        raise Forbidden("not-your-proposal", "Only who proposed it can withdraw it; reject it instead.")
    _refuse_decided(proposal)


def letter_of(proposal: Proposal) -> Letter | None:
    """The letter on record for it, if there is one that was not discarded. Without the document."""
    found = proposal.letters.exclude(status=LetterStatus.DISCARDED).defer("document").first()
    if found is not None:
        found.proposal = proposal
    return found


def refuse_letter(proposal: Proposal, by: Actor) -> None:
    """One person of the house records it; the proposer may."""
    _refuse_without_letters(proposal, by)
    _refuse_decided(proposal)
    if letter_of(proposal) is not None:
        raise Conflict("letter-waits", "A letter is on record already: another person confirms or discards it.")


def refuse_confirmation(proposal: Proposal, letter: Letter | None, by: Actor) -> None:
    """Another person than who recorded it, and than who proposed it."""
    _refuse_without_letters(proposal, by)
    if letter is not None and not is_another(by, RECORD_LETTERS, letter.recorded_by):
        raise Forbidden("same-person", "Another person confirms a letter than the one who put it on record.")
    _refuse_own(proposal, by)
    _refuse_decided(proposal)
    _require_recorded(letter)


def refuse_discarding(proposal: Proposal, letter: Letter | None, by: Actor) -> None:
    _refuse_without_letters(proposal, by)
    _refuse_decided(proposal)
    _require_recorded(letter)


def refuse_answer(proposal: Proposal, letter: Letter | None, by: Actor) -> None:
    """An inspector countersigns or disputes a letter by which something was approved, once."""
    refuse_unless_inspector(by)
    if letter is None or letter.status == LetterStatus.RECORDED:
        raise Conflict("no-letter", f"Proposal {proposal.pk} was not approved by a letter.")
    if letter.status != LetterStatus.CONFIRMED:
        raise Conflict("already-answered", f"The letter is {letter.status} already.")


def _require_recorded(letter: Letter | None) -> None:
    if letter is None:
        raise Conflict("no-letter", "There is no letter on record.")
    if letter.status != LetterStatus.RECORDED:
        raise Conflict("letter-confirmed", f"The letter is {letter.status} already.")


def _refuse_without_letters(proposal: Proposal, by: Actor) -> None:
    refuse_inspector(by)
    by.require(RECORD_LETTERS)
    if find(proposal.kind).second is not None:
        raise Conflict("in-person", "An inspector decides this in his own name: no letter will do.")
    if proposal.authority == Authority.HOUSE:
        raise Conflict("no-letter-needed", "The house decides this itself: a second person approves it.")


def _refuse_own(proposal: Proposal, by: Actor) -> None:
    if not is_another(by, power_to_decide(proposal), proposal.proposed_by):
        raise Forbidden("own-proposal", "Another person has to decide: nobody approves or rejects their own proposal.")
    if find(proposal.kind).is_own_affair(proposal, by.identity):
        raise Forbidden("own-affair", "Another person has to decide: this is about yourself.")


def _refuse_decided(proposal: Proposal) -> None:
    if proposal.status != ProposalStatus.PROPOSED:
        raise Conflict("already-decided", f"Proposal {proposal.pk} is {proposal.status} already.")


def proposal_steps(proposal: Proposal, by: Actor) -> Steps:
    checks: dict[str, Callable[[], None]] = {
        DECIDE: partial(refuse_decision, proposal, by),
        WITHDRAW: partial(refuse_withdrawal, proposal, by),
    }
    if needs_second(proposal):
        checks[SECOND] = partial(refuse_seconding, proposal, by)
    if proposal.authority != Authority.HOUSE:
        letter = letter_of(proposal)
        checks |= {
            LETTER: partial(refuse_letter, proposal, by),
            CONFIRM: partial(refuse_confirmation, proposal, letter, by),
            DISCARD: partial(refuse_discarding, proposal, letter, by),
            ANSWER: partial(refuse_answer, proposal, letter, by),
        }
    return frozenset(step for step, check in checks.items() if _passes(check))


def _passes(check: Callable[[], None]) -> bool:
    try:
        check()
    except Refusal:
        return False
    return True


def proposable(by: Actor) -> Steps:
    """The kinds of change that this person may propose."""
    if is_inspector(by):
        return frozenset()
    return frozenset(kind for kind, change in kinds().items() if by.may(change.propose_permission))
