"""Tournaments, their entries and what they paid."""

from django.db import migrations, models
from django.db.models import CheckConstraint, F, Index, Q, UniqueConstraint, Value

from kernel.triggers import InstallTriggers, changed, refuse
from ledger.fields import MoneyField


class Migration(migrations.Migration):
    initial = True

    dependencies = [("house", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="Tournament",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(help_text="whose it is: keno, promotions", max_length=32)),
                ("code", models.CharField(max_length=32)),
                ("terms", models.JSONField(help_text="the approved conditions, as they were when it opened")),
                ("conditions", models.ForeignKey(on_delete=models.PROTECT, related_name="+", to="house.approvedvalue")),
                ("approved_by", models.CharField(max_length=80)),
                ("approved_at", models.DateTimeField()),
                ("opened_at", models.DateTimeField()),
                ("scored_at", models.DateTimeField(null=True)),
                ("scored_by", models.CharField(max_length=80, null=True)),
                ("finished_at", models.DateTimeField(null=True)),
                ("finished_by", models.CharField(max_length=80, null=True)),
                ("cancelled_at", models.DateTimeField(null=True)),
                ("cancelled_by", models.CharField(max_length=80, null=True)),
                ("cancel_reason", models.TextField(blank=True)),
                ("fees", MoneyField(null=True)),
                ("retained", MoneyField(null=True)),
            ],
            options={
                "constraints": [
                    UniqueConstraint(fields=("kind", "code"), name="tournaments_tournament_code"),
                    CheckConstraint(
                        condition=Q(
                            Q(("scored_at__isnull", True), ("scored_by__isnull", True)),
                            Q(("scored_at__isnull", False), ("scored_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="tournaments_tournament_scored",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(
                                ("finished_at__isnull", True),
                                ("finished_by__isnull", True),
                                ("fees__isnull", True),
                                ("retained__isnull", True),
                            ),
                            Q(
                                ("finished_at__isnull", False),
                                ("finished_by__isnull", False),
                                ("fees__isnull", False),
                                ("retained__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="tournaments_tournament_finished",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("cancelled_at__isnull", True), ("cancelled_by__isnull", True)),
                            Q(("cancelled_at__isnull", False), ("cancelled_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="tournaments_tournament_cancelled",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("finished_at__isnull", True),
                            Q(("cancelled_at__isnull", True), ("scored_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="tournaments_tournament_scored_first",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("finished_by__isnull", True),
                            Q(("finished_by", F("scored_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="tournaments_tournament_two_people",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("fees__isnull", True),
                            Q(("fees__gt", F("retained")), ("retained__gte", Value(0))),
                            _connector="OR",
                        ),
                        name="tournaments_tournament_balance",
                    ),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "tournaments.Tournament"),
                    refuse(
                        "opened_for_good",
                        "UPDATE",
                        "tournaments.Tournament",
                        only_if=changed(
                            "kind", "code", "terms", "conditions_id", "approved_by", "approved_at", "opened_at"
                        ),
                    ),
                    refuse(
                        "over_for_good",
                        "UPDATE",
                        "tournaments.Tournament",
                        only_if='OLD."finished_at" IS NOT NULL OR OLD."cancelled_at" IS NOT NULL',
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="TournamentEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "tournament",
                    models.ForeignKey(
                        db_index=False, on_delete=models.PROTECT, related_name="entries", to="tournaments.tournament"
                    ),
                ),
                ("player", models.CharField(help_text="the name by which he is called, or his card", max_length=120)),
                (
                    "card",
                    models.CharField(blank=True, default="", help_text="the player card that was shown", max_length=32),
                ),
                ("numbers", models.JSONField(help_text="what the player marked, in a game where he does", null=True)),
                ("fee", MoneyField()),
                ("drawer", models.CharField(help_text="the account that took the fee", max_length=80)),
                ("entered_at", models.DateTimeField()),
                ("day", models.DateField()),
                ("entered_by", models.CharField(max_length=80)),
                (
                    "score",
                    models.BigIntegerField(help_text="points, chips, or micro-dollars; the more the better", null=True),
                ),
                ("place", models.IntegerField(null=True)),
                ("prize", MoneyField(null=True)),
                ("authorised_at", models.DateTimeField(null=True)),
                ("authorised_by", models.CharField(max_length=80, null=True)),
                ("paid_at", models.DateTimeField(null=True)),
                ("paid_by", models.CharField(max_length=80, null=True)),
                ("paid_how", models.CharField(blank=True, max_length=16)),
                (
                    "cheque_number",
                    models.CharField(blank=True, help_text="of the cheque or the transfer", max_length=32),
                ),
                ("refunded_at", models.DateTimeField(null=True)),
                ("refunded_by", models.CharField(max_length=80, null=True)),
            ],
            options={
                "indexes": [Index(fields=["tournament", "id"], name="tournaments_entry_of")],
                "constraints": [
                    CheckConstraint(condition=Q(("fee__gt", Value(0))), name="tournaments_entry_fee"),
                    CheckConstraint(
                        condition=Q(
                            Q(("place__isnull", True), ("prize__isnull", True)),
                            Q(("place__isnull", False), ("prize__isnull", False)),
                            _connector="OR",
                        ),
                        name="tournaments_entry_ranked",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("place__isnull", True),
                            Q(("prize__gte", Value(0)), ("score__isnull", False)),
                            _connector="OR",
                        ),
                        name="tournaments_entry_scored_first",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("authorised_at__isnull", True), ("authorised_by__isnull", True)),
                            Q(("authorised_at__isnull", False), ("authorised_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="tournaments_entry_authorised",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("authorised_by__isnull", True),
                            Q(("authorised_by", F("paid_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="tournaments_entry_two_people",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("paid_at__isnull", True), ("paid_by__isnull", True)),
                            Q(("paid_at__isnull", False), ("paid_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="tournaments_entry_paid",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("refunded_at__isnull", True), ("refunded_by__isnull", True)),
                            Q(("refunded_at__isnull", False), ("refunded_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="tournaments_entry_refunded",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("paid_at__isnull", True),
                            Q(
                                ("prize__gt", Value(0)),
                                ("refunded_at__isnull", True),
                                Q(("paid_how", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="tournaments_entry_paid_a_prize",
                    ),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "tournaments.TournamentEntry"),
                    refuse(
                        "as_entered",
                        "UPDATE",
                        "tournaments.TournamentEntry",
                        only_if=changed(
                            "tournament_id",
                            "player",
                            "card",
                            "numbers",
                            "fee",
                            "drawer",
                            "entered_at",
                            "day",
                            "entered_by",
                        ),
                    ),
                    refuse(
                        "paid_once",
                        "UPDATE",
                        "tournaments.TournamentEntry",
                        only_if='OLD."paid_at" IS NOT NULL OR OLD."refunded_at" IS NOT NULL',
                    ),
                ],
            },
        ),
        InstallTriggers(),
    ]
