"""What a game could pay at most: kept with its tickets, summed a row a session, held to the house's limits by a lock.

``keno_hold_open_within`` takes the place of ``keno_hold_open``: one prepared statement locks, then looks. A sale that
adds little to a game far from its limit shares the lock with others: ``adds`` is at most a 512th of the limit and the
game at most at its half, so that as many sales at once as there can be sessions (below 256) end below it, whatever each
has not seen of the others. Any other sale gives that lock back (the block is undone), takes it alone, which waits for
those under way, and looks again.
"""

import django.db.models.deletion
import ledger.fields
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('keno', '0020_disputes'),
    ]

    operations = [
        migrations.CreateModel(
            name='GameExposure',
            fields=[
                ('pk', models.CompositePrimaryKey('game', 'part', blank=True, editable=False, primary_key=True, serialize=False)),
                ('game', models.BigIntegerField()),
                ('part', models.BigIntegerField()),
                ('most', ledger.fields.MoneyField()),
                ('minors', ledger.fields.MoneyField()),
                ('held', ledger.fields.MoneyField()),
            ],
        ),
        migrations.CreateModel(
            name='GameLimits',
            fields=[
                ('game', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='limits', serialize=False, to='keno.game')),
                ('a_way', ledger.fields.MoneyField()),
                ('a_ticket', ledger.fields.MoneyField()),
                ('a_game', ledger.fields.MoneyField()),
                ('most', ledger.fields.MoneyField()),
                ('minors', ledger.fields.MoneyField()),
                ('held', ledger.fields.MoneyField()),
            ],
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='ticket',
            name='as_sold',
        ),
        migrations.AddField(
            model_name='ticket',
            name='could_pay',
            field=ledger.fields.MoneyField(help_text='the most that it could be paid in one game, alone in it', null=True),
        ),
        migrations.AddField(
            model_name='ticket',
            name='could_pay_held',
            field=ledger.fields.MoneyField(help_text='the most with every major at the $200 it never falls below', null=True),
        ),
        migrations.AddField(
            model_name='ticket',
            name='could_pay_minors',
            field=ledger.fields.MoneyField(help_text='the most in prizes below $200', null=True),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='ticket',
            trigger=pgtrigger.compiler.Trigger(name='as_sold', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."change" IS DISTINCT FROM (NEW."change") OR OLD."charged_to" IS DISTINCT FROM (NEW."charged_to") OR OLD."could_pay" IS DISTINCT FROM (NEW."could_pay") OR OLD."could_pay_held" IS DISTINCT FROM (NEW."could_pay_held") OR OLD."could_pay_minors" IS DISTINCT FROM (NEW."could_pay_minors") OR OLD."day" IS DISTINCT FROM (NEW."day") OR OLD."first_game" IS DISTINCT FROM (NEW."first_game") OR OLD."games" IS DISTINCT FROM (NEW."games") OR OLD."groups" IS DISTINCT FROM (NEW."groups") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."jackpot" IS DISTINCT FROM (NEW."jackpot") OR OLD."kind" IS DISTINCT FROM (NEW."kind") OR OLD."last_game" IS DISTINCT FROM (NEW."last_game") OR OLD."leaf" IS DISTINCT FROM (NEW."leaf") OR OLD."player_id" IS DISTINCT FROM (NEW."player_id") OR OLD."premium" IS DISTINCT FROM (NEW."premium") OR OLD."price" IS DISTINCT FROM (NEW."price") OR OLD."price_a_game" IS DISTINCT FROM (NEW."price_a_game") OR OLD."schedule" IS DISTINCT FROM (NEW."schedule") OR OLD."schedule_version" IS DISTINCT FROM (NEW."schedule_version") OR OLD."serial" IS DISTINCT FROM (NEW."serial") OR OLD."set_bet" IS DISTINCT FROM (NEW."set_bet") OR OLD."shift_id" IS DISTINCT FROM (NEW."shift_id") OR OLD."sold_at" IS DISTINCT FROM (NEW."sold_at") OR OLD."terminal" IS DISTINCT FROM (NEW."terminal") OR OLD."writer" IS DISTINCT FROM (NEW."writer"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='a7a19245811ee8b6237d9090578f9744aab89f3f', operation='UPDATE', pgid='pgtrigger_as_sold_03154', table='keno_ticket', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='ticket',
            trigger=pgtrigger.compiler.Trigger(name='takes_its_exposure_along', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."could_pay" IS NOT NULL AND OLD."cancelled_from" IS NULL)', func="\n                    INSERT INTO keno_gameexposure (game, part, most, minors, held)\n                    SELECT g.number, -NEW.id, -NEW.could_pay, -NEW.could_pay_minors, -NEW.could_pay_held\n                    FROM keno_game g\n                    WHERE g.status = 'open' AND g.number BETWEEN NEW.cancelled_from AND NEW.last_game;\n                    RETURN NULL;\n                ", hash='9bb0ef08b1f70875afab8e20ab04f9627b2a8d46', operation='UPDATE OF "cancelled_from"', pgid='pgtrigger_takes_its_exposure_along_25403', table='keno_ticket', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='gameexposure',
            trigger=pgtrigger.compiler.Trigger(name='kept_for_good', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='b0bf396080709316924e0c0fef76de1cebe12479', operation='DELETE', pgid='pgtrigger_kept_for_good_ee48b', table='keno_gameexposure', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='gamelimits',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='9df34eb59c112ab9a27905246a231ccbf7bd6556', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_48d5e', table='keno_gamelimits', when='BEFORE')),
        ),
        migrations.RunSQL(
            """
            CREATE FUNCTION keno_hold_open_within(
                exposure integer, sales integer, game bigint, together bigint, adds bigint,
                OUT is_open boolean, OUT a_way bigint, OUT a_ticket bigint, OUT a_game bigint,
                OUT most bigint, OUT minors bigint, OUT held bigint
            ) LANGUAGE plpgsql VOLATILE AS $$
            #variable_conflict use_column
            DECLARE
                asked CONSTANT bigint := game;
                l keno_gamelimits;
            BEGIN
                SELECT * INTO l FROM keno_gamelimits WHERE game_id = asked;
                IF FOUND THEN
                    BEGIN
                        PERFORM pg_advisory_xact_lock_shared(exposure, asked::integer);
                        SELECT coalesce(sum(e.most), 0) + l.most, coalesce(sum(e.minors), 0) + l.minors,
                               coalesce(sum(e.held), 0) + l.held
                        INTO most, minors, held FROM keno_gameexposure e WHERE e.game = asked;
                        IF adds > l.a_game / 512 OR greatest(together + minors, held) > l.a_game / 2 THEN
                            RAISE EXCEPTION USING ERRCODE = 'KN001';
                        END IF;
                    EXCEPTION WHEN SQLSTATE 'KN001' THEN
                        PERFORM pg_advisory_xact_lock(exposure, asked::integer);
                        SELECT coalesce(sum(e.most), 0) + l.most, coalesce(sum(e.minors), 0) + l.minors,
                               coalesce(sum(e.held), 0) + l.held
                        INTO most, minors, held FROM keno_gameexposure e WHERE e.game = asked;
                    END;
                    a_way := l.a_way; a_ticket := l.a_ticket; a_game := l.a_game;
                END IF;
                PERFORM pg_advisory_xact_lock_shared(sales, asked::integer);
                is_open := EXISTS (SELECT FROM keno_game g WHERE g.number = asked AND g.status = 'open');
            END
            $$;
            DROP FUNCTION keno_hold_open(integer, bigint);
            """,
            migrations.RunSQL.noop,
        ),
    ]
