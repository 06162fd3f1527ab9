"""What calls about entries, files of them and the people behind them take and give."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from web.fields import Choice, InstantField, MoneyField, StrictSerializer, Text, TrueOrFalse, WholeNumber, shown


class EntryIn(StrictSerializer):
    card = Text(max_length=32, required=False, help_text="The number of the player card.")
    reference = Text(max_length=100, required=False, help_text="The coupon, say: the same one enters once.")
    wagered = MoneyField(required=False, help_text="Where the terms ask for a minimum wager.")
    name = Text(max_length=120, required=False)
    address = Text(max_length=300, required=False)
    telephone = Text(max_length=40, required=False)
    email = Text(max_length=254, required=False)
    example = shown({"card": "C-1001", "reference": "coupon 4711", "wagered": "20.00"})


class EntryOut(StrictSerializer):
    number = WholeNumber(source="id")
    entrant = WholeNumber(source="entrant_id", help_text="The same person has the same number, and no name here.")
    source = Text()  # where it came from
    reference = Text()
    entered_at = InstantField()
    withdrawn_at = InstantField(allow_null=True)
    withdrawn_why = Text(allow_blank=True)
    example = shown(
        {
            "number": 4711,
            "entrant": 17,
            "source": "api",
            "reference": "coupon 4711",
            "entered_at": "2026-11-16T21:04:00+11:00",
            "withdrawn_at": None,
            "withdrawn_why": "",
        }
    )


class EntryProofOut(StrictSerializer):
    version = WholeNumber()
    entry = Text(help_text="The exact text its leaf is the hash of.")
    index = WholeNumber()
    ticket_count = WholeNumber()
    path = serializers.ListField(child=Text())
    example = shown(
        {
            "version": 1,
            "entry": '{"entrant":"player:P-4KZ7QW2MXA","number":4711,"promotion":"SPRING","salt":"…"}',
            "index": 811,
            "ticket_count": 812,
            "path": ["6f" * 32],
        }
    )


class PersonOut(StrictSerializer):
    entrant = WholeNumber()
    identity = Text(allow_null=True)
    name = Text(allow_blank=True)
    address = Text(allow_blank=True)
    telephone = Text(allow_blank=True)
    email = Text(allow_blank=True)
    entries = WholeNumber()
    example = shown(
        {
            "entrant": 17,
            "identity": "player:P-4KZ7QW2MXA",
            "name": "Anna Marsh",
            "address": "1 High Street",
            "telephone": "0400 111 222",
            "email": "anna@example.org",
            "entries": 3,
        }
    )

    def to_representation(self, instance: Any) -> dict[str, object]:
        person = getattr(instance, "person", None)
        told = {name: getattr(person, name, "") for name in ("name", "address", "telephone", "email")}
        return {"entrant": instance.pk, "identity": instance.identity, **told, "entries": instance.entry_count}


class ErasedOut(StrictSerializer):
    forgotten = WholeNumber(help_text="How many people.")
    example = shown({"forgotten": 812})


class ImportIn(StrictSerializer):
    name = Text(max_length=200)
    csv = Text(max_length=50_000_000, help_text="With a heading: reference,card,name,address,telephone,email,wagered.")
    all_or_nothing = TrueOrFalse(default=True, help_text="One bad row and none is entered; else the good ones are.")
    example = shown({"name": "coupons.csv", "csv": "reference,card\ncoupon 1,C-1001\n"})


class ImportOut(StrictSerializer):
    id = WholeNumber()
    promotion = Text(source="promotion.code")
    name = Text()
    sha256 = Text()
    state = Text()
    all_or_nothing = TrueOrFalse()
    total = WholeNumber()
    checked = WholeNumber()
    entered = WholeNumber()
    refused = WholeNumber()
    outcome = Text(allow_blank=True)
    made_at = InstantField()
    finished_at = InstantField(allow_null=True)
    confirmed_at = InstantField(allow_null=True, help_text="When a second person confirmed it.")
    rejection_said_at = InstantField(allow_null=True, help_text="When one person said that it is to be rejected.")
    rejected_at = InstantField(allow_null=True, help_text="When another said so, too, and its entries were withdrawn.")
    rejection_why = Text(allow_blank=True, help_text="What the first of the two said.")
    example = shown(
        {
            "id": 5,
            "promotion": "SPRING",
            "name": "coupons.csv",
            "sha256": "6f" * 32,
            "state": "done",
            "all_or_nothing": True,
            "total": 1,
            "checked": 1,
            "entered": 1,
            "refused": 0,
            "outcome": "1 entered, 0 refused.",
            "made_at": "2026-11-16T21:04:00+11:00",
            "finished_at": "2026-11-16T21:04:01+11:00",
            "confirmed_at": None,
            "rejection_said_at": None,
            "rejected_at": None,
            "rejection_why": "",
        }
    )


class BadRowOut(StrictSerializer):
    line = WholeNumber()
    reference = Text(allow_blank=True)
    error = Text()
    example = shown({"line": 3, "reference": "coupon 2", "error": "A player card is needed to enter."})


class ExcludeIn(StrictSerializer):
    card = Text(max_length=32)
    why = Choice(choices=["employee", "household", "other"])
    note = Text(max_length=200, required=False)
    example = shown({"card": "C-7", "why": "employee"})


class ExcludedOut(StrictSerializer):
    card = Text()
    why = Text()
    note = Text(allow_blank=True)
    added_at = InstantField()
    confirmed_at = InstantField(allow_null=True, help_text="When a second person confirmed it.")
    readmission_said_at = InstantField(allow_null=True, help_text="When one person said that it may enter again.")
    removed_at = InstantField(allow_null=True)
    example = shown(
        {
            "card": "C-7",
            "why": "employee",
            "note": "",
            "added_at": "2026-11-16T21:04:00+11:00",
            "confirmed_at": "2026-11-16T21:20:00+11:00",
            "readmission_said_at": None,
            "removed_at": None,
        }
    )
