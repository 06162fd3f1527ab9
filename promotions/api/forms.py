"""What calls about promotions take and give."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from promotions import queries
from promotions.amend import standing as standing_of_amendment
from promotions.lifecycle import Status
from promotions.models import Promotion, Submission, TermsVersion
from promotions.rules.editions import EDITIONS
from promotions.rules.particulars import REQUIRED, WHEN_PRESENT, Form
from promotions.terms_text import heading
from promotions.versions import edition_of, on_show
from web.fields import Choice, InstantField, StrictSerializer, Text, TrueOrFalse, WholeNumber, shown

_FORMS: dict[Form, dict[str, object]] = {
    Form.TEXT: {"type": "string"},
    Form.INSTANT: {"type": "string", "format": "date-time"},
    Form.AMOUNT_OR_NONE: {"type": "string", "examples": ["20.00", "none"]},
    Form.YES_NO: {"type": "boolean"},
    Form.WHOLE: {"type": "integer"},
    Form.NOTIFY: {"type": "array", "items": {"type": "string"}},
    Form.UNCLAIMED: {"type": "string"},
}


@extend_schema_field(
    {
        "type": "object",
        "description": "The terms, or those particulars of them that are to change; null takes one out.",
        "properties": {
            each.key: {**_FORMS[each.form], "description": f"{heading(each.key)} (17.{each.number}, 15.{each.number})."}
            for each in (*REQUIRED, WHEN_PRESENT)
        }
        | {
            "prizes": {"type": "array", "items": {"type": "object"}, "description": "Details of the prizes (17.7.11)."},
            "card_required": {"type": "boolean"},
            "limit_per_person": {"type": "integer"},
            "earning": {"type": "object", "description": 'Like {"on": ["keno"], "per": "20.00", "entries": 1}.'},
            "retention_days": {"type": "integer"},
            "text": {"type": "string"},
        },
    }
)
class TermsField(serializers.JSONField):
    """An object; `promotions.rules.terms` says what may be in it."""

    default_error_messages = {"not-an-object": "Terms are an object of particulars."}  # noqa: RUF012  as DRF has it

    def to_internal_value(self, data: object) -> dict[str, object]:
        if not isinstance(data, dict):
            self.fail("not-an-object")
        return data


TERMS = {
    "manner": "One draw from all entries.",
    "place": "The casino",
    "must_be_present": False,
    "prizes": [
        {
            "name": "Two thousand dollars",
            "kind": "money",
            "value": "2000.00",
            "conditions": "none",
            "payment": ["transfer"],
        }
    ],
}


class PromotionOut(StrictSerializer):
    code = Text()
    edition = Choice(choices=list(EDITIONS))
    title = Text()
    status = Choice(choices=[each.value for each in Status])
    starts_at = InstantField(allow_null=True)
    closes_at = InstantField(allow_null=True)
    draw_at = InstantField(allow_null=True)
    submitted_at = InstantField(allow_null=True)
    version = WholeNumber(allow_null=True, help_text="The version of the terms in force, or last submitted.")
    entries = WholeNumber(help_text="How many stand now.")
    example = shown(
        {
            "code": "SPRING",
            "edition": "2025",
            "title": "Spring draw",
            "status": "running",
            "starts_at": "2026-11-16T21:04:00+11:00",
            "closes_at": "2026-11-23T21:04:00+11:00",
            "draw_at": "2026-11-23T22:04:00+11:00",
            "submitted_at": "2026-11-15T21:00:00+11:00",
            "version": 1,
            "entries": 812,
        }
    )

    def to_representation(self, instance: Promotion) -> dict[str, object]:
        version = on_show(instance)
        return {
            "code": instance.code,
            "edition": instance.edition,
            "title": instance.title,
            "status": instance.status,
            **{
                name: None if moment is None else InstantField().to_representation(moment)
                for name, moment in (
                    ("starts_at", instance.starts_at),
                    ("closes_at", instance.closes_at),
                    ("draw_at", instance.draw_at),
                    ("submitted_at", instance.submitted_at),
                )
            },
            "version": version.number if version else None,
            "entries": queries.entries_now(instance),
        }


class DraftIn(StrictSerializer):
    code = Text(max_length=32)
    edition = Choice(choices=list(EDITIONS))
    title = Text(max_length=160)
    terms = TermsField(required=False)
    example = shown({"code": "SPRING", "edition": "2025", "title": "Spring draw", "terms": TERMS})


class EditIn(StrictSerializer):
    title = Text(max_length=160, required=False)
    terms = TermsField(required=False)
    example = shown({"terms": {"place": "Level 2"}})


class MissingOut(StrictSerializer):
    field = Text()
    clause = Text(allow_null=True)
    words = Text()
    example = shown(
        {
            "field": "manner",
            "clause": "nsw-promo-2025:17.7.1",
            "words": "The terms do not say how the prizes are awarded.",
        }
    )


class ChecklistOut(StrictSerializer):
    complete = TrueOrFalse()
    missing = MissingOut(many=True)
    example = shown({"complete": False, "missing": [MissingOut.example]})


class SubmitIn(StrictSerializer):
    how = Text(max_length=80, default="email", help_text="How it was sent.")
    reference = Text(max_length=120, required=False, help_text="The regulator’s, where there is one.")
    example = shown({"how": "portal", "reference": "N-77"})


class FirstSubmitIn(SubmitIn):
    goods_confirmed = TrueOrFalse(
        default=False,
        help_text="You have looked at every prize, and what it holds of prohibited goods is declared. Needed where a "
        "prize is more than money, or a word hints at such goods.",
    )
    example = shown({"how": "portal", "reference": "N-77", "goods_confirmed": True})


class AmendIn(SubmitIn):
    terms = TermsField(help_text="The particulars that change.")
    why = Text(max_length=1000)
    example = shown({"terms": {"awarded_where": "Level 2"}, "why": "The main stage is being rebuilt."})


class VersionOut(StrictSerializer):
    number = WholeNumber()
    status = Choice(choices=["draft", "submitted", "in-force", "superseded"])
    terms = TermsField()
    why = Text(allow_blank=True)
    submitted_at = InstantField(allow_null=True)
    approved_at = InstantField(allow_null=True)
    by_letter = TrueOrFalse(help_text="Approved by a letter that two people of the house put on record.")
    countersigned = TrueOrFalse(help_text="Whether an inspector has countersigned that letter.")
    in_force_from = InstantField(allow_null=True)
    example = shown(
        {
            "number": 1,
            "status": "in-force",
            "terms": TERMS,
            "why": "",
            "submitted_at": "2026-11-15T21:00:00+11:00",
            "approved_at": None,
            "by_letter": False,
            "countersigned": False,
            "in_force_from": "2026-11-16T21:04:00+11:00",
        }
    )

    def to_representation(self, instance: TermsVersion) -> dict[str, object]:
        shown_as = {
            name: None if moment is None else InstantField().to_representation(moment)
            for name, moment in (
                ("submitted_at", instance.submitted_at),
                ("approved_at", instance.approved_at),
                ("in_force_from", instance.in_force_from),
            )
        }
        standing = standing_of_amendment(instance)
        return {
            "by_letter": standing is not None and standing.by_letter,
            "countersigned": standing is not None and standing.countersigned,
            "number": instance.number,
            "status": queries.version_status(instance),
            "terms": instance.data,
            "why": instance.why,
            **shown_as,
        }


class SubmissionOut(StrictSerializer):
    id = WholeNumber()
    promotion = Text()
    version = WholeNumber()
    clause = Text()
    reason = Text()
    to = Text()
    how = Text()
    reference = Text(allow_blank=True)
    at = InstantField()
    by = Text()
    sha256 = Text()
    example = shown(
        {
            "id": 3,
            "promotion": "SPRING",
            "version": 1,
            "clause": "nsw-promo-2025:17.12",
            "reason": "before-start",
            "to": "the NSW Independent Casino Commission",
            "how": "email",
            "reference": "N-77",
            "at": "2026-11-15T21:00:00+11:00",
            "by": "staff:mona",
            "sha256": "6f" * 32,
        }
    )

    def to_representation(self, instance: Submission) -> dict[str, object]:
        clause = "submission" if instance.reason == "before-start" else "amendment"
        return {
            "id": instance.pk,
            "promotion": instance.promotion.code,
            "version": instance.version.number,
            "clause": edition_of(instance.promotion).clause(clause),
            "reason": instance.reason,
            "to": instance.to,
            "how": instance.how,
            "reference": instance.reference,
            "at": InstantField().to_representation(instance.at),
            "by": instance.by,
            "sha256": instance.sha256,
        }


class PaperOut(StrictSerializer):
    media_type = Text()
    content = Text(help_text="In base64.", max_length=100_000_000)
    example = shown({"media_type": "application/pdf", "content": "JVBERi0xLjQK"})


class WhyIn(StrictSerializer):
    why = Text(max_length=1000)
    example = shown({"why": "The sponsor withdrew."})


class ListOut(StrictSerializer):
    number = WholeNumber()
    root = Text()  # type: ignore[assignment]  # the Merkle root, not DRF's
    count = WholeNumber()
    sealed_at = InstantField()
    example = shown({"number": 1, "root": "6f" * 32, "count": 812, "sealed_at": "2026-11-23T21:04:00+11:00"})
