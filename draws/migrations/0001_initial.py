"""What a draw by two parties promises, and what takes the witness’s place while it is away."""

from django.db import migrations, models
from django.db.models import CheckConstraint, Index, Q, UniqueConstraint
from django.db.models.functions.datetime import Now

from kernel.first_migration import FirstMigration
from kernel.triggers import InstallTriggers, changed, refuse


class Migration(FirstMigration):
    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Commitment",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("venue", models.TextField()),
                ("purpose", models.TextField()),
                ("name", models.TextField()),
                ("device", models.TextField()),
                ("witness", models.TextField()),
                ("witness_key", models.BinaryField()),
                ("beacon", models.TextField(blank=True)),
                ("commitment", models.BinaryField()),
                ("encrypted_master", models.BinaryField()),
                ("escrow", models.BinaryField()),
                ("act", models.BigIntegerField()),
                ("made_at", models.DateTimeField(db_default=Now())),
                ("master", models.BinaryField(null=True)),
                ("revealed_at", models.DateTimeField(null=True)),
            ],
            options={
                "indexes": [Index(condition=Q(("master__isnull", True)), fields=["id"], name="draws_to_be_kept")],
                "constraints": [
                    UniqueConstraint(fields=("purpose", "name", "witness_key"), name="draws_promised_once"),
                    UniqueConstraint(
                        condition=Q(("master__isnull", True)), fields=("purpose", "name"), name="draws_one_to_be_kept"
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("master__isnull", True), ("revealed_at__isnull", True)),
                            Q(("master__isnull", False), ("revealed_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="draws_revealed",
                    ),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "draws.Commitment"),
                    refuse(
                        "promised",
                        "UPDATE",
                        "draws.Commitment",
                        only_if=changed(
                            "venue",
                            "purpose",
                            "name",
                            "device",
                            "witness",
                            "witness_key",
                            "beacon",
                            "commitment",
                            "escrow",
                            "act",
                            "made_at",
                        ),
                    ),
                    refuse("revealed_once", "UPDATE", "draws.Commitment", only_if='OLD."master" IS NOT NULL'),
                ],
            },
        ),
        migrations.CreateModel(
            name="Replacement",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("purpose", models.TextField()),
                ("occasion", models.TextField()),
                ("attempt", models.IntegerField()),
                ("how", models.TextField(choices=[("dice", "Dice"), ("beacon", "Beacon")])),
                ("round", models.BigIntegerField(null=True)),
                ("said", models.BinaryField(null=True)),
                ("why", models.TextField()),
                ("by", models.TextField()),
                ("at", models.DateTimeField(db_default=Now())),
            ],
            options={
                "constraints": [
                    UniqueConstraint(fields=("purpose", "occasion", "attempt"), name="draws_replaced_once"),
                    CheckConstraint(condition=Q(("how__in", ["dice", "beacon"])), name="draws_replaced_how"),
                    CheckConstraint(
                        condition=Q(
                            Q(("how", "dice"), ("round__isnull", True), ("said__isnull", False)),
                            Q(("how", "beacon"), ("round__isnull", False)),
                            _connector="OR",
                        ),
                        name="draws_replaced_by_what",
                    ),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "draws.Replacement"),
                    refuse(
                        "as_decided",
                        "UPDATE",
                        "draws.Replacement",
                        only_if=changed("purpose", "occasion", "attempt", "how", "round", "why", "by", "at"),
                    ),
                    refuse("said_once", "UPDATE", "draws.Replacement", only_if='OLD."said" IS NOT NULL'),
                ],
            },
        ),
        migrations.CreateModel(
            name="BeaconRound",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("purpose", models.TextField()),
                ("occasion", models.TextField()),
                ("attempt", models.IntegerField()),
                ("round", models.BigIntegerField()),
                ("signature", models.BinaryField()),
            ],
            options={
                "constraints": [UniqueConstraint(fields=("purpose", "occasion", "attempt"), name="draws_beacon_once")],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "draws.BeaconRound"),
                    refuse("as_heard", "UPDATE", "draws.BeaconRound"),
                ],
            },
        ),
        InstallTriggers(),
    ]
