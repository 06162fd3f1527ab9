"""What is stored: accounts, transfers, acts, and the seals over them. All of it is append-only, in the database itself.

A row never changes. A correction is a reversal; a second person's decision is another row. ``tx`` is the transaction
that wrote the row: the sealer takes rows in (tx, id) order once every transaction up to there has ended.
"""

from __future__ import annotations

from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import F, Func, Q, Value
from django.db.models.functions import Now

from ledger.fields import MoneyField
from ledger.money import MICROS_PER_CENT

# One sequence numbers transfers and acts alike: they are one log in two tables.
NEXT_ROW = Func(Value("ledger_row_id"), function="nextval", output_field=models.BigIntegerField())


def append_only() -> list[pgtrigger.Trigger]:
    return [
        pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),
        pgtrigger.Trigger(
            name="no_truncate",
            operation=pgtrigger.Truncate,
            when=pgtrigger.Before,
            level=pgtrigger.Statement,
            func="RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;",
        ),
    ]


def stamped(checks: str = "") -> pgtrigger.Trigger:
    """The row carries its own transaction's id, whatever the writer claims: a forged one would slip under a seal."""
    return pgtrigger.Trigger(
        name="stamped",
        operation=pgtrigger.Insert,
        when=pgtrigger.Before,
        func=f"NEW.tx := pg_current_xact_id()::text::bigint; {checks} RETURN NEW;",
    )


class Account(models.Model):
    """A purse. Named by its code (``jackpot:CSP:prize``); balances are in ``balance.py``, never on this row."""

    class Kind(models.TextChoices):
        ASSET = "asset"
        LIABILITY = "liability"
        EQUITY = "equity"
        INCOME = "income"
        EXPENSE = "expense"

    id = models.AutoField(primary_key=True)
    code = models.TextField(unique=True)
    name = models.TextField()
    kind = models.TextField(choices=Kind.choices)
    # Accounts that touch people hold whole cents; pools accrue exactly, to the micro-dollar.
    whole_cents = models.BooleanField()
    opened_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(kind__in=["asset", "liability", "equity", "income", "expense"]), name="account_kind"
            ),
            models.CheckConstraint(condition=Q(code__regex=r"^[a-z][a-z0-9-]*(:[A-Za-z0-9-]+)*$"), name="account_code"),
            # What Transfer's composite foreign keys point at, so that a CHECK can see whether cents must be whole.
            models.UniqueConstraint(fields=["id", "whole_cents"], name="account_whole_cents"),
        ]
        triggers: ClassVar = append_only()


class Transfer(models.Model):
    """One amount from one account (credit) to another (debit): balanced by construction."""

    class Phase(models.TextChoices):
        POSTED = "posted"  # done in one step
        PENDING = "pending"  # proposed by one person; moves nothing yet
        POST = "post"  # the second person's yes: this row moves the money
        VOID = "void"  # the second person's no

    id = models.BigIntegerField(primary_key=True, db_default=NEXT_ROW)
    tx = models.BigIntegerField(db_default=0, editable=False)
    at = models.DateTimeField(db_default=Now())
    day = models.DateField()
    phase = models.TextField(choices=Phase.choices, db_default=Phase.POSTED)
    debit = models.ForeignKey(Account, models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False)
    credit = models.ForeignKey(Account, models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False)
    debit_whole_cents = models.BooleanField()
    credit_whole_cents = models.BooleanField()
    amount = MoneyField()
    kind = models.TextField()
    reference = models.TextField()
    actor = models.TextField()
    settles = models.ForeignKey("self", models.DO_NOTHING, null=True, related_name="settlements", db_index=False)
    reverses = models.ForeignKey("self", models.DO_NOTHING, null=True, related_name="reversals", db_index=False)
    memo = models.JSONField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(amount__gt=Value(0)), name="transfer_positive"),
            models.CheckConstraint(condition=~Q(debit=F("credit")), name="transfer_two_accounts"),
            models.CheckConstraint(condition=Q(phase__in=["posted", "pending", "post", "void"]), name="transfer_phase"),
            models.CheckConstraint(
                condition=Q(phase__in=["post", "void"], settles__isnull=False)
                | Q(phase__in=["posted", "pending"], settles__isnull=True),
                name="transfer_settles",
            ),
            models.CheckConstraint(
                condition=Q(reverses__isnull=True) | Q(phase="posted"), name="transfer_reversal_is_posted"
            ),
            # Decided from the accounts' own rows through the composite foreign keys of migration 0001.
            models.CheckConstraint(
                condition=Q(debit_whole_cents=False, credit_whole_cents=False)
                | Q(amount=F("amount") / MICROS_PER_CENT * MICROS_PER_CENT),
                name="transfer_whole_cents",
            ),
            models.CheckConstraint(condition=Q(kind__regex=r"^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+$"), name="transfer_kind"),
            models.CheckConstraint(condition=~Q(reference="") & ~Q(actor=""), name="transfer_named"),
            models.UniqueConstraint(fields=["kind", "reference"], name="transfer_once"),
            # Of the few rows that do so: an entry for every other would be written with every sale.
            models.UniqueConstraint(
                fields=["settles"], condition=Q(settles__isnull=False), name="transfer_settled_once"
            ),
            models.UniqueConstraint(
                fields=["reverses"], condition=Q(reverses__isnull=False), name="transfer_reversed_once"
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["tx", "id"], name="transfer_order"),
            models.Index(fields=["debit", "tx"], name="transfer_debit"),
            models.Index(fields=["credit", "tx"], name="transfer_credit"),
        ]
        triggers: ClassVar = [
            *append_only(),
            # IF within IF: one condition with both would run its query for every row that settles nothing.
            stamped("""
                IF NEW.settles_id IS NOT NULL THEN
                    IF NOT EXISTS (
                        SELECT FROM ledger_transfer p WHERE p.id = NEW.settles_id AND p.phase = 'pending'
                        AND p.debit_id = NEW.debit_id AND p.credit_id = NEW.credit_id AND p.amount = NEW.amount
                    ) THEN
                        RAISE check_violation USING CONSTRAINT = 'transfer_settles_a_pending',
                            MESSAGE = 'a transfer posts or voids a pending one of the same accounts and amount';
                    END IF;
                END IF;
                IF NEW.reverses_id IS NOT NULL THEN
                    IF NOT EXISTS (
                        SELECT FROM ledger_transfer p WHERE p.id = NEW.reverses_id AND p.phase IN ('posted', 'post')
                        AND p.reverses_id IS NULL
                        AND p.debit_id = NEW.credit_id AND p.credit_id = NEW.debit_id AND p.amount = NEW.amount
                    ) THEN
                        RAISE check_violation USING CONSTRAINT = 'transfer_reverses_a_posted',
                            MESSAGE = 'a reversal mirrors a posted transfer that is not itself a reversal';
                    END IF;
                END IF;
            """),
        ]


class Act(models.Model):
    """Something somebody did that moved no money. With the transfers, the one log; the boards are fed from it too."""

    id = models.BigIntegerField(primary_key=True, db_default=NEXT_ROW)
    tx = models.BigIntegerField(db_default=0, editable=False)
    at = models.DateTimeField(db_default=Now())
    day = models.DateField()
    kind = models.TextField()
    subject = models.TextField()
    actor = models.TextField()
    data = models.JSONField()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(kind__regex=r"^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+$"), name="act_kind"),
            models.CheckConstraint(condition=~Q(subject="") & ~Q(actor=""), name="act_named"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["tx", "id"], name="act_order"),
            models.Index(fields=["kind", "id"], name="act_by_kind"),
            models.Index(fields=["subject", "id"], name="act_by_subject"),
            models.Index(fields=["day", "id"], name="act_by_day"),
        ]
        triggers: ClassVar = [*append_only(), stamped()]


class Seal(models.Model):
    """A signed head of the tree over every row so far, hashed onto the seal before it."""

    number = models.BigIntegerField(primary_key=True)
    at = models.DateTimeField()
    tx_from = models.BigIntegerField()  # rows with tx_from <= tx < tx_upto
    tx_upto = models.BigIntegerField(unique=True)
    first = models.BigIntegerField()  # position in the tree of the first row of this seal
    size = models.BigIntegerField()  # rows in the tree, this seal's included
    root = models.BinaryField()
    frontier = models.BinaryField()  # the tree's right edge, from which the next seal goes on
    previous = models.BinaryField()
    key = models.TextField()
    signature = models.BinaryField()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(first__lt=F("size")) & Q(first__gte=0), name="seal_has_rows"),
            models.CheckConstraint(condition=Q(tx_from__lt=F("tx_upto")), name="seal_goes_forward"),
            models.UniqueConstraint(fields=["first"], name="seal_follows"),
        ]
        triggers: ClassVar = append_only()


class Node(models.Model):
    """The hash of a complete subtree of the log, kept every eight levels so that a proof never rehashes the log."""

    pk = models.CompositePrimaryKey("level", "index")
    level = models.SmallIntegerField()
    index = models.BigIntegerField()
    hash = models.BinaryField()

    class Meta:
        triggers: ClassVar = append_only()


class Balance(models.Model):
    """An account's totals as of the last seal; rows since are added when it is read. Written by the sealer alone."""

    account = models.OneToOneField(Account, models.DO_NOTHING, primary_key=True, related_name="+")
    debits = MoneyField()
    credits = MoneyField()
    pending_debits = MoneyField()
    pending_credits = MoneyField()
