"""Calls about suspicious matters. Who raises one learns its number and no more."""

from __future__ import annotations

from django.db.models import QuerySet
from rest_framework import serializers

from house.api.cash_reports import FileAsked, ReportSentIn
from house.cash import files, matters, queries
from house.models import SuspiciousMatter
from house.permissions import MATTERS, RAISE_MATTER
from kernel.actors import Actor
from web.fields import Choice, InstantField, Nothing, StrictSerializer, Text, TrueOrFalse, WholeNumber, shown
from web.files import FileAnswer
from web.view import HouseView, Paging, listing, read, verb


class MatterIn(StrictSerializer):
    what = Text(max_length=10_000, help_text="What was seen, and why it is suspicious.")
    terrorism = TrueOrFalse(default=False, help_text="About the financing of terrorism: reported within hours.")
    reference = Text(
        required=False, max_length=120, help_text="A payment, as people call it: a serial, a hit’s number."
    )
    payment = WholeNumber(required=False, min_value=1, help_text="The same by its number in `cash/structuring`.")
    player = Text(required=False, max_length=64, help_text="By card or number.")
    staff = serializers.ListField(
        child=Text(max_length=80), required=False, max_length=20, help_text="User names, where it is about staff."
    )
    example = shown({"what": "Three people hand their vouchers to one man.", "reference": "7K2MX0Q4RT9B"})


class RaisedOut(StrictSerializer):
    id = WholeNumber()
    example = shown({"id": 5})


class MatterOut(StrictSerializer):
    id = WholeNumber()
    what = Text()
    terrorism = TrueOrFalse()
    reference = Text(allow_blank=True)
    payment = WholeNumber(source="line_id", allow_null=True)
    player = Text(source="player.number", allow_null=True, default=None)
    customer = WholeNumber(source="customer_id", allow_null=True)
    staff = serializers.ListField(child=Text(), source="concerns")
    raised_at = InstantField()
    raised_by = Text()
    due_at = InstantField()
    sent_at = InstantField(allow_null=True)
    sent_by = Text(allow_null=True)
    reference_of_authority = Text(source="sent_reference", allow_blank=True)
    dismissed_by = Text(allow_null=True)
    dismissed_why = Text(allow_blank=True)
    agreed_by = Text(allow_null=True, help_text="The second person: it is closed, and not reported.")
    example = shown(
        {
            "id": 5,
            "what": "Three people hand their vouchers to one man.",
            "terrorism": False,
            "reference": "7K2MX0Q4RT9B",
            "payment": None,
            "player": None,
            "customer": None,
            "staff": [],
            "raised_at": "2026-11-16T21:04:00+11:00",
            "raised_by": "device:W-0001",
            "due_at": "2026-11-20T00:00:00+11:00",
            "sent_at": None,
            "sent_by": None,
            "reference_of_authority": "",
            "dismissed_by": None,
            "dismissed_why": "",
            "agreed_by": None,
        }
    )


class MattersAsked(Paging):
    state = Choice(choices=["open", "closed"], required=False)


class Matters(HouseView):
    @listing(permission=MATTERS, gives=MatterOut, asks=MattersAsked)
    def get(self, by: Actor, asked: MattersAsked) -> QuerySet[SuspiciousMatter]:
        """Suspicious matters, but for those that concern yourself."""
        rows = queries.matters_seen_by(by).select_related("player")
        if asked.state is None:
            return rows
        return rows.filter(queries.OPEN_MATTER) if asked.state == "open" else rows.exclude(queries.OPEN_MATTER)

    @verb(permission=RAISE_MATTER, takes=MatterIn, gives=RaisedOut, status=201)
    def post(self, by: Actor, data: MatterIn) -> SuspiciousMatter:
        """Raise a suspicious matter: about a payment, a player, members of the staff, or in words alone.

        Tell nobody of it, least of all whom it is about: the law forbids that.
        """
        return matters.raise_matter(
            what=data.what,
            terrorism=data.terrorism,
            reference=data.reference or "",
            line_id=data.payment,
            player=data.player or "",
            staff=data.staff or (),
            by=by,
        )


class OneMatter(HouseView):
    @read(permission=MATTERS, gives=MatterOut)
    def get(self, by: Actor, asked: Nothing, *, id: int) -> SuspiciousMatter:
        """One suspicious matter."""
        return queries.matter_numbered(id, by)


class MatterSent(HouseView):
    @verb(permission=MATTERS, takes=ReportSentIn, gives=RaisedOut)
    def post(self, by: Actor, data: ReportSentIn, *, id: int) -> SuspiciousMatter:
        """Note that it went to the authority, once."""
        return matters.matter_sent(matter_id=id, reference=data.reference, by=by)


class DismissIn(StrictSerializer):
    why = Text(max_length=10_000, help_text="Why it is not suspicious after all.")
    example = shown({"why": "The three are his sons; he had sold the tickets on their behalf."})


class Dismiss(HouseView):
    @verb(permission=MATTERS, takes=DismissIn, gives=RaisedOut)
    def post(self, by: Actor, data: DismissIn, *, id: int) -> SuspiciousMatter:
        """Say why it is not suspicious. It is due until another person agrees."""
        return matters.dismiss_matter(matter_id=id, why=data.why, by=by)


class Agree(HouseView):
    @verb(permission=MATTERS, gives=RaisedOut)
    def post(self, by: Actor, data: Nothing, *, id: int) -> SuspiciousMatter:
        """Agree, as the second person, that it is not suspicious: it is closed, and not reported."""
        return matters.agree_to_dismissal(matter_id=id, by=by)


class OpenFile(HouseView):
    @read(permission=MATTERS, gives=MatterOut, asks=FileAsked, also=files.TYPES)
    def get(self, by: Actor, asked: FileAsked) -> FileAnswer:
        """Every open matter, in a file for the authority; the right to download reports is needed as well."""
        return files.matters_file(by=by, format=asked.format)


class MatterFile(HouseView):
    @read(permission=MATTERS, gives=MatterOut, asks=FileAsked, also=files.TYPES)
    def get(self, by: Actor, asked: FileAsked, *, id: int) -> FileAnswer:
        """One matter as a file for the authority; the right to download reports is needed as well."""
        return files.matters_file(by=by, format=asked.format, matter_id=id)
