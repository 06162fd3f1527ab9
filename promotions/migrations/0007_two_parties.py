"""One promise for every attempt, from `draws/`; what is fixed before the witness is asked; losses by three."""

import django.contrib.postgres.fields
import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
import promotions.lifecycle
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('draws', '0001_two_parties'),
        ('promotions', '0006_analyze'),
    ]

    operations = [
        migrations.CreateModel(
            name='LossCase',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(choices=[('absent', 'did not come forward when called'), ('ineligible', 'was found not to be eligible'), ('denied', 'the claim was denied'), ('unclaimed', 'not claimed in time'), ('declined', 'did not want it')], max_length=16)),
                ('why', models.CharField(blank=True, max_length=300)),
                ('noted_at', models.DateTimeField()),
                ('noted_by', models.CharField(max_length=80)),
                ('seconded_at', models.DateTimeField(null=True)),
                ('seconded_by', models.CharField(max_length=80, null=True)),
                ('signed_at', models.DateTimeField(null=True)),
                ('signed_by', models.CharField(max_length=80, null=True)),
                ('signed_result', models.CharField(blank=True, help_text='SHA-256 of the outcome that was signed', max_length=64)),
                ('withdrawn_at', models.DateTimeField(null=True)),
                ('withdrawn_by', models.CharField(max_length=80, null=True)),
            ],
            options={
                'ordering': ('id',),
            },
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='draw',
            name='official_record',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='draw',
            name='promised',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='promotion',
            name='transitions',
        ),
        migrations.RemoveConstraint(
            model_name='draw',
            name='promotions_draw_whole',
        ),
        migrations.RemoveConstraint(
            model_name='draw',
            name='promotions_draw_numbers_when_drawn',
        ),
        migrations.RemoveConstraint(
            model_name='draw',
            name='promotions_draw_seed_kept_until_over',
        ),
        migrations.RemoveConstraint(
            model_name='draw',
            name='promotions_draw_overseen',
        ),
        migrations.RemoveConstraint(
            model_name='draw',
            name='promotions_draw_void_says_why',
        ),
        migrations.RemoveConstraint(
            model_name='loss',
            name='promotions_loss_reason_known',
        ),
        migrations.RemoveConstraint(
            model_name='promotion',
            name='promotions_promotion_status_known',
        ),
        migrations.RemoveConstraint(
            model_name='promotion',
            name='promotions_promotion_started_when',
        ),
        migrations.RemoveConstraint(
            model_name='promotion',
            name='promotions_promotion_closed_when',
        ),
        migrations.RemoveField(
            model_name='draw',
            name='commitment',
        ),
        migrations.RemoveField(
            model_name='draw',
            name='encrypted_seed',
        ),
        migrations.RemoveField(
            model_name='draw',
            name='seed',
        ),
        migrations.AddField(
            model_name='draw',
            name='barred',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), default=list, size=None),
        ),
        migrations.AddField(
            model_name='draw',
            name='begun_act',
            field=models.BigIntegerField(help_text='the row of the log by which it was fixed', null=True),
        ),
        migrations.AddField(
            model_name='draw',
            name='begun_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name='draw',
            name='begun_by',
            field=models.CharField(max_length=80, null=True),
        ),
        migrations.AddField(
            model_name='draw',
            name='promise',
            field=models.ForeignKey(default=0, help_text='one for every attempt', on_delete=django.db.models.deletion.PROTECT, related_name='+', to='draws.commitment'),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='draw',
            name='void_numbers',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), default=list, size=None),
        ),
        migrations.AlterField(
            model_name='loss',
            name='reason',
            field=models.CharField(choices=[('absent', 'did not come forward when called'), ('ineligible', 'was found not to be eligible'), ('denied', 'the claim was denied'), ('unclaimed', 'not claimed in time'), ('declined', 'did not want it')], max_length=16),
        ),
        migrations.AlterField(
            model_name='promotion',
            name='status',
            field=models.CharField(choices=[('draft', 'Draft'), ('submitted', 'Submitted'), ('running', 'Running'), ('closed', 'Closed'), ('sealed', 'Sealed'), ('drawing', 'Drawing'), ('drawn', 'Drawn'), ('finished', 'Finished'), ('postponed', 'Postponed'), ('cancelled', 'Cancelled')], default=promotions.lifecycle.Status['DRAFT'], max_length=16),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='draw',
            trigger=pgtrigger.compiler.Trigger(name='promised', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."promotion_id" IS DISTINCT FROM (NEW."promotion_id") OR OLD."attempt" IS DISTINCT FROM (NEW."attempt") OR OLD."promise_id" IS DISTINCT FROM (NEW."promise_id") OR OLD."made_at" IS DISTINCT FROM (NEW."made_at") OR OLD."made_by" IS DISTINCT FROM (NEW."made_by"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='7e654e857d05519b99734632962189151d99e843', operation='UPDATE', pgid='pgtrigger_promised_e8831', table='promotions_draw', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='draw',
            trigger=pgtrigger.compiler.Trigger(name='official_record', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n                    IF OLD.begun_at IS NOT NULL AND (\n                            (NEW.begun_at, NEW.begun_by, NEW.begun_act, NEW.entry_list_id, NEW.version_id,\n                             NEW.scrutinised, NEW.prizes, NEW.alternates, NEW.one_prize_a_person, NEW.barred)\n                            IS DISTINCT FROM\n                            (OLD.begun_at, OLD.begun_by, OLD.begun_act, OLD.entry_list_id, OLD.version_id,\n                             OLD.scrutinised, OLD.prizes, OLD.alternates, OLD.one_prize_a_person, OLD.barred)\n                            OR OLD.attended_at IS NOT NULL AND (NEW.scrutineer, NEW.attended_at)\n                            IS DISTINCT FROM (OLD.scrutineer, OLD.attended_at))\n                        OR OLD.drawn_at IS NOT NULL AND (\n                            (NEW.drawn_at, NEW.drawn_by) IS DISTINCT FROM (OLD.drawn_at, OLD.drawn_by)\n                            OR NEW.numbers[1:cardinality(OLD.numbers)] <> OLD.numbers)\n                        OR OLD.signed_at IS NOT NULL AND (NEW.signed_at, NEW.signed_result)\n                            IS DISTINCT FROM (OLD.signed_at, OLD.signed_result)\n                        OR OLD.voided_at IS NOT NULL AND (NEW.voided_at, NEW.numbers, NEW.drawn_at, NEW.void_numbers)\n                            IS DISTINCT FROM (OLD.voided_at, OLD.numbers, OLD.drawn_at, OLD.void_numbers)\n                    THEN\n                        RAISE check_violation USING CONSTRAINT = 'promotions_draw_official_record',\n                            MESSAGE = 'what a draw has recorded stands';\n                    END IF;\n                    RETURN NEW;\n                ", hash='0b42d05c71243838779e21fba906c0a44acf63de', operation='UPDATE', pgid='pgtrigger_official_record_1a8f3', table='promotions_draw', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='promotion',
            trigger=pgtrigger.compiler.Trigger(name='transitions', sql=pgtrigger.compiler.UpsertTriggerSql(declare='DECLARE _is_valid_transition BOOLEAN;', func='SELECT CONCAT(OLD."status", \':\', NEW."status") = ANY(\'{closed:cancelled,closed:postponed,closed:sealed,draft:cancelled,draft:submitted,drawing:cancelled,drawing:drawn,drawing:postponed,drawn:cancelled,drawn:finished,drawn:postponed,postponed:cancelled,postponed:closed,postponed:running,postponed:sealed,running:cancelled,running:closed,running:postponed,sealed:cancelled,sealed:drawing,sealed:postponed,submitted:cancelled,submitted:draft,submitted:running}\'::text[]) INTO _is_valid_transition; IF (_is_valid_transition IS FALSE AND OLD."status" IS DISTINCT FROM NEW."status") THEN RAISE EXCEPTION \'pgtrigger: Invalid transition of field "status" from "%" to "%" on table %\', OLD."status", NEW."status", TG_TABLE_NAME; ELSE RETURN NEW; END IF;', hash='bc63a7f873d1d4127eca4ee79ad3af2b031c34ae', operation='UPDATE', pgid='pgtrigger_transitions_1f6b3', table='promotions_promotion', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='draw',
            constraint=models.CheckConstraint(condition=models.Q(('scrutineer__isnull', True), ('begun_by__isnull', True), models.Q(('scrutineer', models.F('begun_by')), _negated=True), _connector='OR'), name='promotions_draw_begun_by_another'),
        ),
        migrations.AddConstraint(
            model_name='draw',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('begun_at__isnull', True), ('begun_by__isnull', True), ('begun_act__isnull', True), ('entry_list__isnull', True), ('version__isnull', True), ('scrutinised__isnull', True), ('prizes__isnull', True), ('alternates__isnull', True), ('one_prize_a_person__isnull', True)), models.Q(('begun_at__isnull', False), ('begun_by__isnull', False), ('begun_act__isnull', False), ('entry_list__isnull', False), ('version__isnull', False), ('scrutinised__isnull', False), ('prizes__isnull', False), ('alternates__isnull', False), ('one_prize_a_person__isnull', False)), _connector='OR'), name='promotions_draw_begun_whole'),
        ),
        migrations.AddConstraint(
            model_name='draw',
            constraint=models.CheckConstraint(condition=models.Q(('begun_at__isnull', False), ('barred', []), _connector='OR'), name='promotions_draw_barred_when_begun'),
        ),
        migrations.AddConstraint(
            model_name='draw',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('drawn_at__isnull', True), ('drawn_by__isnull', True)), models.Q(('drawn_at__isnull', False), ('drawn_by__isnull', False)), _connector='OR'), name='promotions_draw_whole'),
        ),
        migrations.AddConstraint(
            model_name='draw',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('drawn_at__isnull', True), ('numbers', [])), models.Q(('begun_at__isnull', False), ('drawn_at__isnull', False)), _connector='OR'), name='promotions_draw_numbers_when_drawn'),
        ),
        migrations.AddConstraint(
            model_name='draw',
            constraint=models.CheckConstraint(condition=models.Q(('scrutinised__isnull', True), ('scrutinised', False), ('attended_at__lte', models.F('begun_at')), _connector='OR'), name='promotions_draw_overseen'),
        ),
        migrations.AddConstraint(
            model_name='draw',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('void_numbers', []), ('void_reason', ''), ('voided_at__isnull', True)), models.Q(('begun_at__isnull', False), ('voided_at__isnull', False), models.Q(('void_reason', ''), _negated=True)), _connector='OR'), name='promotions_draw_void_says_why'),
        ),
        migrations.AddConstraint(
            model_name='loss',
            constraint=models.CheckConstraint(condition=models.Q(('reason__in', ['absent', 'ineligible', 'denied', 'unclaimed', 'declined'])), name='promotions_loss_reason_known'),
        ),
        migrations.AddConstraint(
            model_name='promotion',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['draft', 'submitted', 'running', 'closed', 'sealed', 'drawing', 'drawn', 'finished', 'postponed', 'cancelled'])), name='promotions_promotion_status_known'),
        ),
        migrations.AddConstraint(
            model_name='promotion',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('started_at__isnull', True), ('status__in', ['draft', 'submitted'])), models.Q(('started_at__isnull', False), ('status__in', ['running', 'closed', 'sealed', 'drawing', 'drawn', 'finished', 'postponed'])), ('status', 'cancelled'), _connector='OR'), name='promotions_promotion_started_when'),
        ),
        migrations.AddConstraint(
            model_name='promotion',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('closed_at__isnull', True), ('status__in', ['draft', 'submitted', 'running'])), models.Q(('closed_at__isnull', False), ('status__in', ['closed', 'sealed', 'drawing', 'drawn', 'finished'])), ('status__in', ['postponed', 'cancelled']), _connector='OR'), name='promotions_promotion_closed_when'),
        ),
        migrations.AddField(
            model_name='losscase',
            name='win',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='loss_cases', to='promotions.win'),
        ),
        migrations.AddConstraint(
            model_name='losscase',
            constraint=models.CheckConstraint(condition=models.Q(('reason__in', ['absent', 'ineligible', 'denied', 'unclaimed', 'declined'])), name='promotions_losscase_reason_known'),
        ),
        migrations.AddConstraint(
            model_name='losscase',
            constraint=models.UniqueConstraint(condition=models.Q(('withdrawn_at__isnull', True)), fields=('win',), name='promotions_losscase_one_stands'),
        ),
        migrations.AddConstraint(
            model_name='losscase',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('seconded_at__isnull', True), ('seconded_by__isnull', True)), models.Q(('seconded_at__isnull', False), ('seconded_by__isnull', False)), _connector='OR'), name='promotions_losscase_seconded'),
        ),
        migrations.AddConstraint(
            model_name='losscase',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('signed_at__isnull', True), ('signed_by__isnull', True)), models.Q(('signed_at__isnull', False), ('signed_by__isnull', False)), _connector='OR'), name='promotions_losscase_signed'),
        ),
        migrations.AddConstraint(
            model_name='losscase',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('withdrawn_at__isnull', True), ('withdrawn_by__isnull', True)), models.Q(('withdrawn_at__isnull', False), ('withdrawn_by__isnull', False)), _connector='OR'), name='promotions_losscase_withdrawn'),
        ),
        migrations.AddConstraint(
            model_name='losscase',
            constraint=models.CheckConstraint(condition=models.Q(('seconded_by__isnull', True), models.Q(('seconded_by', models.F('noted_by')), _negated=True), _connector='OR'), name='promotions_losscase_two_people'),
        ),
        migrations.AddConstraint(
            model_name='losscase',
            constraint=models.CheckConstraint(condition=models.Q(('signed_by__isnull', True), models.Q(('signed_by', models.F('noted_by')), _negated=True), _connector='OR'), name='promotions_losscase_scrutineer_did_not_note'),
        ),
        migrations.AddConstraint(
            model_name='losscase',
            constraint=models.CheckConstraint(condition=models.Q(('signed_by__isnull', True), models.Q(('signed_by', models.F('seconded_by')), _negated=True), _connector='OR'), name='promotions_losscase_scrutineer_did_not_second'),
        ),
        migrations.AddConstraint(
            model_name='losscase',
            constraint=models.CheckConstraint(condition=models.Q(('signed_at__isnull', True), models.Q(('seconded_at__isnull', False), ('seconded_at__lte', models.F('signed_at')), ('withdrawn_at__isnull', True)), _connector='OR'), name='promotions_losscase_signed_last'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='losscase',
            trigger=pgtrigger.compiler.Trigger(name='kept_for_good', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='84192ffeb91836a7b81df05b6eb65cfa42d76249', operation='DELETE', pgid='pgtrigger_kept_for_good_b89ed', table='promotions_losscase', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='losscase',
            trigger=pgtrigger.compiler.Trigger(name='as_noted', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."win_id" IS DISTINCT FROM (NEW."win_id") OR OLD."reason" IS DISTINCT FROM (NEW."reason") OR OLD."why" IS DISTINCT FROM (NEW."why") OR OLD."noted_at" IS DISTINCT FROM (NEW."noted_at") OR OLD."noted_by" IS DISTINCT FROM (NEW."noted_by"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='ea1c99182dde8c3cda74366998236c5455340085', operation='UPDATE', pgid='pgtrigger_as_noted_9295b', table='promotions_losscase', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='losscase',
            trigger=pgtrigger.compiler.Trigger(name='over', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."signed_at" IS NOT NULL OR OLD."withdrawn_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='f1caaee947d3b5d5ce8ed6a948306c48751a3a33', operation='UPDATE', pgid='pgtrigger_over_b9714', table='promotions_losscase', when='BEFORE')),
        ),
    ]
