from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ledger", "0002_witness_state")]

    operations = [
        migrations.AddIndex(
            "act",
            models.Index(fields=["id"], condition=models.Q(("actor__startswith", "staff:")), name="act_by_people"),
        ),
    ]
