import django.db.models.deletion
import django.db.models.functions.datetime
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('house', '0004_threshold_reports'),
    ]

    operations = [
        migrations.CreateModel(
            name='ApprovedValue',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(help_text='the kind of change, as a proposal names it', max_length=64)),
                ('code', models.CharField(help_text='which one of that kind', max_length=64)),
                ('version', models.PositiveIntegerField(help_text='from 1, of this kind and code')),
                ('value', models.JSONField(help_text="in the kind's shape; null: withdrawn", null=True)),
                ('since', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('authority', models.CharField(max_length=16)),
                ('approved_by', models.CharField(max_length=80)),
            ],
        ),
        migrations.AddConstraint(
            model_name='proposal',
            constraint=models.CheckConstraint(condition=models.Q(('authority__in', ['house', 'inspector', 'commission'])), name='house_proposal_authority_known'),
        ),
        migrations.AddField(
            model_name='approvedvalue',
            name='proposal',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='house.proposal'),
        ),
        migrations.AddConstraint(
            model_name='approvedvalue',
            constraint=models.UniqueConstraint(fields=('kind', 'code', 'version'), name='house_approvedvalue_version'),
        ),
        migrations.AddConstraint(
            model_name='approvedvalue',
            constraint=models.CheckConstraint(condition=models.Q(('version__gt', 0)), name='house_approvedvalue_from_one'),
        ),
        migrations.AddConstraint(
            model_name='approvedvalue',
            constraint=models.CheckConstraint(condition=models.Q(('authority__in', ['house', 'inspector', 'commission'])), name='house_approvedvalue_authority_known'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='approvedvalue',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='23436af0c8e88b25baad6a1a90eb5f478bd33a80', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_64793', table='house_approvedvalue', when='BEFORE')),
        ),
    ]
