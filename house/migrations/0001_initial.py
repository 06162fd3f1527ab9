"""The venue, its people and devices, approvals, incidents, players, cash."""

import django.db.models.lookups
from django.conf import settings
from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models
from django.db.models import CheckConstraint, F, Func, Index, Q, UniqueConstraint, Value
from django.db.models.functions.datetime import Now
from django.db.models.functions.text import Lower

import house.models.venue
from kernel.first_migration import FirstMigration
from kernel.triggers import InstallTriggers, changed, refuse
from ledger.fields import MoneyField


class Migration(FirstMigration):
    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Proposal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=64)),
                ("subject", models.CharField(max_length=120)),
                ("authority", models.CharField(help_text="whose approval the rule asks for", max_length=16)),
                ("old", models.JSONField(null=True)),
                ("new", models.JSONField(null=True)),
                (
                    "effective_from",
                    models.DateTimeField(help_text="empty: at once on approval, or on the condition", null=True),
                ),
                (
                    "condition",
                    models.CharField(
                        blank=True, help_text="a named moment of the kind, such as when-won", max_length=32
                    ),
                ),
                ("why", models.TextField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("proposed", "Proposed"),
                            ("approved", "Approved"),
                            ("rejected", "Rejected"),
                            ("withdrawn", "Withdrawn"),
                            ("effective", "Effective"),
                            ("stale", "Stale"),
                            ("failed", "Failed"),
                        ],
                        default="proposed",
                        max_length=16,
                    ),
                ),
                ("proposed_by", models.CharField(max_length=80)),
                ("proposed_at", models.DateTimeField()),
                ("seconded_by", models.CharField(max_length=80, null=True)),
                ("decided_by", models.CharField(max_length=80, null=True)),
                ("decided_at", models.DateTimeField(null=True)),
                (
                    "by_letter",
                    models.BooleanField(
                        db_default=False,
                        default=False,
                        help_text="decided by a letter of the authority; decided_by confirmed it",
                    ),
                ),
                ("comment", models.TextField(blank=True)),
                ("effective_at", models.DateTimeField(null=True)),
                ("outcome", models.TextField(blank=True, help_text="why it became stale or failed")),
            ],
            options={
                "ordering": ("-id",),
                "indexes": [
                    Index(fields=["kind", "subject", "-id"], name="house_proposal_history"),
                    Index(
                        condition=Q(("status", "approved")), fields=["effective_from", "id"], name="house_proposal_due"
                    ),
                ],
                "constraints": [
                    CheckConstraint(
                        condition=Q(
                            (
                                "status__in",
                                ["proposed", "approved", "rejected", "withdrawn", "effective", "stale", "failed"],
                            )
                        ),
                        name="house_proposal_status_known",
                    ),
                    CheckConstraint(
                        condition=Q(("authority__in", ["house", "inspector", "commission"])),
                        name="house_proposal_authority_known",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("decided_by__isnull", True),
                            Q(("decided_by", F("proposed_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="house_proposal_two_people",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("seconded_by__isnull", True),
                            Q(("seconded_by", F("proposed_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="house_proposal_seconded_by_another",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("seconded_by__isnull", True),
                            Q(("seconded_by", F("decided_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="house_proposal_decided_by_a_third",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("decided_by__isnull", True), ("decided_at__isnull", True)),
                            Q(("decided_by__isnull", False), ("decided_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="house_proposal_decided",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("decided_by__isnull", True), ("status__in", ["proposed", "withdrawn"])),
                            Q(
                                ("decided_by__isnull", False),
                                ("status__in", ["approved", "rejected", "effective", "stale", "failed"]),
                            ),
                            _connector="OR",
                        ),
                        name="house_proposal_decided_by_status",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("effective_at__isnull", False), ("status", "effective")),
                            Q(Q(("status", "effective"), _negated=True), ("effective_at__isnull", True)),
                            _connector="OR",
                        ),
                        name="house_proposal_effective_when",
                    ),
                    CheckConstraint(
                        condition=Q(("condition", ""), ("effective_from__isnull", True), _connector="OR"),
                        name="house_proposal_one_moment",
                    ),
                    CheckConstraint(condition=Q(("why", ""), _negated=True), name="house_proposal_says_why"),
                    CheckConstraint(
                        condition=Q(
                            ("by_letter", False),
                            Q(Q(("authority", "house"), _negated=True), ("decided_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="house_proposal_letter_of_authority",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("authority", "commission"), _negated=True),
                            ("decided_by__isnull", True),
                            ("by_letter", True),
                            _connector="OR",
                        ),
                        name="house_proposal_commission_by_letter",
                    ),
                ],
                "triggers": [refuse("kept_for_good", "DELETE", "house.Proposal")],
            },
        ),
        migrations.CreateModel(
            name="ApprovedValue",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(help_text="the kind of change, as a proposal names it", max_length=64)),
                ("code", models.CharField(help_text="which one of that kind", max_length=64)),
                ("version", models.PositiveIntegerField(help_text="from 1, of this kind and code")),
                ("value", models.JSONField(help_text="in the kind's shape; null: withdrawn", null=True)),
                ("since", models.DateTimeField(db_default=Now())),
                ("authority", models.CharField(max_length=16)),
                ("approved_by", models.CharField(max_length=80)),
                (
                    "proposal",
                    models.ForeignKey(null=True, on_delete=models.PROTECT, related_name="+", to="house.proposal"),
                ),
            ],
            options={
                "constraints": [
                    UniqueConstraint(fields=("kind", "code", "version"), name="house_approvedvalue_version"),
                    CheckConstraint(condition=Q(("version__gt", 0)), name="house_approvedvalue_from_one"),
                    CheckConstraint(
                        condition=Q(("authority__in", ["house", "inspector", "commission"])),
                        name="house_approvedvalue_authority_known",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("proposal__isnull", False), ("approved_by__startswith", "system:"), _connector="OR"
                        ),
                        name="house_approvedvalue_decided",
                    ),
                ],
                "triggers": [refuse("append_only", "UPDATE OR DELETE", "house.ApprovedValue")],
            },
        ),
        migrations.CreateModel(
            name="Venue",
            fields=[
                ("id", models.SmallIntegerField(default=1, primary_key=True, serialize=False)),
                ("code", models.CharField(max_length=16)),
                ("name", models.CharField(max_length=120)),
                ("time_zone", models.CharField(help_text="IANA name, such as Australia/Sydney", max_length=64)),
                (
                    "player_cards_required",
                    models.BooleanField(default=False, help_text="nsw-csp:5.1: no wager without a valid card"),
                ),
                (
                    "limit_cooling_off_hours",
                    models.PositiveIntegerField(default=168, help_text="before a higher limit counts"),
                ),
            ],
            options={"constraints": [CheckConstraint(condition=Q(("id", 1)), name="house_venue_one_row")]},
        ),
        migrations.CreateModel(
            name="OpeningHours",
            fields=[
                ("weekday", models.SmallIntegerField(help_text="0 is Monday", primary_key=True, serialize=False)),
                ("opens", models.TimeField(null=True)),
                ("closes", models.TimeField(null=True)),
            ],
            options={
                "ordering": ("weekday",),
                "constraints": [
                    CheckConstraint(condition=Q(("weekday__range", (0, 6))), name="house_openinghours_weekday"),
                    CheckConstraint(
                        condition=Q(
                            Q(("opens__isnull", True), ("closes__isnull", True)),
                            Q(("opens__isnull", False), ("closes__isnull", False)),
                            _connector="OR",
                        ),
                        name="house_openinghours_both_or_closed",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="GamingDay",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("date", models.DateField(help_text="the venue's calendar date on which it opens", unique=True)),
                ("opens_at", models.DateTimeField()),
                ("closes_at", models.DateTimeField(help_text="as scheduled; an early close does not rewrite it")),
                ("closed_early_at", models.DateTimeField(null=True)),
                ("closed_early_by", models.CharField(max_length=80, null=True)),
                ("closed_early_reason", models.TextField(blank=True)),
                (
                    "closed_early_notice",
                    models.TextField(blank=True, help_text="what players were told, act-keno:13.2"),
                ),
            ],
            options={
                "ordering": ("date",),
                "indexes": [Index(fields=["-opens_at"], name="house_gamingday_latest")],
                "constraints": [
                    CheckConstraint(condition=Q(("opens_at__lt", F("closes_at"))), name="house_gamingday_opens_first"),
                    CheckConstraint(
                        condition=Q(
                            ("closed_early_at__isnull", True),
                            Q(("closed_early_at__gte", F("opens_at")), ("closed_early_at__lt", F("closes_at"))),
                            _connector="OR",
                        ),
                        name="house_gamingday_early_is_early",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("closed_early_at__isnull", True), ("closed_early_by__isnull", True)),
                            Q(("closed_early_at__isnull", False), ("closed_early_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="house_gamingday_early_by_somebody",
                    ),
                    ExclusionConstraint(
                        expressions=[(house.models.venue.TsTzRange("opens_at", "closes_at"), "&&")],
                        name="house_gamingday_no_overlap",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Incident",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=64)),
                ("clause", models.CharField(blank=True, max_length=40)),
                ("what", models.TextField()),
                ("happened_at", models.DateTimeField()),
                (
                    "gaming_day",
                    models.ForeignKey(
                        null=True, on_delete=models.PROTECT, related_name="incidents", to="house.gamingday"
                    ),
                ),
                ("subject", models.CharField(blank=True, max_length=120)),
                (
                    "concerns",
                    ArrayField(
                        base_field=models.CharField(max_length=80),
                        db_default=[],
                        default=list,
                        help_text="whom it is about, and who caused it",
                        size=None,
                    ),
                ),
                ("reported_by", models.CharField(max_length=80)),
                ("reported_at", models.DateTimeField()),
                (
                    "status",
                    models.CharField(choices=[("open", "Open"), ("closed", "Closed")], default="open", max_length=16),
                ),
                ("closed_by", models.CharField(max_length=80, null=True)),
                ("closed_at", models.DateTimeField(null=True)),
                ("outcome", models.TextField(blank=True)),
            ],
            options={
                "ordering": ("-id",),
                "indexes": [Index(fields=["gaming_day", "-id"], name="house_incident_by_day")],
                "constraints": [
                    CheckConstraint(
                        condition=Q(("status__in", ["open", "closed"])), name="house_incident_status_known"
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("closed_by__isnull", True), ("closed_at__isnull", True)),
                            Q(("closed_by__isnull", False), ("closed_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="house_incident_closed_by_somebody",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("closed_at__isnull", True), ("status", "open")),
                            Q(("closed_at__isnull", False), ("status", "closed")),
                            _connector="OR",
                        ),
                        name="house_incident_closed_when",
                    ),
                    CheckConstraint(condition=Q(("what", ""), _negated=True), name="house_incident_says_what"),
                    CheckConstraint(
                        condition=django.db.models.lookups.IsNull(
                            Func(
                                F("concerns"),
                                F("closed_by"),
                                function="array_position",
                                output_field=models.IntegerField(),
                            ),
                            True,
                        ),
                        name="house_incident_closed_by_another",
                    ),
                ],
                "triggers": [refuse("kept_for_good", "DELETE", "house.Incident")],
            },
        ),
        migrations.CreateModel(
            name="Notice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("incident", models.ForeignKey(on_delete=models.PROTECT, related_name="notices", to="house.incident")),
                ("to", models.CharField(max_length=64)),
                ("deadline", models.CharField(blank=True, max_length=32)),
                ("due_at", models.DateTimeField(null=True)),
                ("told_at", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ("due_at", "id"),
                "indexes": [
                    Index(
                        condition=Q(("due_at__isnull", False), ("told_at__isnull", True)),
                        fields=["due_at"],
                        name="house_notice_owed",
                    )
                ],
                "constraints": [UniqueConstraint(fields=("incident", "to"), name="house_notice_once")],
            },
        ),
        migrations.CreateModel(
            name="NoticeAttempt",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("notice", models.ForeignKey(on_delete=models.PROTECT, related_name="attempts", to="house.notice")),
                ("at", models.DateTimeField()),
                ("by", models.CharField(max_length=80)),
                ("how", models.CharField(max_length=80)),
                ("reached", models.BooleanField()),
                ("reference", models.CharField(blank=True, max_length=120)),
                ("notes", models.TextField(blank=True)),
            ],
            options={
                "ordering": ("at", "id"),
                "triggers": [refuse("append_only", "UPDATE OR DELETE", "house.NoticeAttempt")],
            },
        ),
        migrations.CreateModel(
            name="Customer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("mark", models.CharField(db_collation="C", max_length=96, unique=True)),
                (
                    "same_as",
                    models.ForeignKey(null=True, on_delete=models.PROTECT, related_name="others", to="house.customer"),
                ),
                ("since", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    CheckConstraint(
                        condition=Q(("mark__regex", "^(player:[0-9]+|(document|person):[0-9a-f]{64})$")),
                        name="house_customer_mark_known",
                    ),
                    CheckConstraint(
                        condition=Q(("same_as__isnull", True), Q(("same_as", F("id")), _negated=True), _connector="OR"),
                        name="house_customer_not_itself",
                    ),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "house.Customer"),
                    refuse("as_marked", "UPDATE", "house.Customer", only_if=changed("mark", "since")),
                ],
            },
        ),
        migrations.CreateModel(
            name="ThresholdReport",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("room", models.CharField(max_length=32)),
                ("what", models.CharField(help_text="the kind of payment, within its room", max_length=32)),
                ("payment", models.BigIntegerField(help_text="the room's own number of the payment")),
                (
                    "reference",
                    models.CharField(help_text="what people call it: a ticket's serial, a hit's number", max_length=64),
                ),
                ("way", models.CharField(choices=[("out", "Out"), ("in", "In")], default="out", max_length=8)),
                ("cash", MoneyField(help_text="of all its payments together")),
                ("identity", models.JSONField(help_text="name, born, address, document, document_number")),
                (
                    "name_mark",
                    models.CharField(blank=True, help_text="a keyed hash: is it about whoever looks?", max_length=64),
                ),
                (
                    "customer",
                    models.ForeignKey(null=True, on_delete=models.PROTECT, related_name="+", to="house.customer"),
                ),
                ("day", models.DateField()),
                ("made_at", models.DateTimeField()),
                ("made_by", models.CharField(max_length=80)),
                ("due_at", models.DateTimeField(help_text="the first moment at which it is late")),
                (
                    "late_incident",
                    models.ForeignKey(null=True, on_delete=models.PROTECT, related_name="+", to="house.incident"),
                ),
                ("reported_at", models.DateTimeField(help_text="when it went to the authority", null=True)),
                ("reported_by", models.CharField(max_length=80, null=True)),
                (
                    "sent_reference",
                    models.CharField(blank=True, help_text="the authority's own, from its receipt", max_length=80),
                ),
            ],
            options={
                "indexes": [
                    Index(fields=["day", "-id"], name="house_thresholdreport_by_day"),
                    Index(condition=Q(("reported_at", None)), fields=["due_at"], name="house_thresholdreport_due"),
                ],
                "constraints": [
                    UniqueConstraint(fields=("room", "what", "payment"), name="house_thresholdreport_one_a_payment"),
                    CheckConstraint(
                        condition=Q(
                            ("identity__address__gt", ""),
                            ("identity__born__gt", ""),
                            ("identity__document__gt", ""),
                            ("identity__document_number__gt", ""),
                            ("identity__has_keys", ["name", "born", "address", "document", "document_number"]),
                            ("identity__name__gt", ""),
                        ),
                        name="house_thresholdreport_says_who",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("reported_at__isnull", True), ("reported_by__isnull", True)),
                            Q(("reported_at__isnull", False), ("reported_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="house_thresholdreport_reported",
                    ),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "house.ThresholdReport"),
                    refuse(
                        "as_made",
                        "UPDATE",
                        "house.ThresholdReport",
                        only_if=changed(
                            "room",
                            "what",
                            "payment",
                            "reference",
                            "way",
                            "customer_id",
                            "day",
                            "made_at",
                            "made_by",
                            "due_at",
                        ),
                    ),
                    refuse(
                        "sent_by_another",
                        "UPDATE",
                        "house.ThresholdReport",
                        only_if='NEW."reported_by" = (OLD."made_by")',
                    ),
                    refuse("never_less", "UPDATE", "house.ThresholdReport", only_if='NEW."cash" < (OLD."cash")'),
                    refuse(
                        "reported_once",
                        "UPDATE",
                        "house.ThresholdReport",
                        only_if="OLD.reported_at IS NOT NULL AND ("
                        + changed("cash", "late_incident_id", "reported_at", "reported_by", "sent_reference")
                        + ")",
                    ),
                    refuse(
                        "identity_kept",
                        "UPDATE",
                        "house.ThresholdReport",
                        only_if='OLD."identity" IS DISTINCT FROM (NEW."identity") AND NOT (OLD.identity IS NOT NULL AND NEW.identity = \'{"name": "erased", "born": "erased", "address": "erased", "document": "erased", "document_number": "erased"}\'::jsonb AND OLD.day < CURRENT_DATE - INTERVAL \'7 years\')',
                    ),
                    refuse(
                        "mark_kept",
                        "UPDATE",
                        "house.ThresholdReport",
                        only_if="OLD.name_mark <> NEW.name_mark AND (NEW.name_mark <> '' OR OLD.identity = NEW.identity)",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="CashLine",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("way", models.CharField(choices=[("out", "Out"), ("in", "In")], max_length=8)),
                ("room", models.CharField(max_length=32)),
                ("what", models.CharField(max_length=32)),
                ("payment", models.BigIntegerField(help_text="the room's own number of it")),
                ("reference", models.CharField(max_length=64)),
                ("amount", MoneyField(help_text="all of it, however it was paid")),
                ("cash", MoneyField(help_text="of it in cash")),
                (
                    "customer",
                    models.ForeignKey(
                        help_text="who stood there",
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="+",
                        to="house.customer",
                    ),
                ),
                (
                    "played_by",
                    models.ForeignKey(
                        help_text="whose card the wager was made with",
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="+",
                        to="house.customer",
                    ),
                ),
                ("identity", models.JSONField(help_text="what was shown, where somebody showed it", null=True)),
                (
                    "report",
                    models.ForeignKey(
                        null=True, on_delete=models.PROTECT, related_name="lines", to="house.thresholdreport"
                    ),
                ),
                ("day", models.DateField()),
                ("at", models.DateTimeField()),
                ("by", models.CharField(max_length=80)),
                ("device", models.CharField(blank=True, max_length=32)),
            ],
            options={
                "indexes": [
                    Index(
                        condition=Q(("customer__isnull", False)),
                        fields=["customer", "day"],
                        name="house_cashline_whose",
                    ),
                    Index(
                        condition=Q(("played_by__isnull", False)),
                        fields=["played_by", "day"],
                        name="house_cashline_player",
                    ),
                    Index(fields=["day", "-id"], name="house_cashline_by_day"),
                ],
                "constraints": [
                    CheckConstraint(condition=Q(("way__in", ["out", "in"])), name="house_cashline_way_known"),
                    UniqueConstraint(fields=("room", "what", "payment"), name="house_cashline_once"),
                    CheckConstraint(
                        condition=Q(("amount__gt", Value(0)), ("cash__gte", Value(0)), ("cash__lte", F("amount"))),
                        name="house_cashline_of_something",
                    ),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "house.CashLine"),
                    refuse(
                        "as_made",
                        "UPDATE",
                        "house.CashLine",
                        only_if=changed(
                            "amount",
                            "at",
                            "by",
                            "cash",
                            "customer_id",
                            "day",
                            "device",
                            "id",
                            "payment",
                            "played_by_id",
                            "reference",
                            "room",
                            "way",
                            "what",
                        ),
                    ),
                    refuse(
                        "reported_once",
                        "UPDATE",
                        "house.CashLine",
                        only_if='OLD.report_id IS NOT NULL AND OLD."report_id" IS DISTINCT FROM (NEW."report_id")',
                    ),
                    refuse(
                        "identity_kept",
                        "UPDATE",
                        "house.CashLine",
                        only_if='OLD."identity" IS DISTINCT FROM (NEW."identity") AND NOT (OLD.identity IS NOT NULL AND NEW.identity = \'{"name": "erased", "born": "erased", "address": "erased", "document": "erased", "document_number": "erased"}\'::jsonb AND OLD.day < CURRENT_DATE - INTERVAL \'7 years\')',
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Cheque",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("account", models.CharField(help_text="the bank account it is drawn on, as approved", max_length=16)),
                ("number", models.CharField(help_text="capitals and digits, without leading zeros", max_length=120)),
                ("written", models.CharField(help_text="as it was written down", max_length=120)),
                ("amount", MoneyField()),
                ("room", models.CharField(max_length=32)),
                ("what", models.CharField(max_length=32)),
                ("payment", models.BigIntegerField()),
                ("day", models.DateField()),
                ("at", models.DateTimeField()),
                ("by", models.CharField(max_length=80)),
            ],
            options={
                "constraints": [
                    UniqueConstraint(fields=("account", "number"), name="house_cheque_once"),
                    CheckConstraint(condition=Q(("amount__gt", Value(0))), name="house_cheque_of_something"),
                    CheckConstraint(
                        condition=Q(("number__regex", "^[A-Z0-9]*[0-9][A-Z0-9]*$")), name="house_cheque_number"
                    ),
                ],
                "triggers": [refuse("append_only", "UPDATE OR DELETE", "house.Cheque")],
            },
        ),
        migrations.CreateModel(
            name="Structuring",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("day", models.DateField()),
                ("way", models.CharField(choices=[("out", "Out"), ("in", "In")], max_length=8)),
                (
                    "about",
                    models.CharField(
                        help_text="customer:17; or where nobody is known, at:device:W-0001", max_length=100
                    ),
                ),
                ("incident", models.ForeignKey(on_delete=models.PROTECT, related_name="+", to="house.incident")),
                ("found_at", models.DateTimeField()),
            ],
            options={
                "indexes": [Index(fields=["day", "-id"], name="house_structuring_by_day")],
                "constraints": [
                    CheckConstraint(condition=Q(("way__in", ["out", "in"])), name="house_structuring_way_known"),
                    UniqueConstraint(fields=("day", "way", "about"), name="house_structuring_once_a_day"),
                ],
                "triggers": [refuse("append_only", "UPDATE OR DELETE", "house.Structuring")],
            },
        ),
        migrations.CreateModel(
            name="Role",
            fields=[
                ("code", models.CharField(max_length=32, primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=80)),
            ],
            options={"ordering": ("code",)},
        ),
        migrations.CreateModel(
            name="Permission",
            fields=[
                ("code", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("label", models.CharField(max_length=160)),
                ("declared_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={"ordering": ("code",)},
        ),
        migrations.CreateModel(
            name="Grant",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("role", models.ForeignKey(on_delete=models.PROTECT, related_name="grants", to="house.role")),
                (
                    "permission",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="grants", to="house.permission"),
                ),
            ],
            options={
                "constraints": [
                    UniqueConstraint(fields=("role", "permission"), name="house_grant_once"),
                    CheckConstraint(
                        condition=Q(
                            Q(("permission", "approvals.decide.inspector"), _negated=True),
                            ("role", "inspector"),
                            _connector="OR",
                        ),
                        name="house_grant_inspector_alone",
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="Staff",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                ("username", models.CharField(max_length=32, unique=True)),
                ("name", models.CharField(max_length=120)),
                ("is_active", models.BooleanField(default=True)),
                ("must_change_password", models.BooleanField(default=False)),
                (
                    "is_demo",
                    models.BooleanField(default=False, help_text="may sign in only while the demo setting is on"),
                ),
                (
                    "signs_in",
                    models.BooleanField(default=True, help_text="false: a demo person who acts through a token only"),
                ),
                ("hired_at", models.DateTimeField(auto_now_add=True)),
                ("roles", models.ManyToManyField(related_name="staff", to="house.role")),
            ],
            options={
                "verbose_name_plural": "staff",
                "ordering": ("username",),
                "constraints": [
                    CheckConstraint(
                        condition=Q(("username__regex", "^[a-z][a-z0-9._-]{0,31}$")), name="house_staff_username_plain"
                    ),
                    CheckConstraint(
                        condition=Q(("signs_in", True), ("is_demo", True), _connector="OR"), name="house_staff_signs_in"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="AccessCode",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "staff",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="access_codes", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("proposed_by", models.CharField(max_length=80)),
                ("decided_by", models.CharField(max_length=80)),
                ("salt", models.CharField(max_length=32)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("expires_at", models.DateTimeField()),
                ("proposer_saw_at", models.DateTimeField(null=True)),
                ("decider_saw_at", models.DateTimeField(null=True)),
                ("used_at", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [
                    CheckConstraint(
                        condition=Q(
                            ("decided_by__isnull", True),
                            Q(("decided_by", F("proposed_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="house_accesscode_two_people",
                    )
                ]
            },
        ),
        migrations.CreateModel(
            name="InspectorateKey",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=120)),
                ("public_key", models.CharField(help_text="Ed25519, 32 bytes in hex", max_length=64)),
                ("since", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "constraints": [
                    CheckConstraint(
                        condition=Q(("public_key__regex", "^[0-9a-f]{64}$")), name="house_inspectoratekey_readable"
                    )
                ]
            },
        ),
        migrations.CreateModel(
            name="InspectorCode",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hash", models.CharField(max_length=64, unique=True)),
                ("staff", models.ForeignKey(on_delete=models.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL)),
                ("used_at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name="Device",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("code", models.CharField(help_text="W-0001, T-0001, D-0001, S-0001", max_length=16, unique=True)),
                ("name", models.CharField(max_length=120)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("writer-terminal", "Writer Terminal"),
                            ("table-controller", "Table Controller"),
                            ("display", "Display"),
                            ("service", "Service"),
                        ],
                        max_length=32,
                    ),
                ),
                ("profile", models.CharField(max_length=32)),
                (
                    "status",
                    models.CharField(
                        choices=[("active", "Active"), ("revoked", "Revoked")], default="active", max_length=16
                    ),
                ),
                (
                    "place",
                    models.CharField(blank=True, help_text="the table, counter or wall it stands at", max_length=80),
                ),
                (
                    "opens_own_shift",
                    models.BooleanField(default=False, help_text="a writer that opens its shift on first use"),
                ),
                (
                    "holder",
                    models.ForeignKey(
                        null=True, on_delete=models.PROTECT, related_name="devices", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "tables",
                    ArrayField(
                        base_field=models.CharField(max_length=32),
                        help_text="the only tables it works at; null: bound to none",
                        null=True,
                        size=None,
                    ),
                ),
                ("registered_at", models.DateTimeField(auto_now_add=True)),
                ("revoked_at", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ("code",),
                "constraints": [
                    CheckConstraint(
                        condition=Q(("kind__in", ["writer-terminal", "table-controller", "display", "service"])),
                        name="house_device_kind_known",
                    ),
                    CheckConstraint(
                        condition=Q(("status__in", ["active", "revoked"])), name="house_device_status_known"
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("revoked_at__isnull", True), ("status", "active")),
                            Q(("revoked_at__isnull", False), ("status", "revoked")),
                            _connector="OR",
                        ),
                        name="house_device_revoked_when",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("status", "revoked"),
                            Q(
                                ("holder__isnull", False),
                                ("profile__in", ["administrator", "auditor", "inspector", "manager", "supervisor"]),
                            ),
                            Q(("holder__isnull", True), ("profile__in", ["signage", "table", "writer"])),
                            Q(
                                (
                                    "profile__in",
                                    [
                                        "administrator",
                                        "auditor",
                                        "inspector",
                                        "manager",
                                        "signage",
                                        "supervisor",
                                        "table",
                                        "writer",
                                    ],
                                ),
                                _negated=True,
                            ),
                            _connector="OR",
                        ),
                        name="house_device_held",
                    ),
                    CheckConstraint(
                        condition=Q(("tables__isnull", True), ("profile", "table"), _connector="OR"),
                        name="house_device_tables_of_tables",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="DeviceToken",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("device", models.ForeignKey(on_delete=models.PROTECT, related_name="tokens", to="house.device")),
                ("hash", models.CharField(help_text="SHA-256 of the token, in hex", max_length=64, unique=True)),
                ("prefix", models.CharField(help_text="its first, public part, to recognise it by", max_length=16)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("expires_at", models.DateTimeField(help_text="moves on while it is used, at most once a day")),
                (
                    "is_replaced",
                    models.BooleanField(default=False, help_text="a newer one is there: it ends when it ends"),
                ),
                ("revoked_at", models.DateTimeField(null=True)),
                (
                    "seen_by",
                    models.CharField(
                        blank=True,
                        db_default="",
                        help_text="who was shown it, or the code that became it",
                        max_length=80,
                    ),
                ),
            ],
            options={
                "constraints": [
                    CheckConstraint(condition=Q(("hash__regex", "^[0-9a-f]{64}$")), name="house_devicetoken_hashed")
                ]
            },
        ),
        migrations.CreateModel(
            name="ProvisioningCode",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "device",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="provisioning_codes", to="house.device"),
                ),
                ("hash", models.CharField(help_text="HMAC-SHA-256 of the code, in hex", max_length=64, unique=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("expires_at", models.DateTimeField()),
                ("used_at", models.DateTimeField(null=True)),
                ("seen_by", models.CharField(blank=True, db_default="", help_text="who was shown it", max_length=80)),
            ],
            options={
                "constraints": [
                    CheckConstraint(
                        condition=Q(("hash__regex", "^[0-9a-f]{64}$")), name="house_provisioningcode_hashed"
                    )
                ]
            },
        ),
        migrations.CreateModel(
            name="TokenDue",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("device", models.ForeignKey(on_delete=models.PROTECT, related_name="tokens_due", to="house.device")),
                (
                    "holder",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="tokens_due", to=settings.AUTH_USER_MODEL),
                ),
                (
                    "overlap_seconds",
                    models.PositiveIntegerField(default=0, help_text="for how long the old token goes on"),
                ),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("expires_at", models.DateTimeField()),
                ("collected_at", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [
                    UniqueConstraint(
                        condition=Q(("collected_at__isnull", True)), fields=("device",), name="house_tokendue_one_each"
                    )
                ]
            },
        ),
        migrations.CreateModel(
            name="DeviceSeen",
            fields=[
                (
                    "device",
                    models.OneToOneField(
                        on_delete=models.CASCADE,
                        primary_key=True,
                        related_name="seen",
                        serialize=False,
                        to="house.device",
                    ),
                ),
                ("seen_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Guesses",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("step", models.CharField(max_length=16)),
                (
                    "who",
                    models.CharField(
                        help_text="a keyed hash of the name as typed: it may be a password", max_length=32
                    ),
                ),
                ("place", models.CharField(max_length=64)),
                ("tries", models.PositiveIntegerField()),
                ("tried_at", models.DateTimeField()),
                ("heard_at", models.DateTimeField(help_text="the next try is heard from then on")),
            ],
            options={
                "indexes": [Index(fields=["tried_at"], name="house_guesses_by_time")],
                "constraints": [UniqueConstraint(fields=("step", "who", "place"), name="house_guesses_once")],
            },
        ),
        migrations.CreateModel(
            name="KnownPlace",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="known_places", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("place", models.CharField(max_length=64)),
                ("last_at", models.DateTimeField()),
            ],
            options={"constraints": [UniqueConstraint(fields=("person", "place"), name="house_known_place_once")]},
        ),
        migrations.CreateModel(
            name="Burst",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("step", models.CharField(max_length=16)),
                (
                    "person",
                    models.CharField(
                        help_text="a user name, or “unknown” for every name that nobody has", max_length=32
                    ),
                ),
                ("failures", models.PositiveIntegerField()),
                (
                    "addresses",
                    ArrayField(base_field=models.CharField(max_length=64), help_text="the first few", size=None),
                ),
                ("first_at", models.DateTimeField()),
                ("last_at", models.DateTimeField()),
            ],
            options={"constraints": [UniqueConstraint(fields=("step", "person"), name="house_burst_once")]},
        ),
        migrations.CreateModel(
            name="Letter",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("proposal", models.ForeignKey(on_delete=models.PROTECT, related_name="letters", to="house.proposal")),
                ("authority", models.CharField(max_length=16)),
                ("signed_by", models.CharField(help_text="the name under it", max_length=120)),
                ("office", models.CharField(max_length=160)),
                ("reference", models.CharField(max_length=80)),
                ("dated", models.DateField()),
                ("document", models.BinaryField()),
                ("media_type", models.CharField(max_length=32)),
                ("sha256", models.CharField(max_length=64)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("recorded", "Recorded"),
                            ("confirmed", "Confirmed"),
                            ("countersigned", "Countersigned"),
                            ("disputed", "Disputed"),
                            ("discarded", "Discarded"),
                        ],
                        default="recorded",
                        max_length=16,
                    ),
                ),
                ("recorded_by", models.CharField(max_length=80)),
                ("recorded_at", models.DateTimeField()),
                ("confirmed_by", models.CharField(max_length=80, null=True)),
                ("confirmed_at", models.DateTimeField(null=True)),
                ("answered_by", models.CharField(help_text="the inspector", max_length=80, null=True)),
                ("answered_at", models.DateTimeField(help_text="countersigned, or disputed", null=True)),
                ("discarded_by", models.CharField(max_length=80, null=True)),
                ("discarded_at", models.DateTimeField(null=True)),
                ("comment", models.TextField(blank=True)),
            ],
            options={
                "ordering": ("-id",),
                "constraints": [
                    CheckConstraint(
                        condition=Q(
                            ("status__in", ["recorded", "confirmed", "countersigned", "disputed", "discarded"])
                        ),
                        name="house_letter_status_known",
                    ),
                    CheckConstraint(
                        condition=Q(("authority__in", ["house", "inspector", "commission"])),
                        name="house_letter_authority_known",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("confirmed_by__isnull", True),
                            Q(("confirmed_by", F("recorded_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="house_letter_two_people",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("confirmed_by__isnull", True), ("confirmed_at__isnull", True)),
                            Q(("confirmed_by__isnull", False), ("confirmed_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="house_letter_confirmed",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("answered_by__isnull", True), ("answered_at__isnull", True)),
                            Q(("answered_by__isnull", False), ("answered_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="house_letter_answered",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("discarded_by__isnull", True), ("discarded_at__isnull", True)),
                            Q(("discarded_by__isnull", False), ("discarded_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="house_letter_discarded",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("answered_by__isnull", True), ("confirmed_by__isnull", True), ("status", "recorded")),
                            Q(("answered_by__isnull", True), ("confirmed_by__isnull", False), ("status", "confirmed")),
                            Q(
                                ("answered_by__isnull", False),
                                ("confirmed_by__isnull", False),
                                ("status__in", ["countersigned", "disputed"]),
                            ),
                            Q(("confirmed_by__isnull", True), ("discarded_by__isnull", False), ("status", "discarded")),
                            _connector="OR",
                        ),
                        name="house_letter_by_status",
                    ),
                    CheckConstraint(
                        condition=django.db.models.lookups.Exact(
                            F("sha256"),
                            Func(
                                Func(F("document"), function="sha256", output_field=models.BinaryField()),
                                Value("hex"),
                                function="encode",
                                output_field=models.TextField(),
                            ),
                        ),
                        name="house_letter_is_what_its_hash_says",
                    ),
                    CheckConstraint(
                        condition=django.db.models.lookups.LessThanOrEqual(
                            Func(F("document"), function="octet_length", output_field=models.IntegerField()),
                            Value(5242880),
                        ),
                        name="house_letter_document_size",
                    ),
                    UniqueConstraint(
                        condition=Q(("status", "discarded"), _negated=True),
                        fields=("proposal",),
                        name="house_letter_one_a_proposal",
                    ),
                    UniqueConstraint(
                        condition=Q(("status", "discarded"), _negated=True),
                        fields=("sha256",),
                        name="house_letter_document_once",
                    ),
                    UniqueConstraint(
                        F("authority"),
                        Lower("reference"),
                        condition=Q(("status", "discarded"), _negated=True),
                        name="house_letter_reference_once",
                    ),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "house.Letter"),
                    refuse(
                        "as_recorded",
                        "UPDATE",
                        "house.Letter",
                        only_if=changed(
                            "proposal_id",
                            "authority",
                            "signed_by",
                            "office",
                            "reference",
                            "dated",
                            "document",
                            "media_type",
                            "sha256",
                            "recorded_by",
                            "recorded_at",
                        ),
                    ),
                    refuse(
                        "answered_once",
                        "UPDATE",
                        "house.Letter",
                        only_if="OLD.\"status\" IN ('countersigned', 'disputed', 'discarded')",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Player",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "number",
                    models.CharField(
                        help_text="never reused; the log knows the player by it", max_length=24, unique=True
                    ),
                ),
                ("name", models.CharField(max_length=120)),
                ("registered_at", models.DateTimeField()),
                ("registered_by", models.CharField(max_length=80)),
                ("born", models.DateField(help_text="as a document showed it", null=True)),
                ("born_by", models.CharField(max_length=80, null=True)),
                ("born_confirmed_by", models.CharField(max_length=80, null=True)),
            ],
            options={
                "ordering": ("number",),
                "indexes": [Index(condition=Q(("born__isnull", False)), fields=["born"], name="house_player_by_birth")],
                "constraints": [
                    CheckConstraint(
                        condition=Q(
                            Q(("born__isnull", True), ("born_by__isnull", True)),
                            Q(("born__isnull", False), ("born_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="house_player_born_said_by_somebody",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("born_confirmed_by__isnull", True),
                            Q(("born_confirmed_by", F("born_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="house_player_born_two_people",
                    ),
                ],
                "triggers": [refuse("kept_for_good", "DELETE", "house.Player")],
            },
        ),
        migrations.CreateModel(
            name="PlayerCard",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "number",
                    models.CharField(help_text="in its one form: house.rules.cards", max_length=32, unique=True),
                ),
                ("player", models.ForeignKey(on_delete=models.PROTECT, related_name="cards", to="house.player")),
                ("issued_at", models.DateTimeField()),
                ("cancelled_at", models.DateTimeField(null=True)),
                ("cancelled_because", models.CharField(blank=True, max_length=200)),
            ],
            options={
                "ordering": ("-issued_at", "-id"),
                "constraints": [
                    CheckConstraint(
                        condition=Q(("number__regex", "^[A-Z0-9][A-Z0-9-]{0,31}$")), name="house_playercard_one_form"
                    )
                ],
                "triggers": [refuse("kept_for_good", "DELETE", "house.PlayerCard")],
            },
        ),
        migrations.CreateModel(
            name="Restriction",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("player", models.ForeignKey(on_delete=models.PROTECT, related_name="restrictions", to="house.player")),
                (
                    "kind",
                    models.CharField(
                        choices=[("exclusion", "Exclusion"), ("employee", "Employee"), ("break", "Break")],
                        max_length=16,
                    ),
                ),
                (
                    "scope",
                    models.CharField(
                        choices=[("casino", "Casino"), ("keno", "Keno"), ("tables", "Tables")],
                        default="casino",
                        max_length=16,
                    ),
                ),
                ("from_at", models.DateTimeField()),
                ("until", models.DateTimeField(null=True)),
                ("breach_since", models.DateTimeField(null=True)),
                ("reason", models.TextField()),
                ("clause", models.CharField(blank=True, max_length=40)),
                ("made_by", models.CharField(max_length=80)),
                ("confirmed_at", models.DateTimeField(null=True)),
                ("confirmed_by", models.CharField(max_length=80, null=True)),
                ("lifting_said_at", models.DateTimeField(null=True)),
                ("lifting_said_by", models.CharField(max_length=80, null=True)),
                ("lifted_at", models.DateTimeField(null=True)),
                ("lifted_by", models.CharField(max_length=80, null=True)),
            ],
            options={
                "ordering": ("-id",),
                "constraints": [
                    CheckConstraint(
                        condition=Q(("kind__in", ["exclusion", "employee", "break"])),
                        name="house_restriction_kind_known",
                    ),
                    CheckConstraint(
                        condition=Q(("scope__in", ["casino", "keno", "tables"])), name="house_restriction_scope_known"
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("confirmed_at__isnull", True), ("confirmed_by__isnull", True)),
                            Q(("confirmed_at__isnull", False), ("confirmed_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="house_restriction_confirmed_by_somebody",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("confirmed_by__isnull", True),
                            Q(("confirmed_by", F("made_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="house_restriction_two_people",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("lifting_said_at__isnull", True), ("lifting_said_by__isnull", True)),
                            Q(("lifting_said_at__isnull", False), ("lifting_said_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="house_restriction_lifting_said_by_somebody",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("lifted_at__isnull", True), ("lifted_by__isnull", True)),
                            Q(("lifted_at__isnull", False), ("lifted_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="house_restriction_lifted_by_somebody",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("lifted_by__isnull", True),
                            Q(("lifted_by", F("lifting_said_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="house_restriction_lifted_by_two",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("lifting_said_by__isnull", True),
                            Q(("lifting_said_by", F("made_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="house_restriction_lifting_said_by_another",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("lifted_by__isnull", True), Q(("lifted_by", F("made_by")), _negated=True), _connector="OR"
                        ),
                        name="house_restriction_lifted_by_another",
                    ),
                    CheckConstraint(
                        condition=Q(("until__isnull", True), ("until__gt", F("from_at")), _connector="OR"),
                        name="house_restriction_lasts",
                    ),
                    CheckConstraint(condition=Q(("reason", ""), _negated=True), name="house_restriction_says_why"),
                    CheckConstraint(
                        condition=Q(
                            ("breach_since__isnull", True),
                            Q(("breach_since__lte", F("from_at")), ("kind", "employee")),
                            _connector="OR",
                        ),
                        name="house_restriction_breach_before",
                    ),
                ],
                "triggers": [refuse("kept_for_good", "DELETE", "house.Restriction")],
            },
        ),
        migrations.CreateModel(
            name="LimitChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "player",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="limit_changes", to="house.player"),
                ),
                ("kind", models.CharField(choices=[("loss", "loss"), ("deposit", "deposit")], max_length=16)),
                (
                    "period",
                    models.CharField(choices=[("day", "day"), ("week", "week"), ("month", "month")], max_length=16),
                ),
                ("amount", models.BigIntegerField(help_text="micro-dollars; empty: no limit", null=True)),
                ("asked_at", models.DateTimeField()),
                ("from_at", models.DateTimeField()),
                ("by", models.CharField(max_length=80)),
            ],
            options={
                "ordering": ("id",),
                "constraints": [
                    CheckConstraint(
                        condition=Q(("amount__isnull", True), ("amount__gte", 0), _connector="OR"),
                        name="house_limitchange_not_negative",
                    ),
                    CheckConstraint(condition=Q(("from_at__gte", F("asked_at"))), name="house_limitchange_not_before"),
                    CheckConstraint(
                        condition=Q(Q(("kind", "deposit"), _negated=True), ("period", "day"), _connector="OR"),
                        name="house_limitchange_deposits_by_day",
                    ),
                ],
                "triggers": [refuse("append_only", "UPDATE OR DELETE", "house.LimitChange")],
            },
        ),
        migrations.CreateModel(
            name="PlayLine",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("player", models.ForeignKey(on_delete=models.PROTECT, related_name="play", to="house.player")),
                ("at", models.DateTimeField()),
                ("day", models.DateField(help_text="gaming day; for a deposit the venue's calendar day (nsw-csp:1.1)")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("wager", "Wager"),
                            ("winnings", "Winnings"),
                            ("refund", "Refund"),
                            ("chips", "Chips"),
                            ("deposit", "Deposit"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "loss",
                    models.BigIntegerField(help_text="micro-dollars: what it adds to the loss, or to the deposits"),
                ),
                ("place", models.CharField(help_text="keno, or the table's code", max_length=32)),
                ("reference", models.CharField(blank=True, max_length=80)),
                ("by", models.CharField(max_length=80)),
            ],
            options={
                "ordering": ("-id",),
                "indexes": [
                    Index(fields=["player", "day"], include=("kind", "loss"), name="house_playline_by_day"),
                    Index(fields=["place", "at"], name="house_playline_by_place"),
                ],
                "constraints": [
                    CheckConstraint(
                        condition=Q(("kind__in", ["wager", "winnings", "refund", "chips", "deposit"])),
                        name="house_playline_kind_known",
                    )
                ],
                "triggers": [refuse("append_only", "UPDATE OR DELETE", "house.PlayLine")],
            },
        ),
        migrations.CreateModel(
            name="ChipDeclaration",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("player", models.ForeignKey(on_delete=models.PROTECT, related_name="declarations", to="house.player")),
                ("table", models.CharField(max_length=32)),
                (
                    "kind",
                    models.CharField(
                        choices=[("bought", "Bought"), ("introduced", "Introduced"), ("remaining", "Remaining")],
                        max_length=16,
                    ),
                ),
                ("amount", models.BigIntegerField(help_text="micro-dollars")),
                ("after_line", models.BigIntegerField(help_text="the player's last line of play before it")),
                ("at", models.DateTimeField()),
                ("by", models.CharField(max_length=80)),
            ],
            options={
                "ordering": ("-id",),
                "indexes": [Index(fields=["player", "table", "-id"], name="house_chipdeclaration_visit")],
                "constraints": [
                    CheckConstraint(
                        condition=Q(("kind__in", ["bought", "introduced", "remaining"])),
                        name="house_chipdeclaration_kind_known",
                    ),
                    CheckConstraint(condition=Q(("amount__gte", 0)), name="house_chipdeclaration_not_negative"),
                ],
                "triggers": [refuse("append_only", "UPDATE OR DELETE", "house.ChipDeclaration")],
            },
        ),
        migrations.CreateModel(
            name="SuspiciousMatter",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("what", models.TextField(help_text="what was seen, and why it is suspicious")),
                ("terrorism", models.BooleanField(help_text="about the financing of terrorism: the shorter deadline")),
                (
                    "reference",
                    models.CharField(blank=True, help_text="of a payment, as people call it", max_length=120),
                ),
                ("line", models.ForeignKey(null=True, on_delete=models.PROTECT, related_name="+", to="house.cashline")),
                ("player", models.ForeignKey(null=True, on_delete=models.PROTECT, related_name="+", to="house.player")),
                (
                    "customer",
                    models.ForeignKey(null=True, on_delete=models.PROTECT, related_name="+", to="house.customer"),
                ),
                (
                    "concerns",
                    ArrayField(
                        base_field=models.CharField(max_length=80),
                        default=list,
                        help_text="staff whom it is about",
                        size=None,
                    ),
                ),
                (
                    "name_marks",
                    ArrayField(
                        base_field=models.CharField(max_length=64),
                        default=list,
                        help_text="keyed hashes of the names that it is about",
                        size=None,
                    ),
                ),
                ("raised_at", models.DateTimeField()),
                ("raised_by", models.CharField(max_length=80)),
                (
                    "salt",
                    models.CharField(
                        help_text="of the hash in the log: nobody guesses the words from it", max_length=64
                    ),
                ),
                ("due_at", models.DateTimeField(help_text="the first moment at which its report is late")),
                (
                    "late_incident",
                    models.ForeignKey(null=True, on_delete=models.PROTECT, related_name="+", to="house.incident"),
                ),
                ("sent_at", models.DateTimeField(null=True)),
                ("sent_by", models.CharField(max_length=80, null=True)),
                ("sent_reference", models.CharField(blank=True, max_length=80)),
                ("dismissed_at", models.DateTimeField(null=True)),
                ("dismissed_by", models.CharField(max_length=80, null=True)),
                ("dismissed_why", models.TextField(blank=True)),
                ("agreed_at", models.DateTimeField(null=True)),
                ("agreed_by", models.CharField(max_length=80, null=True)),
            ],
            options={
                "indexes": [
                    Index(
                        condition=Q(("agreed_at", None), ("sent_at", None)), fields=["due_at"], name="house_matter_due"
                    )
                ],
                "constraints": [
                    CheckConstraint(
                        condition=Q(
                            Q(("sent_at__isnull", True), ("sent_by__isnull", True)),
                            Q(("sent_at__isnull", False), ("sent_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="house_matter_sent",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("dismissed_at__isnull", True), ("dismissed_by__isnull", True)),
                            Q(("dismissed_at__isnull", False), ("dismissed_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="house_matter_dismissed",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("agreed_at__isnull", True), ("agreed_by__isnull", True)),
                            Q(("agreed_at__isnull", False), ("agreed_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="house_matter_agreed",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("agreed_by__isnull", True),
                            Q(("agreed_by", F("dismissed_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="house_matter_two_people",
                    ),
                    CheckConstraint(condition=Q(("what", ""), _negated=True), name="house_matter_says_what"),
                    CheckConstraint(
                        condition=Q(
                            ("dismissed_at__isnull", True), Q(("dismissed_why", ""), _negated=True), _connector="OR"
                        ),
                        name="house_matter_dismissed_why",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("agreed_at__isnull", True),
                            Q(("dismissed_at__isnull", False), ("sent_at__isnull", True)),
                            _connector="OR",
                        ),
                        name="house_matter_sent_or_dismissed",
                    ),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "house.SuspiciousMatter"),
                    refuse(
                        "as_raised",
                        "UPDATE",
                        "house.SuspiciousMatter",
                        only_if=changed("terrorism", "line_id", "raised_at", "raised_by", "due_at"),
                    ),
                    refuse(
                        "said_kept",
                        "UPDATE",
                        "house.SuspiciousMatter",
                        only_if="NOT (NEW.what = 'erased' AND NEW.reference = '' AND NEW.salt = '' AND NEW.concerns = '{}' AND NEW.name_marks = '{}' AND NEW.player_id IS NULL AND NEW.customer_id IS NULL AND coalesce(OLD.sent_at, OLD.agreed_at) < now() - INTERVAL '7 years') AND ("
                        + changed("what", "reference", "player_id", "customer_id", "concerns", "name_marks", "salt")
                        + ")",
                    ),
                    refuse(
                        "ended_once",
                        "UPDATE",
                        "house.SuspiciousMatter",
                        only_if='coalesce(OLD.sent_at, OLD.agreed_at) IS NOT NULL AND (OLD."sent_at" IS DISTINCT FROM (NEW."sent_at") OR OLD."sent_by" IS DISTINCT FROM (NEW."sent_by") OR OLD."sent_reference" IS DISTINCT FROM (NEW."sent_reference") OR OLD."dismissed_at" IS DISTINCT FROM (NEW."dismissed_at") OR OLD."dismissed_by" IS DISTINCT FROM (NEW."dismissed_by") OR OLD."agreed_at" IS DISTINCT FROM (NEW."agreed_at") OR OLD."agreed_by" IS DISTINCT FROM (NEW."agreed_by") OR (OLD."dismissed_why" IS DISTINCT FROM (NEW."dismissed_why") AND NOT (NEW.what = \'erased\' AND NEW.reference = \'\' AND NEW.salt = \'\' AND NEW.concerns = \'{}\' AND NEW.name_marks = \'{}\' AND NEW.player_id IS NULL AND NEW.customer_id IS NULL AND coalesce(OLD.sent_at, OLD.agreed_at) < now() - INTERVAL \'7 years\' AND NEW.dismissed_why = \'erased\')))',
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SecondStep",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(help_text="The human-readable name of this device.", max_length=64)),
                ("confirmed", models.BooleanField(default=True, help_text="Is this device ready for use?")),
                ("user", models.ForeignKey(on_delete=models.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL)),
                ("encrypted_key", models.CharField(editable=False, max_length=120)),
                (
                    "last_t",
                    models.BigIntegerField(default=-1, help_text="the step of the last code used: a code works once"),
                ),
            ],
            options={
                "constraints": [
                    UniqueConstraint(
                        condition=Q(("confirmed", True)), fields=("user",), name="house_second_step_one_each"
                    )
                ]
            },
        ),
        InstallTriggers(),
    ]
