"""A reference enters once, unless it came with a file that was rejected: another index in the place of the one before,
made while entries go on."""

from __future__ import annotations

from django.contrib.postgres.operations import AddIndexConcurrently, ValidateConstraint
from django.db import migrations, models

_ONCE = models.UniqueConstraint(
    condition=models.Q(("rejected", False)), fields=("promotion", "reference"), name="promotions_entry_once"
)
_SWAP = (
    "CREATE UNIQUE INDEX CONCURRENTLY promotions_entry_once_now ON promotions_entry (promotion_id, reference)"
    " WHERE NOT rejected",
    "ALTER TABLE promotions_entry DROP CONSTRAINT promotions_entry_once",
    "ALTER INDEX promotions_entry_once_now RENAME TO promotions_entry_once",
)


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("promotions", "0007_files_rejected_by_two")]

    operations = [
        ValidateConstraint(model_name="entry", name="promotions_entry_rejected_with_its_file"),
        AddIndexConcurrently(
            model_name="entry",
            index=models.Index(
                condition=models.Q(("source__in", ("staff", "api"))),
                fields=["promotion", "entered_by", "entrant"],
                name="promotions_entry_by_hand",
            ),
        ),
        *(migrations.RunSQL(statement, migrations.RunSQL.noop) for statement in _SWAP),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveConstraint(model_name="entry", name="promotions_entry_once"),
                migrations.AddConstraint(model_name="entry", constraint=_ONCE),
            ]
        ),
    ]
