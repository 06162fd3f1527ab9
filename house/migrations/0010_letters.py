import django.db.models.deletion
import django.db.models.functions.text
import django.db.models.lookups
import pgtrigger.compiler
import pgtrigger.migrations
from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models

# Rights to decide for an authority: nobody of the house has any now.
_RETIRED = "('promotions.approve', 'tournaments.approve')"


class Migration(migrations.Migration):

    dependencies = [
        ('house', '0009_canonical_cards'),
    ]

    operations = [
        migrations.RunSQL(
            f"DELETE FROM house_grant WHERE permission_id IN {_RETIRED};"  # noqa: S608  a constant
            f"DELETE FROM house_permission WHERE code IN {_RETIRED}",
            migrations.RunSQL.noop,
        ),
        migrations.CreateModel(
            name='Letter',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('authority', models.CharField(max_length=16)),
                ('signed_by', models.CharField(help_text='the name under it', max_length=120)),
                ('office', models.CharField(max_length=160)),
                ('reference', models.CharField(max_length=80)),
                ('dated', models.DateField()),
                ('document', models.BinaryField()),
                ('media_type', models.CharField(max_length=32)),
                ('sha256', models.CharField(max_length=64)),
                ('status', models.CharField(choices=[('recorded', 'Recorded'), ('confirmed', 'Confirmed'), ('countersigned', 'Countersigned'), ('disputed', 'Disputed'), ('discarded', 'Discarded')], default='recorded', max_length=16)),
                ('recorded_by', models.CharField(max_length=80)),
                ('recorded_at', models.DateTimeField()),
                ('confirmed_by', models.CharField(max_length=80, null=True)),
                ('confirmed_at', models.DateTimeField(null=True)),
                ('answered_by', models.CharField(help_text='the inspector', max_length=80, null=True)),
                ('answered_at', models.DateTimeField(help_text='countersigned, or disputed', null=True)),
                ('discarded_by', models.CharField(max_length=80, null=True)),
                ('discarded_at', models.DateTimeField(null=True)),
                ('comment', models.TextField(blank=True)),
            ],
            options={
                'ordering': ('-id',),
            },
        ),
        migrations.AddField(
            model_name='proposal',
            name='by_letter',
            field=models.BooleanField(db_default=False, default=False, help_text='decided by a letter of the authority; decided_by confirmed it'),
        ),
        migrations.AddConstraint(
            model_name='approvedvalue',
            constraint=models.CheckConstraint(condition=models.Q(('proposal__isnull', False), ('approved_by__startswith', 'system:'), _connector='OR'), name='house_approvedvalue_decided'),
        ),
        migrations.AddConstraint(
            model_name='grant',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('permission', 'approvals.decide.inspector'), _negated=True), ('role', 'inspector'), _connector='OR'), name='house_grant_inspector_alone'),
        ),
        migrations.AddConstraint(
            model_name='proposal',
            constraint=models.CheckConstraint(condition=models.Q(('by_letter', False), models.Q(models.Q(('authority', 'house'), _negated=True), ('decided_by__isnull', False)), _connector='OR'), name='house_proposal_letter_of_authority'),
        ),
        # Amendments of before letters were kept were decided without one.
        AddConstraintNotValid(
            model_name='proposal',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('authority', 'commission'), _negated=True), ('decided_by__isnull', True), ('by_letter', True), _connector='OR'), name='house_proposal_commission_by_letter'),
        ),
        migrations.AddField(
            model_name='letter',
            name='proposal',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='letters', to='house.proposal'),
        ),
        migrations.AddConstraint(
            model_name='letter',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['recorded', 'confirmed', 'countersigned', 'disputed', 'discarded'])), name='house_letter_status_known'),
        ),
        migrations.AddConstraint(
            model_name='letter',
            constraint=models.CheckConstraint(condition=models.Q(('authority__in', ['house', 'inspector', 'commission'])), name='house_letter_authority_known'),
        ),
        migrations.AddConstraint(
            model_name='letter',
            constraint=models.CheckConstraint(condition=models.Q(('confirmed_by__isnull', True), models.Q(('confirmed_by', models.F('recorded_by')), _negated=True), _connector='OR'), name='house_letter_two_people'),
        ),
        migrations.AddConstraint(
            model_name='letter',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('confirmed_by__isnull', True), ('confirmed_at__isnull', True)), models.Q(('confirmed_by__isnull', False), ('confirmed_at__isnull', False)), _connector='OR'), name='house_letter_confirmed'),
        ),
        migrations.AddConstraint(
            model_name='letter',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('answered_by__isnull', True), ('answered_at__isnull', True)), models.Q(('answered_by__isnull', False), ('answered_at__isnull', False)), _connector='OR'), name='house_letter_answered'),
        ),
        migrations.AddConstraint(
            model_name='letter',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('discarded_by__isnull', True), ('discarded_at__isnull', True)), models.Q(('discarded_by__isnull', False), ('discarded_at__isnull', False)), _connector='OR'), name='house_letter_discarded'),
        ),
        migrations.AddConstraint(
            model_name='letter',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('answered_by__isnull', True), ('confirmed_by__isnull', True), ('status', 'recorded')), models.Q(('answered_by__isnull', True), ('confirmed_by__isnull', False), ('status', 'confirmed')), models.Q(('answered_by__isnull', False), ('confirmed_by__isnull', False), ('status__in', ['countersigned', 'disputed'])), models.Q(('confirmed_by__isnull', True), ('discarded_by__isnull', False), ('status', 'discarded')), _connector='OR'), name='house_letter_by_status'),
        ),
        migrations.AddConstraint(
            model_name='letter',
            constraint=models.CheckConstraint(condition=django.db.models.lookups.Exact(models.F('sha256'), models.Func(models.Func(models.F('document'), function='sha256', output_field=models.BinaryField()), models.Value('hex'), function='encode', output_field=models.TextField())), name='house_letter_is_what_its_hash_says'),
        ),
        migrations.AddConstraint(
            model_name='letter',
            constraint=models.CheckConstraint(condition=django.db.models.lookups.LessThanOrEqual(models.Func(models.F('document'), function='octet_length', output_field=models.IntegerField()), models.Value(5242880)), name='house_letter_document_size'),
        ),
        migrations.AddConstraint(
            model_name='letter',
            constraint=models.UniqueConstraint(condition=models.Q(('status', 'discarded'), _negated=True), fields=('proposal',), name='house_letter_one_a_proposal'),
        ),
        migrations.AddConstraint(
            model_name='letter',
            constraint=models.UniqueConstraint(condition=models.Q(('status', 'discarded'), _negated=True), fields=('sha256',), name='house_letter_document_once'),
        ),
        migrations.AddConstraint(
            model_name='letter',
            constraint=models.UniqueConstraint(models.F('authority'), django.db.models.functions.text.Lower('reference'), condition=models.Q(('status', 'discarded'), _negated=True), name='house_letter_reference_once'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='letter',
            trigger=pgtrigger.compiler.Trigger(name='kept_for_good', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='f18b129581981ad1f68ef5e76346d0c7f6839868', operation='DELETE', pgid='pgtrigger_kept_for_good_d7cb5', table='house_letter', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='letter',
            trigger=pgtrigger.compiler.Trigger(name='as_recorded', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."proposal_id" IS DISTINCT FROM (NEW."proposal_id") OR OLD."authority" IS DISTINCT FROM (NEW."authority") OR OLD."signed_by" IS DISTINCT FROM (NEW."signed_by") OR OLD."office" IS DISTINCT FROM (NEW."office") OR OLD."reference" IS DISTINCT FROM (NEW."reference") OR OLD."dated" IS DISTINCT FROM (NEW."dated") OR OLD."document" IS DISTINCT FROM (NEW."document") OR OLD."media_type" IS DISTINCT FROM (NEW."media_type") OR OLD."sha256" IS DISTINCT FROM (NEW."sha256") OR OLD."recorded_by" IS DISTINCT FROM (NEW."recorded_by") OR OLD."recorded_at" IS DISTINCT FROM (NEW."recorded_at"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='9d1f1abfcd19032c1eb5f97f25bbf2131607ba5f', operation='UPDATE', pgid='pgtrigger_as_recorded_005d6', table='house_letter', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='letter',
            trigger=pgtrigger.compiler.Trigger(name='answered_once', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."status" IN (\'countersigned\', \'disputed\', \'discarded\'))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='ab8c7fc9f438f3760af8090f494957163fe0528f', operation='UPDATE', pgid='pgtrigger_answered_once_12041', table='house_letter', when='BEFORE')),
        ),
    ]
