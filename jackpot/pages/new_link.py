"""The page of a new link: rules chosen, figures entered, what they are worth and whose approval they need, live."""

from __future__ import annotations

from django.http import HttpResponseBase
from django.shortcuts import render

from house import approvals
from house.pages.proposals import proposed
from house.permissions import PROPOSE
from jackpot import approvables, terms
from jackpot.pages.forms import NewLinkForm
from jackpot.rules import gazetted, mathematics
from jackpot.rules.catalogue import RULE_SETS, rule_set
from jackpot.rules.starting import starting_terms
from kernel.refusal import NotFound, Refusal
from web import words
from web.page import Visit, attempt, done, page, show


@page(PROPOSE)
def choose_rules(request: Visit) -> HttpResponseBase:
    found = [
        (rules, terms.authority(starting_terms(rules)), rules.code in gazetted.GAZETTED) for rules in RULE_SETS.values()
    ]
    return show(request, "jackpot/choose_rules.html", found=found)


def _form(request: Visit, rules: str, *, given: object = None) -> NewLinkForm:
    if rules not in RULE_SETS:
        raise NotFound("rules-unknown", f"There are no jackpot rules called {rules}.")
    return NewLinkForm(given, current=starting_terms(rule_set(rules)))


@page(PROPOSE)
def new_link(request: Visit, rules: str) -> HttpResponseBase:
    form = _form(request, rules, given=request.POST or None)
    if form.is_valid():
        proposal = attempt(
            form,
            approvals.propose,
            kind=approvables.LINK,
            subject=f"jackpot:{form.code}",
            new={"title": form.title, "terms": form.new},
            why=form.why,
            by=request.actor,
        )
        if proposal:
            return done(request, proposed(proposal), "approval", proposal.pk)
    current = form.current
    return show(
        request,
        "jackpot/new_link.html",
        form=form,
        rules=current.rules,
        fixed=current.rules.code in gazetted.GAZETTED,
        prizes=current.rules.prizes,
        **_worth(form),
    )


@page(PROPOSE, poll=True)
def figures(request: Visit, rules: str) -> HttpResponseBase:
    """What the figures on the page are worth, as they stand there."""
    return render(request, "jackpot/_new_link_figures.html", _worth(_form(request, rules, given=request.GET)))


def _worth(form: NewLinkForm) -> dict[str, object]:
    """Exact figures and the authority; or what is wrong with them, in the words of the rule."""
    try:
        written = form.current if not form.is_bound else terms.read(form.as_written())
        terms.check(written)
    except Refusal as wrong:
        return {"wrong": wrong}
    found = mathematics.mathematics(written.rules, wager=written.parameters.wager, levels=written.parameters.levels)
    kept = written.parameters.retained_rate
    return {
        "figures": found.as_data(),
        "authority": terms.authority(written),
        "kept": words.rate(kept),
    }
