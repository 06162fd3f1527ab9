"""Calls about promotions and their terms."""

from __future__ import annotations

from base64 import b64encode

from django.db.models import QuerySet

from kernel.actors import Actor
from promotions import amend, draft, queries, run, seal, submit
from promotions.api import forms
from promotions.lifecycle import Status
from promotions.locks import find_promotion
from promotions.models import EntryList, Promotion, Submission, TermsVersion
from promotions.permissions import AMEND, DRAFT, SEE, SUBMIT
from web.fields import Choice, Nothing
from web.view import HouseView, Paging, listing, read, verb


class PromotionsAsked(Paging):
    status = Choice(required=False, choices=[each.value for each in Status])


class Promotions(HouseView):
    @listing(permission=SEE, gives=forms.PromotionOut, asks=PromotionsAsked)
    def get(self, by: Actor, asked: PromotionsAsked) -> QuerySet[Promotion]:
        """Every promotion."""
        return queries.promotions(status=asked.status)

    @verb(permission=DRAFT, takes=forms.DraftIn, gives=forms.PromotionOut, status=201)
    def post(self, by: Actor, data: forms.DraftIn) -> Promotion:
        """Draft a promotion under one edition of the rule. Anything may be missing yet; nothing may be prohibited."""
        return draft.draft_promotion(
            code=data.code, edition_code=data.edition, title=data.title, terms=data.terms, by=by
        )


class OnePromotion(HouseView):
    @read(permission=SEE, gives=forms.PromotionOut)
    def get(self, by: Actor, asked: Nothing, *, code: str) -> Promotion:
        """One promotion."""
        return find_promotion(code)


class Edit(HouseView):
    @verb(permission=DRAFT, takes=forms.EditIn, gives=forms.PromotionOut)
    def post(self, by: Actor, data: forms.EditIn, *, code: str) -> Promotion:
        """Change particulars of a draft."""
        return draft.edit_promotion(code=code, terms=data.terms, title=data.title, by=by)


class Checklist(HouseView):
    @read(permission=SEE, gives=forms.ChecklistOut)
    def get(self, by: Actor, asked: Nothing, *, code: str) -> dict[str, object]:
        """What is missing in the terms, with the clauses that ask for it."""
        missing = draft.checklist(code=code, by=by)
        return {"complete": not missing, "missing": missing}


class Submit(HouseView):
    @verb(permission=SUBMIT, takes=forms.FirstSubmitIn, gives=forms.SubmissionOut)
    def post(self, by: Actor, data: forms.FirstSubmitIn, *, code: str) -> Submission:
        """Record that the regulator was sent the terms, at least 24 hours before the start; by another person than
        those who wrote them."""
        return submit.submit_promotion(
            code=code,
            how=data.how,
            reference=data.reference or "",
            goods_confirmed=data.goods_confirmed,
            by=by,
        )


class Redraft(HouseView):
    @verb(permission=DRAFT, gives=forms.PromotionOut)
    def post(self, by: Actor, data: Nothing, *, code: str) -> Promotion:
        """Take submitted terms back to be edited; the 24 hours begin again."""
        return draft.redraft_promotion(code=code, by=by)


class Start(HouseView):
    @verb(permission=SUBMIT, gives=forms.PromotionOut)
    def post(self, by: Actor, data: Nothing, *, code: str) -> Promotion:
        """Start taking entries, where the clock has not: refused before the 24 hours have passed."""
        return run.start_promotion(code=code, by=by)


class Close(HouseView):
    @verb(permission=SUBMIT, gives=forms.PromotionOut)
    def post(self, by: Actor, data: Nothing, *, code: str) -> Promotion:
        """Close entries, where the clock has not: at the time the terms state, not before."""
        return run.close_promotion(code=code, by=by)


class Seal(HouseView):
    @verb(permission=SUBMIT, gives=forms.ListOut)
    def post(self, by: Actor, data: Nothing, *, code: str) -> dict[str, object]:
        """Seal the list of entries and publish its root."""
        return as_list(seal.seal_list(code=code, by=by))


def as_list(sealed: EntryList) -> dict[str, object]:
    return {
        "number": sealed.number,
        "root": bytes(sealed.root).hex(),
        "count": sealed.count,
        "sealed_at": sealed.sealed_at,
    }


class GiveUp(HouseView):
    @verb(permission=SUBMIT, takes=forms.WhyIn, gives=forms.PromotionOut)
    def post(self, by: Actor, data: forms.WhyIn, *, code: str) -> Promotion:
        """Give up a promotion that has not started."""
        return run.cancel_promotion(code=code, why=data.why, by=by)


class Amend(HouseView):
    @verb(permission=AMEND, takes=forms.AmendIn, gives=forms.VersionOut)
    def post(self, by: Actor, data: forms.AmendIn, *, code: str) -> TermsVersion:
        """Amend the terms after the start: sent to the regulator, in force once another person (2025) or the
        commission (2019) approves it."""
        return amend.amend_promotion(
            code=code,
            changes=data.terms,
            why=data.why,
            how=data.how,
            reference=data.reference or "",
            by=by,
        )


class Versions(HouseView):
    @listing(permission=SEE, gives=forms.VersionOut, asks=Paging)
    def get(self, by: Actor, asked: Paging, *, code: str) -> QuerySet[TermsVersion]:
        """Every version of the terms, the newest first."""
        return queries.versions(code)


class Submissions(HouseView):
    @listing(permission=SEE, gives=forms.SubmissionOut, asks=Paging)
    def get(self, by: Actor, asked: Paging) -> QuerySet[Submission]:
        """What the regulator was sent."""
        return queries.submissions()


class SubmissionPaper(HouseView):
    @read(permission=SEE, gives=forms.PaperOut)
    def get(self, by: Actor, asked: Nothing, *, id: int) -> dict[str, object]:
        """The terms as the regulator got them, as PDF."""
        content = bytes(queries.find_submission(id).pdf)
        return {"media_type": "application/pdf", "content": b64encode(content).decode()}
