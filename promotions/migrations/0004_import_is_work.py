import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """How far an import is, and whether it is to stop, is the same as of all long work."""

    dependencies = [
        ("promotions", "0003_sealed_tiles"),
        ("web", "0002_work"),
    ]

    operations = [
        migrations.RemoveField(model_name="import", name="cancel_asked"),
        migrations.AddField(
            model_name="import",
            name="work",
            field=models.OneToOneField(
                default=0, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="web.work"
            ),
            preserve_default=False,
        ),
    ]
