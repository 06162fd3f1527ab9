"""Terms, entries, draws and winners."""

import datetime

from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models
from django.db.models import CheckConstraint, F, Index, Q, UniqueConstraint, Value
from django.db.models.expressions import CombinedExpression
from django.db.models.functions.datetime import Now

import promotions.lifecycle
from kernel.first_migration import FirstMigration
from kernel.triggers import InstallTriggers, changed, follow, refuse, trigger
from ledger.fields import MoneyField

# ANALYZE is the owner's; an import, which works as a role that owns nothing, may have it done to its own tables.
ANALYZE = """
    CREATE FUNCTION {name}() RETURNS void LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, public, pg_temp AS $$ BEGIN ANALYZE {tables}; END $$
"""
ANALYZE_IMPORT = ANALYZE.format(name="promotions_analyze_import", tables="promotions_importrow")
ANALYZE_ENTRIES = ANALYZE.format(name="promotions_analyze_entries", tables="promotions_entrant, promotions_entry")


class Migration(FirstMigration):
    dependencies = [("draws", "0001_initial"), ("web", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="Promotion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("code", models.CharField(max_length=32, unique=True)),
                (
                    "edition",
                    models.CharField(choices=[("2019", "2019 (rule 15)"), ("2025", "2025 (rule 17)")], max_length=8),
                ),
                ("title", models.CharField(max_length=160)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("draft", "Draft"),
                            ("submitted", "Submitted"),
                            ("running", "Running"),
                            ("closed", "Closed"),
                            ("sealed", "Sealed"),
                            ("drawing", "Drawing"),
                            ("drawn", "Drawn"),
                            ("finished", "Finished"),
                            ("postponed", "Postponed"),
                            ("cancelled", "Cancelled"),
                        ],
                        default=promotions.lifecycle.Status["DRAFT"],
                        max_length=16,
                    ),
                ),
                ("made_at", models.DateTimeField()),
                ("made_by", models.CharField(max_length=80)),
                ("starts_at", models.DateTimeField(null=True)),
                ("closes_at", models.DateTimeField(null=True)),
                ("draw_at", models.DateTimeField(null=True)),
                ("submitted_at", models.DateTimeField(null=True)),
                ("started_at", models.DateTimeField(null=True)),
                ("closed_at", models.DateTimeField(null=True)),
                ("drawn_at", models.DateTimeField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
                (
                    "resumes_as",
                    models.CharField(blank=True, help_text="where it goes on after being postponed", max_length=16),
                ),
                ("over_reason", models.TextField(blank=True, help_text="why it was postponed or cancelled")),
                ("cancelled_at", models.DateTimeField(null=True)),
                (
                    "erased_at",
                    models.DateTimeField(help_text="when the entrants' personal data was deleted", null=True),
                ),
            ],
            options={
                "ordering": ("-id",),
                "indexes": [
                    Index(
                        condition=Q(("status__in", ["finished", "cancelled"]), _negated=True),
                        fields=["status", "id"],
                        name="promotions_unfinished",
                    )
                ],
                "constraints": [
                    CheckConstraint(
                        condition=Q(("edition__in", ["2019", "2025"])), name="promotions_promotion_edition_known"
                    ),
                    CheckConstraint(
                        condition=Q(
                            (
                                "status__in",
                                [
                                    "draft",
                                    "submitted",
                                    "running",
                                    "closed",
                                    "sealed",
                                    "drawing",
                                    "drawn",
                                    "finished",
                                    "postponed",
                                    "cancelled",
                                ],
                            )
                        ),
                        name="promotions_promotion_status_known",
                    ),
                    CheckConstraint(
                        condition=Q(("code__regex", "^[A-Z][A-Z0-9-]{0,31}$")), name="promotions_promotion_code_plain"
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("starts_at__isnull", True),
                            Q(("closes_at__lte", F("draw_at")), ("starts_at__lt", F("closes_at"))),
                            _connector="OR",
                        ),
                        name="promotions_promotion_window",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("starts_at__isnull", True), ("closes_at__isnull", True), ("draw_at__isnull", True)),
                            Q(("starts_at__isnull", False), ("closes_at__isnull", False), ("draw_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="promotions_promotion_window_whole",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("status__in", ["draft", "cancelled"]),
                            Q(("starts_at__isnull", False), ("submitted_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="promotions_promotion_submitted_when",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("started_at__isnull", True),
                            (
                                "started_at__gte",
                                CombinedExpression(F("submitted_at"), "+", Value(datetime.timedelta(days=1))),
                            ),
                            _connector="OR",
                        ),
                        name="promotions_promotion_24_hours",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("started_at__isnull", True), ("status__in", ["draft", "submitted"])),
                            Q(
                                ("started_at__isnull", False),
                                (
                                    "status__in",
                                    ["running", "closed", "sealed", "drawing", "drawn", "finished", "postponed"],
                                ),
                            ),
                            ("status", "cancelled"),
                            _connector="OR",
                        ),
                        name="promotions_promotion_started_when",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("closed_at__isnull", True), ("status__in", ["draft", "submitted", "running"])),
                            Q(
                                ("closed_at__isnull", False),
                                ("status__in", ["closed", "sealed", "drawing", "drawn", "finished"]),
                            ),
                            ("status__in", ["postponed", "cancelled"]),
                            _connector="OR",
                        ),
                        name="promotions_promotion_closed_when",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("drawn_at__isnull", False), ("status__in", ["drawn", "finished"])),
                            Q(Q(("status__in", ["drawn", "finished"]), _negated=True), ("drawn_at__isnull", True)),
                            _connector="OR",
                        ),
                        name="promotions_promotion_drawn_when",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("finished_at__isnull", False), ("status", "finished")),
                            Q(Q(("status", "finished"), _negated=True), ("finished_at__isnull", True)),
                            _connector="OR",
                        ),
                        name="promotions_promotion_finished_when",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(
                                ("cancelled_at__isnull", False),
                                ("status", "cancelled"),
                                Q(("over_reason", ""), _negated=True),
                            ),
                            Q(Q(("status", "cancelled"), _negated=True), ("cancelled_at__isnull", True)),
                            _connector="OR",
                        ),
                        name="promotions_promotion_cancelled_why",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(
                                ("resumes_as__in", ["running", "closed", "sealed"]),
                                ("status", "postponed"),
                                Q(("over_reason", ""), _negated=True),
                            ),
                            Q(Q(("status", "postponed"), _negated=True), ("resumes_as", "")),
                            _connector="OR",
                        ),
                        name="promotions_promotion_postponed_why",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("erased_at__isnull", True), ("status__in", ["finished", "cancelled"]), _connector="OR"
                        ),
                        name="promotions_promotion_erased_when_over",
                    ),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "promotions.Promotion"),
                    refuse(
                        "named_for_good",
                        "UPDATE",
                        "promotions.Promotion",
                        only_if=changed("code", "edition", "made_at", "made_by"),
                    ),
                    follow(
                        "transitions",
                        "promotions.Promotion",
                        "closed:cancelled",
                        "closed:postponed",
                        "closed:sealed",
                        "draft:cancelled",
                        "draft:submitted",
                        "drawing:cancelled",
                        "drawing:drawn",
                        "drawing:postponed",
                        "drawn:cancelled",
                        "drawn:finished",
                        "drawn:postponed",
                        "postponed:cancelled",
                        "postponed:closed",
                        "postponed:running",
                        "postponed:sealed",
                        "running:cancelled",
                        "running:closed",
                        "running:postponed",
                        "sealed:cancelled",
                        "sealed:drawing",
                        "sealed:postponed",
                        "submitted:cancelled",
                        "submitted:draft",
                        "submitted:running",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="TermsVersion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "promotion",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="versions", to="promotions.promotion"),
                ),
                ("number", models.SmallIntegerField()),
                ("data", models.JSONField(help_text="as promotions.rules.terms reads them")),
                ("made_at", models.DateTimeField()),
                ("made_by", models.CharField(max_length=80)),
                ("why", models.TextField(blank=True, help_text="what an amendment changes, and why")),
                ("submitted_at", models.DateTimeField(null=True)),
                ("submitted_by", models.CharField(max_length=80, null=True)),
                ("approved_at", models.DateTimeField(null=True)),
                ("approved_by", models.CharField(max_length=80, null=True)),
                ("in_force_from", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ("promotion", "number"),
                "constraints": [
                    UniqueConstraint(fields=("promotion", "number"), name="promotions_termsversion_numbered"),
                    CheckConstraint(condition=Q(("number__gte", 1)), name="promotions_termsversion_from_one"),
                    CheckConstraint(
                        condition=Q(
                            Q(("submitted_at__isnull", True), ("submitted_by__isnull", True)),
                            Q(("submitted_at__isnull", False), ("submitted_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="promotions_termsversion_submitted",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("approved_at__isnull", True), ("approved_by__isnull", True)),
                            Q(("approved_at__isnull", False), ("approved_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="promotions_termsversion_approved",
                    ),
                    CheckConstraint(
                        condition=Q(("in_force_from__isnull", True), ("submitted_at__isnull", False), _connector="OR"),
                        name="promotions_termsversion_submitted_first",
                    ),
                    UniqueConstraint(
                        condition=Q(("submitted_at__isnull", True)),
                        fields=("promotion",),
                        name="promotions_termsversion_one_draft",
                    ),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "promotions.TermsVersion"),
                    refuse(
                        "as_submitted",
                        "UPDATE",
                        "promotions.TermsVersion",
                        only_if="OLD.submitted_at IS NOT NULL AND (NEW.promotion_id, NEW.number, NEW.data, NEW.made_at, NEW.made_by, NEW.why, NEW.submitted_at, NEW.submitted_by) IS DISTINCT FROM (OLD.promotion_id, OLD.number, OLD.data, OLD.made_at, OLD.made_by, OLD.why, OLD.submitted_at, OLD.submitted_by)",
                    ),
                    refuse(
                        "in_force_once", "UPDATE", "promotions.TermsVersion", only_if='OLD."in_force_from" IS NOT NULL'
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Prize",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "version",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="prizes", to="promotions.termsversion"),
                ),
                ("place", models.SmallIntegerField(help_text="from 1: the order in which prizes are drawn")),
                ("name", models.CharField(max_length=200)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("money", "Money"),
                            ("voucher", "Voucher"),
                            ("casino-dollars", "Casino Dollars"),
                            ("slots-dollars", "Slots Dollars"),
                            ("appliance", "machinery or electric appliance"),
                            ("vehicle", "motor vehicle"),
                            ("travel", "Travel"),
                            ("real-estate", "real estate"),
                            ("goods", "other goods or services"),
                        ],
                        max_length=16,
                    ),
                ),
                ("value", MoneyField(help_text="of one of them")),
                ("quantity", models.IntegerField(default=1)),
                ("alternates", models.SmallIntegerField(default=0, help_text="reserve winners drawn for each of them")),
                ("alternative", MoneyField(null=True)),
                ("payment", models.JSONField()),
                ("details", models.JSONField()),
            ],
            options={
                "ordering": ("version", "place"),
                "constraints": [
                    UniqueConstraint(fields=("version", "place"), name="promotions_prize_place"),
                    CheckConstraint(
                        condition=Q(
                            (
                                "kind__in",
                                [
                                    "money",
                                    "voucher",
                                    "casino-dollars",
                                    "slots-dollars",
                                    "appliance",
                                    "vehicle",
                                    "travel",
                                    "real-estate",
                                    "goods",
                                ],
                            )
                        ),
                        name="promotions_prize_kind_known",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("alternates__gte", 0), ("place__gte", 1), ("quantity__gte", 1), ("value__gt", Value(0))
                        ),
                        name="promotions_prize_possible",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("alternative__isnull", True),
                            Q(
                                ("alternative__gt", Value(0)),
                                Q(("kind__in", ["money", "casino-dollars"]), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="promotions_prize_alternative",
                    ),
                ],
                "triggers": [refuse("append_only", "UPDATE OR DELETE", "promotions.Prize")],
            },
        ),
        migrations.CreateModel(
            name="Submission",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "promotion",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="submissions", to="promotions.promotion"),
                ),
                (
                    "version",
                    models.OneToOneField(
                        on_delete=models.PROTECT, related_name="submission", to="promotions.termsversion"
                    ),
                ),
                (
                    "reason",
                    models.CharField(
                        choices=[
                            ("before-start", "Before Start"),
                            ("for-approval", "For Approval"),
                            ("amended", "Amended"),
                        ],
                        max_length=16,
                    ),
                ),
                ("to", models.CharField(max_length=80)),
                ("how", models.CharField(max_length=80)),
                (
                    "reference",
                    models.CharField(blank=True, help_text="the regulator's, where there is one", max_length=120),
                ),
                ("at", models.DateTimeField()),
                ("by", models.CharField(max_length=80)),
                ("pdf", models.BinaryField()),
                ("sha256", models.CharField(max_length=64)),
            ],
            options={
                "ordering": ("-id",),
                "constraints": [
                    CheckConstraint(
                        condition=Q(("reason__in", ["before-start", "for-approval", "amended"])),
                        name="promotions_submission_reason_known",
                    ),
                    CheckConstraint(
                        condition=Q(("sha256__regex", "^[0-9a-f]{64}$")), name="promotions_submission_hash"
                    ),
                    CheckConstraint(
                        condition=Q(Q(("to", ""), _negated=True), Q(("how", ""), _negated=True)),
                        name="promotions_submission_named",
                    ),
                ],
                "triggers": [refuse("append_only", "UPDATE OR DELETE", "promotions.Submission")],
            },
        ),
        migrations.CreateModel(
            name="Entrant",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "promotion",
                    models.ForeignKey(
                        db_index=False, on_delete=models.PROTECT, related_name="entrants", to="promotions.promotion"
                    ),
                ),
                ("identity", models.CharField(max_length=120, null=True)),
            ],
            options={
                "constraints": [
                    CheckConstraint(
                        condition=Q(("identity__regex", "^(card|player|email|phone):[A-Za-z0-9@._+-]+$")),
                        name="promotions_entrant_plain",
                    ),
                    UniqueConstraint(fields=("promotion", "identity"), name="promotions_entrant_once"),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "promotions.Entrant"),
                    refuse(
                        "only_forgotten",
                        "UPDATE",
                        "promotions.Entrant",
                        only_if="NEW.promotion_id <> OLD.promotion_id OR NEW.identity IS NOT NULL AND NEW.identity IS DISTINCT FROM OLD.identity",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Person",
            fields=[
                (
                    "entrant",
                    models.OneToOneField(
                        on_delete=models.PROTECT,
                        primary_key=True,
                        related_name="person",
                        serialize=False,
                        to="promotions.entrant",
                    ),
                ),
                ("name", models.CharField(max_length=120)),
                ("address", models.CharField(blank=True, max_length=300)),
                ("telephone", models.CharField(blank=True, max_length=40)),
                ("email", models.CharField(blank=True, max_length=254)),
            ],
        ),
        migrations.CreateModel(
            name="Import",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "promotion",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="imports", to="promotions.promotion"),
                ),
                ("name", models.CharField(max_length=200)),
                ("sha256", models.CharField(max_length=64)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("checked", "Checked"),
                            ("done", "Done"),
                            ("refused", "Refused"),
                            ("cancelled", "Cancelled"),
                        ],
                        default="waiting",
                        max_length=16,
                    ),
                ),
                ("all_or_nothing", models.BooleanField()),
                ("total", models.IntegerField()),
                ("checked", models.IntegerField(default=0)),
                ("entered", models.IntegerField(default=0)),
                ("refused", models.IntegerField(default=0)),
                ("outcome", models.TextField(blank=True)),
                ("made_at", models.DateTimeField()),
                ("made_by", models.CharField(max_length=80)),
                ("work", models.OneToOneField(on_delete=models.PROTECT, related_name="+", to="web.work")),
                ("finished_at", models.DateTimeField(null=True)),
                ("confirmed_at", models.DateTimeField(null=True)),
                ("confirmed_by", models.CharField(max_length=80, null=True)),
                ("rejection_said_at", models.DateTimeField(null=True)),
                ("rejection_said_by", models.CharField(max_length=80, null=True)),
                ("rejection_why", models.CharField(blank=True, max_length=200)),
                ("rejected_at", models.DateTimeField(null=True)),
                ("rejected_by", models.CharField(max_length=80, null=True)),
            ],
            options={
                "ordering": ("-id",),
                "indexes": [
                    Index(
                        condition=Q(("state__in", ["waiting", "checked"])),
                        fields=["id"],
                        name="promotions_import_waiting",
                    )
                ],
                "constraints": [
                    CheckConstraint(
                        condition=Q(
                            Q(("rejection_said_at__isnull", True), ("rejection_said_by__isnull", True)),
                            Q(("rejection_said_at__isnull", False), ("rejection_said_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="promotions_import_rejection_said",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("rejected_at__isnull", True), ("rejected_by__isnull", True)),
                            Q(("rejected_at__isnull", False), ("rejected_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="promotions_import_rejected",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("rejected_by__isnull", True),
                            Q(("rejected_by", F("rejection_said_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="promotions_import_rejected_by_two",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(
                                ("rejected_at__isnull", True),
                                ("rejection_said_at__isnull", True),
                                ("rejection_why", ""),
                            ),
                            Q(("rejection_said_at__isnull", False), Q(("rejection_why", ""), _negated=True)),
                            _connector="OR",
                        ),
                        name="promotions_import_rejection_why",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("confirmed_at__isnull", True), ("confirmed_by__isnull", True)),
                            Q(("confirmed_at__isnull", False), ("confirmed_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="promotions_import_confirmed",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("confirmed_by__isnull", True),
                            Q(("confirmed_by", F("made_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="promotions_import_two_people",
                    ),
                    CheckConstraint(
                        condition=Q(("checked__gte", 0), ("entered__gte", 0), ("refused__gte", 0), ("total__gte", 0)),
                        name="promotions_import_counts",
                    ),
                    CheckConstraint(
                        condition=Q(("state__in", ["waiting", "checked", "done", "refused", "cancelled"])),
                        name="promotions_import_state_known",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("finished_at__isnull", True), ("state__in", ["waiting", "checked"])),
                            Q(("finished_at__isnull", False), ("state__in", ["done", "refused", "cancelled"])),
                            _connector="OR",
                        ),
                        name="promotions_import_finished_when",
                    ),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "promotions.Import"),
                    refuse(
                        "judged_for_good",
                        "UPDATE",
                        "promotions.Import",
                        only_if="OLD.confirmed_at IS NOT NULL AND NEW.confirmed_at IS DISTINCT FROM OLD.confirmed_at OR OLD.rejected_at IS NOT NULL AND NEW.rejected_at IS DISTINCT FROM OLD.rejected_at OR OLD.finished_at IS NOT NULL AND NEW.entered IS DISTINCT FROM OLD.entered",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Entry",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "promotion",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="entries",
                        to="promotions.promotion",
                    ),
                ),
                (
                    "entrant",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="entries",
                        to="promotions.entrant",
                    ),
                ),
                (
                    "source",
                    models.CharField(
                        choices=[("staff", "Staff"), ("csv", "Csv"), ("api", "Api"), ("earned", "Earned")], max_length=8
                    ),
                ),
                ("reference", models.CharField(max_length=120)),
                (
                    "of_import",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="entries",
                        to="promotions.import",
                    ),
                ),
                ("entered_at", models.DateTimeField(db_default=Now())),
                ("entered_by", models.CharField(max_length=80)),
                ("wagered", MoneyField(null=True)),
                ("salt", models.UUIDField(null=True)),
                ("leaf", models.BinaryField()),
                ("withdrawn_at", models.DateTimeField(null=True)),
                ("withdrawn_by", models.CharField(max_length=80, null=True)),
                ("withdrawn_why", models.CharField(blank=True, max_length=200)),
                ("rejected", models.BooleanField(db_default=False)),
            ],
            options={
                "indexes": [
                    Index(fields=["promotion", "id"], name="promotions_entry_list"),
                    Index(fields=["entrant", "id"], name="promotions_entry_entrant"),
                    Index(
                        condition=Q(("source__in", ("staff", "api"))),
                        fields=["promotion", "entered_by", "entrant"],
                        name="promotions_entry_by_hand",
                    ),
                ],
                "constraints": [
                    CheckConstraint(
                        condition=Q(("source__in", ["staff", "csv", "api", "earned"])),
                        name="promotions_entry_source_known",
                    ),
                    CheckConstraint(
                        condition=Q(("reference", ""), _negated=True), name="promotions_entry_from_something"
                    ),
                    UniqueConstraint(
                        condition=Q(("rejected", False)),
                        fields=("promotion", "reference"),
                        name="promotions_entry_once",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("rejected", False),
                            Q(("of_import__isnull", False), ("withdrawn_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="promotions_entry_rejected_with_its_file",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("withdrawn_at__isnull", True), ("withdrawn_by__isnull", True)),
                            Q(("withdrawn_at__isnull", False), ("withdrawn_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="promotions_entry_withdrawn",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("withdrawn_at__isnull", True), ("withdrawn_why", "")),
                            Q(("withdrawn_at__isnull", False), Q(("withdrawn_why", ""), _negated=True)),
                            _connector="OR",
                        ),
                        name="promotions_entry_withdrawn_why",
                    ),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "promotions.Entry"),
                    refuse(
                        "as_entered",
                        "UPDATE",
                        "promotions.Entry",
                        only_if=changed(
                            "entered_at",
                            "entered_by",
                            "entrant_id",
                            "id",
                            "leaf",
                            "of_import_id",
                            "promotion_id",
                            "reference",
                            "source",
                            "wagered",
                        ),
                    ),
                    refuse(
                        "once_and_for_good",
                        "UPDATE",
                        "promotions.Entry",
                        only_if="OLD.withdrawn_at IS NOT NULL AND NEW.withdrawn_at IS DISTINCT FROM OLD.withdrawn_at OR NEW.salt IS NOT NULL AND NEW.salt IS DISTINCT FROM OLD.salt",
                    ),
                    trigger(
                        "only_while_running",
                        "INSERT",
                        "promotions.Entry",
                        run="\n                    IF EXISTS (\n                        SELECT FROM entered e WHERE NOT EXISTS (\n                            SELECT FROM promotions_entrant n\n                            WHERE n.id = e.entrant_id AND n.promotion_id = e.promotion_id)\n                    ) THEN\n                        RAISE foreign_key_violation USING CONSTRAINT = 'promotions_entry_of_an_entrant',\n                            MESSAGE = 'an entry is of an entrant of its promotion';\n                    END IF;\n                    IF EXISTS (\n                        SELECT FROM (SELECT DISTINCT promotion_id, source FROM entered) e\n                        JOIN promotions_promotion p ON p.id = e.promotion_id\n                        WHERE p.status <> 'running' AND NOT (p.status = 'closed' AND e.source = 'earned')\n                    ) THEN\n                        RAISE check_violation USING CONSTRAINT = 'promotions_entry_only_while_running',\n                            MESSAGE = 'entries are taken only while a promotion runs';\n                    END IF;\n                    RETURN NULL;\n                ",
                        when="AFTER",
                        level="STATEMENT",
                        referencing="REFERENCING NEW TABLE AS entered ",
                    ),
                    trigger(
                        "sealed",
                        "UPDATE",
                        "promotions.Entry",
                        run="\n                    IF EXISTS (SELECT FROM promotions_entrylist l\n                               WHERE l.promotion_id = NEW.promotion_id AND l.voided_at IS NULL) THEN\n                        RAISE check_violation USING CONSTRAINT = 'promotions_entry_sealed',\n                            MESSAGE = 'the list of entries is sealed';\n                    END IF;\n                    RETURN NEW;\n                ",
                        only_if=changed("withdrawn_at"),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="EntryList",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "promotion",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="lists", to="promotions.promotion"),
                ),
                ("number", models.SmallIntegerField()),
                ("root", models.BinaryField()),
                ("count", models.BigIntegerField()),
                ("sealed_at", models.DateTimeField()),
                ("sealed_by", models.CharField(max_length=80)),
                ("voided_at", models.DateTimeField(null=True)),
                ("voided_by", models.CharField(max_length=80, null=True)),
                ("void_reason", models.TextField(blank=True)),
            ],
            options={
                "ordering": ("promotion", "number"),
                "constraints": [
                    UniqueConstraint(fields=("promotion", "number"), name="promotions_entrylist_numbered"),
                    UniqueConstraint(
                        condition=Q(("voided_at__isnull", True)),
                        fields=("promotion",),
                        name="promotions_entrylist_one_stands",
                    ),
                    CheckConstraint(
                        condition=Q(("count__gte", 0), ("number__gte", 1)), name="promotions_entrylist_possible"
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("voided_at__isnull", True), ("voided_by__isnull", True)),
                            Q(("voided_at__isnull", False), ("voided_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="promotions_entrylist_voided",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("void_reason", ""), ("voided_at__isnull", True)),
                            Q(("voided_at__isnull", False), Q(("void_reason", ""), _negated=True)),
                            _connector="OR",
                        ),
                        name="promotions_entrylist_void_says_why",
                    ),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "promotions.EntryList"),
                    trigger(
                        "files_confirmed",
                        "INSERT",
                        "promotions.EntryList",
                        run="\n                    IF EXISTS (SELECT FROM promotions_import i WHERE i.promotion_id = NEW.promotion_id\n                               AND i.entered > 0 AND i.confirmed_at IS NULL AND i.rejected_at IS NULL) THEN\n                        RAISE check_violation USING CONSTRAINT = 'promotions_entrylist_files_confirmed',\n                            MESSAGE = 'a file of entries has been seen by one person only';\n                    END IF;\n                    RETURN NEW;\n                ",
                    ),
                    refuse(
                        "sealed_for_good",
                        "UPDATE",
                        "promotions.EntryList",
                        only_if=changed("promotion_id", "number", "root", "count", "sealed_at", "sealed_by"),
                    ),
                    refuse("void_for_good", "UPDATE", "promotions.EntryList", only_if='OLD."voided_at" IS NOT NULL'),
                ],
            },
        ),
        migrations.CreateModel(
            name="SealedTiles",
            fields=[
                (
                    "entry_list",
                    models.OneToOneField(
                        on_delete=models.PROTECT,
                        primary_key=True,
                        related_name="kept",
                        serialize=False,
                        to="promotions.entrylist",
                    ),
                ),
                ("tiles", models.BinaryField()),
                ("mark", models.BinaryField()),
            ],
            options={"triggers": [refuse("append_only", "UPDATE OR DELETE", "promotions.SealedTiles")]},
        ),
        migrations.CreateModel(
            name="ExcludedCard",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("card", models.CharField(max_length=32)),
                (
                    "why",
                    models.CharField(
                        choices=[
                            ("employee", "Employee"),
                            ("household", "of an employee's household"),
                            ("other", "Other"),
                        ],
                        max_length=16,
                    ),
                ),
                ("note", models.CharField(blank=True, max_length=200)),
                ("added_at", models.DateTimeField()),
                ("added_by", models.CharField(max_length=80)),
                ("confirmed_at", models.DateTimeField(null=True)),
                ("confirmed_by", models.CharField(max_length=80, null=True)),
                ("readmission_said_at", models.DateTimeField(null=True)),
                ("readmission_said_by", models.CharField(max_length=80, null=True)),
                ("removed_at", models.DateTimeField(null=True)),
                ("removed_by", models.CharField(max_length=80, null=True)),
            ],
            options={
                "constraints": [
                    CheckConstraint(
                        condition=Q(("why__in", ["employee", "household", "other"])),
                        name="promotions_excludedcard_why_known",
                    ),
                    UniqueConstraint(
                        condition=Q(("removed_at__isnull", True)), fields=("card",), name="promotions_excludedcard_once"
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("confirmed_at__isnull", True), ("confirmed_by__isnull", True)),
                            Q(("confirmed_at__isnull", False), ("confirmed_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="promotions_excludedcard_confirmed",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("confirmed_by__isnull", True),
                            Q(("confirmed_by", F("added_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="promotions_excludedcard_two_people",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("removed_at__isnull", True), ("removed_by__isnull", True)),
                            Q(("removed_at__isnull", False), ("removed_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="promotions_excludedcard_removed",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("readmission_said_at__isnull", True), ("readmission_said_by__isnull", True)),
                            Q(("readmission_said_at__isnull", False), ("readmission_said_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="promotions_excludedcard_readmission_said",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("readmission_said_by__isnull", True),
                            Q(("readmission_said_by", F("added_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="promotions_excludedcard_said_by_another",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("removed_by__isnull", True),
                            Q(("removed_by", F("readmission_said_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="promotions_excludedcard_readmitted_by_two",
                    ),
                ],
                "triggers": [refuse("kept_for_good", "DELETE", "promotions.ExcludedCard")],
            },
        ),
        migrations.CreateModel(
            name="ImportRow",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "of",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=models.CASCADE,
                        related_name="rows",
                        to="promotions.import",
                    ),
                ),
                ("line", models.IntegerField(help_text="in the file, from 1, its heading counted")),
                ("identity", models.TextField(blank=True)),
                ("reference", models.TextField(blank=True)),
                ("name", models.TextField(blank=True)),
                ("address", models.TextField(blank=True)),
                ("telephone", models.TextField(blank=True)),
                ("email", models.TextField(blank=True)),
                ("wagered", MoneyField(null=True)),
                ("error", models.TextField(blank=True)),
            ],
            options={"constraints": [UniqueConstraint(fields=("of", "line"), name="promotions_importrow_line")]},
        ),
        migrations.CreateModel(
            name="Draw",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "promotion",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="draws", to="promotions.promotion"),
                ),
                ("attempt", models.SmallIntegerField()),
                (
                    "promise",
                    models.ForeignKey(
                        help_text="one for every attempt",
                        on_delete=models.PROTECT,
                        related_name="+",
                        to="draws.commitment",
                    ),
                ),
                ("made_at", models.DateTimeField()),
                ("made_by", models.CharField(max_length=80)),
                ("scrutineer", models.CharField(max_length=80, null=True)),
                ("nominated_by", models.CharField(max_length=80, null=True)),
                ("attended_at", models.DateTimeField(null=True)),
                ("signed_at", models.DateTimeField(null=True)),
                (
                    "signed_result",
                    models.CharField(blank=True, help_text="SHA-256 of the outcome that was signed", max_length=64),
                ),
                ("begun_at", models.DateTimeField(null=True)),
                ("begun_by", models.CharField(max_length=80, null=True)),
                ("begun_act", models.BigIntegerField(help_text="the row of the log by which it was fixed", null=True)),
                (
                    "entry_list",
                    models.ForeignKey(
                        null=True, on_delete=models.PROTECT, related_name="draws", to="promotions.entrylist"
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        null=True, on_delete=models.PROTECT, related_name="draws", to="promotions.termsversion"
                    ),
                ),
                ("scrutinised", models.BooleanField(help_text="whether the rules asked for a scrutineer", null=True)),
                ("prizes", models.IntegerField(null=True)),
                ("alternates", models.IntegerField(null=True)),
                ("one_prize_a_person", models.BooleanField(null=True)),
                ("barred", ArrayField(base_field=models.BigIntegerField(), default=list, size=None)),
                ("drawn_at", models.DateTimeField(null=True)),
                ("drawn_by", models.CharField(max_length=80, null=True)),
                ("numbers", ArrayField(base_field=models.BigIntegerField(), default=list, size=None)),
                ("published_at", models.DateTimeField(null=True)),
                ("voided_at", models.DateTimeField(null=True)),
                ("voided_by", models.CharField(max_length=80, null=True)),
                ("void_reason", models.TextField(blank=True)),
                ("void_numbers", ArrayField(base_field=models.BigIntegerField(), default=list, size=None)),
            ],
            options={
                "ordering": ("promotion", "attempt"),
                "constraints": [
                    UniqueConstraint(fields=("promotion", "attempt"), name="promotions_draw_attempts_counted"),
                    UniqueConstraint(
                        condition=Q(("voided_at__isnull", True)),
                        fields=("promotion",),
                        name="promotions_draw_one_stands",
                    ),
                    CheckConstraint(condition=Q(("attempt__gte", 1)), name="promotions_draw_attempts_from_one"),
                    CheckConstraint(
                        condition=Q(
                            Q(("scrutineer__isnull", True), ("nominated_by__isnull", True)),
                            Q(("scrutineer__isnull", False), ("nominated_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="promotions_draw_nominated",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("scrutineer__isnull", True), ("scrutineer__startswith", "staff:"), _connector="OR"
                        ),
                        name="promotions_draw_scrutineer_is_a_person",
                    ),
                    CheckConstraint(
                        condition=Q(("attended_at__isnull", True), ("scrutineer__isnull", False), _connector="OR"),
                        name="promotions_draw_attended",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("signed_at__isnull", True), ("signed_result", "")),
                            Q(
                                ("attended_at__isnull", False),
                                ("drawn_at__isnull", False),
                                ("signed_at__isnull", False),
                                Q(("signed_result", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="promotions_draw_signed",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("scrutineer__isnull", True),
                            ("drawn_by__isnull", True),
                            Q(("scrutineer", F("drawn_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="promotions_draw_scrutineer_is_another",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("scrutineer__isnull", True),
                            ("begun_by__isnull", True),
                            Q(("scrutineer", F("begun_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="promotions_draw_begun_by_another",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(
                                ("begun_at__isnull", True),
                                ("begun_by__isnull", True),
                                ("begun_act__isnull", True),
                                ("entry_list__isnull", True),
                                ("version__isnull", True),
                                ("scrutinised__isnull", True),
                                ("prizes__isnull", True),
                                ("alternates__isnull", True),
                                ("one_prize_a_person__isnull", True),
                            ),
                            Q(
                                ("begun_at__isnull", False),
                                ("begun_by__isnull", False),
                                ("begun_act__isnull", False),
                                ("entry_list__isnull", False),
                                ("version__isnull", False),
                                ("scrutinised__isnull", False),
                                ("prizes__isnull", False),
                                ("alternates__isnull", False),
                                ("one_prize_a_person__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="promotions_draw_begun_whole",
                    ),
                    CheckConstraint(
                        condition=Q(("begun_at__isnull", False), ("barred", []), _connector="OR"),
                        name="promotions_draw_barred_when_begun",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("drawn_at__isnull", True), ("drawn_by__isnull", True)),
                            Q(("drawn_at__isnull", False), ("drawn_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="promotions_draw_whole",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("drawn_at__isnull", True), ("numbers", [])),
                            Q(("begun_at__isnull", False), ("drawn_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="promotions_draw_numbers_when_drawn",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("scrutinised__isnull", True),
                            ("scrutinised", False),
                            ("attended_at__lte", F("begun_at")),
                            _connector="OR",
                        ),
                        name="promotions_draw_overseen",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("published_at__isnull", True),
                            Q(
                                ("drawn_at__isnull", False),
                                Q(("scrutinised", False), ("signed_at__isnull", False), _connector="OR"),
                            ),
                            _connector="OR",
                        ),
                        name="promotions_draw_published_when_signed",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("voided_at__isnull", True), ("voided_by__isnull", True)),
                            Q(("voided_at__isnull", False), ("voided_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="promotions_draw_voided",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("void_numbers", []), ("void_reason", ""), ("voided_at__isnull", True)),
                            Q(
                                ("begun_at__isnull", False),
                                ("voided_at__isnull", False),
                                Q(("void_reason", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="promotions_draw_void_says_why",
                    ),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "promotions.Draw"),
                    refuse(
                        "promised",
                        "UPDATE",
                        "promotions.Draw",
                        only_if=changed("promotion_id", "attempt", "promise_id", "made_at", "made_by"),
                    ),
                    trigger(
                        "official_record",
                        "UPDATE",
                        "promotions.Draw",
                        run="\n                    IF OLD.begun_at IS NOT NULL AND (\n                            (NEW.begun_at, NEW.begun_by, NEW.begun_act, NEW.entry_list_id, NEW.version_id,\n                             NEW.scrutinised, NEW.prizes, NEW.alternates, NEW.one_prize_a_person, NEW.barred)\n                            IS DISTINCT FROM\n                            (OLD.begun_at, OLD.begun_by, OLD.begun_act, OLD.entry_list_id, OLD.version_id,\n                             OLD.scrutinised, OLD.prizes, OLD.alternates, OLD.one_prize_a_person, OLD.barred)\n                            OR OLD.attended_at IS NOT NULL AND (NEW.scrutineer, NEW.attended_at)\n                            IS DISTINCT FROM (OLD.scrutineer, OLD.attended_at))\n                        OR OLD.drawn_at IS NOT NULL AND (\n                            (NEW.drawn_at, NEW.drawn_by) IS DISTINCT FROM (OLD.drawn_at, OLD.drawn_by)\n                            OR NEW.numbers[1:cardinality(OLD.numbers)] <> OLD.numbers)\n                        OR OLD.signed_at IS NOT NULL AND (NEW.signed_at, NEW.signed_result)\n                            IS DISTINCT FROM (OLD.signed_at, OLD.signed_result)\n                        OR OLD.voided_at IS NOT NULL AND (NEW.voided_at, NEW.numbers, NEW.drawn_at, NEW.void_numbers)\n                            IS DISTINCT FROM (OLD.voided_at, OLD.numbers, OLD.drawn_at, OLD.void_numbers)\n                    THEN\n                        RAISE check_violation USING CONSTRAINT = 'promotions_draw_official_record',\n                            MESSAGE = 'what a draw has recorded stands';\n                    END IF;\n                    RETURN NEW;\n                ",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Pick",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "draw",
                    models.ForeignKey(
                        db_index=False, on_delete=models.PROTECT, related_name="picks", to="promotions.draw"
                    ),
                ),
                ("place", models.IntegerField()),
                ("number", models.BigIntegerField()),
                ("entry", models.ForeignKey(on_delete=models.PROTECT, related_name="picks", to="promotions.entry")),
                ("person", models.CharField(max_length=16)),
                ("path", models.BinaryField()),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("winner", "Winner"),
                            ("alternate", "Alternate"),
                            ("passed-over", "Passed Over"),
                            ("lost", "Lost"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "prize",
                    models.IntegerField(
                        help_text="from 1, in the order of the terms, each single one counted", null=True
                    ),
                ),
            ],
            options={
                "ordering": ("draw", "place"),
                "constraints": [
                    UniqueConstraint(fields=("draw", "place"), name="promotions_pick_place"),
                    UniqueConstraint(fields=("draw", "number"), name="promotions_pick_once"),
                    UniqueConstraint(
                        condition=Q(("outcome", "winner")), fields=("draw", "prize"), name="promotions_pick_one_winner"
                    ),
                    CheckConstraint(
                        condition=Q(("outcome__in", ["winner", "alternate", "passed-over", "lost"])),
                        name="promotions_pick_outcome_known",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("outcome__in", ["winner", "lost"]), ("prize__gte", 1)),
                            Q(("outcome__in", ["alternate", "passed-over"]), ("prize__isnull", True)),
                            _connector="OR",
                        ),
                        name="promotions_pick_prize_when_won",
                    ),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "promotions.Pick"),
                    refuse(
                        "as_drawn",
                        "UPDATE",
                        "promotions.Pick",
                        only_if=changed("draw_id", "place", "number", "entry_id", "person", "path"),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Loss",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("draw", models.ForeignKey(on_delete=models.PROTECT, related_name="losses", to="promotions.draw")),
                ("place", models.IntegerField()),
                (
                    "reason",
                    models.CharField(
                        choices=[
                            ("absent", "did not come forward when called"),
                            ("ineligible", "was found not to be eligible"),
                            ("denied", "the claim was denied"),
                            ("unclaimed", "not claimed in time"),
                            ("declined", "did not want it"),
                        ],
                        max_length=16,
                    ),
                ),
                ("redraw", models.BooleanField()),
                ("at", models.DateTimeField()),
                ("by", models.CharField(max_length=80)),
            ],
            options={
                "ordering": ("id",),
                "constraints": [
                    UniqueConstraint(fields=("draw", "place"), name="promotions_loss_once"),
                    CheckConstraint(
                        condition=Q(("reason__in", ["absent", "ineligible", "denied", "unclaimed", "declined"])),
                        name="promotions_loss_reason_known",
                    ),
                ],
                "triggers": [refuse("append_only", "UPDATE OR DELETE", "promotions.Loss")],
            },
        ),
        migrations.CreateModel(
            name="Win",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("pick", models.OneToOneField(on_delete=models.PROTECT, related_name="win", to="promotions.pick")),
                (
                    "promotion",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="wins", to="promotions.promotion"),
                ),
                ("prize", models.ForeignKey(on_delete=models.PROTECT, related_name="wins", to="promotions.prize")),
                ("value", MoneyField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("drawn", "drawn, not yet claimed"),
                            ("claimed", "claim accepted, to be paid"),
                            ("paid", "Paid"),
                            ("lost", "Lost"),
                        ],
                        default="drawn",
                        max_length=16,
                    ),
                ),
                ("won_at", models.DateTimeField()),
                ("notify_by", models.DateTimeField(null=True)),
                (
                    "told_at",
                    models.DateTimeField(help_text="when an attempt to tell the winner first reached him", null=True),
                ),
                ("called_at", models.DateTimeField(null=True)),
                ("call_ends_at", models.DateTimeField(null=True)),
                ("present_at", models.DateTimeField(null=True)),
                ("claim_by", models.DateTimeField()),
                ("lost_at", models.DateTimeField(null=True)),
                ("overdue_incident", models.BigIntegerField(null=True)),
            ],
            options={
                "ordering": ("id",),
                "indexes": [
                    Index(fields=["promotion", "id"], name="promotions_win_of"),
                    Index(condition=Q(("status", "drawn")), fields=["id"], name="promotions_win_waiting"),
                ],
                "constraints": [
                    CheckConstraint(
                        condition=Q(("status__in", ["drawn", "claimed", "paid", "lost"])),
                        name="promotions_win_status_known",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("called_at__isnull", True), ("call_ends_at__isnull", True)),
                            Q(("called_at__isnull", False), ("call_ends_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="promotions_win_called",
                    ),
                    CheckConstraint(
                        condition=Q(("present_at__isnull", True), ("called_at__isnull", False), _connector="OR"),
                        name="promotions_win_present",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("lost_at__isnull", False), ("status", "lost")),
                            Q(Q(("status", "lost"), _negated=True), ("lost_at__isnull", True)),
                            _connector="OR",
                        ),
                        name="promotions_win_lost_when",
                    ),
                    CheckConstraint(condition=Q(("value__gt", Value(0))), name="promotions_win_of_something"),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "promotions.Win"),
                    refuse(
                        "as_won",
                        "UPDATE",
                        "promotions.Win",
                        only_if=changed(
                            "pick_id", "promotion_id", "prize_id", "value", "won_at", "notify_by", "claim_by"
                        ),
                    ),
                    follow(
                        "transitions", "promotions.Win", "drawn:claimed", "drawn:lost", "claimed:lost", "claimed:paid"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="LossCase",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("win", models.ForeignKey(on_delete=models.PROTECT, related_name="loss_cases", to="promotions.win")),
                (
                    "reason",
                    models.CharField(
                        choices=[
                            ("absent", "did not come forward when called"),
                            ("ineligible", "was found not to be eligible"),
                            ("denied", "the claim was denied"),
                            ("unclaimed", "not claimed in time"),
                            ("declined", "did not want it"),
                        ],
                        max_length=16,
                    ),
                ),
                ("why", models.CharField(blank=True, max_length=300)),
                ("noted_at", models.DateTimeField()),
                ("noted_by", models.CharField(max_length=80)),
                ("seconded_at", models.DateTimeField(null=True)),
                ("seconded_by", models.CharField(max_length=80, null=True)),
                ("signed_at", models.DateTimeField(null=True)),
                ("signed_by", models.CharField(max_length=80, null=True)),
                (
                    "signed_result",
                    models.CharField(blank=True, help_text="SHA-256 of the outcome that was signed", max_length=64),
                ),
                ("withdrawn_at", models.DateTimeField(null=True)),
                ("withdrawn_by", models.CharField(max_length=80, null=True)),
            ],
            options={
                "ordering": ("id",),
                "constraints": [
                    CheckConstraint(
                        condition=Q(("reason__in", ["absent", "ineligible", "denied", "unclaimed", "declined"])),
                        name="promotions_losscase_reason_known",
                    ),
                    UniqueConstraint(
                        condition=Q(("withdrawn_at__isnull", True)),
                        fields=("win",),
                        name="promotions_losscase_one_stands",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("seconded_at__isnull", True), ("seconded_by__isnull", True)),
                            Q(("seconded_at__isnull", False), ("seconded_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="promotions_losscase_seconded",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("signed_at__isnull", True), ("signed_by__isnull", True)),
                            Q(("signed_at__isnull", False), ("signed_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="promotions_losscase_signed",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("withdrawn_at__isnull", True), ("withdrawn_by__isnull", True)),
                            Q(("withdrawn_at__isnull", False), ("withdrawn_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="promotions_losscase_withdrawn",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("seconded_by__isnull", True),
                            Q(("seconded_by", F("noted_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="promotions_losscase_two_people",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("signed_by__isnull", True), Q(("signed_by", F("noted_by")), _negated=True), _connector="OR"
                        ),
                        name="promotions_losscase_scrutineer_did_not_note",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("signed_by__isnull", True),
                            Q(("signed_by", F("seconded_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="promotions_losscase_scrutineer_did_not_second",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("signed_at__isnull", True),
                            Q(
                                ("seconded_at__isnull", False),
                                ("seconded_at__lte", F("signed_at")),
                                ("withdrawn_at__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="promotions_losscase_signed_last",
                    ),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "promotions.LossCase"),
                    refuse(
                        "as_noted",
                        "UPDATE",
                        "promotions.LossCase",
                        only_if=changed("win_id", "reason", "why", "noted_at", "noted_by"),
                    ),
                    refuse(
                        "over",
                        "UPDATE",
                        "promotions.LossCase",
                        only_if='OLD."signed_at" IS NOT NULL OR OLD."withdrawn_at" IS NOT NULL',
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Notification",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("win", models.ForeignKey(on_delete=models.PROTECT, related_name="notifications", to="promotions.win")),
                ("at", models.DateTimeField()),
                ("how", models.CharField(max_length=16)),
                ("reached", models.BooleanField()),
                ("notes", models.CharField(blank=True, max_length=300)),
                ("recorded_at", models.DateTimeField()),
                ("by", models.CharField(max_length=80)),
            ],
            options={
                "ordering": ("id",),
                "constraints": [
                    CheckConstraint(
                        condition=Q(("how__in", ["face-to-face", "mail", "telephone", "email"])),
                        name="promotions_notification_method",
                    )
                ],
                "triggers": [refuse("append_only", "UPDATE OR DELETE", "promotions.Notification")],
            },
        ),
        migrations.CreateModel(
            name="Claim",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "promotion",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="claims", to="promotions.promotion"),
                ),
                (
                    "win",
                    models.ForeignKey(null=True, on_delete=models.PROTECT, related_name="claims", to="promotions.win"),
                ),
                ("what", models.CharField(help_text="the prize that is claimed", max_length=200)),
                ("value", MoneyField()),
                ("name", models.CharField(blank=True, max_length=120)),
                ("address", models.CharField(blank=True, max_length=300)),
                ("contact", models.CharField(blank=True, max_length=254)),
                ("grounds", models.TextField(blank=True, help_text="what shows that it is theirs")),
                ("born", models.DateField(help_text="of the claimant, as a document showed it", null=True)),
                (
                    "household",
                    models.BooleanField(help_text="whether he is of an employee's household, as he said", null=True),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[("made", "to be decided"), ("accepted", "Accepted"), ("denied", "Denied")],
                        default="made",
                        max_length=16,
                    ),
                ),
                ("made_at", models.DateTimeField()),
                ("made_by", models.CharField(max_length=80)),
                ("decided_at", models.DateTimeField(null=True)),
                ("decided_by", models.CharField(max_length=80, null=True)),
                ("reasons", models.TextField(blank=True)),
                ("told_at", models.DateTimeField(null=True)),
                ("told_by", models.CharField(max_length=80, null=True)),
                ("told_how", models.CharField(blank=True, max_length=16)),
            ],
            options={
                "ordering": ("id",),
                "indexes": [Index(fields=["promotion", "id"], name="promotions_claim_of")],
                "constraints": [
                    CheckConstraint(
                        condition=Q(("status__in", ["made", "accepted", "denied"])),
                        name="promotions_claim_status_known",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("decided_at__isnull", True), ("decided_by__isnull", True)),
                            Q(("decided_at__isnull", False), ("decided_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="promotions_claim_decided",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("told_at__isnull", True), ("told_by__isnull", True)),
                            Q(("told_at__isnull", False), ("told_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="promotions_claim_told",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("decided_at__isnull", True), ("status", "made")),
                            Q(Q(("status", "made"), _negated=True), ("decided_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="promotions_claim_decided_when",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("status", "denied"), Q(("reasons", ""), _negated=True)),
                            Q(Q(("status", "denied"), _negated=True), ("reasons", "")),
                            _connector="OR",
                        ),
                        name="promotions_claim_denied_why",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("status", "denied"), _negated=True),
                            ("value__lte", Value(100000000)),
                            Q(Q(("name", ""), _negated=True), Q(("address", ""), _negated=True)),
                            _connector="OR",
                        ),
                        name="promotions_claim_denied_whose",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("told_at__isnull", True), ("told_how", "")),
                            Q(("status", "denied"), Q(("told_how", ""), _negated=True)),
                            _connector="OR",
                        ),
                        name="promotions_claim_told_a_denial",
                    ),
                    UniqueConstraint(
                        condition=Q(("status__in", ["made", "accepted"])),
                        fields=("win",),
                        name="promotions_claim_one_at_a_time",
                    ),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "promotions.Claim"),
                    refuse(
                        "as_made",
                        "UPDATE",
                        "promotions.Claim",
                        only_if=changed("promotion_id", "win_id", "what", "value", "made_at", "made_by"),
                    ),
                    follow("transitions", "promotions.Claim", "made:accepted", "made:denied"),
                    refuse(
                        "denial_stands",
                        "UPDATE",
                        "promotions.Claim",
                        only_if="OLD.status = 'denied' AND (NEW.reasons, NEW.decided_at, NEW.decided_by) IS DISTINCT FROM (OLD.reasons, OLD.decided_at, OLD.decided_by) OR OLD.status = 'denied' AND OLD.value > 100000000 AND (NEW.name, NEW.address) IS DISTINCT FROM (OLD.name, OLD.address)",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Payment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("win", models.OneToOneField(on_delete=models.PROTECT, related_name="payment", to="promotions.win")),
                (
                    "claim",
                    models.OneToOneField(on_delete=models.PROTECT, related_name="payment", to="promotions.claim"),
                ),
                ("amount", MoneyField()),
                ("alternative", models.BooleanField()),
                ("at", models.DateTimeField()),
                ("day", models.DateField()),
                ("by", models.CharField(max_length=80)),
            ],
            options={
                "ordering": ("id",),
                "constraints": [
                    CheckConstraint(condition=Q(("amount__gt", Value(0))), name="promotions_payment_of_something")
                ],
                "triggers": [refuse("append_only", "UPDATE OR DELETE", "promotions.Payment")],
            },
        ),
        migrations.CreateModel(
            name="PaymentPart",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("payment", models.ForeignKey(on_delete=models.PROTECT, related_name="parts", to="promotions.payment")),
                ("method", models.CharField(max_length=16)),
                ("amount", MoneyField()),
                ("reference", models.CharField(blank=True, max_length=120)),
                ("transfer", models.BigIntegerField(help_text="the ledger's row, where money moved", null=True)),
            ],
            options={
                "ordering": ("id",),
                "constraints": [
                    UniqueConstraint(fields=("payment", "method"), name="promotions_paymentpart_once"),
                    CheckConstraint(condition=Q(("amount__gt", Value(0))), name="promotions_paymentpart_of_something"),
                ],
                "triggers": [refuse("append_only", "UPDATE OR DELETE", "promotions.PaymentPart")],
            },
        ),
        migrations.CreateModel(
            name="Withdrawal",
            fields=[
                (
                    "entry",
                    models.OneToOneField(
                        on_delete=models.PROTECT,
                        primary_key=True,
                        related_name="withdrawal",
                        serialize=False,
                        to="promotions.entry",
                    ),
                ),
                ("why", models.CharField(max_length=200)),
                ("said_at", models.DateTimeField()),
                ("said_by", models.CharField(max_length=80)),
            ],
            options={
                "constraints": [
                    CheckConstraint(condition=Q(("why", ""), _negated=True), name="promotions_withdrawal_has_a_reason")
                ],
                "triggers": [refuse("append_only", "UPDATE OR DELETE", "promotions.Withdrawal")],
            },
        ),
        InstallTriggers(),
        migrations.RunSQL(ANALYZE_IMPORT, "DROP FUNCTION promotions_analyze_import()"),
        migrations.RunSQL(ANALYZE_ENTRIES, "DROP FUNCTION promotions_analyze_entries()"),
    ]
