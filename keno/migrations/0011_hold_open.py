"""What a sale does first, as one prepared statement: hold the game shared, then look whether it is open.

Two statements within a volatile function: the second has a snapshot after the close that the first may have waited for.
"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("keno", "0010_tickets_of_past_games")]

    operations = [
        migrations.RunSQL(
            """
            CREATE FUNCTION keno_hold_open(sales integer, game bigint) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
            BEGIN
                PERFORM pg_advisory_xact_lock_shared(sales, game::integer);
                RETURN EXISTS (SELECT FROM keno_game g WHERE g.number = game AND g.status = 'open');
            END
            $$
            """,
            "DROP FUNCTION keno_hold_open(integer, bigint)",
        )
    ]
