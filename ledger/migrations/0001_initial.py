"""Accounts, transfers and acts, the seals over them, and what the witness said."""

from django.contrib.postgres.indexes import BrinIndex
from django.db import migrations, models
from django.db.models import CheckConstraint, F, Func, Index, Q, UniqueConstraint, Value
from django.db.models.expressions import CombinedExpression
from django.db.models.functions.datetime import Now

from kernel.first_migration import FirstMigration
from kernel.triggers import InstallTriggers, changed, no_truncate, refuse, trigger
from ledger.fields import MoneyField

# Transfers and acts are one log: one sequence numbers both.
ROW_NUMBERS = "CREATE SEQUENCE ledger_row_id"

# Whether an account holds whole cents stands in each transfer too, and these keys make it the account's own word, so
# that a CHECK can decide (transfer_whole_cents).
WHOLE_CENTS_AS_THE_ACCOUNTS = """
    ALTER TABLE ledger_transfer
        ADD CONSTRAINT transfer_debit_account FOREIGN KEY (debit_id, debit_whole_cents)
            REFERENCES ledger_account (id, whole_cents),
        ADD CONSTRAINT transfer_credit_account FOREIGN KEY (credit_id, credit_whole_cents)
            REFERENCES ledger_account (id, whole_cents)
"""

# How many accounts the planner has to reckon with: not as many as a sample of transfers shows. Where one account is in
# nearly every transfer (a drawer that sells all day) the sample holds no other, PostgreSQL takes the column for a
# constant, and reads the balance of a quiet account by way of every row: 20 s for a jackpot's purses among 1,091,820
# transfers, 0.2 ms with this.
ACCOUNTS_ARE_MANY = """
    ALTER TABLE ledger_transfer ALTER COLUMN debit_id SET (n_distinct = 1000),
                                ALTER COLUMN credit_id SET (n_distinct = 1000)
"""

# Never compressed (hashes are not): a part of it is read without the rest.
LEAVES_IN_PARTS = "ALTER TABLE ledger_leaves ALTER COLUMN hashes SET STORAGE EXTERNAL"


class Migration(FirstMigration):
    dependencies = []

    operations = [
        migrations.RunSQL(ROW_NUMBERS, "DROP SEQUENCE ledger_row_id"),
        migrations.CreateModel(
            name="Account",
            fields=[
                ("id", models.AutoField(primary_key=True, serialize=False)),
                ("code", models.TextField(unique=True)),
                ("name", models.TextField()),
                (
                    "kind",
                    models.TextField(
                        choices=[
                            ("asset", "Asset"),
                            ("liability", "Liability"),
                            ("equity", "Equity"),
                            ("income", "Income"),
                            ("expense", "Expense"),
                        ]
                    ),
                ),
                ("whole_cents", models.BooleanField()),
                ("opened_at", models.DateTimeField(db_default=Now())),
            ],
            options={
                "constraints": [
                    CheckConstraint(
                        condition=Q(("kind__in", ["asset", "liability", "equity", "income", "expense"])),
                        name="account_kind",
                    ),
                    CheckConstraint(
                        condition=Q(("code__regex", "^[a-z][a-z0-9-]*(:[A-Za-z0-9-]+)*$")), name="account_code"
                    ),
                    UniqueConstraint(fields=("id", "whole_cents"), name="account_whole_cents"),
                ],
                "triggers": [
                    refuse("append_only", "UPDATE OR DELETE", "ledger.Account"),
                    no_truncate("ledger.Account"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Transfer",
            fields=[
                (
                    "id",
                    models.BigIntegerField(
                        db_default=Func(
                            Value("ledger_row_id"), function="nextval", output_field=models.BigIntegerField()
                        ),
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("tx", models.BigIntegerField(db_default=0, editable=False)),
                ("at", models.DateTimeField(db_default=Now())),
                ("day", models.DateField()),
                (
                    "debit",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=models.DO_NOTHING,
                        related_name="+",
                        to="ledger.account",
                    ),
                ),
                (
                    "credit",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=models.DO_NOTHING,
                        related_name="+",
                        to="ledger.account",
                    ),
                ),
                ("debit_whole_cents", models.BooleanField()),
                ("credit_whole_cents", models.BooleanField()),
                ("amount", MoneyField()),
                ("kind", models.TextField()),
                ("reference", models.TextField()),
                ("actor", models.TextField()),
                (
                    "reverses",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=models.DO_NOTHING,
                        related_name="reversals",
                        to="ledger.transfer",
                    ),
                ),
                ("memo", models.JSONField(null=True)),
            ],
            options={
                "indexes": [
                    Index(fields=["tx", "id"], name="transfer_order"),
                    Index(fields=["debit", "tx"], name="transfer_debit"),
                    Index(fields=["credit", "tx"], name="transfer_credit"),
                    BrinIndex(autosummarize=True, fields=["day"], name="transfer_day"),
                ],
                "constraints": [
                    CheckConstraint(condition=Q(("amount__gt", Value(0))), name="transfer_positive"),
                    CheckConstraint(condition=Q(("debit", F("credit")), _negated=True), name="transfer_two_accounts"),
                    CheckConstraint(
                        condition=Q(
                            Q(("credit_whole_cents", False), ("debit_whole_cents", False)),
                            (
                                "amount",
                                CombinedExpression(
                                    CombinedExpression(F("amount"), "/", Value(10000)), "*", Value(10000)
                                ),
                            ),
                            _connector="OR",
                        ),
                        name="transfer_whole_cents",
                    ),
                    CheckConstraint(
                        condition=Q(("kind__regex", "^[a-z][a-z0-9-]*(\\.[a-z0-9-]+)+$")), name="transfer_kind"
                    ),
                    CheckConstraint(
                        condition=Q(Q(("reference", ""), _negated=True), Q(("actor", ""), _negated=True)),
                        name="transfer_named",
                    ),
                    UniqueConstraint(fields=("kind", "reference"), name="transfer_once"),
                    UniqueConstraint(
                        condition=Q(("reverses__isnull", False)), fields=("reverses",), name="transfer_reversed_once"
                    ),
                ],
                "triggers": [
                    refuse("append_only", "UPDATE OR DELETE", "ledger.Transfer"),
                    no_truncate("ledger.Transfer"),
                    trigger(
                        "stamped",
                        "INSERT",
                        "ledger.Transfer",
                        run="NEW.tx := pg_current_xact_id()::text::bigint; \n                IF NEW.reverses_id IS NOT NULL THEN\n                    IF NOT EXISTS (\n                        SELECT FROM ledger_transfer p WHERE p.id = NEW.reverses_id AND p.reverses_id IS NULL\n                        AND p.debit_id = NEW.credit_id AND p.credit_id = NEW.debit_id AND p.amount = NEW.amount\n                    ) THEN\n                        RAISE check_violation USING CONSTRAINT = 'transfer_reverses_a_posted',\n                            MESSAGE = 'a reversal mirrors a posted transfer that is not itself a reversal';\n                    END IF;\n                END IF;\n             RETURN NEW;",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Act",
            fields=[
                (
                    "id",
                    models.BigIntegerField(
                        db_default=Func(
                            Value("ledger_row_id"), function="nextval", output_field=models.BigIntegerField()
                        ),
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("tx", models.BigIntegerField(db_default=0, editable=False)),
                ("at", models.DateTimeField(db_default=Now())),
                ("day", models.DateField()),
                ("kind", models.TextField()),
                ("subject", models.TextField()),
                ("actor", models.TextField()),
                ("data", models.JSONField()),
            ],
            options={
                "indexes": [
                    Index(fields=["tx", "id"], name="act_order"),
                    Index(fields=["kind", "id"], name="act_by_kind"),
                    Index(fields=["subject", "id"], name="act_by_subject"),
                    Index(fields=["day", "id"], name="act_by_day"),
                    Index(condition=Q(("actor__startswith", "staff:")), fields=["id"], name="act_by_people"),
                ],
                "constraints": [
                    CheckConstraint(condition=Q(("kind__regex", "^[a-z][a-z0-9-]*(\\.[a-z0-9-]+)+$")), name="act_kind"),
                    CheckConstraint(
                        condition=Q(Q(("subject", ""), _negated=True), Q(("actor", ""), _negated=True)),
                        name="act_named",
                    ),
                    UniqueConstraint(
                        condition=Q(("kind__in", ("draw.sealed", "draw.void", "witness.asked", "witness.answered"))),
                        fields=("kind", "subject"),
                        name="act_once",
                    ),
                    UniqueConstraint(condition=Q(("kind", "keys.first")), fields=("kind",), name="act_begins_once"),
                ],
                "triggers": [
                    refuse("append_only", "UPDATE OR DELETE", "ledger.Act"),
                    no_truncate("ledger.Act"),
                    trigger(
                        "stamped",
                        "INSERT",
                        "ledger.Act",
                        run="NEW.tx := pg_current_xact_id()::text::bigint;  RETURN NEW;",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Seal",
            fields=[
                ("number", models.BigIntegerField(primary_key=True, serialize=False)),
                ("at", models.DateTimeField()),
                ("tx_from", models.BigIntegerField()),
                ("tx_upto", models.BigIntegerField(unique=True)),
                ("first", models.BigIntegerField()),
                ("size", models.BigIntegerField()),
                ("root", models.BinaryField()),
                ("frontier", models.BinaryField()),
                ("previous", models.BinaryField()),
                ("key", models.TextField()),
                ("signature", models.BinaryField()),
            ],
            options={
                "constraints": [
                    CheckConstraint(condition=Q(("first__lt", F("size")), ("first__gte", 0)), name="seal_has_rows"),
                    CheckConstraint(condition=Q(("tx_from__lt", F("tx_upto"))), name="seal_goes_forward"),
                    UniqueConstraint(fields=("first",), name="seal_follows"),
                ],
                "triggers": [refuse("append_only", "UPDATE OR DELETE", "ledger.Seal"), no_truncate("ledger.Seal")],
            },
        ),
        migrations.CreateModel(
            name="Leaves",
            fields=[
                (
                    "seal",
                    models.OneToOneField(
                        on_delete=models.DO_NOTHING,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="ledger.seal",
                    ),
                ),
                ("hashes", models.BinaryField()),
            ],
            options={
                "triggers": [refuse("append_only", "UPDATE OR DELETE", "ledger.Leaves"), no_truncate("ledger.Leaves")]
            },
        ),
        migrations.CreateModel(
            name="Node",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "level", "index", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("level", models.SmallIntegerField()),
                ("index", models.BigIntegerField()),
                ("hash", models.BinaryField()),
            ],
            options={
                "triggers": [refuse("append_only", "UPDATE OR DELETE", "ledger.Node"), no_truncate("ledger.Node")]
            },
        ),
        migrations.CreateModel(
            name="Balance",
            fields=[
                (
                    "account",
                    models.OneToOneField(
                        on_delete=models.DO_NOTHING,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="ledger.account",
                    ),
                ),
                ("debits", MoneyField()),
                ("credits", MoneyField()),
            ],
        ),
        migrations.CreateModel(
            name="Cosignature",
            fields=[
                (
                    "seal",
                    models.OneToOneField(
                        on_delete=models.DO_NOTHING,
                        primary_key=True,
                        related_name="cosignature",
                        serialize=False,
                        to="ledger.seal",
                    ),
                ),
                ("witness", models.TextField()),
                ("at", models.DateTimeField()),
                ("line", models.TextField()),
            ],
            options={
                "triggers": [
                    refuse("append_only", "UPDATE OR DELETE", "ledger.Cosignature"),
                    no_truncate("ledger.Cosignature"),
                ]
            },
        ),
        migrations.CreateModel(
            name="Question",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("venue", models.TextField()),
                ("purpose", models.TextField()),
                ("occasion", models.TextField()),
                ("attempt", models.IntegerField()),
                ("witness", models.TextField()),
                ("root", models.BinaryField()),
                ("count", models.BigIntegerField()),
                ("seal_act", models.BigIntegerField()),
                ("void_act", models.BigIntegerField(null=True)),
                ("act_index", models.BigIntegerField()),
                ("origin", models.TextField()),
                ("size", models.BigIntegerField()),
                ("checkpoint_root", models.BinaryField()),
                ("asked_at", models.DateTimeField(db_default=Now())),
                ("number", models.BigIntegerField(null=True)),
                ("answered_at", models.BigIntegerField(null=True)),
                ("previous", models.BinaryField(null=True)),
                ("answer", models.BinaryField(null=True)),
                ("signature", models.BinaryField(null=True)),
                ("answered_size", models.BigIntegerField(null=True)),
                ("answered_root", models.BinaryField(null=True)),
            ],
            options={
                "indexes": [Index(condition=Q(("answer__isnull", True)), fields=["id"], name="question_waiting")],
                "constraints": [
                    UniqueConstraint(fields=("venue", "purpose", "occasion", "attempt"), name="question_once"),
                    UniqueConstraint(fields=("witness", "number"), name="question_answered_in_order"),
                    CheckConstraint(
                        condition=Q(
                            Q(("attempt", 1), ("void_act__isnull", True)),
                            Q(("attempt__gt", 1), ("void_act__isnull", False)),
                            _connector="OR",
                        ),
                        name="question_after_a_void",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(
                                ("number__isnull", True),
                                ("answered_at__isnull", True),
                                ("previous__isnull", True),
                                ("answer__isnull", True),
                                ("signature__isnull", True),
                                ("answered_size__isnull", True),
                                ("answered_root__isnull", True),
                            ),
                            Q(
                                ("number__isnull", False),
                                ("answered_at__isnull", False),
                                ("previous__isnull", False),
                                ("answer__isnull", False),
                                ("signature__isnull", False),
                                ("answered_size__isnull", False),
                                ("answered_root__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="question_answered",
                    ),
                ],
                "triggers": [
                    no_truncate("ledger.Question"),
                    refuse("kept", "DELETE", "ledger.Question"),
                    refuse(
                        "asked_once",
                        "UPDATE",
                        "ledger.Question",
                        only_if=changed(
                            "venue",
                            "purpose",
                            "occasion",
                            "attempt",
                            "witness",
                            "root",
                            "count",
                            "seal_act",
                            "void_act",
                            "act_index",
                            "origin",
                            "size",
                            "checkpoint_root",
                            "asked_at",
                        ),
                    ),
                    refuse("answered_once", "UPDATE", "ledger.Question", only_if='OLD."answer" IS NOT NULL'),
                ],
            },
        ),
        migrations.CreateModel(
            name="WitnessState",
            fields=[
                ("id", models.SmallIntegerField(default=1, primary_key=True, serialize=False)),
                (
                    "trouble",
                    models.TextField(
                        choices=[
                            ("", "None"),
                            ("away", "Away"),
                            ("refuses", "Refuses"),
                            ("stopped", "Stopped"),
                            ("diverged", "Diverged"),
                        ]
                    ),
                ),
                ("detail", models.TextField()),
                ("since", models.DateTimeField(null=True)),
                ("heard_at", models.DateTimeField(null=True)),
                ("tried_at", models.DateTimeField(null=True)),
            ],
            options={"constraints": [CheckConstraint(condition=Q(("id", 1)), name="witness_state_one_row")]},
        ),
        InstallTriggers(),
        migrations.RunSQL(WHOLE_CENTS_AS_THE_ACCOUNTS, migrations.RunSQL.noop),
        migrations.RunSQL(ACCOUNTS_ARE_MANY, migrations.RunSQL.noop),
        migrations.RunSQL(LEAVES_IN_PARTS, migrations.RunSQL.noop),
    ]
