"""Calls about letters of an authority: on record, confirmed, countersigned or disputed, and the document itself."""

from __future__ import annotations

import base64
import binascii
from typing import ClassVar, Final

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from house import approvals
from house.api.approvals import ApprovalOut, DecisionIn
from house.approvals import documents, letters
from house.models import DOCUMENT_BYTES_LIMIT, Letter, LetterStatus, Proposal
from house.permissions import AS_INSPECTOR, RECORD_LETTERS, VIEW_APPROVALS
from kernel.actors import Actor
from web.fields import Choice, DayField, InstantField, Nothing, StrictSerializer, Text, WholeNumber, shown
from web.files import FileAnswer
from web.view import HouseView, read, verb

_BASE64_LENGTH_LIMIT: Final = DOCUMENT_BYTES_LIMIT * 4 // 3 + 4
_SHA256: Final = "3f0a3a1d1c2fbb3a7a1b8c5b4d6e9f00112233445566778899aabbccddeeff00"


@extend_schema_field({"type": "string", "contentEncoding": "base64", "maxLength": _BASE64_LENGTH_LIMIT})
class Base64(serializers.Field[bytes, object, str, object]):
    default_error_messages: ClassVar = {"not-base64": "Send the document in Base64."}

    def to_internal_value(self, data: object) -> bytes:
        try:
            return base64.b64decode(data, validate=True) if isinstance(data, str) else self.fail("not-base64")
        except (binascii.Error, ValueError):
            self.fail("not-base64")


class LetterIn(StrictSerializer):
    signed_by = Text(max_length=120, help_text="The name under it.")
    office = Text(max_length=160, help_text="Whose office it comes from.")
    reference = Text(max_length=80, help_text="The letter’s own. A letter approves one proposal.")
    dated = DayField()
    document = Base64(help_text=documents.SAYS)
    example = shown(
        {
            "signed_by": "J. Okonkwo",
            "office": "Gambling and Racing Commission",
            "reference": "GRC 26/118",
            "dated": "2026-11-12",
            "document": "VGhlIGNvbmRpdGlvbnMgYXJlIGFwcHJvdmVkLgo=",
        }
    )


class LetterOut(StrictSerializer):
    proposal = WholeNumber(source="proposal_id")
    signed_by = Text()
    office = Text()
    reference = Text()
    dated = DayField()
    media_type = Choice(choices=documents.TYPES)
    sha256 = Text(help_text="Of the document.")
    status = Choice(choices=LetterStatus.values)
    recorded_by = Text()
    recorded_at = InstantField()
    confirmed_by = Text(allow_null=True)
    confirmed_at = InstantField(allow_null=True)
    answered_by = Text(allow_null=True, help_text="The inspector who countersigned or disputed it.")
    answered_at = InstantField(allow_null=True)
    comment = Text(allow_blank=True)
    example = shown(
        {
            "proposal": 12,
            "signed_by": "J. Okonkwo",
            "office": "Gambling and Racing Commission",
            "reference": "GRC 26/118",
            "dated": "2026-11-12",
            "media_type": "application/pdf",
            "sha256": _SHA256,
            "status": "recorded",
            "recorded_by": "staff:ruth",
            "recorded_at": "2026-11-16T21:04:00+11:00",
            "confirmed_by": None,
            "confirmed_at": None,
            "answered_by": None,
            "answered_at": None,
            "comment": "",
        }
    )


class ConfirmIn(DecisionIn):
    sha256 = Text(max_length=64, help_text="Of the document that you have read.")
    example = shown({"sha256": _SHA256})


class WhyNotIn(StrictSerializer):
    comment = Text(help_text="Why: it stays on record.")
    example = shown({"comment": "It names another link."})


class OneLetter(HouseView):
    body_bytes_limit: ClassVar[int | None] = _BASE64_LENGTH_LIMIT + 10_000

    @read(permission=VIEW_APPROVALS, gives=LetterOut)
    def get(self, by: Actor, asked: Nothing, *, id: int) -> Letter:
        """The letter on record for a proposal."""
        return approvals.letter_with_document(id)

    @verb(permission=RECORD_LETTERS, takes=LetterIn, gives=LetterOut, status=201)
    def post(self, by: Actor, data: LetterIn, *, id: int) -> Letter:
        """Put the authority's letter on record.

        Nothing is approved by it until another person has confirmed it, who is neither you nor the proposer.
        """
        return letters.record_letter(
            proposal_id=id,
            signed_by=data.signed_by,
            office=data.office,
            reference=data.reference,
            dated=data.dated,
            document=data.document,
            by=by,
        )


class LetterDocument(HouseView):
    @read(permission=VIEW_APPROVALS, gives=LetterOut, also=documents.TYPES)
    def get(self, by: Actor, asked: Nothing, *, id: int) -> FileAnswer:
        """The document, as a file to keep."""
        return letters.as_file(approvals.letter_with_document(id))


class ConfirmLetter(HouseView):
    @verb(permission=RECORD_LETTERS, takes=ConfirmIn, gives=ApprovalOut)
    def post(self, by: Actor, data: ConfirmIn, *, id: int) -> Proposal:
        """Confirm a letter that another person put on record: the proposal is approved by letter.

        It is marked so until an inspector has countersigned.
        """
        return letters.confirm_letter(proposal_id=id, sha256=data.sha256, comment=data.comment or "", by=by)


class DiscardLetter(HouseView):
    @verb(permission=RECORD_LETTERS, takes=WhyNotIn, gives=LetterOut)
    def post(self, by: Actor, data: WhyNotIn, *, id: int) -> Letter:
        """Discard a letter that nobody has confirmed yet. It is kept, and decides nothing."""
        return letters.discard_letter(proposal_id=id, comment=data.comment, by=by)


class Countersign(HouseView):
    @verb(permission=AS_INSPECTOR, takes=DecisionIn, gives=ApprovalOut)
    def post(self, by: Actor, data: DecisionIn, *, id: int) -> Proposal:
        """Say as an inspector, in your own name, that the letter is the authority's."""
        return letters.countersign(proposal_id=id, comment=data.comment or "", by=by)


class Dispute(HouseView):
    @verb(permission=AS_INSPECTOR, takes=WhyNotIn, gives=ApprovalOut)
    def post(self, by: Actor, data: WhyNotIn, *, id: int) -> Proposal:
        """Say as an inspector that the letter is not the authority's. It is an incident."""
        return letters.dispute(proposal_id=id, comment=data.comment, by=by)
