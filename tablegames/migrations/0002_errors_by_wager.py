"""An over- or underpayment is of one wager: a hand may have several (14.16)."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tablegames", "0001_initial")]

    operations = [
        migrations.AlterField(
            model_name="paymenterror",
            name="check_of",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="errors", to="tablegames.check"
            ),
        ),
        migrations.AddField(
            model_name="paymenterror",
            name="wager",
            field=models.TextField(blank=True, db_default="", help_text="of the hand that was checked"),
        ),
        migrations.AddConstraint(
            model_name="paymenterror",
            constraint=models.UniqueConstraint(
                fields=["check_of", "wager"], name="tablegames_error_once_a_wager"
            ),
        ),
    ]
