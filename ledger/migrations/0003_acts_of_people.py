from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    """What people did has an index of its own, made while the house goes on."""

    atomic = False
    dependencies = [("ledger", "0002_witness_state")]

    operations = [
        AddIndexConcurrently(
            "act",
            models.Index(fields=["id"], condition=models.Q(("actor__startswith", "staff:")), name="act_by_people"),
        ),
    ]
