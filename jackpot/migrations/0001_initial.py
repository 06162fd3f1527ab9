"""Links, tables and rounds, contributions, hits, must-hit-by points."""

from django.contrib.postgres.indexes import BrinIndex
from django.db import migrations, models
from django.db.models import CheckConstraint, F, Index, Q, UniqueConstraint, Value
from django.db.models.expressions import CombinedExpression
from django.db.models.functions.datetime import Now

from kernel.first_migration import FirstMigration
from kernel.triggers import InstallTriggers, changed, refuse
from ledger.fields import MoneyField


def no_index_for_beginnings(apps, schema_editor):
    """Django's second index on a text key, for LIKE: nobody looks for the beginning of a contribution's id."""
    schema_editor.deferred_sql = [
        statement
        for statement in schema_editor.deferred_sql
        if "jackpot_contribution_id_7cdbcdb0_like" not in str(statement)
    ]


class Migration(FirstMigration):
    dependencies = [("draws", "0001_initial"), ("house", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="Link",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("code", models.TextField(unique=True)),
                ("title", models.TextField()),
                ("levels", models.JSONField(help_text="the names of its prize pools")),
                ("status", models.TextField(choices=[("open", "Open"), ("retired", "Retired")], db_default="open")),
                ("opened_at", models.DateTimeField(db_default=Now())),
                ("retired_at", models.DateTimeField(null=True)),
                (
                    "retired_into",
                    models.ForeignKey(null=True, on_delete=models.PROTECT, related_name="+", to="jackpot.link"),
                ),
            ],
            options={
                "constraints": [
                    CheckConstraint(condition=Q(("status__in", ["open", "retired"])), name="jackpot_link_status"),
                    CheckConstraint(condition=Q(("code__regex", "^[A-Z][A-Z0-9-]{0,15}$")), name="jackpot_link_code"),
                    CheckConstraint(
                        condition=Q(
                            Q(("retired_at__isnull", True), ("status", "open")),
                            Q(("retired_at__isnull", False), ("status", "retired")),
                            _connector="OR",
                        ),
                        name="jackpot_link_retired_when",
                    ),
                ],
                "triggers": [refuse("kept_for_good", "DELETE", "jackpot.Link")],
            },
        ),
        migrations.CreateModel(
            name="Terms",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("link", models.ForeignKey(on_delete=models.PROTECT, related_name="terms", to="jackpot.link")),
                ("version", models.PositiveIntegerField()),
                ("data", models.JSONField(help_text="see terms.py: rules, wager, bonus, levels, rates")),
                ("effective_at", models.DateTimeField(db_default=Now())),
                (
                    "proposal",
                    models.ForeignKey(null=True, on_delete=models.PROTECT, related_name="+", to="house.proposal"),
                ),
                ("set_by", models.TextField()),
            ],
            options={
                "constraints": [
                    UniqueConstraint(fields=("link", "version"), name="jackpot_terms_version"),
                    CheckConstraint(condition=Q(("version__gt", 0)), name="jackpot_terms_from_one"),
                ],
                "triggers": [refuse("append_only", "UPDATE OR DELETE", "jackpot.Terms")],
            },
        ),
        migrations.CreateModel(
            name="LinkDay",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("link", models.ForeignKey(on_delete=models.PROTECT, related_name="days", to="jackpot.link")),
                ("day", models.DateField()),
                ("opening", MoneyField()),
                ("contributions", MoneyField()),
                ("topped_up", MoneyField(help_text="put in by the house, less what it was paid back")),
                ("wins", MoneyField()),
                ("adjustments", MoneyField()),
                ("closing", MoneyField()),
                ("wagers", models.BigIntegerField(help_text="counted, less those of rounds taken back")),
                ("tx_from", models.BigIntegerField()),
                ("tx_upto", models.BigIntegerField()),
                ("checked_at", models.DateTimeField()),
                ("fault", models.TextField(blank=True, help_text="what does not agree; empty: all is well")),
            ],
            options={
                "ordering": ("-day",),
                "constraints": [UniqueConstraint(fields=("link", "day"), name="jackpot_linkday_once")],
            },
        ),
        migrations.CreateModel(
            name="Table",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("code", models.TextField(unique=True)),
                ("link", models.ForeignKey(on_delete=models.PROTECT, related_name="tables", to="jackpot.link")),
                ("boxes", models.PositiveSmallIntegerField()),
                (
                    "status",
                    models.TextField(
                        choices=[("open", "Open"), ("closed", "Closed"), ("suspended", "Suspended")], db_default="open"
                    ),
                ),
            ],
            options={
                "ordering": ("code",),
                "constraints": [
                    CheckConstraint(
                        condition=Q(("status__in", ["open", "closed", "suspended"])), name="jackpot_table_status"
                    ),
                    CheckConstraint(condition=Q(("code__regex", "^[A-Z][A-Z0-9-]{0,15}$")), name="jackpot_table_code"),
                    CheckConstraint(condition=Q(("boxes__range", (1, 20))), name="jackpot_table_boxes"),
                ],
                "triggers": [refuse("kept_for_good", "DELETE", "jackpot.Table")],
            },
        ),
        migrations.CreateModel(
            name="TableSpell",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("table", models.ForeignKey(on_delete=models.PROTECT, related_name="spells", to="jackpot.table")),
                ("link", models.ForeignKey(on_delete=models.PROTECT, related_name="+", to="jackpot.link")),
                (
                    "status",
                    models.TextField(choices=[("open", "Open"), ("closed", "Closed"), ("suspended", "Suspended")]),
                ),
                ("since", models.DateTimeField()),
            ],
            options={
                "indexes": [Index(fields=["table", "since"], name="jackpot_spell_since")],
                "constraints": [
                    CheckConstraint(
                        condition=Q(("status__in", ["open", "closed", "suspended"])), name="jackpot_spell_status"
                    )
                ],
                "triggers": [refuse("append_only", "UPDATE OR DELETE", "jackpot.TableSpell")],
            },
        ),
        migrations.CreateModel(
            name="Pace",
            fields=[
                (
                    "table",
                    models.OneToOneField(
                        on_delete=models.PROTECT,
                        primary_key=True,
                        related_name="pace",
                        serialize=False,
                        to="jackpot.table",
                    ),
                ),
                ("played_until", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Round",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("table", models.ForeignKey(on_delete=models.PROTECT, related_name="rounds", to="jackpot.table")),
                ("terms", models.ForeignKey(on_delete=models.PROTECT, related_name="+", to="jackpot.terms")),
                ("day", models.DateField()),
                ("displayed", models.JSONField(help_text="what each level showed when the round began, in dollars")),
                ("refused", models.JSONField(help_text="wagers not accepted, and why")),
                (
                    "status",
                    models.TextField(
                        choices=[
                            ("open", "Open"),
                            ("finished", "Finished"),
                            ("void", "Void"),
                            ("invalidated", "Invalidated"),
                        ],
                        db_default="open",
                    ),
                ),
                ("started_at", models.DateTimeField(db_default=Now())),
                ("started_by", models.TextField()),
                ("started_device", models.TextField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                ("ended_by", models.TextField(null=True)),
                ("ended_device", models.TextField(null=True)),
                ("ended_day", models.DateField(null=True)),
                ("hands", models.JSONField(help_text="what lay on each box, as it was seen", null=True)),
                ("folded", models.JSONField(null=True)),
                (
                    "salt",
                    models.BinaryField(help_text="with which the hands that won were sealed into the log", null=True),
                ),
                (
                    "started_act",
                    models.BigIntegerField(help_text="the row of the log that says how it began", null=True),
                ),
                (
                    "finished_act",
                    models.BigIntegerField(help_text="and how it ended: what a hit is paid by", null=True),
                ),
                (
                    "fed",
                    models.PositiveSmallIntegerField(db_default=0, help_text="how many of its wagers fed the pools"),
                ),
                ("fed_day", models.DateField(help_text="the gaming day on which they did", null=True)),
                ("unfed_day", models.DateField(help_text="the gaming day on which that was reversed", null=True)),
                (
                    "voided",
                    models.PositiveSmallIntegerField(
                        db_default=0, help_text="of those that had fed the pools, how many went back with a void hand"
                    ),
                ),
                ("voided_day", models.DateField(help_text="the gaming day on which they did", null=True)),
                (
                    "waits_for",
                    models.JSONField(
                        help_text="the rounds that were open on the link when its major was locked (act-pg:13.3)",
                        null=True,
                    ),
                ),
                ("why", models.TextField(blank=True, db_default="", help_text="why it is void or invalidated")),
            ],
            options={
                "indexes": [
                    Index(fields=["table", "-id"], name="jackpot_round_of_table"),
                    Index(fields=["day"], name="jackpot_round_by_day"),
                    Index(fields=["table", "ended_at"], name="jackpot_round_until"),
                    Index(fields=["fed_day"], name="jackpot_round_fed"),
                    Index(condition=Q(("unfed_day__isnull", False)), fields=["unfed_day"], name="jackpot_round_unfed"),
                ],
                "constraints": [
                    CheckConstraint(
                        condition=Q(("status__in", ["open", "finished", "void", "invalidated"])),
                        name="jackpot_round_status",
                    ),
                    UniqueConstraint(
                        condition=Q(("status", "open")), fields=("table",), name="jackpot_round_one_open_a_table"
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("ended_at__isnull", True), ("ended_by__isnull", True), ("ended_day__isnull", True)),
                            Q(("ended_at__isnull", False), ("ended_by__isnull", False), ("ended_day__isnull", False)),
                            _connector="OR",
                        ),
                        name="jackpot_round_ended_by_somebody",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("ended_at__isnull", True), ("status", "open")),
                            Q(Q(("status", "open"), _negated=True), ("ended_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="jackpot_round_ended_when",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("status__in", ["open", "finished"]), Q(("why", ""), _negated=True), _connector="OR"
                        ),
                        name="jackpot_round_void_says_why",
                    ),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "jackpot.Round"),
                    refuse(
                        "as_started",
                        "UPDATE",
                        "jackpot.Round",
                        only_if=changed(
                            "table_id",
                            "terms_id",
                            "day",
                            "displayed",
                            "refused",
                            "started_at",
                            "started_by",
                            "started_device",
                        ),
                    ),
                    refuse(
                        "as_finished",
                        "UPDATE",
                        "jackpot.Round",
                        only_if='OLD."ended_at" IS NOT NULL AND ('
                        + changed(
                            "hands",
                            "folded",
                            "salt",
                            "finished_act",
                            "fed",
                            "fed_day",
                            "voided",
                            "voided_day",
                            "waits_for",
                        )
                        + ")",
                    ),
                    refuse(
                        "act_once",
                        "UPDATE",
                        "jackpot.Round",
                        only_if='OLD."started_act" IS NOT NULL AND OLD."started_act" IS DISTINCT FROM (NEW."started_act")',
                    ),
                    refuse(
                        "taken_back_once",
                        "UPDATE",
                        "jackpot.Round",
                        only_if="OLD.\"status\" IN ('void', 'invalidated')",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="LateHand",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("round", models.ForeignKey(on_delete=models.PROTECT, related_name="late_hands", to="jackpot.round")),
                ("box", models.PositiveSmallIntegerField()),
                ("pieces", models.JSONField()),
                ("act", models.BigIntegerField(help_text="the row of the log that says so: what a hit is paid by")),
                ("proposal", models.ForeignKey(on_delete=models.PROTECT, related_name="+", to="house.proposal")),
            ],
            options={
                "constraints": [UniqueConstraint(fields=("round", "box"), name="jackpot_late_hand_once")],
                "triggers": [refuse("append_only", "UPDATE OR DELETE", "jackpot.LateHand")],
            },
        ),
        migrations.CreateModel(
            name="Wager",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("round", models.ForeignKey(on_delete=models.PROTECT, related_name="wagers", to="jackpot.round")),
                ("box", models.PositiveSmallIntegerField()),
                ("player_card", models.TextField(null=True)),
                ("amount", MoneyField()),
                (
                    "placed",
                    models.TextField(
                        choices=[
                            ("own", "Own"),
                            ("other-player", "Other Player"),
                            ("setter", "Setter"),
                            ("second", "Second"),
                            ("agreed", "Agreed"),
                        ],
                        db_default="own",
                    ),
                ),
                ("allowed_by", models.TextField(help_text="the supervisor, for another player's box", null=True)),
            ],
            options={
                "constraints": [
                    UniqueConstraint(fields=("round", "box"), name="jackpot_wager_one_a_box"),
                    UniqueConstraint(
                        condition=Q(("player_card__isnull", False)),
                        fields=("round", "player_card"),
                        name="jackpot_wager_one_a_player",
                    ),
                    CheckConstraint(condition=Q(("box__gte", 1)), name="jackpot_wager_box"),
                    CheckConstraint(condition=Q(("amount__gt", Value(0))), name="jackpot_wager_positive"),
                    CheckConstraint(condition=Q(("player_card", ""), _negated=True), name="jackpot_wager_player"),
                    CheckConstraint(
                        condition=Q(("placed__in", ["own", "other-player", "setter", "second", "agreed"])),
                        name="jackpot_wager_placed",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("allowed_by__isnull", False), ("placed", "other-player")),
                            Q(Q(("placed", "other-player"), _negated=True), ("allowed_by__isnull", True)),
                            _connector="OR",
                        ),
                        name="jackpot_wager_allowed",
                    ),
                ],
                "triggers": [refuse("append_only", "UPDATE OR DELETE", "jackpot.Wager")],
            },
        ),
        migrations.CreateModel(
            name="Batch",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("table", models.ForeignKey(on_delete=models.PROTECT, related_name="batches", to="jackpot.table")),
                ("terms", models.ForeignKey(on_delete=models.PROTECT, related_name="+", to="jackpot.terms")),
                ("day", models.DateField(help_text="the gaming day it was booked on")),
                ("at", models.DateTimeField(db_default=Now())),
                ("contributions", models.PositiveIntegerField()),
                ("wagers", models.PositiveBigIntegerField()),
                ("received_by", models.TextField()),
                (
                    "status",
                    models.TextField(
                        choices=[
                            ("counted", "Counted"),
                            ("held", "Held"),
                            ("released", "Released"),
                            ("rejected", "Rejected"),
                        ],
                        db_default="counted",
                    ),
                ),
                ("decided_by", models.TextField(null=True)),
                ("first", models.DateTimeField(help_text="when the earliest of its wagers was played", null=True)),
                ("last", models.DateTimeField(help_text="and the latest", null=True)),
                (
                    "next_pool",
                    models.BooleanField(db_default=False, help_text="on a must-hit-by link: these wagers cannot win"),
                ),
            ],
            options={
                "indexes": [Index(fields=["table", "day"], name="jackpot_batch_by_table")],
                "constraints": [
                    CheckConstraint(
                        condition=Q(("status__in", ["counted", "held", "released", "rejected"])),
                        name="jackpot_batch_status",
                    ),
                    CheckConstraint(
                        condition=Q(("contributions__gt", 0), ("wagers__gt", 0)), name="jackpot_batch_not_empty"
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("decided_by__isnull", True), ("status__in", ["counted", "held"])),
                            Q(("decided_by__isnull", False), ("status__in", ["released", "rejected"])),
                            _connector="OR",
                        ),
                        name="jackpot_batch_decided",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("decided_by__isnull", True),
                            Q(("decided_by", F("received_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="jackpot_batch_two_people",
                    ),
                ],
                "triggers": [refuse("kept_for_good", "DELETE", "jackpot.Batch")],
            },
        ),
        migrations.CreateModel(
            name="Contribution",
            fields=[
                ("id", models.TextField(db_collation="C", primary_key=True, serialize=False)),
                (
                    "batch",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="messages",
                        to="jackpot.batch",
                    ),
                ),
                ("wagers", models.PositiveIntegerField()),
                ("at", models.DateTimeField()),
            ],
            options={
                "indexes": [BrinIndex(fields=["at"], name="jackpot_contribution_when")],
                "constraints": [CheckConstraint(condition=Q(("wagers__gt", 0)), name="jackpot_contribution_positive")],
                "triggers": [refuse("append_only", "UPDATE OR DELETE", "jackpot.Contribution")],
            },
        ),
        migrations.CreateModel(
            name="TableWatch",
            fields=[
                (
                    "table",
                    models.OneToOneField(
                        on_delete=models.PROTECT,
                        primary_key=True,
                        related_name="watch",
                        serialize=False,
                        to="jackpot.table",
                    ),
                ),
                ("heard_at", models.DateTimeField()),
                ("silent_since", models.DateTimeField(help_text="its jackpot is suspended for that", null=True)),
            ],
            options={"triggers": [refuse("kept_for_good", "DELETE", "jackpot.TableWatch")]},
        ),
        migrations.CreateModel(
            name="TableMeter",
            fields=[
                (
                    "table",
                    models.OneToOneField(
                        on_delete=models.PROTECT,
                        primary_key=True,
                        related_name="meter",
                        serialize=False,
                        to="jackpot.table",
                    ),
                ),
                (
                    "run",
                    models.PositiveIntegerField(
                        db_default=1, help_text="counts up with each restart of the controller"
                    ),
                ),
                ("sequence", models.PositiveBigIntegerField()),
                ("meter", models.PositiveBigIntegerField()),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="MeterReading",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("table", models.ForeignKey(on_delete=models.PROTECT, related_name="+", to="jackpot.table")),
                ("run", models.PositiveIntegerField()),
                ("sequence", models.PositiveBigIntegerField()),
                ("meter", models.PositiveBigIntegerField()),
                ("at", models.DateTimeField()),
                ("wagers", models.PositiveBigIntegerField(help_text="since the reading before; of a baseline none")),
            ],
            options={
                "constraints": [
                    UniqueConstraint(fields=("table", "run", "sequence"), name="jackpot_reading_once"),
                    CheckConstraint(condition=Q(("run__gte", 1)), name="jackpot_reading_run"),
                ],
                "triggers": [refuse("append_only", "UPDATE OR DELETE", "jackpot.MeterReading")],
            },
        ),
        migrations.CreateModel(
            name="Hit",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("link", models.ForeignKey(on_delete=models.PROTECT, related_name="hits", to="jackpot.link")),
                ("sequence", models.PositiveBigIntegerField(help_text="strict order of everything won on the link")),
                ("table", models.ForeignKey(on_delete=models.PROTECT, related_name="hits", to="jackpot.table")),
                (
                    "round",
                    models.ForeignKey(null=True, on_delete=models.PROTECT, related_name="hits", to="jackpot.round"),
                ),
                (
                    "batch",
                    models.ForeignKey(
                        help_text="counted, not played here",
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="hits",
                        to="jackpot.batch",
                    ),
                ),
                ("message", models.TextField(help_text="the controller's message whose wager won it", null=True)),
                ("place", models.PositiveSmallIntegerField(help_text="order of payment within the round")),
                (
                    "box",
                    models.PositiveSmallIntegerField(
                        help_text="a controller that only counts cannot tell it", null=True
                    ),
                ),
                ("player_card", models.TextField(null=True)),
                ("hand", models.TextField(null=True)),
                ("kind", models.TextField()),
                ("level", models.TextField(null=True)),
                ("amount", MoneyField()),
                ("from_pool", MoneyField()),
                ("from_house", MoneyField()),
                ("measured_on", MoneyField(null=True)),
                ("restarts", models.BooleanField(help_text="100% of its level was won")),
                (
                    "lock",
                    models.ForeignKey(
                        help_text="the round whose win it shares (act-pg:13.3)",
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="+",
                        to="jackpot.round",
                    ),
                ),
                (
                    "shared",
                    models.PositiveSmallIntegerField(db_default=0, help_text="how often it has been shared anew"),
                ),
                ("clause", models.TextField(null=True)),
                ("day", models.DateField()),
                (
                    "status",
                    models.TextField(
                        choices=[
                            ("claimed", "Claimed"),
                            ("verified", "Verified"),
                            ("paid", "Paid"),
                            ("denied", "Denied"),
                        ],
                        db_default="claimed",
                    ),
                ),
                ("claimed_at", models.DateTimeField(db_default=Now())),
                ("claimed_by", models.TextField()),
                ("claimed_device", models.TextField(null=True)),
                ("verified_at", models.DateTimeField(null=True)),
                ("verified_by", models.TextField(null=True)),
                ("verified_device", models.TextField(null=True)),
                ("verification", models.JSONField(help_text="what the supervisor saw", null=True)),
                (
                    "authorised_at",
                    models.DateTimeField(help_text="where its amount asks for a fourth person", null=True),
                ),
                ("authorised_by", models.TextField(null=True)),
                ("authorised_device", models.TextField(null=True)),
                ("withheld", MoneyField(db_default=Value(0), help_text="of its amount, for the tax authority")),
                (
                    "payment_surveillance",
                    models.TextField(blank=True, db_default="", help_text="surveillance's reference of paying"),
                ),
                ("paid_at", models.DateTimeField(null=True)),
                ("paid_by", models.TextField(null=True)),
                ("paid_device", models.TextField(null=True)),
                ("paid_day", models.DateField(null=True)),
                (
                    "method",
                    models.TextField(
                        choices=[
                            ("cash", "Cash"),
                            ("cheque", "Cheque"),
                            ("chips", "Chips"),
                            ("transfer", "Transfer"),
                            ("instalments", "Instalments"),
                        ],
                        null=True,
                    ),
                ),
                ("payment_reference", models.TextField(blank=True, db_default="")),
                ("denied_at", models.DateTimeField(null=True)),
                ("denied_by", models.TextField(null=True)),
                ("denied_day", models.DateField(null=True)),
                ("reason", models.TextField(blank=True, db_default="", help_text="why it was denied")),
            ],
            options={
                "indexes": [
                    Index(fields=["day"], name="jackpot_hit_by_day"),
                    Index(fields=["link", "-id"], name="jackpot_hit_of_link"),
                ],
                "constraints": [
                    CheckConstraint(
                        condition=Q(("status__in", ["claimed", "verified", "paid", "denied"])),
                        name="jackpot_hit_status",
                    ),
                    UniqueConstraint(fields=("link", "sequence"), name="jackpot_hit_sequence"),
                    CheckConstraint(
                        condition=Q(
                            Q(
                                ("batch__isnull", True),
                                ("box__isnull", False),
                                ("message__isnull", True),
                                ("round__isnull", False),
                            ),
                            Q(("batch__isnull", False), ("message__isnull", False), ("round__isnull", True)),
                            _connector="OR",
                        ),
                        name="jackpot_hit_won_somewhere",
                    ),
                    CheckConstraint(
                        condition=Q(("box__isnull", False), ("status__in", ["claimed", "denied"]), _connector="OR"),
                        name="jackpot_hit_verified_box",
                    ),
                    UniqueConstraint(fields=("round", "place"), name="jackpot_hit_place"),
                    UniqueConstraint(
                        condition=Q(("kind", "mystery"), _negated=True),
                        fields=("round", "box", "kind"),
                        name="jackpot_hit_once_a_box",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("amount", CombinedExpression(F("from_pool"), "+", F("from_house"))),
                            ("amount__gt", Value(0)),
                        ),
                        name="jackpot_hit_adds_up",
                    ),
                    CheckConstraint(
                        condition=Q(("from_pool__gte", Value(0)), ("from_house__gte", Value(0))),
                        name="jackpot_hit_not_negative",
                    ),
                    CheckConstraint(
                        condition=Q(("withheld__gte", Value(0)), ("withheld__lt", F("amount"))),
                        name="jackpot_hit_after_tax",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("verified_by__isnull", True),
                            Q(("verified_by", F("claimed_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="jackpot_hit_verified_by_another",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("authorised_by__isnull", True),
                            Q(("authorised_by", F("verified_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="jackpot_hit_authorised_by_another",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("paid_by__isnull", True),
                            Q(("paid_by", F("authorised_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="jackpot_hit_paid_by_a_fourth",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("authorised_at__isnull", True), ("authorised_by__isnull", True)),
                            Q(("authorised_at__isnull", False), ("authorised_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="jackpot_hit_authorised",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("paid_by__isnull", True), Q(("paid_by", F("verified_by")), _negated=True), _connector="OR"
                        ),
                        name="jackpot_hit_paid_by_a_third",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("paid_by__isnull", True), Q(("paid_by", F("claimed_by")), _negated=True), _connector="OR"
                        ),
                        name="jackpot_hit_paid_by_another",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("denied_by__isnull", True),
                            Q(("denied_by", F("claimed_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="jackpot_hit_denied_by_another",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("denied_by__isnull", True),
                            Q(("denied_by", F("verified_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="jackpot_hit_denied_by_a_third",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("verified_device__isnull", True),
                            Q(("verified_device", F("claimed_device")), _negated=True),
                            _connector="OR",
                        ),
                        name="jackpot_hit_verified_elsewhere",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("paid_device__isnull", True),
                            Q(("paid_device", F("verified_device")), _negated=True),
                            _connector="OR",
                        ),
                        name="jackpot_hit_paid_elsewhere",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(
                                ("verified_at__isnull", True),
                                ("verified_by__isnull", True),
                                ("verification__isnull", True),
                            ),
                            Q(
                                ("verified_at__isnull", False),
                                ("verified_by__isnull", False),
                                ("verification__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="jackpot_hit_verified",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(
                                ("paid_at__isnull", True),
                                ("paid_by__isnull", True),
                                ("paid_day__isnull", True),
                                ("method__isnull", True),
                            ),
                            Q(
                                ("paid_at__isnull", False),
                                ("paid_by__isnull", False),
                                ("paid_day__isnull", False),
                                ("method__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="jackpot_hit_paid",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("denied_at__isnull", True), ("denied_by__isnull", True), ("denied_day__isnull", True)),
                            Q(
                                ("denied_at__isnull", False),
                                ("denied_by__isnull", False),
                                ("denied_day__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="jackpot_hit_denied",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(
                                ("denied_at__isnull", True),
                                ("paid_at__isnull", True),
                                ("status", "claimed"),
                                ("verified_at__isnull", True),
                            ),
                            Q(
                                ("denied_at__isnull", True),
                                ("paid_at__isnull", True),
                                ("status", "verified"),
                                ("verified_at__isnull", False),
                            ),
                            Q(
                                ("denied_at__isnull", True),
                                ("paid_at__isnull", False),
                                ("status", "paid"),
                                ("verified_at__isnull", False),
                            ),
                            Q(
                                ("denied_at__isnull", False),
                                ("paid_at__isnull", True),
                                ("status", "denied"),
                                Q(("reason", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="jackpot_hit_steps",
                    ),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "jackpot.Hit"),
                    refuse(
                        "as_claimed",
                        "UPDATE",
                        "jackpot.Hit",
                        only_if=changed(
                            "link_id",
                            "sequence",
                            "table_id",
                            "round_id",
                            "batch_id",
                            "message",
                            "place",
                            "hand",
                            "kind",
                            "level",
                            "measured_on",
                            "restarts",
                            "clause",
                            "day",
                            "claimed_at",
                            "claimed_by",
                            "claimed_device",
                            "lock_id",
                        ),
                    ),
                    refuse(
                        "as_shared",
                        "UPDATE",
                        "jackpot.Hit",
                        only_if='OLD."shared" = (NEW."shared") AND ('
                        + changed("amount", "from_pool", "from_house")
                        + ")",
                    ),
                    refuse(
                        "as_verified",
                        "UPDATE",
                        "jackpot.Hit",
                        only_if='OLD."verified_at" IS NOT NULL AND ('
                        + changed("box", "player_card", "verified_at", "verified_by", "verified_device", "verification")
                        + ")",
                    ),
                    refuse(
                        "as_authorised",
                        "UPDATE",
                        "jackpot.Hit",
                        only_if='OLD."authorised_at" IS NOT NULL AND ('
                        + changed("authorised_at", "authorised_by", "authorised_device")
                        + ")",
                    ),
                    refuse("settled_once", "UPDATE", "jackpot.Hit", only_if="OLD.\"status\" IN ('paid', 'denied')"),
                ],
            },
        ),
        migrations.CreateModel(
            name="TermsByWin",
            fields=[
                (
                    "terms",
                    models.OneToOneField(
                        on_delete=models.PROTECT,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="jackpot.terms",
                    ),
                ),
                ("hit", models.ForeignKey(on_delete=models.PROTECT, related_name="terms_put", to="jackpot.hit")),
            ],
            options={"triggers": [refuse("append_only", "UPDATE OR DELETE", "jackpot.TermsByWin")]},
        ),
        migrations.CreateModel(
            name="WrongEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hit", models.ForeignKey(on_delete=models.PROTECT, related_name="wrong_entries", to="jackpot.hit")),
                ("entered_by", models.TextField()),
                ("at", models.DateTimeField(db_default=Now())),
            ],
            options={"triggers": [refuse("append_only", "UPDATE OR DELETE", "jackpot.WrongEntry")]},
        ),
        migrations.CreateModel(
            name="MeterSeal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("link", models.ForeignKey(on_delete=models.PROTECT, related_name="meter_seals", to="jackpot.link")),
                ("level", models.TextField(help_text="where the link has several", null=True)),
                ("number", models.PositiveBigIntegerField(help_text="counts for ever on its link, without a gap")),
                ("day", models.DateField(help_text="the gaming day whose promise decides it")),
                ("commitment", models.ForeignKey(on_delete=models.PROTECT, related_name="+", to="draws.commitment")),
                ("root", models.BinaryField(help_text="over its wagers")),
                ("count", models.PositiveIntegerField()),
                ("moved", MoneyField(help_text="how far these wagers move the meter")),
                ("sealed_at", models.DateTimeField(db_default=Now())),
                ("attempt", models.PositiveSmallIntegerField(db_default=1)),
                ("waits", models.BooleanField(db_default=False, help_text="the witness was away when it was asked")),
                ("before", MoneyField(help_text="where the meter stood", null=True)),
                ("after", MoneyField(help_text="and where it stands once this is decided", null=True)),
                ("ceiling", MoneyField(help_text="by which it had to be hit", null=True)),
                (
                    "falls",
                    models.JSONField(
                        help_text="what fell: point, amount, wager, start of the next pool, hit", null=True
                    ),
                ),
                (
                    "how",
                    models.TextField(help_text="by whose word: the witness's, or what stood in its place", null=True),
                ),
                ("decided_at", models.DateTimeField(null=True)),
            ],
            options={
                "indexes": [
                    Index(condition=Q(("decided_at__isnull", True)), fields=["link"], name="jackpot_seal_undecided")
                ],
                "constraints": [
                    UniqueConstraint(fields=("link", "number"), name="jackpot_seal_number"),
                    CheckConstraint(
                        condition=Q(
                            ("attempt__gte", 1), ("count__gte", 1), ("moved__gt", Value(0)), ("number__gte", 1)
                        ),
                        name="jackpot_seal_moves",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(
                                ("before__isnull", True),
                                ("after__isnull", True),
                                ("ceiling__isnull", True),
                                ("falls__isnull", True),
                                ("how__isnull", True),
                                ("decided_at__isnull", True),
                            ),
                            Q(
                                ("before__isnull", False),
                                ("after__isnull", False),
                                ("ceiling__isnull", False),
                                ("falls__isnull", False),
                                ("how__isnull", False),
                                ("decided_at__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="jackpot_seal_decided",
                    ),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "jackpot.MeterSeal"),
                    refuse(
                        "as_sealed",
                        "UPDATE",
                        "jackpot.MeterSeal",
                        only_if=changed(
                            "link_id", "level", "number", "day", "commitment_id", "root", "count", "moved", "sealed_at"
                        ),
                    ),
                    refuse("decided_once", "UPDATE", "jackpot.MeterSeal", only_if='OLD."decided_at" IS NOT NULL'),
                ],
            },
        ),
        migrations.CreateModel(
            name="CountedWager",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("link", models.ForeignKey(on_delete=models.PROTECT, related_name="+", to="jackpot.link")),
                (
                    "seal",
                    models.ForeignKey(
                        null=True, on_delete=models.PROTECT, related_name="wagers", to="jackpot.meterseal"
                    ),
                ),
                ("wager", models.TextField()),
                ("level", models.TextField(help_text="where the link has several", null=True)),
                ("table", models.ForeignKey(on_delete=models.PROTECT, related_name="+", to="jackpot.table")),
                ("round", models.ForeignKey(null=True, on_delete=models.PROTECT, related_name="+", to="jackpot.round")),
                ("batch", models.ForeignKey(null=True, on_delete=models.PROTECT, related_name="+", to="jackpot.batch")),
                ("message", models.TextField(null=True)),
                ("box", models.PositiveSmallIntegerField()),
                (
                    "received",
                    models.BigIntegerField(help_text="the second in which the end of its round came in, since 1970"),
                ),
                ("increment", MoneyField()),
            ],
            options={
                "indexes": [
                    Index(condition=Q(("seal__isnull", True)), fields=["link"], name="jackpot_counted_unsealed")
                ],
                "constraints": [
                    UniqueConstraint(fields=("wager", "level"), name="jackpot_counted_once", nulls_distinct=False),
                    CheckConstraint(
                        condition=Q(
                            Q(("batch__isnull", True), ("message__isnull", True), ("round__isnull", False)),
                            Q(("batch__isnull", False), ("message__isnull", False), ("round__isnull", True)),
                            _connector="OR",
                        ),
                        name="jackpot_counted_somewhere",
                    ),
                    CheckConstraint(
                        condition=Q(("box__gte", 1), ("increment__gt", Value(0))), name="jackpot_counted_moves"
                    ),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "jackpot.CountedWager"),
                    refuse(
                        "as_counted",
                        "UPDATE",
                        "jackpot.CountedWager",
                        only_if=changed(
                            "link_id",
                            "wager",
                            "level",
                            "table_id",
                            "round_id",
                            "batch_id",
                            "message",
                            "box",
                            "received",
                            "increment",
                        ),
                    ),
                    refuse("sealed_once", "UPDATE", "jackpot.CountedWager", only_if='OLD."seal_id" IS NOT NULL'),
                ],
            },
        ),
        migrations.CreateModel(
            name="ControllerRound",
            fields=[
                (
                    "table",
                    models.OneToOneField(
                        on_delete=models.PROTECT,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="jackpot.table",
                    ),
                ),
                ("number", models.PositiveBigIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name="MeterDisagreement",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "table",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="disagreements", to="jackpot.table"),
                ),
                ("since", models.DateTimeField(help_text="the last reading that agreed")),
                ("until", models.DateTimeField(help_text="the last reading")),
                ("shown", models.PositiveBigIntegerField(help_text="wagers by the meter")),
                ("counted", models.PositiveBigIntegerField(help_text="wagers that were counted")),
                (
                    "fell_sequence",
                    models.PositiveBigIntegerField(help_text="the reading that is not believed", null=True),
                ),
                ("fell_meter", models.PositiveBigIntegerField(null=True)),
                (
                    "unseen",
                    models.PositiveBigIntegerField(
                        db_default=0, help_text="wagers, at most, that no reading shows: a restart"
                    ),
                ),
                ("restarted_at", models.DateTimeField(help_text="the first reading after the restart", null=True)),
                (
                    "status",
                    models.TextField(
                        choices=[("open", "Open"), ("agrees", "Agrees"), ("closed", "Closed")], db_default="open"
                    ),
                ),
                ("opened_at", models.DateTimeField(db_default=Now())),
                ("closed_at", models.DateTimeField(null=True)),
                ("cause", models.TextField(blank=True, db_default="")),
                ("wagers", models.PositiveBigIntegerField(db_default=0, help_text="counted when it was closed")),
                (
                    "proposal",
                    models.ForeignKey(null=True, on_delete=models.PROTECT, related_name="+", to="house.proposal"),
                ),
            ],
            options={
                "ordering": ("-pk",),
                "constraints": [
                    CheckConstraint(
                        condition=Q(("status__in", ["open", "agrees", "closed"])), name="jackpot_disagreement_status"
                    ),
                    UniqueConstraint(
                        condition=Q(("status", "open")), fields=("table",), name="jackpot_disagreement_one_open_a_table"
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("proposal__isnull", False), ("status", "closed"), Q(("cause", ""), _negated=True)),
                            Q(
                                Q(("status", "closed"), _negated=True),
                                ("cause", ""),
                                ("proposal__isnull", True),
                                ("wagers", 0),
                            ),
                            _connector="OR",
                        ),
                        name="jackpot_disagreement_closed_by_two",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("fell_sequence__isnull", True), ("fell_meter__isnull", True)),
                            Q(("fell_sequence__isnull", False), ("fell_meter__isnull", False)),
                            _connector="OR",
                        ),
                        name="jackpot_disagreement_fell",
                    ),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "jackpot.MeterDisagreement"),
                    refuse(
                        "as_opened",
                        "UPDATE",
                        "jackpot.MeterDisagreement",
                        only_if=changed("table_id", "since", "opened_at"),
                    ),
                    refuse(
                        "closed_once", "UPDATE", "jackpot.MeterDisagreement", only_if="NOT (OLD.\"status\" = 'open')"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Payout",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("link", models.ForeignKey(on_delete=models.PROTECT, related_name="payouts", to="jackpot.link")),
                ("payee", models.TextField(help_text="a body, a fund or an account")),
                ("amount", MoneyField()),
                ("proposal", models.ForeignKey(on_delete=models.PROTECT, related_name="+", to="house.proposal")),
                ("paid_at", models.DateTimeField(null=True)),
                ("paid_by", models.TextField(null=True)),
                ("method", models.TextField(choices=[("cheque", "Cheque"), ("transfer", "Transfer")], null=True)),
                ("payment_reference", models.TextField(blank=True, db_default="")),
            ],
            options={
                "constraints": [
                    CheckConstraint(condition=Q(("amount__gt", Value(0))), name="jackpot_payout_positive"),
                    CheckConstraint(
                        condition=Q(
                            Q(("paid_at__isnull", True), ("paid_by__isnull", True), ("method__isnull", True)),
                            Q(("paid_at__isnull", False), ("paid_by__isnull", False), ("method__isnull", False)),
                            _connector="OR",
                        ),
                        name="jackpot_payout_paid",
                    ),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "jackpot.Payout"),
                    refuse(
                        "as_owed",
                        "UPDATE",
                        "jackpot.Payout",
                        only_if=changed("link_id", "payee", "amount", "proposal_id"),
                    ),
                    refuse("paid_once", "UPDATE", "jackpot.Payout", only_if='OLD."paid_at" IS NOT NULL'),
                ],
            },
        ),
        migrations.CreateModel(
            name="Instalment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hit", models.ForeignKey(on_delete=models.PROTECT, related_name="instalments", to="jackpot.hit")),
                ("number", models.PositiveSmallIntegerField()),
                ("due", models.DateField(help_text="the gaming day from which on it is paid")),
                ("amount", MoneyField()),
                ("proposal", models.ForeignKey(on_delete=models.PROTECT, related_name="+", to="house.proposal")),
                ("paid_at", models.DateTimeField(null=True)),
                ("paid_by", models.TextField(null=True)),
                ("paid_day", models.DateField(null=True)),
                (
                    "method",
                    models.TextField(
                        choices=[("cash", "Cash"), ("cheque", "Cheque"), ("transfer", "Transfer")], null=True
                    ),
                ),
                ("payment_reference", models.TextField(blank=True, db_default="")),
            ],
            options={
                "indexes": [
                    Index(condition=Q(("paid_at__isnull", True)), fields=["due"], name="jackpot_instalment_owed")
                ],
                "constraints": [
                    UniqueConstraint(fields=("hit", "number"), name="jackpot_instalment_number"),
                    CheckConstraint(condition=Q(("amount__gt", Value(0))), name="jackpot_instalment_positive"),
                    CheckConstraint(
                        condition=Q(
                            Q(
                                ("paid_at__isnull", True),
                                ("paid_by__isnull", True),
                                ("paid_day__isnull", True),
                                ("method__isnull", True),
                            ),
                            Q(
                                ("paid_at__isnull", False),
                                ("paid_by__isnull", False),
                                ("paid_day__isnull", False),
                                ("method__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="jackpot_instalment_paid",
                    ),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "jackpot.Instalment"),
                    refuse(
                        "as_owed",
                        "UPDATE",
                        "jackpot.Instalment",
                        only_if=changed("hit_id", "number", "due", "amount", "proposal_id"),
                    ),
                    refuse("paid_once", "UPDATE", "jackpot.Instalment", only_if='OLD."paid_at" IS NOT NULL'),
                ],
            },
        ),
        InstallTriggers(),
        migrations.RunPython(no_index_for_beginnings, migrations.RunPython.noop),
    ]
