"""A prize is named by ticket, game and kind; a surrogate key was one btree too many (docs/decisions/0027).

Django has no operation that makes a composite key of a table that is there, so PostgreSQL is told in its own words. The
rows stay as they are: prizes written before are listed in full, as all were then.
"""

import django.contrib.postgres.indexes
import ledger.fields
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models

_BY_NAME = """
    ALTER TABLE keno_prize DROP CONSTRAINT keno_prize_once, DROP COLUMN id, ALTER COLUMN ways DROP NOT NULL;
    ALTER TABLE keno_prize ADD CONSTRAINT keno_prize_pkey PRIMARY KEY (ticket_id, game, kind);
    ALTER TABLE keno_prize SET (fillfactor = 90);
"""
# Of games that are settled as they were published; of those under way from the tickets, which are sealed. What a void
# attempt had sealed nobody asks for.
_STAKES = """
    UPDATE keno_draw d SET stakes = CASE
        WHEN g.status = 'settled' THEN (coalesce(g.totals ->> 'stakes', '0')::numeric * 1000000)::bigint
        ELSE (SELECT coalesce(sum(t.price_a_game), 0)::bigint FROM keno_ticket t
              WHERE t.first_game <= g.number AND t.plays_to >= g.number AND t.charged_to >= g.number)
    END
    FROM keno_game g
    WHERE g.number = d.game_id AND d.ticket_root IS NOT NULL AND d.voided_at IS NULL AND g.status <> 'invalidated'
"""


class Migration(migrations.Migration):

    dependencies = [
        ('keno', '0008_prizes_faster'),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name='draw',
            name='official_record',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='prize',
            name='as_settled',
        ),
        migrations.RemoveIndex(
            model_name='prize',
            name='keno_prize_game',
        ),
        migrations.RemoveIndex(
            model_name='prize',
            name='keno_prize_owing',
        ),
        migrations.RemoveIndex(
            model_name='prize',
            name='keno_prize_payment',
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL(_BY_NAME)],
            state_operations=[
                migrations.RemoveConstraint(
                    model_name='prize',
                    name='keno_prize_once',
                ),
                migrations.RemoveField(
                    model_name='prize',
                    name='id',
                ),
                migrations.RemoveField(
                    model_name='prize',
                    name='ways',
                ),
                migrations.AddField(
                    model_name='prize',
                    name='listed',
                    field=models.JSONField(db_column='ways', null=True),
                ),
                migrations.AddField(
                    model_name='prize',
                    name='pk',
                    field=models.CompositePrimaryKey('ticket_id', 'game', 'kind', blank=True, editable=False, primary_key=True, serialize=False),
                ),
            ],
        ),
        migrations.AddField(
            model_name='draw',
            name='stakes',
            field=ledger.fields.MoneyField(null=True),
        ),
        migrations.RunSQL(_STAKES),
        migrations.AddField(
            model_name='kenosettings',
            name='unclaimed_swept',
            field=models.DateField(null=True),
        ),
        migrations.AddField(
            model_name='prize',
            name='matches',
            field=models.SmallIntegerField(null=True),
        ),
        migrations.AddField(
            model_name='prize',
            name='spots',
            field=models.SmallIntegerField(null=True),
        ),
        migrations.AddIndex(
            model_name='prize',
            index=django.contrib.postgres.indexes.BrinIndex(autosummarize=True, fields=['game', 'day'], name='keno_prize_game', pages_per_range=32),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='draw',
            trigger=pgtrigger.compiler.Trigger(name='official_record', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n                    IF (OLD.numbers IS DISTINCT FROM NEW.numbers AND (\n                            OLD.finished_at IS NOT NULL OR OLD.voided_at IS NOT NULL\n                            OR OLD.device = 'rng' AND NEW.numbers[1:cardinality(OLD.numbers)] <> OLD.numbers))\n                        OR OLD.ticket_root IS NOT NULL AND (NEW.ticket_root, NEW.ticket_count, NEW.stakes)\n                            IS DISTINCT FROM (OLD.ticket_root, OLD.ticket_count, OLD.stakes)\n                        OR OLD.seed IS NOT NULL AND NEW.seed IS DISTINCT FROM OLD.seed\n                        OR OLD.finished_at IS NOT NULL AND NEW.finished_at IS DISTINCT FROM OLD.finished_at\n                        OR OLD.voided_at IS NOT NULL AND NEW.voided_at IS DISTINCT FROM OLD.voided_at\n                    THEN\n                        RAISE check_violation USING CONSTRAINT = 'keno_draw_official_record',\n                            MESSAGE = 'what a draw has recorded stands';\n                    END IF;\n                    RETURN NEW;\n                ", hash='4cf87f6cc2e8d72aff3af93885039fcbbda43506', operation='UPDATE', pgid='pgtrigger_official_record_aa1bc', table='keno_draw', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='prize',
            trigger=pgtrigger.compiler.Trigger(name='as_settled', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."amount" IS DISTINCT FROM (NEW."amount") OR OLD."day" IS DISTINCT FROM (NEW."day") OR OLD."game" IS DISTINCT FROM (NEW."game") OR OLD."jackpot" IS DISTINCT FROM (NEW."jackpot") OR OLD."kind" IS DISTINCT FROM (NEW."kind") OR OLD."ways" IS DISTINCT FROM (NEW."ways") OR OLD."major" IS DISTINCT FROM (NEW."major") OR OLD."matches" IS DISTINCT FROM (NEW."matches") OR OLD."spots" IS DISTINCT FROM (NEW."spots") OR OLD."ticket_id" IS DISTINCT FROM (NEW."ticket_id"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='ff6490412801b3271f2a38b5447b3e7d8888b140', operation='UPDATE', pgid='pgtrigger_as_settled_a1b9b', table='keno_prize', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='prize',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('matches__isnull', True), ('spots__isnull', True)), models.Q(('listed__isnull', True), ('major', False), ('matches__gte', 0), ('matches__lte', models.F('spots'))), _connector='OR'), name='keno_prize_of_one_way'),
        ),
    ]
