"""Tournaments, their entries and what they paid."""

from django.db import migrations, models
from django.db.models import CheckConstraint, F, Index, Q, UniqueConstraint, Value

import tournaments.models.tournaments
from kernel.first_migration import FirstMigration
from kernel.triggers import InstallTriggers, changed, refuse
from ledger.fields import MoneyField


class Migration(FirstMigration):
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
                (
                    "sealed_at",
                    models.DateTimeField(help_text="when the list of entries was sealed for the lot", null=True),
                ),
                ("scored_at", models.DateTimeField(null=True)),
                ("scored_by", models.CharField(max_length=80, null=True)),
                ("confirmed_at", models.DateTimeField(null=True)),
                ("confirmed_by", models.CharField(max_length=80, null=True)),
                ("finished_at", models.DateTimeField(null=True)),
                ("finished_by", models.CharField(max_length=80, null=True)),
                ("cancelled_at", models.DateTimeField(null=True)),
                ("cancelled_by", models.CharField(max_length=80, null=True)),
                ("cancel_proposed_by", models.CharField(max_length=80, null=True)),
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
                            Q(("confirmed_at__isnull", True), ("confirmed_by__isnull", True)),
                            Q(("confirmed_at__isnull", False), ("confirmed_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="tournaments_tournament_confirmed",
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
                            Q(
                                ("cancelled_at__isnull", True),
                                ("cancelled_by__isnull", True),
                                ("cancel_proposed_by__isnull", True),
                            ),
                            Q(
                                ("cancelled_at__isnull", False),
                                ("cancelled_by__isnull", False),
                                ("cancel_proposed_by__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="tournaments_tournament_cancelled",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("cancel_proposed_by__isnull", True),
                            Q(("cancel_proposed_by", F("cancelled_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="tournaments_tournament_cancelled_by_two",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("finished_at__isnull", True),
                            Q(
                                ("cancelled_at__isnull", True),
                                ("confirmed_at__isnull", False),
                                ("scored_at__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="tournaments_tournament_scored_first",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("confirmed_by__isnull", True),
                            Q(("confirmed_by", F("scored_by")), _negated=True),
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
                ("player", models.CharField(help_text="whose card it is, by name", max_length=120)),
                ("card", models.CharField(help_text="the player card that was shown, in its one form", max_length=32)),
                ("numbers", models.JSONField(help_text="what the player marked, in a game where he does", null=True)),
                ("fee", MoneyField()),
                ("drawer", models.CharField(help_text="the account that took the fee", max_length=80)),
                ("entered_at", models.DateTimeField()),
                ("day", models.DateField()),
                ("entered_by", models.CharField(max_length=80)),
                (
                    "rebought",
                    MoneyField(
                        default=tournaments.models.tournaments.nothing,
                        help_text="what was paid for rebuys, all together",
                    ),
                ),
                ("heat", models.IntegerField(null=True)),
                ("table", models.CharField(blank=True, max_length=32)),
                ("seat", models.IntegerField(null=True)),
                (
                    "score",
                    models.BigIntegerField(help_text="points, chips, or micro-dollars; the more the better", null=True),
                ),
                (
                    "tie_score",
                    models.BigIntegerField(help_text="in the play-off or the lot; the more the better", null=True),
                ),
                ("in_final", models.BooleanField(help_text="unknown until the heats are closed", null=True)),
                ("final_table", models.CharField(blank=True, default="", max_length=32)),
                ("final_seat", models.IntegerField(null=True)),
                ("final_score", models.BigIntegerField(null=True)),
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
                ("refund_authorised_at", models.DateTimeField(null=True)),
                ("refund_authorised_by", models.CharField(max_length=80, null=True)),
                ("refund_seconded_at", models.DateTimeField(null=True)),
                ("refund_seconded_by", models.CharField(max_length=80, null=True)),
                ("refund_reason", models.TextField(blank=True, default="")),
                ("refunded_at", models.DateTimeField(null=True)),
                ("refunded_by", models.CharField(max_length=80, null=True)),
            ],
            options={
                "indexes": [Index(fields=["tournament", "id"], name="tournaments_entry_of")],
                "constraints": [
                    CheckConstraint(condition=Q(("fee__gt", Value(0))), name="tournaments_entry_fee"),
                    CheckConstraint(condition=Q(("rebought__gte", Value(0))), name="tournaments_entry_rebought"),
                    CheckConstraint(
                        condition=Q(
                            Q(("heat__isnull", True), ("seat__isnull", True)),
                            Q(("heat__isnull", False), ("seat__isnull", False)),
                            _connector="OR",
                        ),
                        name="tournaments_entry_seated",
                    ),
                    UniqueConstraint(fields=("tournament", "heat", "table", "seat"), name="tournaments_entry_own_seat"),
                    UniqueConstraint(
                        fields=("tournament", "final_table", "final_seat"), name="tournaments_entry_own_final_seat"
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("in_final", True), ("in_final__isnull", False)),
                            Q(("final_score__isnull", True), ("final_seat__isnull", True)),
                            _connector="OR",
                        ),
                        name="tournaments_entry_in_final",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("place__isnull", True),
                            ("in_final__isnull", True),
                            Q(("final_score__isnull", False), ("in_final", True)),
                            _connector="OR",
                        ),
                        name="tournaments_entry_ranked_by_final",
                    ),
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
                            Q(("refund_authorised_at__isnull", True), ("refund_authorised_by__isnull", True)),
                            Q(("refund_authorised_at__isnull", False), ("refund_authorised_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="tournaments_entry_refund_authorised",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("refund_authorised_by__isnull", True),
                            Q(("refund_authorised_by", F("refunded_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="tournaments_entry_refund_two_people",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("refund_seconded_at__isnull", True), ("refund_seconded_by__isnull", True)),
                            Q(("refund_seconded_at__isnull", False), ("refund_seconded_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="tournaments_entry_refund_seconded",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("refund_seconded_by__isnull", True),
                            Q(("refund_seconded_by", F("refund_authorised_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="tournaments_entry_refund_by_another",
                    ),
                    CheckConstraint(
                        condition=Q(("refunded_at__isnull", True), ("place__isnull", True), _connector="OR"),
                        name="tournaments_entry_refunded_or_ranked",
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
                        "qualified_for_good",
                        "UPDATE",
                        "tournaments.TournamentEntry",
                        only_if='OLD."in_final" IS NOT NULL AND ('
                        + changed("heat", "score", "tie_score", "in_final")
                        + ")",
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
        migrations.CreateModel(
            name="TournamentRebuy",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="rebuys", to="tournaments.tournamententry"
                    ),
                ),
                ("number", models.IntegerField(help_text="1 for the first rebuy of this entry")),
                ("price", MoneyField()),
                ("drawer", models.CharField(help_text="the account that took it", max_length=80)),
                ("at", models.DateTimeField()),
                ("day", models.DateField()),
                ("by", models.CharField(max_length=80)),
            ],
            options={
                "constraints": [
                    UniqueConstraint(fields=("entry", "number"), name="tournaments_rebuy_number"),
                    CheckConstraint(
                        condition=Q(("number__gte", 1), ("price__gt", Value(0))), name="tournaments_rebuy_price"
                    ),
                ],
                "triggers": [refuse("append_only", "UPDATE OR DELETE", "tournaments.TournamentRebuy")],
            },
        ),
        migrations.CreateModel(
            name="TournamentRound",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "tournament",
                    models.ForeignKey(
                        db_index=False, on_delete=models.PROTECT, related_name="rounds", to="tournaments.tournament"
                    ),
                ),
                ("name", models.CharField(help_text="ties, final", max_length=16)),
                ("opened_at", models.DateTimeField()),
                ("opened_by", models.CharField(max_length=80)),
                (
                    "sealed_at",
                    models.DateTimeField(help_text="when the list of its entries was sealed for the lot", null=True),
                ),
                ("scored_at", models.DateTimeField(null=True)),
                ("scored_by", models.CharField(max_length=80, null=True)),
                ("confirmed_at", models.DateTimeField(null=True)),
                ("confirmed_by", models.CharField(max_length=80, null=True)),
            ],
            options={
                "constraints": [
                    UniqueConstraint(fields=("tournament", "name"), name="tournaments_round_once"),
                    CheckConstraint(
                        condition=Q(
                            Q(("scored_at__isnull", True), ("scored_by__isnull", True)),
                            Q(("scored_at__isnull", False), ("scored_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="tournaments_round_scored",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("confirmed_at__isnull", True), ("confirmed_by__isnull", True)),
                            Q(("confirmed_at__isnull", False), ("confirmed_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="tournaments_round_confirmed",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("confirmed_by__isnull", True),
                            Q(("confirmed_by", F("scored_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="tournaments_round_two_people",
                    ),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "tournaments.TournamentRound"),
                    refuse(
                        "stands_for_good",
                        "UPDATE",
                        "tournaments.TournamentRound",
                        only_if='OLD."confirmed_at" IS NOT NULL',
                    ),
                ],
            },
        ),
        InstallTriggers(),
    ]
