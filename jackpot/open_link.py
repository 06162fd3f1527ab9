"""A link begins, and its approved terms come into force, version after version (nsw-csp:11.9)."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.utils import timezone

from house.approved import require_decision
from house.gaming_days import gaming_day_at
from house.log import record_act
from house.models import Proposal
from jackpot import links, pools, promises, terms
from jackpot.acts import MeterBounded, TermsSet
from jackpot.claim import WHEN_WON
from jackpot.models import Link, Terms
from jackpot.rules import pool as rules
from jackpot.rules.must_hit_by import levels_changed
from jackpot.terms import LinkTerms
from kernel.actors import Actor
from kernel.refusal import Conflict

SEED_KIND: Final = "jackpot.seed"


@transaction.atomic
def open_link(*, code: str, title: str, link_terms: LinkTerms, by: Actor, proposal: Proposal | None = None) -> Link:
    """Open a link under terms that were approved: its purses, and its seed from the house."""
    terms.check(link_terms)
    if Link.objects.filter(code=code).exists():
        raise Conflict("pool-exists", f"There is a jackpot {code} already.", field="code")
    link = links.create_link(code=code, title=title, by=by, levels=link_terms.levels)
    set_terms(link=link, link_terms=link_terms, by=by, proposal=proposal)
    links.hold(code)
    balances = pools.read_pools(code, levels=link_terms.levels).balances
    pools.book(
        link=code,
        movements=[
            move for level in link_terms.levels for move in rules.top_up(link_terms.parameters, balances, level=level)
        ],
        kind=SEED_KIND,
        reference="opened",
        by=by,
        day=(today := gaming_day_at(timezone.now()).date),
    )
    if promises.is_must_hit_by(link_terms):
        promises.promise(link, day=today, by=by)
    return link


def cuts_meter(link: Link, new: LinkTerms) -> bool:
    """Whether a ceiling would take from players what the meter shows them."""
    held = pools.prize_amounts(link.code, levels=link.levels)
    levels = [level for level in new.parameters.levels if level.name in held]
    return any(level.ceiling is not None and held[level.name] > level.ceiling for level in levels)


@transaction.atomic
def set_terms(*, link: Link, link_terms: LinkTerms, by: Actor, proposal: Proposal | None = None) -> Terms:
    """Put a version of the terms in force, from now on. Rounds that are open keep the ones they began under. Those of a
    must-hit-by link change only when it is won: nobody may move the bounds of a pool that is played for."""
    require_decision(proposal, by=by)
    newest = Terms.objects.filter(link=link).order_by("-version").first()
    must_hit_by = promises.is_must_hit_by(link_terms)
    if newest is not None and must_hit_by and (proposal is None or proposal.condition != WHEN_WON):
        raise Conflict("only-when-won", f"The terms of {link} change only when it is won.", field="condition")
    if newest is not None and (proposal is None or proposal.condition != WHEN_WON) and cuts_meter(link, link_terms):
        raise Conflict(
            "ceiling-below-meter", f"{link} stands above that ceiling: it changes when it is won.", field="ceiling"
        )
    version = Terms.objects.create(
        link=link,
        version=newest.version + 1 if newest else 1,
        data=terms.write(link_terms),
        effective_at=timezone.now(),
        proposal=proposal,
        set_by=by.identity,
    )
    record_act(
        TermsSet(
            link=link.code,
            version=version.version,
            terms=version.data,
            proposal=proposal.pk if proposal else None,
        ),
        by=by,
    )
    if must_hit_by:
        _bound_meters(version, newest, by)
    return version


def _bound_meters(version: Terms, before: Terms | None, by: Actor) -> None:
    """Say between what each level falls; of several, later, only of the one whose figures change with its win."""
    parameters = terms.of(version).parameters
    several = len(parameters.levels) > 1
    changed = levels_changed(terms.of(before).parameters, parameters) if before and several else None
    for level in parameters.levels:
        if changed is None or level.name in changed:
            assert level.ceiling is not None
            bounded = MeterBounded(
                code=version.link.code,
                version=version.version,
                seed=level.seed,
                ceiling=level.ceiling,
                level=level.name if several else None,
            )
            record_act(bounded, by=by)
