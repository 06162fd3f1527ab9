"""Request keys, and long work."""

from django.db import migrations, models
from django.db.models import CheckConstraint, Index, Q, UniqueConstraint

from kernel.first_migration import FirstMigration


class Migration(FirstMigration):
    dependencies = []

    operations = [
        migrations.CreateModel(
            name="RequestKey",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("actor", models.CharField(max_length=200)),
                ("key", models.CharField(max_length=200)),
                ("method", models.CharField(max_length=10)),
                ("path", models.TextField()),
                ("body_hash", models.BinaryField(max_length=32)),
                ("status", models.PositiveSmallIntegerField(null=True)),
                ("answer", models.TextField(default="")),
                ("created_at", models.DateTimeField(db_index=True)),
            ],
            options={"constraints": [UniqueConstraint(fields=("actor", "key"), name="web_requestkey_once_an_actor")]},
        ),
        migrations.CreateModel(
            name="Work",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=64)),
                ("asked", models.JSONField(default=dict)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("running", "Running"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                            ("cancelled", "Cancelled"),
                        ],
                        default="waiting",
                        max_length=16,
                    ),
                ),
                ("done", models.BigIntegerField(default=0)),
                ("total", models.BigIntegerField(default=0)),
                ("outcome", models.TextField(blank=True)),
                ("file", models.CharField(blank=True, help_text="its name in the work folder", max_length=200)),
                ("made_at", models.DateTimeField()),
                ("made_by", models.CharField(max_length=80)),
                ("told_at", models.DateTimeField(help_text="when the worker last told how far it is", null=True)),
                ("cancel_asked", models.BooleanField(default=False)),
                ("finished_at", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ("-id",),
                "indexes": [
                    Index(condition=Q(("finished_at__isnull", True)), fields=["id"], name="web_work_unfinished")
                ],
                "constraints": [
                    CheckConstraint(
                        condition=Q(("state__in", ["waiting", "running", "done", "failed", "cancelled"])),
                        name="web_work_state_known",
                    ),
                    CheckConstraint(condition=Q(("done__gte", 0), ("total__gte", 0)), name="web_work_counts"),
                    CheckConstraint(
                        condition=Q(
                            Q(("finished_at__isnull", False), ("state__in", ("done", "failed", "cancelled"))),
                            Q(
                                Q(("state__in", ("done", "failed", "cancelled")), _negated=True),
                                ("finished_at__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="web_work_finished_when_over",
                    ),
                ],
            },
        ),
    ]
