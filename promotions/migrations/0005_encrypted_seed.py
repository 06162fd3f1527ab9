import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations


class Migration(migrations.Migration):
    """What is encrypted is not sealed."""

    dependencies = [("promotions", "0004_import_is_work")]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name='draw',
            name='promised',
        ),
        migrations.RenameField(model_name="draw", old_name="sealed_seed", new_name="encrypted_seed"),
        pgtrigger.migrations.AddTrigger(
            model_name='draw',
            trigger=pgtrigger.compiler.Trigger(name='promised', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."promotion_id" IS DISTINCT FROM (NEW."promotion_id") OR OLD."attempt" IS DISTINCT FROM (NEW."attempt") OR OLD."made_at" IS DISTINCT FROM (NEW."made_at") OR OLD."made_by" IS DISTINCT FROM (NEW."made_by") OR OLD."commitment" IS DISTINCT FROM (NEW."commitment") OR OLD."encrypted_seed" IS DISTINCT FROM (NEW."encrypted_seed"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='4367b4479f6dadb489d6feba0d3273332a4722f4', operation='UPDATE', pgid='pgtrigger_promised_e8831', table='promotions_draw', when='BEFORE')),
        ),
    ]
