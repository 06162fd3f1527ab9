"""What is kept of a sealed set, so that a payment proves its own ticket."""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('keno', '0016_holds'),
    ]

    operations = [
        migrations.CreateModel(
            name='SealedTickets',
            fields=[
                ('game', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='+', serialize=False, to='keno.game')),
                ('leaves', models.BinaryField()),
                ('tiles', models.BinaryField()),
                ('firsts', models.TextField(help_text='the first serial of every tile, with a space between them')),
            ],
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='sealedtickets',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='9a36d3da576c8748fe7a8b2a45c166c2da1d3520', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_964cf', table='keno_sealedtickets', when='BEFORE')),
        ),
        # Never compressed (hashes are not): a part of it is read without the rest.
        migrations.RunSQL(
            "ALTER TABLE keno_sealedtickets ALTER COLUMN leaves SET STORAGE EXTERNAL",
            "ALTER TABLE keno_sealedtickets ALTER COLUMN leaves SET STORAGE EXTENDED",
        ),
    ]
