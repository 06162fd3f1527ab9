"""A play is what its ticket says, by the database."""

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('keno', '0014_two_parties'),
    ]

    operations = [
        pgtrigger.migrations.AddTrigger(
            model_name='play',
            trigger=pgtrigger.compiler.Trigger(name='as_its_ticket', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n    SELECT t.schedule, t.schedule_version, t.first_game, t.charged_to, t.plays_to, t.jackpot AND NEW.spots IN (6, 8),\n           CASE WHEN cardinality(m.marked) = NEW.spots THEN keno_bits(m.marked) END\n    INTO NEW.schedule, NEW.schedule_version, NEW.first_game, NEW.charged_to, NEW.plays_to, NEW.jackpot, NEW.numbers\n    FROM keno_ticket t\n    CROSS JOIN LATERAL (SELECT ('{' || translate(t.groups::text, '[] ', '') || '}')::smallint[] AS marked) m\n    WHERE t.id = NEW.ticket_id;\n    IF NOT FOUND THEN\n        RAISE foreign_key_violation USING CONSTRAINT = 'keno_play_of_a_ticket', MESSAGE = 'a play belongs to a ticket';\n    END IF;\n    RETURN NEW;\n", hash='956c56184e2410b894cf274935bca8861702d005', operation='INSERT', pgid='pgtrigger_as_its_ticket_f8b83', table='keno_play', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='play',
            trigger=pgtrigger.compiler.Trigger(name='stops_with_its_ticket', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."plays_to" IS DISTINCT FROM (NEW."plays_to"))', func='\n                    SELECT t.plays_to INTO NEW.plays_to FROM keno_ticket t WHERE t.id = NEW.ticket_id;\n                    RETURN NEW;\n                ', hash='73f78b92095b672e344ffeada1fc2adb1c1bb6ff', operation='UPDATE OF "plays_to"', pgid='pgtrigger_stops_with_its_ticket_110c9', table='keno_play', when='BEFORE')),
        ),
    ]
