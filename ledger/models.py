"""What is stored: accounts, transfers, acts, and the seals over them. All of it is append-only, in the database itself.

A row never changes. A correction is a reversal. ``tx`` is the transaction
that wrote the row: the sealer takes rows in (tx, id) order once every transaction up to there has ended.
"""

from __future__ import annotations

from typing import ClassVar, Final

import pgtrigger
from django.contrib.postgres.indexes import BrinIndex
from django.db import models
from django.db.models import F, Func, Q, Value
from django.db.models.functions import Now

from kernel.checks import together
from kernel.money import MICROS_PER_CENT
from kernel.privileges import RUNTIME, SEALER
from ledger.acts import AttemptVoid, FirstKey, OccasionSealed, QuestionAnswered, QuestionAsked
from ledger.fields import MoneyField

# One sequence numbers transfers and acts alike: they are one log in two tables.
NEXT_ROW = Func(Value("ledger_row_id"), function="nextval", output_field=models.BigIntegerField())

ONCE = (OccasionSealed.kind, AttemptVoid.kind, QuestionAsked.kind, QuestionAnswered.kind)

# What is said of a question when it is logged: it never changes.
ASKED = (
    *("venue", "purpose", "occasion", "attempt", "witness", "root", "count", "seal_act", "void_act", "act_index"),
    *("origin", "size", "checkpoint_root", "asked_at"),
)


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

    id = models.BigIntegerField(primary_key=True, db_default=NEXT_ROW)
    tx = models.BigIntegerField(db_default=0, editable=False)
    at = models.DateTimeField(db_default=Now())
    day = models.DateField()
    debit = models.ForeignKey(Account, models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False)
    credit = models.ForeignKey(Account, models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False)
    debit_whole_cents = models.BooleanField()
    credit_whole_cents = models.BooleanField()
    amount = MoneyField()
    kind = models.TextField()
    reference = models.TextField()
    actor = models.TextField()
    reverses = models.ForeignKey("self", models.DO_NOTHING, null=True, related_name="reversals", db_index=False)
    memo = models.JSONField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(amount__gt=Value(0)), name="transfer_positive"),
            models.CheckConstraint(condition=~Q(debit=F("credit")), name="transfer_two_accounts"),
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
                fields=["reverses"], condition=Q(reverses__isnull=False), name="transfer_reversed_once"
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["tx", "id"], name="transfer_order"),
            models.Index(fields=["debit", "tx"], name="transfer_debit"),
            models.Index(fields=["credit", "tx"], name="transfer_credit"),
            # Days come one after another: a few pages tell where one is, and no sale writes to it.
            BrinIndex(fields=["day"], name="transfer_day", autosummarize=True),
        ]
        triggers: ClassVar = [
            *append_only(),
            # IF within IF: one condition with both would run its query for every row that reverses nothing.
            stamped("""
                IF NEW.reverses_id IS NOT NULL THEN
                    IF NOT EXISTS (
                        SELECT FROM ledger_transfer p WHERE p.id = NEW.reverses_id AND p.reverses_id IS NULL
                        AND p.debit_id = NEW.credit_id AND p.credit_id = NEW.debit_id AND p.amount = NEW.amount
                    ) THEN
                        RAISE check_violation USING CONSTRAINT = 'transfer_reverses_a_posted',
                            MESSAGE = 'a reversal mirrors a posted transfer that is not itself a reversal';
                    END IF;
                END IF;
            """),
        ]


PEOPLE: Final = "staff:"  # how the identity of a person begins


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

    written_by: ClassVar = (RUNTIME, SEALER)  # which announces its keys

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(kind__regex=r"^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+$"), name="act_kind"),
            models.CheckConstraint(condition=~Q(subject="") & ~Q(actor=""), name="act_named"),
            # A set is sealed once, an attempt is asked about, answered and declared void once.
            models.UniqueConstraint(fields=["kind", "subject"], condition=Q(kind__in=ONCE), name="act_once"),
            models.UniqueConstraint(fields=["kind"], condition=Q(kind=FirstKey.kind), name="act_begins_once"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["tx", "id"], name="act_order"),
            models.Index(fields=["kind", "id"], name="act_by_kind"),
            models.Index(fields=["subject", "id"], name="act_by_subject"),
            models.Index(fields=["day", "id"], name="act_by_day"),
            # What people did is read first, and is little beside what the machines write down.
            models.Index(fields=["id"], condition=Q(actor__startswith=PEOPLE), name="act_by_people"),
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

    written_by: ClassVar = (SEALER,)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(first__lt=F("size")) & Q(first__gte=0), name="seal_has_rows"),
            models.CheckConstraint(condition=Q(tx_from__lt=F("tx_upto")), name="seal_goes_forward"),
            models.UniqueConstraint(fields=["first"], name="seal_follows"),
        ]
        triggers: ClassVar = append_only()


class Leaves(models.Model):
    """The leaf hashes of a seal's rows, in order, 32 bytes each: a proof reads them, and hashes no row again."""

    seal = models.OneToOneField(Seal, models.DO_NOTHING, primary_key=True, related_name="+")
    hashes = models.BinaryField()

    written_by: ClassVar = (SEALER,)

    class Meta:
        triggers: ClassVar = append_only()


class Node(models.Model):
    """The hash of a complete subtree of the log, kept every eight levels so that a proof never rehashes the log."""

    pk = models.CompositePrimaryKey("level", "index")
    level = models.SmallIntegerField()
    index = models.BigIntegerField()
    hash = models.BinaryField()

    written_by: ClassVar = (SEALER,)

    class Meta:
        triggers: ClassVar = append_only()


class Balance(models.Model):
    """An account's totals as of the last seal; rows since are added when it is read. Written by the sealer alone."""

    account = models.OneToOneField(Account, models.DO_NOTHING, primary_key=True, related_name="+")
    debits = MoneyField()
    credits = MoneyField()

    written_by: ClassVar = (SEALER,)


class Cosignature(models.Model):
    """The witness's word that a seal extends everything it saw before."""

    seal = models.OneToOneField(Seal, models.DO_NOTHING, primary_key=True, related_name="cosignature")
    witness = models.TextField()
    at = models.DateTimeField()  # by the witness's clock
    line = models.TextField()  # of the signed note

    class Meta:
        triggers: ClassVar = append_only()


class WitnessState(models.Model):
    """How it goes with the witness at this moment: one row, written by whoever asked last. No part of the log."""

    class Trouble(models.TextChoices):
        NONE = ""
        AWAY = "away"  # no answer, or none that can be read
        REFUSES = "refuses"  # it answers no
        STOPPED = "stopped"  # for ever: it has forgotten what it signed
        DIVERGED = "diverged"  # it has cosigned what our log does not have: this database is an old copy

    id = models.SmallIntegerField(primary_key=True, default=1)
    trouble = models.TextField(choices=Trouble.choices)
    detail = models.TextField()
    since = models.DateTimeField(null=True)  # when the trouble began
    heard_at = models.DateTimeField(null=True)  # when it last answered
    tried_at = models.DateTimeField(null=True)  # when a tick last turned to it

    class Meta:
        constraints: ClassVar = [models.CheckConstraint(condition=Q(id=1), name="witness_state_one_row")]


class Question(models.Model):
    """What the witness is asked about one attempt, and its answer once it has come. Neither ever changes.

    The log has both as acts; this row is where they are found, and what is still waited for.
    """

    venue = models.TextField()
    purpose = models.TextField()
    occasion = models.TextField()
    attempt = models.IntegerField()
    witness = models.TextField()
    root = models.BinaryField()
    count = models.BigIntegerField()
    seal_act = models.BigIntegerField()  # the row that seals the root
    void_act = models.BigIntegerField(null=True)  # the row that declares the attempt before this void
    act_index = models.BigIntegerField()
    origin = models.TextField()
    size = models.BigIntegerField()
    checkpoint_root = models.BinaryField()
    asked_at = models.DateTimeField(db_default=Now())

    number = models.BigIntegerField(null=True)
    answered_at = models.BigIntegerField(null=True)  # seconds since 1970, by the witness's clock
    previous = models.BinaryField(null=True)
    answer = models.BinaryField(null=True)
    signature = models.BinaryField(null=True)
    # The head under which it was answered: another than ours where somebody had asked before (a restored house has).
    answered_size = models.BigIntegerField(null=True)
    answered_root = models.BinaryField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["venue", "purpose", "occasion", "attempt"], name="question_once"),
            models.UniqueConstraint(fields=["witness", "number"], name="question_answered_in_order"),
            models.CheckConstraint(
                condition=Q(attempt=1, void_act__isnull=True) | Q(attempt__gt=1, void_act__isnull=False),
                name="question_after_a_void",
            ),
            together(
                "number",
                "answered_at",
                "previous",
                "answer",
                "signature",
                "answered_size",
                "answered_root",
                name="question_answered",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["id"], condition=Q(answer__isnull=True), name="question_waiting"),
        ]
        triggers: ClassVar = [
            append_only()[1],
            pgtrigger.Protect(name="kept", operation=pgtrigger.Delete),
            pgtrigger.ReadOnly(
                name="asked_once",
                fields=list(ASKED),
            ),
            pgtrigger.Protect(
                name="answered_once", operation=pgtrigger.Update, condition=pgtrigger.Q(old__answer__isnull=False)
            ),
        ]
