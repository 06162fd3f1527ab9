"""What changes of jackpots need a second person (decision 11): new links, terms, adjustments, retirement.

The subject is ``jackpot:CSP``. Terms of a running link may wait for ``when-won``, or take effect at once or at a time,
as the proposal says; rounds that are open keep the terms they began under.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from house.approvals import Approvable, Record, Shape
from house.approvals.in_words import in_words, part
from house.models import Proposal
from jackpot import adjust, links, permissions, promises, terms
from jackpot.claim import TERMS_KIND, WHEN_WON
from jackpot.models import Link
from jackpot.open_link import cuts_meter, open_link, set_terms
from jackpot.rules.must_hit_by import levels_changed
from jackpot.terms import LinkTerms
from kernel.actors import Actor
from kernel.authority import Authority, strictest
from kernel.money import Money
from kernel.refusal import Conflict, NotFound, Refusal
from web.fields import MoneyField, Text


def code_of(subject: str) -> str:
    kind, _, code = subject.partition(":")
    if kind != "jackpot" or not links.CODE.fullmatch(code):
        raise NotFound("no-such-pool", "Write the subject like jackpot:CSP.", field="subject")
    return code


def link_of(subject: str) -> Link:
    return links.find_link(code_of(subject))


def _hold(subject: str, new: object) -> None:
    links.hold(link_of(subject).code)


def _authority_over(subject: str) -> Authority:
    return terms.authority(terms.of(terms.in_force(link_of(subject))))


# A new link: {"title": …, "terms": {…}}


@dataclass(frozen=True, slots=True, kw_only=True)
class NewLink:
    title: str
    terms: LinkTerms


class NewLinkValue(Record):
    """A new link with its terms."""

    title = Text(allow_blank=True, max_length=200)
    terms = terms.LinkTermsValue()
    makes = NewLink


def _write_link(link: NewLink) -> dict[str, object]:
    return {"title": link.title, "terms": terms.write(link.terms)}


def _link_in_force(subject: str) -> NewLink | None:
    link = Link.objects.filter(code=code_of(subject)).first()
    return None if link is None else NewLink(title=link.title, terms=terms.of(terms.in_force(link)))


def _check_link(subject: str, new: NewLink) -> None:
    if Link.objects.filter(code=code_of(subject)).exists():
        raise Conflict("pool-exists", f"There is a jackpot {code_of(subject)} already.", field="subject")
    if not new.title.strip():
        raise Refusal("title-missing", "A link has a title.", field="title")
    terms.check(new.terms)


def _apply_link(proposal: Proposal, new: NewLink, by: Actor) -> None:
    code = code_of(proposal.subject)
    open_link(code=code, title=new.title.strip(), link_terms=new.terms, by=by, proposal=proposal)


LINK = Approvable(
    kind="jackpot.link",
    label="A new jackpot link",
    shape=Shape[NewLink](NewLinkValue(), write=_write_link, codes={"terms": "terms-invalid"}),
    authority=lambda subject, new: terms.authority(new.terms),
    permission=permissions.DECIDE,
    describe=lambda subject, old, new: f"A new link {code_of(subject)}: {new.title}.",
    current=_link_in_force,
    check=_check_link,
    apply=_apply_link,
)


# Terms: the whole of them, as terms.py writes them.


def _current_terms(subject: str) -> LinkTerms:
    return terms.of(terms.in_force(link_of(subject)))


def _check_terms(subject: str, new: LinkTerms) -> None:
    link = link_of(subject)
    if link.status != Link.Status.OPEN:
        raise Conflict("pool-retired", f"Jackpot {link} is retired.")
    if list(new.levels) != link.levels:
        raise Refusal("levels-stand", f"The levels of {link} stay {', '.join(link.levels)}.", field="levels")
    terms.check(new)
    in_force = terms.of(terms.in_force(link))
    if promises.is_must_hit_by(new) != promises.is_must_hit_by(in_force):
        raise Refusal("game-stands", f"What decides a win on {link} stays as it is: open another link.", field="rules")
    if promises.is_must_hit_by(new) and len(levels_changed(in_force.parameters, new.parameters)) > 1:
        words = "Each level changes when it is won: propose one after the other."
        raise Refusal("one-level-at-a-time", words, field="levels")


def _apply_terms(proposal: Proposal, new: LinkTerms, by: Actor) -> None:
    set_terms(link=link_of(proposal.subject), link_terms=new, by=by, proposal=proposal)


def _describe_terms(subject: str, old: LinkTerms | None, new: LinkTerms) -> str:
    before, after = {} if old is None else terms.write(old), terms.write(new)
    changed = [name for name in after if before.get(name) != after[name]]
    figures = [name for name in changed if not isinstance(after[name], dict | list)]
    changes = [f"{name.replace('_', ' ')} from {_said(name, before)} to {_said(name, after)}" for name in figures]
    changes += [f"other {name}" for name in changed if name not in figures]
    return f"{code_of(subject)}: {', '.join(changes)}."


def _said(name: str, of: Mapping[str, object]) -> str:
    return in_words(of.get(name), part(terms.SHAPE.form, name))


def _only_when(subject: str, new: LinkTerms) -> str:
    """Nobody moves the bounds of a must-hit-by pool that is played for, nor cuts any meter by a lower ceiling."""
    return WHEN_WON if promises.is_must_hit_by(new) or cuts_meter(link_of(subject), new) else ""


TERMS = Approvable(
    kind=TERMS_KIND,
    label="Terms of a jackpot link",
    shape=terms.SHAPE,
    # Of what it replaces, too: terms that leave the clauses out do not make the game the house's own.
    authority=lambda subject, new: strictest(_authority_over(subject), terms.authority(new)),
    permission=permissions.DECIDE,
    describe=_describe_terms,
    current=_current_terms,
    check=_check_terms,
    hold=_hold,
    apply=_apply_terms,
    conditions=[WHEN_WON],
    only_when=_only_when,
)


# An adjustment: {"purse": "prize", "amount": "-12.50", "cause": "overcount"}. There is nothing it replaces.


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjustment:
    purse: str
    amount: Money
    cause: str


class AdjustmentValue(Record):
    """An amount into a pool of the link, or out of it."""

    purse = Text(max_length=32, help_text="A pool of the link that players put money into.")
    amount = MoneyField(allow_negative=True, help_text="Below zero it is taken out.")
    cause = Text(max_length=32, help_text=f"One of: {', '.join(adjust.CAUSES)}.")
    makes = Adjustment


def _check_adjustment(subject: str, new: Adjustment) -> None:
    adjust.check_adjustment(link_of(subject), purse=new.purse, amount=new.amount, cause=new.cause)


def _apply_adjustment(proposal: Proposal, new: Adjustment, by: Actor) -> None:
    adjust.adjust(
        link=code_of(proposal.subject), purse=new.purse, amount=new.amount, cause=new.cause, by=by, proposal=proposal
    )


def _exists(subject: str) -> None:
    link_of(subject)


ADJUSTMENT = Approvable(
    kind="jackpot.adjustment",
    label="An adjustment of a jackpot",
    shape=Shape[Adjustment](AdjustmentValue()),
    authority=Authority.HOUSE,
    permission=permissions.DECIDE,
    describe=lambda subject, old, new: (
        f"{code_of(subject)}: {new.amount} to the {new.purse}, because {adjust.CAUSES[new.cause]}."
    ),
    current=_exists,
    check=_check_adjustment,
    hold=_hold,
    apply=_apply_adjustment,
)


# Retirement: {"into": "BOOM"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Retirement:
    into: str


class RetirementValue(Record):
    """Where what is in the link goes."""

    into = Text(max_length=16, help_text="The link that what is in this one goes to.")
    makes = Retirement


def _check_retirement(subject: str, new: Retirement) -> None:
    adjust.check_retirement(link_of(subject), links.find_link(new.into))


def _hold_both(subject: str, new: Retirement) -> None:
    old = link_of(subject)
    links.hold(old.code, new.into)
    links.shut(old)


def _apply_retirement(proposal: Proposal, new: Retirement, by: Actor) -> None:
    adjust.retire(link=code_of(proposal.subject), into=new.into, by=by, proposal=proposal)


RETIREMENT = Approvable(
    kind="jackpot.retirement",
    label="The retirement of a jackpot into another",
    shape=Shape[Retirement](RetirementValue()),
    # A pool that goes is a change of the pools (nsw-csp:11.5, act-cp:10.5, act-pg:12.7), of both links.
    authority=lambda subject, new: strictest(_authority_over(subject), _authority_over(f"jackpot:{new.into}")),
    permission=permissions.DECIDE,
    describe=lambda subject, old, new: f"{code_of(subject)} is retired; what is in it goes to {new.into}.",
    current=_exists,
    check=_check_retirement,
    hold=_hold_both,
    apply=_apply_retirement,
)
