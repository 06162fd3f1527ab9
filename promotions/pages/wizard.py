"""From the first word of a draft to the running promotion: the wizard with its checklist, and the steps after it."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponseBase
from django.shortcuts import render

from kernel.refusal import Refusal
from promotions import amend, draft, run, seal, submit
from promotions.lifecycle import Status
from promotions.locks import find_promotion
from promotions.models import Promotion
from promotions.pages.terms_forms import AmendForm, DraftForm, EditForm, TermsForm
from promotions.permissions import AMEND, DRAFT, SUBMIT
from promotions.rules.editions import EDITIONS, Edition
from promotions.rules.particulars import REQUIRED
from promotions.rules.prohibited import refuse_prohibited
from promotions.rules.terms import check
from promotions.terms_text import heading
from promotions.versions import draft_of, edition_of, in_force, terms_in_force
from web.page import Visit, attempt, done, page, show


def _checklist(terms: dict[str, Any], rules: Edition) -> dict[str, object]:
    """Every particular of the rule, ticked or with what is missing; then what is wrong with prizes and options."""
    terms = {key: value for key, value in terms.items() if value is not None}
    try:
        refuse_prohibited(terms.get("prizes") or [], rules)
        prohibited = None
    except Refusal as refusal:
        prohibited = refusal
    try:
        missing = check(terms, rules)
    except Refusal as refusal:
        missing, prohibited = [], prohibited or refusal
    known = {each.key for each in REQUIRED}
    by_field = {line.field: line for line in missing if line.field in known}
    lines = [
        {"title": heading(each.key), "clause": rules.particular(each.number), "missing": by_field.get(each.key),
         "target": f"id_{each.key}"}
        for each in REQUIRED
    ]  # fmt: skip
    others = [{"line": line, "target": _target(line.field)} for line in missing if line.field not in known]
    return {
        "lines": lines,
        "others": others,
        "prohibited": prohibited,
        "left": len(missing) + bool(prohibited),
        "given": len(lines) - len(by_field),
        "asked": len(lines),
    }


def _target(field: str) -> str:
    """``prizes[0].details.make`` is the field with the id ``id_prize-0-details-make``."""
    if field.startswith("prizes["):
        return "id_" + field.replace("prizes[", "prize-").replace("].", "-").replace(".", "-")
    return f"id_{field}"


def _rules(request: Visit) -> Edition:
    code = request.POST.get("edition") or request.GET.get("edition", "2025")
    return EDITIONS.get(code, EDITIONS["2025"])


@page(DRAFT, post=True)
def checklist(request: Visit) -> HttpResponseBase:
    """What is missing in the form as it stands; nothing is kept."""
    form = TermsForm(request.POST)
    return render(request, "promotions/_checklist.html", {"checklist": _checklist(form.terms, _rules(request))})


@page(DRAFT, post=True)
def prizes(request: Visit) -> HttpResponseBase:
    """The prizes of the form as it stands: one more, one fewer, or with the particulars of another kind."""
    form = TermsForm(request.POST)
    held = [each.prize for each in form.prizes]
    if "add" in request.POST:
        held.append({})
    if (gone := request.POST.get("remove", "")).isdigit() and int(gone) < len(held):
        del held[int(gone)]
    again = TermsForm(stored={"prizes": held or [{}]})
    terms = form.terms | {"prizes": [prize for prize in held if prize]}
    shown = {"form": again, "checklist": _checklist(terms, _rules(request)), "oob": True}
    return render(request, "promotions/_prizes.html", shown)


@page(DRAFT)
def new(request: Visit) -> HttpResponseBase:
    form = DraftForm(request.POST or None)
    if form.is_valid():
        terms = {key: value for key, value in form.terms.items() if value is not None}
        made = attempt(
            form,
            draft.draft_promotion,
            code=form.code.strip().upper(),
            edition_code=form.edition,
            title=form.title,
            terms=terms,
            by=request.actor,
        )
        if made:
            return done(request, f"{made.title} is drafted.", "promotion", made.code)
    return _wizard(request, form, _rules(request))


@page(DRAFT)
def edit(request: Visit, code: str) -> HttpResponseBase:
    promotion = find_promotion(code)
    if promotion.status != "draft":
        draft.edit_promotion(code=code, by=request.actor)  # says why not
    stored = draft_of(promotion).data
    form = EditForm(request.POST or None, stored=stored)
    form.fields["title"].initial = promotion.title
    if form.is_valid():
        saved = attempt(
            form,
            draft.edit_promotion,
            code=code,
            terms=form.terms,
            title=form.title,
            by=request.actor,
        )
        if saved:
            return done(request, f"{saved.title} is saved.", "promotion", code)
    return _wizard(request, form, edition_of(promotion), promotion)


@page(AMEND)
def amend_terms(request: Visit, code: str) -> HttpResponseBase:
    promotion = find_promotion(code)
    version, _ = terms_in_force(promotion)
    form = AmendForm(request.POST or None, stored=version.data)
    if form.is_valid():
        made = attempt(
            form,
            amend.amend_promotion,
            code=code,
            changes=form.terms,
            why=form.why,
            how=form.how,
            reference=form.reference,
            by=request.actor,
        )
        if made:
            approval = edition_of(promotion).amend_by_approval
            said = f"is sent: in force once {'the authority' if approval else 'another person'} approves it"
            return done(request, f"Version {made.number} of the terms {said}.", "promotion-versions", code)
    return _wizard(request, form, edition_of(promotion), promotion)


def _wizard(request: Visit, form: TermsForm, rules: Edition, promotion: Promotion | None = None) -> HttpResponseBase:
    terms = form.terms if form.is_bound else form.stored
    return show(
        request,
        "promotions/wizard.html",
        form=form,
        rules=rules,
        promotion=promotion,
        amending=isinstance(form, AmendForm),
        version=in_force(promotion) if promotion else None,
        checklist=_checklist(terms, rules),
    )


@page(SUBMIT, post=True)
def submit_terms(request: Visit, code: str) -> HttpResponseBase:
    sent = submit.submit_promotion(
        code=code,
        how=request.POST.get("how", "") or "email",
        reference=request.POST.get("reference", ""),
        goods_confirmed="goods_confirmed" in request.POST,
        by=request.actor,
    )
    return done(request, f"{code} is submitted to {sent.to}. The 24 hours run.", "promotion", code)


@page(DRAFT, post=True)
def redraft(request: Visit, code: str) -> HttpResponseBase:
    draft.redraft_promotion(code=code, by=request.actor)
    return done(request, f"{code} is a draft again. The 24 hours begin anew.", "promotion-terms", code)


@page(SUBMIT, post=True)
def start(request: Visit, code: str) -> HttpResponseBase:
    started = run.start_promotion(code=code, by=request.actor)
    if started.status == Status.RUNNING:
        return done(request, f"{code} runs; its draw is promised.", "promotion", code)
    said = f"The draw of {code} is promised. It runs as soon as the witness has seen that, in a few seconds."
    return done(request, said, "promotion", code)


@page(SUBMIT, post=True)
def close(request: Visit, code: str) -> HttpResponseBase:
    run.close_promotion(code=code, by=request.actor)
    return done(request, f"{code} takes no more entries.", "promotion", code)


@page(SUBMIT, post=True)
def seal_entries(request: Visit, code: str) -> HttpResponseBase:
    sealed = seal.seal_list(code=code, by=request.actor)
    return done(request, f"{sealed.count:,} entries are sealed; the root is published.", "promotion-room", code)


@page(SUBMIT, post=True)
def give_up(request: Visit, code: str) -> HttpResponseBase:
    run.cancel_promotion(code=code, why=request.POST.get("comment", ""), by=request.actor)
    return done(request, f"{code} is given up.", "promotion", code)
