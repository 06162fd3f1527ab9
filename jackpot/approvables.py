"""What changes of jackpots need a second person (decision 11): new links, terms, adjustments, retirement.

The subject is ``jackpot:CSP``. Terms of a running link may wait for ``when-won``, or take effect at once or at a time,
as the proposal says; rounds that are open keep the terms they began under.
"""

from __future__ import annotations

from typing import Any

from house.actors import Actor
from house.approvals import approvable
from house.models import Proposal
from house.refusal import Conflict, Malformed, NotFound, Refusal
from jackpot import adjust, links, mystery, permissions, pools, terms
from jackpot.claim import TERMS_KIND, WHEN_WON
from jackpot.models import Pool
from ledger.money import Money


def _code(subject: str) -> str:
    kind, _, code = subject.partition(":")
    if kind != "jackpot" or not pools.CODE.fullmatch(code):
        raise NotFound("no-such-pool", "Write the subject like jackpot:CSP.", field="subject")
    return code


def _pool(subject: str) -> Pool:
    return pools.find(_code(subject))


def _fields(new: Any, *names: str) -> dict[str, Any]:
    if not isinstance(new, dict) or set(new) != set(names):
        raise Malformed("value-not-readable", f"Write {', '.join(names)}, and nothing else.", field="new")
    return new


def _text(value: Any, field: str) -> str:
    if not isinstance(value, str):
        raise Malformed("value-not-readable", f"Write {field} as text.", field=field)
    return value


# A new link: {"title": …, "terms": {…}}


def _check_link(subject: str, new: Any) -> None:
    fields = _fields(new, "title", "terms")
    if Pool.objects.filter(code=_code(subject)).exists():
        raise Conflict("pool-exists", f"There is a jackpot {_code(subject)} already.", field="subject")
    if not _text(fields["title"], "title").strip():
        raise Refusal("title-missing", "A link has a title.", field="title")
    terms.check(terms.read(fields["terms"]))


def _apply_link(proposal: Proposal, by: Actor) -> None:
    fields = _fields(proposal.new, "title", "terms")
    links.open_link(
        code=_code(proposal.subject),
        title=fields["title"].strip(),
        link_terms=terms.read(fields["terms"]),
        by=by,
        proposal=proposal,
    )


def _no_link_yet(subject: str) -> Any:
    pool = Pool.objects.filter(code=_code(subject)).first()
    return None if pool is None else pool.title


LINK = approvable(
    kind="jackpot.link",
    label="A new jackpot link",
    permission=permissions.DECIDE,
    describe=lambda subject, old, new: f"A new link {_code(subject)}: {new['title']}.",
    current=_no_link_yet,
    check=_check_link,
    apply=_apply_link,
)


# Terms: the whole of them, as terms.py writes them.


def _current_terms(subject: str) -> Any:
    return terms.in_force(_pool(subject)).data


def _check_terms(subject: str, new: Any) -> None:
    pool = _pool(subject)
    if pool.status != Pool.Status.OPEN:
        raise Conflict("pool-retired", f"Jackpot {pool} is retired.")
    link_terms = terms.read(new)
    if list(link_terms.levels) != pool.levels:
        raise Refusal("levels-stand", f"The levels of {pool} stay {', '.join(pool.levels)}.", field="levels")
    terms.check(link_terms)
    now = terms.of(terms.in_force(pool))
    if mystery.is_mystery(link_terms) != mystery.is_mystery(now):
        raise Refusal("game-stands", f"What decides a win on {pool} stays as it is: open another link.", field="rules")
    ceiling = link_terms.parameters.levels[0].ceiling
    if mystery.running(pool) is not None and ceiling is not None and links.meter(pool).total >= ceiling:
        raise Refusal("ceiling-passed", f"{pool} shows {links.meter(pool).total} already.", field="ceiling")


def _apply_terms(proposal: Proposal, by: Actor) -> None:
    links.set_terms(pool=_pool(proposal.subject), link_terms=terms.read(proposal.new), by=by, proposal=proposal)


def _describe_terms(subject: str, old: Any, new: Any) -> str:
    changed = [name for name in new if old.get(name) != new[name]]
    figures = [name for name in changed if not isinstance(new[name], dict | list)]
    changes = [f"{name.replace('_', ' ')} from {old[name]} to {new[name]}" for name in figures]
    changes += [f"other {name}" for name in changed if name not in figures]
    return f"{_code(subject)}: {', '.join(changes)}."


TERMS = approvable(
    kind=TERMS_KIND,
    label="Terms of a jackpot link",
    permission=permissions.DECIDE,
    describe=_describe_terms,
    current=_current_terms,
    check=_check_terms,
    apply=_apply_terms,
    conditions=[WHEN_WON],
)


# An adjustment: {"purse": "prize", "amount": "-12.50", "cause": "overcount"}. There is nothing it replaces.


def _adjustment(new: Any) -> tuple[str, Money, str]:
    fields = _fields(new, "purse", "amount", "cause")
    try:
        amount = Money.parse(fields["amount"])
    except ValueError as wrong:
        raise Malformed("value-not-readable", f"{wrong}.", field="amount") from None
    return _text(fields["purse"], "purse"), amount, _text(fields["cause"], "cause")


def _check_adjustment(subject: str, new: Any) -> None:
    purse, amount, cause = _adjustment(new)
    adjust.check_adjustment(_pool(subject), purse=purse, amount=amount, cause=cause)


def _apply_adjustment(proposal: Proposal, by: Actor) -> None:
    purse, amount, cause = _adjustment(proposal.new)
    adjust.adjust(pool=_code(proposal.subject), purse=purse, amount=amount, cause=cause, by=by, proposal=proposal)


def _exists(subject: str) -> None:
    _pool(subject)


ADJUSTMENT = approvable(
    kind="jackpot.adjustment",
    label="An adjustment of a jackpot",
    permission=permissions.DECIDE,
    describe=lambda subject, old, new: (
        f"{_code(subject)}: {new['amount']} to the {new['purse']}, because {adjust.CAUSES[new['cause']]}."
    ),
    current=_exists,
    check=_check_adjustment,
    apply=_apply_adjustment,
)


# Retirement: {"into": "BOOM"}


def _into(new: Any) -> str:
    return _text(_fields(new, "into")["into"], "into")


def _check_retirement(subject: str, new: Any) -> None:
    adjust.check_retirement(_pool(subject), pools.find(_into(new)))


def _apply_retirement(proposal: Proposal, by: Actor) -> None:
    adjust.retire(pool=_code(proposal.subject), into=_into(proposal.new), by=by, proposal=proposal)


RETIREMENT = approvable(
    kind="jackpot.retirement",
    label="The retirement of a jackpot into another",
    permission=permissions.DECIDE,
    describe=lambda subject, old, new: f"{_code(subject)} is retired; what is in it goes to {new['into']}.",
    current=_exists,
    check=_check_retirement,
    apply=_apply_retirement,
)
