from django.contrib.postgres.indexes import BrinIndex
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations


class Migration(migrations.Migration):
    atomic = False  # sales go on while it is made

    dependencies = [("ledger", "0003_acts_of_people")]

    operations = [
        AddIndexConcurrently(
            model_name="transfer",
            index=BrinIndex(autosummarize=True, fields=["day"], name="transfer_day"),
        ),
    ]
