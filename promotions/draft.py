"""Drafting a promotion: anything may be missing, nothing may be forbidden. The checklist says what is left to do."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any, Final

from django.db import transaction

from house.log import record_act
from kernel.actors import Actor
from kernel.refusal import Conflict, Refusal
from promotions import steps
from promotions.acts.terms import Drafted, Edited, Redrafted
from promotions.lifecycle import Step
from promotions.locks import database_time, find_promotion, lock_promotion
from promotions.models import Promotion, TermsVersion
from promotions.permissions import DRAFT, SEE
from promotions.rules.editions import EDITIONS, Edition, edition
from promotions.rules.prohibited import refuse_prohibited
from promotions.rules.terms import Missing, check, shape
from promotions.versions import draft_of, edition_of, next_number

CODE: Final = re.compile(r"[A-Z][A-Z0-9-]{0,31}", re.ASCII)


@transaction.atomic
def draft_promotion(
    *, code: str, edition_code: str, title: str, by: Actor, terms: object = None, now: datetime | None = None
) -> Promotion:
    """A new promotion under one edition of the rule, with as much of its terms as is known."""
    by.require(DRAFT)
    if not CODE.fullmatch(code):
        raise Refusal("code-not-allowed", "A promotion’s code is up to 32 capitals, digits and dashes.", field="code")
    if edition_code not in EDITIONS:
        raise Refusal("no-such-edition", f"The editions are {' and '.join(EDITIONS)}.", field="edition")
    title = _title(title)
    if Promotion.objects.filter(code=code).exists():
        raise Conflict("code-taken", f"There is a promotion {code} already.", field="code")
    data = _allowed({} if terms is None else terms, edition(edition_code))
    now = now or database_time()
    promotion = Promotion.objects.create(code=code, edition=edition_code, title=title, made_at=now, made_by=by.identity)
    TermsVersion.objects.create(promotion=promotion, number=1, data=data, made_at=now, made_by=by.identity)
    record_act(Drafted(promotion=code, edition=edition_code, title=title, terms=data), by=by)
    return promotion


@transaction.atomic
def edit_promotion(*, code: str, by: Actor, terms: object = None, title: str | None = None) -> Promotion:
    """Change particulars of a draft: those given replace what was there, null takes one out."""
    by.require(DRAFT)
    promotion = lock_promotion(code)
    steps.must_allow(Step.EDIT, promotion)
    version = draft_of(promotion)
    version.data = _allowed(merged(version.data, {} if terms is None else terms), edition_of(promotion))
    version.save(update_fields=["data"])
    if title is not None:
        promotion.title = _title(title)
        promotion.save(update_fields=["title"])
    record_act(Edited(promotion=code, title=promotion.title, version=version.number, terms=version.data), by=by)
    return promotion


@transaction.atomic
def redraft_promotion(*, code: str, by: Actor, now: datetime | None = None) -> Promotion:
    """Take submitted terms back to be edited. What was submitted stays on record; the 24 hours begin again."""
    by.require(DRAFT)
    promotion = lock_promotion(code)
    promotion.status = steps.take(Step.REDRAFT, promotion)
    promotion.save(update_fields=["status"])
    last = TermsVersion.objects.filter(promotion=promotion).latest("number")
    TermsVersion.objects.create(
        promotion=promotion,
        number=next_number(promotion),
        data=last.data,
        made_at=now or database_time(),
        made_by=by.identity,
    )
    record_act(Redrafted(promotion=code, instead_of=last.number), by=by)
    return promotion


def checklist(*, code: str, by: Actor) -> list[Missing]:
    """What is missing before the promotion can be submitted, each with the clause that asks for it."""
    by.require(SEE)
    promotion = find_promotion(code)
    version = TermsVersion.objects.filter(promotion=promotion).latest("number")
    return check(version.data, edition_of(promotion))


def merged(old: dict[str, Any], changes: Any) -> dict[str, object]:
    shape(changes)
    both = {**old, **changes}
    return {key: value for key, value in both.items() if value is not None}


def _allowed(data: Any, rules: Edition) -> dict[str, Any]:
    known = shape(data)
    refuse_prohibited(known.get("prizes") or [], rules)
    return known


def _title(title: str) -> str:
    if not 0 < len(title.strip()) <= 160:
        raise Refusal("title-missing", "A promotion has a title of up to 160 characters.", field="title")
    return title.strip()
