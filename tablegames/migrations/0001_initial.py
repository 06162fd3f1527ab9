"""What a table game’s errors were, and what was done about them."""

from django.db import migrations, models
from django.db.models import CheckConstraint, F, Index, Q, UniqueConstraint, Value
from django.db.models.functions.datetime import Now

from kernel.first_migration import FirstMigration
from kernel.triggers import InstallTriggers, refuse
from ledger.fields import MoneyField


class Migration(FirstMigration):
    dependencies = [("house", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="GamingTable",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("code", models.TextField(unique=True)),
                ("game", models.TextField()),
                ("opened_at", models.DateTimeField(db_default=Now())),
            ],
            options={
                "ordering": ("code",),
                "constraints": [
                    CheckConstraint(
                        condition=Q(("code__regex", "^[A-Z][A-Z0-9-]{0,15}$")), name="tablegames_table_code"
                    )
                ],
                "triggers": [refuse("kept_for_good", "DELETE", "tablegames.GamingTable")],
            },
        ),
        migrations.CreateModel(
            name="Check",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "table",
                    models.ForeignKey(
                        null=True, on_delete=models.PROTECT, related_name="checks", to="tablegames.gamingtable"
                    ),
                ),
                ("game", models.TextField()),
                ("terms", models.JSONField(help_text="what the sign said")),
                ("entered", models.JSONField(help_text="wagers, cards or outcome, choices")),
                ("owed", models.JSONField(help_text="line by line, with clauses")),
                ("paid", models.JSONField(help_text="by wager: what was paid, and what of the stake went back")),
                ("difference", MoneyField(help_text="paid beyond what was owed; below zero where too little")),
                ("box", models.IntegerField(help_text="whose limits counted, where players have markers", null=True)),
                ("player_card", models.TextField(blank=True, db_default="")),
                ("note", models.TextField(blank=True, db_default="")),
                ("day", models.DateField()),
                ("happened_at", models.DateTimeField()),
                ("at", models.DateTimeField(db_default=Now())),
                ("by", models.TextField()),
            ],
            options={
                "indexes": [Index(fields=["day", "-id"], name="tablegames_check_by_day")],
                "triggers": [refuse("append_only", "UPDATE OR DELETE", "tablegames.Check")],
            },
        ),
        migrations.CreateModel(
            name="PaymentError",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "check_of",
                    models.ForeignKey(
                        null=True, on_delete=models.PROTECT, related_name="errors", to="tablegames.check"
                    ),
                ),
                ("wager", models.TextField(blank=True, db_default="", help_text="of the hand that was checked")),
                (
                    "cause",
                    models.TextField(
                        choices=[("wager", "Wager"), ("cash-change", "Cash Change"), ("colour-change", "Colour Change")]
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        null=True, on_delete=models.PROTECT, related_name="errors", to="tablegames.gamingtable"
                    ),
                ),
                ("direction", models.TextField(choices=[("over", "over"), ("under", "under")])),
                ("amount", MoneyField()),
                ("rectified", MoneyField(db_default=Value(0), help_text="reimbursed or returned so far")),
                (
                    "intent",
                    models.TextField(
                        choices=[
                            ("not-decided", "not-decided"),
                            ("unintentional", "unintentional"),
                            ("suspected", "suspected"),
                        ],
                        db_default="not-decided",
                    ),
                ),
                (
                    "enquiries",
                    models.TextField(blank=True, db_default="", help_text="what was found out about the intent"),
                ),
                (
                    "status",
                    models.TextField(
                        choices=[
                            ("open", "open"),
                            ("rectified", "rectified"),
                            ("attempted", "attempted"),
                            ("reported", "reported"),
                        ],
                        db_default="open",
                    ),
                ),
                ("player_card", models.TextField(blank=True, db_default="")),
                ("what", models.TextField()),
                ("incident", models.ForeignKey(on_delete=models.PROTECT, related_name="+", to="house.incident")),
                ("day", models.DateField(help_text="the gaming day on which it was found")),
                ("found_at", models.DateTimeField(db_default=Now())),
                ("found_by", models.TextField()),
                ("closed_at", models.DateTimeField(null=True)),
                ("closed_by", models.TextField(null=True)),
                ("outcome", models.TextField(blank=True, db_default="", help_text="what came of it, in words")),
            ],
            options={
                "indexes": [Index(fields=["status", "-id"], name="tablegames_error_by_status")],
                "constraints": [
                    CheckConstraint(
                        condition=Q(("cause__in", ["wager", "cash-change", "colour-change"])),
                        name="tablegames_error_cause",
                    ),
                    CheckConstraint(
                        condition=Q(("direction__in", ["over", "under"])), name="tablegames_error_direction"
                    ),
                    CheckConstraint(
                        condition=Q(("intent__in", ["not-decided", "unintentional", "suspected"])),
                        name="tablegames_error_intent",
                    ),
                    CheckConstraint(
                        condition=Q(("status__in", ["open", "rectified", "attempted", "reported"])),
                        name="tablegames_error_status",
                    ),
                    CheckConstraint(condition=Q(("amount__gt", Value(0))), name="tablegames_error_amount"),
                    CheckConstraint(
                        condition=Q(("rectified__gte", Value(0)), ("rectified__lte", F("amount"))),
                        name="tablegames_error_rectified",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("closed_at__isnull", True), ("closed_by__isnull", True)),
                            Q(("closed_at__isnull", False), ("closed_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="tablegames_error_closed_by_somebody",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("closed_at__isnull", True), ("status", "open")),
                            Q(Q(("status", "open"), _negated=True), ("closed_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="tablegames_error_closed_when",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("rectified", F("amount")), ("status", "rectified")),
                            Q(Q(("status", "rectified"), _negated=True), ("rectified__lt", F("amount"))),
                            _connector="OR",
                        ),
                        name="tablegames_error_rectified_in_full",
                    ),
                    CheckConstraint(
                        condition=Q(("cause", "wager"), ("check_of__isnull", True), _connector="OR"),
                        name="tablegames_error_of_a_check",
                    ),
                    UniqueConstraint(fields=("check_of", "wager"), name="tablegames_error_once_a_wager"),
                    CheckConstraint(condition=Q(("what", ""), _negated=True), name="tablegames_error_says_what"),
                    CheckConstraint(
                        condition=Q(("intent", "not-decided"), Q(("enquiries", ""), _negated=True), _connector="OR"),
                        name="tablegames_error_intent_says_why",
                    ),
                ],
                "triggers": [refuse("kept_for_good", "DELETE", "tablegames.PaymentError")],
            },
        ),
        migrations.CreateModel(
            name="ErrorStep",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "error",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="steps", to="tablegames.paymenterror"),
                ),
                (
                    "kind",
                    models.TextField(
                        choices=[
                            ("enquire", "enquire"),
                            ("identify", "identify"),
                            ("contact", "contact"),
                            ("reimburse", "reimburse"),
                            ("request-return", "request-return"),
                        ]
                    ),
                ),
                ("how", models.TextField()),
                ("succeeded", models.BooleanField()),
                ("amount", MoneyField(help_text="where money changed hands", null=True)),
                ("reference", models.TextField(blank=True, db_default="")),
                ("at", models.DateTimeField()),
                ("by", models.TextField()),
            ],
            options={
                "ordering": ("id",),
                "constraints": [
                    CheckConstraint(
                        condition=Q(("kind__in", ["enquire", "identify", "contact", "reimburse", "request-return"])),
                        name="tablegames_step_kind",
                    ),
                    CheckConstraint(condition=Q(("how", ""), _negated=True), name="tablegames_step_says_how"),
                    CheckConstraint(
                        condition=Q(
                            ("amount__isnull", True),
                            Q(
                                ("amount__gt", Value(0)),
                                ("succeeded", True),
                                ("kind__in", ["reimburse", "request-return"]),
                            ),
                            _connector="OR",
                        ),
                        name="tablegames_step_money",
                    ),
                ],
                "triggers": [refuse("append_only", "UPDATE OR DELETE", "tablegames.ErrorStep")],
            },
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "table",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="seats", to="tablegames.gamingtable"),
                ),
                ("box", models.IntegerField()),
                ("player_card", models.TextField(blank=True, db_default="")),
                ("since", models.DateTimeField()),
                ("by", models.TextField()),
                ("left_at", models.DateTimeField(null=True)),
                ("left_by", models.TextField(null=True)),
            ],
            options={
                "ordering": ("box", "id"),
                "constraints": [
                    CheckConstraint(condition=Q(("box__gte", 1), ("box__lte", 30)), name="tablegames_seat_box"),
                    CheckConstraint(
                        condition=Q(
                            Q(("left_at__isnull", True), ("left_by__isnull", True)),
                            Q(("left_at__isnull", False), ("left_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="tablegames_seat_left_by_somebody",
                    ),
                    UniqueConstraint(
                        condition=Q(("left_at__isnull", True)),
                        fields=("table", "box", "player_card"),
                        name="tablegames_seat_taken_once",
                    ),
                ],
                "triggers": [refuse("kept_for_good", "DELETE", "tablegames.Seat")],
            },
        ),
        migrations.CreateModel(
            name="SignMarker",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seat", models.ForeignKey(on_delete=models.PROTECT, related_name="markers", to="tablegames.seat")),
                ("kind", models.TextField(choices=[("old-minimum", "old-minimum"), ("own-limits", "own-limits")])),
                ("limits", models.JSONField()),
                ("placed_at", models.DateTimeField()),
                ("by", models.TextField()),
                ("removed_at", models.DateTimeField(null=True)),
                ("removed_by", models.TextField(null=True)),
            ],
            options={
                "ordering": ("id",),
                "constraints": [
                    CheckConstraint(
                        condition=Q(("kind__in", ["old-minimum", "own-limits"])), name="tablegames_marker_kind"
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("removed_at__isnull", True), ("removed_by__isnull", True)),
                            Q(("removed_at__isnull", False), ("removed_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="tablegames_marker_removed_by_somebody",
                    ),
                    UniqueConstraint(
                        condition=Q(("removed_at__isnull", True)),
                        fields=("seat", "kind"),
                        name="tablegames_marker_once",
                    ),
                ],
                "triggers": [refuse("kept_for_good", "DELETE", "tablegames.SignMarker")],
            },
        ),
        migrations.CreateModel(
            name="SignNotice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "table",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="notices", to="tablegames.gamingtable"),
                ),
                ("limits", models.JSONField(help_text="none: it is a notice of closing", null=True)),
                ("shown_at", models.DateTimeField()),
                ("takes_effect_at", models.DateTimeField()),
                ("by", models.TextField()),
                ("taken_down_at", models.DateTimeField(null=True)),
                ("taken_down_by", models.TextField(null=True)),
            ],
            options={
                "ordering": ("id",),
                "constraints": [
                    CheckConstraint(
                        condition=Q(
                            Q(("taken_down_at__isnull", True), ("taken_down_by__isnull", True)),
                            Q(("taken_down_at__isnull", False), ("taken_down_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="tablegames_notice_down_by_somebody",
                    ),
                    CheckConstraint(
                        condition=Q(("takes_effect_at__gte", F("shown_at"))), name="tablegames_notice_before_it_holds"
                    ),
                ],
                "triggers": [refuse("kept_for_good", "DELETE", "tablegames.SignNotice")],
            },
        ),
        migrations.CreateModel(
            name="TableClosing",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "table",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="closings", to="tablegames.gamingtable"),
                ),
                ("closed_at", models.DateTimeField()),
                ("by", models.TextField()),
                ("reopened_at", models.DateTimeField(null=True)),
                ("reopened_by", models.TextField(null=True)),
            ],
            options={
                "ordering": ("id",),
                "constraints": [
                    CheckConstraint(
                        condition=Q(
                            Q(("reopened_at__isnull", True), ("reopened_by__isnull", True)),
                            Q(("reopened_at__isnull", False), ("reopened_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="tablegames_closing_reopened_by_somebody",
                    ),
                    UniqueConstraint(
                        condition=Q(("reopened_at__isnull", True)), fields=("table",), name="tablegames_closed_once"
                    ),
                ],
                "triggers": [refuse("kept_for_good", "DELETE", "tablegames.TableClosing")],
            },
        ),
        migrations.CreateModel(
            name="TimeCharge",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "seat",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="time_charges", to="tablegames.seat"),
                ),
                ("periods", models.IntegerField()),
                ("amount", MoneyField()),
                ("paid_at", models.DateTimeField()),
                ("from_at", models.DateTimeField()),
                ("until", models.DateTimeField()),
                ("by", models.TextField()),
            ],
            options={
                "ordering": ("id",),
                "constraints": [
                    CheckConstraint(condition=Q(("amount__gt", Value(0))), name="tablegames_time_charge_amount"),
                    CheckConstraint(
                        condition=Q(("from_at__gte", F("paid_at")), ("until__gt", F("from_at"))),
                        name="tablegames_time_in_advance",
                    ),
                ],
                "triggers": [refuse("append_only", "UPDATE OR DELETE", "tablegames.TimeCharge")],
            },
        ),
        InstallTriggers(),
    ]
