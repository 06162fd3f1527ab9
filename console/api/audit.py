"""Calls for whoever checks us: the log, the seals over it, and proofs that one row or one seal is in it."""

from __future__ import annotations

from typing import Any

from django.db.models import BigIntegerField, QuerySet, Value
from rest_framework import serializers

from house.permissions import VIEW_AUDIT
from kernel.actors import Actor
from kernel.merkle import leaf_hash
from ledger import queries
from ledger.balance import AccountBalance
from ledger.models import Account, Act, Seal, Transfer
from ledger.proofs import Inclusion, prove_consistency, prove_row
from ledger.seal import statement_of
from web.fields import (
    DayField,
    InstantField,
    MoneyField,
    Nothing,
    StrictSerializer,
    Text,
    WholeNumber,
    asked_for,
    shown,
)
from web.view import ByDay, HouseView, Paging, listing, read


class ActOut(StrictSerializer):
    named_after = "ledger"
    id = WholeNumber()
    at = InstantField()
    gaming_day = DayField(source="day")
    kind = Text()
    subject = Text()
    actor = Text()
    data = serializers.JSONField()  # type: ignore[assignment]  # declared fields are taken off the class
    example = shown(
        {
            "id": 4711,
            "at": "2026-11-16T21:04:00+11:00",
            "gaming_day": "2026-11-16",
            "kind": "staff.signed-in",
            "subject": "staff:manager",
            "actor": "staff:manager",
            "data": {},
        }
    )


class TransferOut(StrictSerializer):
    named_after = "ledger"
    id = WholeNumber()
    at = InstantField()
    gaming_day = DayField(source="day")
    phase = Text()
    debit = Text(source="debit.code")
    credit = Text(source="credit.code")
    amount = serializers.CharField(help_text="Exact: up to six decimals between pools.")
    kind = Text()
    reference = Text()
    actor = Text()
    settles = WholeNumber(source="settles_id", allow_null=True)
    reverses = WholeNumber(source="reverses_id", allow_null=True)
    example = shown(
        {
            "id": 4712,
            "at": "2026-11-16T21:04:00+11:00",
            "gaming_day": "2026-11-16",
            "phase": "posted",
            "debit": "cage:cash",
            "credit": "keno:sales",
            "amount": "12.50",
            "kind": "keno.sale",
            "reference": "ticket/8F3K-22QX",
            "actor": "device:W-0001",
            "settles": None,
            "reverses": None,
        }
    )


class SealOut(StrictSerializer):
    named_after = "ledger"
    number = WholeNumber()
    at = InstantField()
    size = WholeNumber(help_text="Rows in the tree, this seal's included.")
    root = Text()  # type: ignore[assignment]
    previous = Text(help_text="The hash of the seal before.")
    hash = Text()
    key = Text(help_text="The fingerprint of the key that signed.")
    signature = Text()
    example = shown(
        {
            "number": 9,
            "at": "2026-11-16T21:04:01+11:00",
            "size": 4712,
            "root": "5f" * 32,
            "previous": "a3" * 32,
            "hash": "0c" * 32,
            "key": "e052287c9843a44ac6cc9a3e350dc52e",
            "signature": "77" * 64,
        }
    )

    def to_representation(self, instance: Any) -> dict[str, object]:
        return {
            "number": instance.number,
            "at": self.fields["at"].to_representation(instance.at),
            "size": instance.size,
            "root": bytes(instance.root).hex(),
            "previous": bytes(instance.previous).hex(),
            "hash": statement_of(instance).digest().hex(),
            "key": instance.key,
            "signature": bytes(instance.signature).hex(),
        }


class RowProofOut(StrictSerializer):
    named_after = "ledger"
    row = Text(help_text="The bytes that were hashed, as in an export.")
    leaf = Text()
    position = WholeNumber()
    path = serializers.ListField(child=Text(), help_text="Sibling hashes from the leaf up (RFC 6962).")
    seal = SealOut()

    def to_representation(self, instance: Inclusion) -> dict[str, object]:
        return {
            "row": instance.row,
            "leaf": leaf_hash(instance.row.encode()).hex(),
            "position": instance.position,
            "path": [node.hex() for node in instance.path],
            "seal": SealOut(instance.seal).data,
        }


class ConsistencyOut(StrictSerializer):
    named_after = "ledger"
    path = serializers.ListField(child=Text(), help_text="The proof of RFC 6962, 2.1.2.")


class BalanceOut(StrictSerializer):
    named_after = "ledger"
    code = Text()
    name = Text()
    kind = Text()
    amount = MoneyField(help_text="What it holds, rounded down to the cent.")
    available = MoneyField(help_text="What is left if everything pending out of it is posted.")
    exact = Text(help_text="To the micro-dollar.")
    example = shown(
        {
            "code": "jackpot:CSP:prize",
            "name": "Prize pool of CSP",
            "kind": "liability",
            "amount": "51060.27",
            "available": "51060.27",
            "exact": "51060.275",
        }
    )

    def to_representation(self, instance: tuple[Account, AccountBalance]) -> dict[str, object]:
        account, held = instance
        return {
            "code": account.code,
            "name": account.name,
            "kind": account.kind,
            "amount": str(held.amount.down_to_cents()),
            "available": str(held.amount.down_to_cents()),
            "exact": str(held.amount),
        }


class ActsAsked(ByDay):
    kind = Text(required=False, max_length=64)
    subject = Text(required=False, max_length=200)


class TransfersAsked(ByDay):
    kind = Text(required=False, max_length=64)
    account = Text(required=False, max_length=200, help_text="Only what went into or out of this account.")


class Acts(HouseView):
    @listing(permission=VIEW_AUDIT, gives=ActOut, asks=ActsAsked)
    def get(self, by: Actor, asked: ActsAsked) -> QuerySet[Act]:
        """The log of acts."""
        return queries.acts().filter(**asked_for(day=asked.gaming_day, kind=asked.kind, subject=asked.subject))


class Transfers(HouseView):
    @listing(permission=VIEW_AUDIT, gives=TransferOut, asks=TransfersAsked)
    def get(self, by: Actor, asked: TransfersAsked) -> QuerySet[Transfer]:
        """The transfers."""
        # Every transfer is posted and settles no other: the call keeps its fields for whoever reads them.
        posted = {"phase": Value("posted"), "settles_id": Value(None, output_field=BigIntegerField())}
        rows = queries.transfers().annotate(**posted).filter(**asked_for(day=asked.gaming_day, kind=asked.kind))
        if asked.account is not None:
            rows = rows.filter(debit__code=asked.account) | rows.filter(credit__code=asked.account)
        return rows


class Seals(HouseView):
    @listing(permission=VIEW_AUDIT, gives=SealOut, asks=Paging, order="-number")
    def get(self, by: Actor, asked: Paging) -> QuerySet[Seal]:
        """The seals."""
        return queries.seals()


class RowProof(HouseView):
    @read(permission=VIEW_AUDIT, gives=RowProofOut)
    def get(self, by: Actor, asked: Nothing, *, id: int) -> Inclusion:
        """Prove that a row is under the latest seal."""
        return prove_row(row=id)


class Consistency(HouseView):
    @read(permission=VIEW_AUDIT, gives=ConsistencyOut)
    def get(self, by: Actor, asked: Nothing, *, older: int, newer: int) -> dict[str, list[str]]:
        """Prove that a later seal covers everything an earlier one did, unchanged."""
        return {"path": [node.hex() for node in prove_consistency(older=older, newer=newer)]}


class Accounts(HouseView):
    @read(permission=VIEW_AUDIT, gives=BalanceOut, gives_many=True)
    def get(self, by: Actor, asked: Nothing) -> list[tuple[Account, AccountBalance]]:
        """Every account with what it holds, all as of one moment."""
        return queries.accounts()
