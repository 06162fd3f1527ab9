"""Codes counted, cash moved by two people, counts of abandoned drawers, the register of approved vouchers."""

import django.db.models.deletion
import django.db.models.expressions
import keno.models.fields
import ledger.fields
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models

# Security codes that answers were kept with, before they were kept without (keno/api/codes.py).
_FORGET_CODES = """
    UPDATE web_requestkey
    SET answer = regexp_replace(answer, '"security_code":"[^"]*"', '"security_code":"left out"', 'g')
    WHERE path LIKE '/api/v1/keno/%' AND answer LIKE '%"security_code":%';
    UPDATE web_requestkey
    SET answer = (answer::jsonb || '{"lines": [], "content": "left out"}')::text
    WHERE path LIKE '/api/v1/keno/tickets/%print' AND status = 200;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('house', '0005_approved_values'),
        ('keno', '0011_hold_open'),
        ('web', '0001_request_keys'),
    ]

    operations = [
        migrations.RunSQL(_FORGET_CODES, migrations.RunSQL.noop),
        migrations.CreateModel(
            name='ApprovedVoucher',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reference', models.CharField(db_collation='C', max_length=64, unique=True)),
                ('type', models.CharField(max_length=16)),
                ('amount', ledger.fields.MoneyField()),
                ('proposal', models.BigIntegerField(help_text='that put it on the register; none in the demo', null=True)),
                ('registered_at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='CashMove',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('way', models.CharField(choices=[('drop', 'Drop'), ('fill', 'Fill')], max_length=8)),
                ('amount', ledger.fields.MoneyField()),
                ('said_by', models.CharField(max_length=80)),
                ('said_at', models.DateTimeField()),
                ('confirmed_by', models.CharField(max_length=80, null=True)),
                ('confirmed_at', models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name='CodeWatch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('about', models.CharField(db_collation='C', max_length=80, unique=True)),
            ],
        ),
        migrations.CreateModel(
            name='DrawerCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('cash', ledger.fields.MoneyField(default=keno.models.fields.nothing)),
                ('chips', ledger.fields.MoneyField(default=keno.models.fields.nothing)),
                ('by', models.CharField(max_length=80)),
                ('at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='WrongCode',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('terminal', models.CharField(max_length=80)),
                ('paper', models.CharField(max_length=40)),
                ('at', models.DateTimeField()),
            ],
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='voucher',
            name='as_issued',
        ),
        migrations.RemoveConstraint(
            model_name='payment',
            name='keno_payment_adds_up',
        ),
        migrations.AddField(
            model_name='payment',
            name='not_cash',
            field=ledger.fields.MoneyField(default=keno.models.fields.nothing),
        ),
        migrations.AddField(
            model_name='voucher',
            name='cashable',
            field=models.BooleanField(default=True),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='voucher',
            trigger=pgtrigger.compiler.Trigger(name='as_issued', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."amount" IS DISTINCT FROM (NEW."amount") OR OLD."cashable" IS DISTINCT FROM (NEW."cashable") OR OLD."code" IS DISTINCT FROM (NEW."code") OR OLD."day" IS DISTINCT FROM (NEW."day") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."issued_at" IS DISTINCT FROM (NEW."issued_at") OR OLD."issued_by" IS DISTINCT FROM (NEW."issued_by") OR OLD."payment_id" IS DISTINCT FROM (NEW."payment_id") OR OLD."shift_id" IS DISTINCT FROM (NEW."shift_id") OR OLD."ticket_id" IS DISTINCT FROM (NEW."ticket_id"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='0d14e480ce442e265767acb8666eb833059a57c4', operation='UPDATE', pgid='pgtrigger_as_issued_01f2e', table='keno_voucher', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='payment',
            constraint=models.CheckConstraint(condition=models.Q(('cash__gte', models.Value(0)), ('cheque__gte', models.Value(0)), ('not_cash__gte', models.Value(0)), models.Q(models.Q(('amount', django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(models.F('cash'), '+', models.F('cheque')), '+', models.F('not_cash'))), ('method__in', ['cash', 'cheque', 'mix'])), models.Q(('cash', models.Value(0)), ('cheque', models.Value(0)), ('method__in', ['keno-voucher', 'tender'])), _connector='OR')), name='keno_payment_adds_up'),
        ),
        migrations.AddConstraint(
            model_name='approvedvoucher',
            constraint=models.CheckConstraint(condition=models.Q(('amount__gt', models.Value(0))), name='keno_approvedvoucher_positive'),
        ),
        migrations.AddConstraint(
            model_name='approvedvoucher',
            constraint=models.CheckConstraint(condition=models.Q(('reference', ''), _negated=True), name='keno_approvedvoucher_named'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='approvedvoucher',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='b7a58740386c44509feb94a1e86b0d0d52effab3', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_ae884', table='keno_approvedvoucher', when='BEFORE')),
        ),
        migrations.AddField(
            model_name='cashmove',
            name='shift',
            field=models.ForeignKey(on_delete=django.db.models.deletion.DO_NOTHING, related_name='cash_moves', to='keno.shift'),
        ),
        migrations.AddField(
            model_name='codewatch',
            name='incident',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='house.incident'),
        ),
        migrations.AddField(
            model_name='drawercount',
            name='shift',
            field=models.ForeignKey(on_delete=django.db.models.deletion.DO_NOTHING, related_name='drawer_counts', to='keno.shift'),
        ),
        migrations.AddIndex(
            model_name='wrongcode',
            index=models.Index(fields=['terminal', 'paper'], name='keno_wrongcode_terminal'),
        ),
        migrations.AddIndex(
            model_name='wrongcode',
            index=models.Index(fields=['paper'], name='keno_wrongcode_paper'),
        ),
        migrations.AddConstraint(
            model_name='cashmove',
            constraint=models.CheckConstraint(condition=models.Q(('way__in', ['drop', 'fill'])), name='keno_cashmove_way_known'),
        ),
        migrations.AddConstraint(
            model_name='cashmove',
            constraint=models.CheckConstraint(condition=models.Q(('amount__gt', models.Value(0))), name='keno_cashmove_positive'),
        ),
        migrations.AddConstraint(
            model_name='cashmove',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('confirmed_by__isnull', True), ('confirmed_at__isnull', True)), models.Q(('confirmed_by__isnull', False), ('confirmed_at__isnull', False)), _connector='OR'), name='keno_cashmove_confirmed'),
        ),
        migrations.AddConstraint(
            model_name='cashmove',
            constraint=models.CheckConstraint(condition=models.Q(('confirmed_by__isnull', True), models.Q(('confirmed_by', models.F('said_by')), _negated=True), _connector='OR'), name='keno_cashmove_two_people'),
        ),
        migrations.AddConstraint(
            model_name='cashmove',
            constraint=models.UniqueConstraint(condition=models.Q(('confirmed_at__isnull', True)), fields=('shift', 'way'), name='keno_cashmove_one_waits'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='cashmove',
            trigger=pgtrigger.compiler.Trigger(name='kept_for_good', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='45568f49760e46df5de11f0467bc98ad887079b1', operation='DELETE', pgid='pgtrigger_kept_for_good_bfe8c', table='keno_cashmove', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='cashmove',
            trigger=pgtrigger.compiler.Trigger(name='moved_for_good', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."confirmed_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='1860d87c03186be21636da3fbda95f7dde1dc5d1', operation='UPDATE', pgid='pgtrigger_moved_for_good_7dcc8', table='keno_cashmove', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='drawercount',
            constraint=models.UniqueConstraint(fields=('shift', 'by'), name='keno_drawercount_one_a_person'),
        ),
        migrations.AddConstraint(
            model_name='drawercount',
            constraint=models.CheckConstraint(condition=models.Q(('cash__gte', models.Value(0)), ('chips__gte', models.Value(0))), name='keno_drawercount_cents'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='drawercount',
            trigger=pgtrigger.compiler.Trigger(name='kept_for_good', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='3860ba0bbb48925f269b7aa1eedf8bb5af63ba24', operation='DELETE', pgid='pgtrigger_kept_for_good_d9b24', table='keno_drawercount', when='BEFORE')),
        ),
    ]
