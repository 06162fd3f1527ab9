"""A sale as one statement: what ``keno.sell_at_once`` expects is looked at, and the ticket written (decision 37)."""

from __future__ import annotations

from django.db import migrations

# What it finds otherwise than expected it says with SQLSTATE KN002, and nothing was done: the sale then goes step by
# step (keno.sell), which says what is wrong. Each statement in here sees what was committed before it began, so that
# the game is looked at after the lock that the close has waited for (decision 7). No lock is taken in another order.
SELL_AT_ONCE = """
    CREATE FUNCTION keno_sell_at_once(
        token text, power text, caller text,
        request_key text, request_method text, request_path text, request_hash bytea, answer_status smallint,
        answer text,
        exposure_lock integer, sales_lock integer, together bigint, a_way bigint, payable bigint,
        serial text, kind text, groups jsonb, schedule text, schedule_version bigint, jackpot boolean, set_bet text,
        games integer, first_game bigint, last_game bigint, charged_to bigint, price_a_game bigint, premium bigint,
        price bigint, change bigint, sold_at timestamptz, day date, terminal text, writer text, shift bigint,
        leaf bytea, could_pay bigint, could_pay_minors bigint, could_pay_held bigint,
        plays jsonb, cash bigint, debit text, credit text
    ) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
    #variable_conflict use_variable
    DECLARE
        l keno_gamelimits;
        minors bigint;
        held bigint;
        ticket bigint;
    BEGIN
        -- Whoever calls is whom the process remembers, and may still do it.
        PERFORM FROM house_devicetoken t JOIN house_device d ON d.id = t.device_id
        WHERE t.hash = token AND t.revoked_at IS NULL AND t.expires_at > sold_at
          AND d.status = 'active' AND d.holder_id IS NULL AND 'device:' || d.code = caller
          AND EXISTS (SELECT FROM house_grant g WHERE g.role_id = d.profile AND g.permission_id = power);
        IF NOT FOUND THEN RAISE SQLSTATE 'KN002'; END IF;

        -- The key, with the answer: a twin waits here, and is answered the same (decision 10).
        INSERT INTO web_requestkey (actor, key, method, path, body_hash, status, answer, created_at)
        VALUES (caller, request_key, request_method, request_path, request_hash, answer_status, answer, sold_at)
        ON CONFLICT (actor, key) DO NOTHING;
        IF NOT FOUND THEN RETURN false; END IF;

        -- The game: far from its limits, and open.
        SELECT * INTO l FROM keno_gamelimits WHERE game_id = first_game;
        IF FOUND THEN
            PERFORM pg_advisory_xact_lock_shared(exposure_lock, first_game::integer);
            SELECT coalesce(sum(e.minors), 0) + l.minors, coalesce(sum(e.held), 0) + l.held
            INTO minors, held FROM keno_gameexposure e WHERE e.game = first_game;
            IF a_way > l.a_way OR payable > l.a_ticket OR could_pay_held > l.a_game / 512
               OR greatest(together + minors, held) > l.a_game / 2 THEN
                RAISE SQLSTATE 'KN002';
            END IF;
        END IF;
        PERFORM pg_advisory_xact_lock_shared(sales_lock, first_game::integer);
        PERFORM FROM keno_game g WHERE g.number = first_game AND g.status = 'open';
        IF NOT FOUND THEN RAISE SQLSTATE 'KN002'; END IF;

        -- The shift: open until this is through.
        PERFORM FROM keno_shift s
        WHERE s.id = shift AND s.terminal = terminal AND s.writer = writer AND s.closed_at IS NULL FOR KEY SHARE;
        IF NOT FOUND THEN RAISE SQLSTATE 'KN002'; END IF;

        INSERT INTO keno_ticket (serial, kind, status, groups, schedule, schedule_version, jackpot, set_bet, games,
                                 first_game, last_game, charged_to, price_a_game, premium, price, change, sold_at, day,
                                 terminal, writer, shift_id, leaf, could_pay, could_pay_minors, could_pay_held)
        VALUES (serial, kind, 'issued', groups, schedule, schedule_version, jackpot, set_bet, games,
                first_game, last_game, charged_to, price_a_game, premium, price, change, sold_at, day,
                terminal, writer, shift, leaf, could_pay, could_pay_minors, could_pay_held)
        RETURNING id INTO ticket;
        INSERT INTO keno_play (ticket_id, place, spots, ways, stake)  -- the rest is its ticket's
        SELECT ticket, p.place, p.spots, p.ways, p.stake
        FROM jsonb_to_recordset(plays) AS p(place smallint, spots smallint, ways bigint, stake bigint);
        INSERT INTO keno_tender (ticket_id, place, type, amount, reference) VALUES (ticket, 0, 'cash', cash, '');
        INSERT INTO keno_gameexposure (game, part, most, minors, held)  -- a row a session: no sale waits for another
        VALUES (first_game, pg_backend_pid() % 64, could_pay, could_pay_minors, could_pay_held)
        ON CONFLICT (game, part) DO UPDATE
        SET most = keno_gameexposure.most + EXCLUDED.most, minors = keno_gameexposure.minors + EXCLUDED.minors,
            held = keno_gameexposure.held + EXCLUDED.held;
        INSERT INTO ledger_transfer (at, day, debit_id, debit_whole_cents, credit_id, credit_whole_cents,
                                     amount, kind, reference, actor)
        SELECT sold_at, day, d.id, d.whole_cents, c.id, c.whole_cents, price, 'keno.sale', serial, caller
        FROM ledger_account d, ledger_account c WHERE d.code = debit AND c.code = credit;
        IF NOT FOUND THEN RAISE SQLSTATE 'KN002'; END IF;
        RETURN true;
    END
    $$
"""


class Migration(migrations.Migration):
    dependencies = [("keno", "0003_overpayments"), ("web", "0001_initial"), ("ledger", "0001_initial")]

    operations = [migrations.RunSQL(SELL_AT_ONCE, "DROP FUNCTION keno_sell_at_once")]
