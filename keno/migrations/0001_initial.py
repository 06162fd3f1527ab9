"""Games, tickets, prizes, the counter, and what may be held, disputed and settled again."""

import datetime

import django.db.models.lookups
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import BrinIndex
from django.db import migrations, models
from django.db.models import CheckConstraint, F, Func, Index, Q, UniqueConstraint, Value
from django.db.models.expressions import CombinedExpression
from django.db.models.functions.comparison import Coalesce
from django.db.models.functions.datetime import Now

import keno.models.fields
from keno.models.fields import NumbersField
from kernel.first_migration import FirstMigration
from kernel.triggers import InstallTriggers, changed, follow, refuse, trigger
from ledger.fields import MoneyField

# Numbers as bits: a play is matched against the drawn numbers by one AND.
KENO_BITS = """
    CREATE FUNCTION keno_bits(numbers smallint[]) RETURNS bit(80) LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
        SELECT coalesce(bit_or(set_bit(B'0'::bit(80), n - 1, 1)), B'0'::bit(80)) FROM unnest(numbers) AS n
    $$
"""

# Room on each page for the payment that will be written into a prize.
ROOM_FOR_PAYMENTS = "ALTER TABLE keno_prize SET (fillfactor = 90)"

# Never compressed (hashes are not): a part of it is read without the rest.
LEAVES_IN_PARTS = "ALTER TABLE keno_sealedtickets ALTER COLUMN leaves SET STORAGE EXTERNAL"

# What a sale does first, as one prepared statement: hold the game to the house's limits, hold it shared, then look
# whether it is open. Within a volatile function each statement has a snapshot after the lock it may have waited for.
#
# A sale that adds little to a game far from its limit shares the lock of the limits with others: ``adds`` is at most a
# 512th of the limit and the game at most at its half, so that as many sales at once as there can be sessions (below
# 256) end below it, whatever each has not seen of the others. Any other sale gives that lock back (the block is
# undone), takes it alone, which waits for those under way, and looks again.
HOLD_OPEN_WITHIN = """
    CREATE FUNCTION keno_hold_open_within(
        exposure integer, sales integer, game bigint, together bigint, adds bigint,
        OUT is_open boolean, OUT way_limit bigint, OUT ticket_limit bigint, OUT game_limit bigint,
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
                IF adds > l.game_limit / 512 OR greatest(together + minors, held) > l.game_limit / 2 THEN
                    RAISE EXCEPTION USING ERRCODE = 'KN001';
                END IF;
            EXCEPTION WHEN SQLSTATE 'KN001' THEN
                PERFORM pg_advisory_xact_lock(exposure, asked::integer);
                SELECT coalesce(sum(e.most), 0) + l.most, coalesce(sum(e.minors), 0) + l.minors,
                       coalesce(sum(e.held), 0) + l.held
                INTO most, minors, held FROM keno_gameexposure e WHERE e.game = asked;
            END;
            way_limit := l.way_limit; ticket_limit := l.ticket_limit; game_limit := l.game_limit;
        END IF;
        PERFORM pg_advisory_xact_lock_shared(sales, asked::integer);
        is_open := EXISTS (SELECT FROM keno_game g WHERE g.number = asked AND g.status = 'open');
    END
    $$
"""

# A sale as one statement: what ``keno.sell_at_once`` expects is looked at, and the ticket written (decision 37).
# What it finds otherwise than expected it says with SQLSTATE KN002, and nothing was done: the sale then goes step by
# step (keno.sell), which says what is wrong. Each statement in here sees what was committed before it began, so that
# the game is looked at after the lock that the close has waited for (decision 7). No lock is taken in another order.
SELL_AT_ONCE = """
    CREATE FUNCTION keno_sell_at_once(
        token text, power text, caller text,
        request_key text, request_method text, request_path text, request_hash bytea, answer_status smallint,
        answer text,
        exposure_lock integer, sales_lock integer, together bigint, way_payable bigint, payable bigint,
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
            IF way_payable > l.way_limit OR payable > l.ticket_limit OR could_pay_held > l.game_limit / 512
               OR greatest(together + minors, held) > l.game_limit / 2 THEN
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


class Migration(FirstMigration):
    dependencies = [("house", "0001_initial"), ("ledger", "0001_initial"), ("web", "0001_initial")]

    operations = [
        migrations.RunSQL(KENO_BITS, "DROP FUNCTION keno_bits(smallint[])"),
        migrations.CreateModel(
            name="ApprovedVoucher",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("reference", models.CharField(db_collation="C", max_length=64, unique=True)),
                ("type", models.CharField(max_length=16)),
                ("amount", MoneyField()),
                (
                    "proposal",
                    models.BigIntegerField(help_text="that put it on the register; none in the demo", null=True),
                ),
                ("registered_at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    CheckConstraint(condition=Q(("amount__gt", Value(0))), name="keno_approvedvoucher_positive"),
                    CheckConstraint(condition=Q(("reference", ""), _negated=True), name="keno_approvedvoucher_named"),
                ],
                "triggers": [refuse("append_only", "UPDATE OR DELETE", "keno.ApprovedVoucher")],
            },
        ),
        migrations.CreateModel(
            name="KenoSettings",
            fields=[
                ("id", models.SmallIntegerField(default=1, primary_key=True, serialize=False)),
                (
                    "device",
                    models.CharField(
                        choices=[("rng", "Rng"), ("mechanical", "Mechanical")], default="rng", max_length=16
                    ),
                ),
                (
                    "interval",
                    models.DurationField(
                        default=datetime.timedelta(seconds=180), help_text="from one close to the next"
                    ),
                ),
                (
                    "draw_after",
                    models.DurationField(
                        default=datetime.timedelta(seconds=5), help_text="from the close to the first number"
                    ),
                ),
                (
                    "pace",
                    models.DurationField(
                        default=datetime.timedelta(microseconds=500000), help_text="from one number to the next"
                    ),
                ),
                (
                    "balls_confirmed",
                    models.BooleanField(default=False, help_text="a second person reads the twenty balls back"),
                ),
                ("unclaimed_swept", models.DateField(null=True)),
            ],
            options={
                "constraints": [
                    CheckConstraint(condition=Q(("id", 1)), name="keno_settings_one_row"),
                    CheckConstraint(
                        condition=Q(("device__in", ["rng", "mechanical"])), name="keno_settings_device_known"
                    ),
                    CheckConstraint(
                        condition=Q(
                            (
                                "interval__gt",
                                CombinedExpression(F("draw_after"), "+", CombinedExpression(F("pace"), "*", Value(20))),
                            ),
                            ("draw_after__gte", datetime.timedelta(0)),
                            ("pace__gte", datetime.timedelta(0)),
                        ),
                        name="keno_settings_draw_fits",
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="Game",
            fields=[
                ("number", models.BigIntegerField(primary_key=True, serialize=False)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("scheduled", "Scheduled"),
                            ("open", "Open"),
                            ("closed", "Closed"),
                            ("sealed", "Sealed"),
                            ("drawing", "Drawing"),
                            ("drawn", "Drawn"),
                            ("settled", "Settled"),
                            ("invalidated", "Invalidated"),
                        ],
                        default="scheduled",
                        max_length=16,
                    ),
                ),
                ("device", models.CharField(choices=[("rng", "Rng"), ("mechanical", "Mechanical")], max_length=16)),
                ("gaming_day", models.DateField()),
                ("opens_at", models.DateTimeField()),
                ("closes_at", models.DateTimeField()),
                ("opened_at", models.DateTimeField(null=True)),
                ("closed_at", models.DateTimeField(null=True)),
                ("sealed_at", models.DateTimeField(null=True)),
                ("ticket_root", models.BinaryField(null=True)),
                ("ticket_count", models.BigIntegerField(null=True)),
                ("sealed_stakes", MoneyField(null=True)),
                ("asked_at", models.DateTimeField(null=True)),
                ("began_at", models.DateTimeField(null=True)),
                ("drawn_at", models.DateTimeField(null=True)),
                ("settled_at", models.DateTimeField(null=True)),
                ("invalidated_at", models.DateTimeField(null=True)),
                ("invalidated_by", models.CharField(max_length=80, null=True)),
                (
                    "invalidation_cause",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("civil-commotion", "Civil Commotion"),
                            ("fire", "Fire"),
                            ("riot", "Riot"),
                            ("brawl", "Brawl"),
                            ("robbery", "Robbery"),
                            ("act-of-god", "Act Of God"),
                            ("impractical", "Impractical"),
                            ("fraud", "Fraud"),
                        ],
                        max_length=32,
                    ),
                ),
                ("invalidation_reason", models.TextField(blank=True)),
                ("contributed_at", models.DateTimeField(null=True)),
                ("matched_upto", models.BigIntegerField(null=True)),
                ("totals", models.JSONField(null=True)),
            ],
            options={
                "ordering": ("number",),
                "indexes": [
                    Index(
                        condition=Q(("status__in", ["settled", "invalidated"]), _negated=True),
                        fields=["number"],
                        name="keno_game_unfinished",
                    ),
                    Index(fields=["gaming_day", "number"], name="keno_game_by_day"),
                ],
                "constraints": [
                    CheckConstraint(
                        condition=Q(
                            (
                                "status__in",
                                ["scheduled", "open", "closed", "sealed", "drawing", "drawn", "settled", "invalidated"],
                            )
                        ),
                        name="keno_game_status_known",
                    ),
                    CheckConstraint(condition=Q(("device__in", ["rng", "mechanical"])), name="keno_game_device_known"),
                    CheckConstraint(condition=Q(("number__gte", 1)), name="keno_game_numbered_from_one"),
                    CheckConstraint(condition=Q(("opens_at__lt", F("closes_at"))), name="keno_game_opens_first"),
                    UniqueConstraint(condition=Q(("status", "open")), fields=("status",), name="keno_game_one_open"),
                    UniqueConstraint(
                        condition=Q(("status", "scheduled")), fields=("status",), name="keno_game_one_scheduled"
                    ),
                    UniqueConstraint(
                        condition=Q(("status", "drawing")), fields=("status",), name="keno_game_one_drawing"
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("opened_at__isnull", True), ("status", "scheduled")),
                            Q(Q(("status", "scheduled"), _negated=True), ("opened_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="keno_game_opened_when",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("closed_at__isnull", True), ("status__in", ["scheduled", "open"])),
                            Q(
                                ("closed_at__isnull", False),
                                ("status__in", ["closed", "sealed", "drawing", "drawn", "settled"]),
                            ),
                            ("status", "invalidated"),
                            _connector="OR",
                        ),
                        name="keno_game_closed_when",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("sealed_at__isnull", True), ("status__in", ["scheduled", "open", "closed"])),
                            Q(("sealed_at__isnull", False), ("status__in", ["sealed", "drawing", "drawn", "settled"])),
                            ("status", "invalidated"),
                            _connector="OR",
                        ),
                        name="keno_game_sealed_when",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(
                                ("sealed_at__isnull", True),
                                ("ticket_root__isnull", True),
                                ("ticket_count__isnull", True),
                                ("sealed_stakes__isnull", True),
                            ),
                            Q(
                                ("sealed_at__isnull", False),
                                ("ticket_root__isnull", False),
                                ("ticket_count__isnull", False),
                                ("sealed_stakes__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="keno_game_sealed_whole",
                    ),
                    CheckConstraint(
                        condition=Q(("asked_at__isnull", True), ("sealed_at__isnull", False), _connector="OR"),
                        name="keno_game_asked_when_sealed",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("began_at__isnull", True), ("status__in", ["scheduled", "open", "closed"])),
                            Q(("began_at__isnull", False), ("status__in", ["drawing", "drawn", "settled"])),
                            ("status__in", ["sealed", "invalidated"]),
                            _connector="OR",
                        ),
                        name="keno_game_began_when",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(
                                ("drawn_at__isnull", True),
                                ("status__in", ["scheduled", "open", "closed", "sealed", "drawing"]),
                            ),
                            Q(("drawn_at__isnull", False), ("status__in", ["drawn", "settled"])),
                            ("status", "invalidated"),
                            _connector="OR",
                        ),
                        name="keno_game_drawn_when",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("settled_at__isnull", False), ("status", "settled"), ("totals__isnull", False)),
                            Q(
                                Q(("status", "settled"), _negated=True),
                                ("settled_at__isnull", True),
                                ("totals__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="keno_game_settled_when",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(
                                ("invalidated_at__isnull", False),
                                ("status", "invalidated"),
                                Q(("invalidation_reason", ""), _negated=True),
                                (
                                    "invalidation_cause__in",
                                    [
                                        "civil-commotion",
                                        "fire",
                                        "riot",
                                        "brawl",
                                        "robbery",
                                        "act-of-god",
                                        "impractical",
                                        "fraud",
                                    ],
                                ),
                            ),
                            Q(
                                Q(("status", "invalidated"), _negated=True),
                                ("invalidated_at__isnull", True),
                                ("invalidation_cause", ""),
                                ("invalidation_reason", ""),
                            ),
                            _connector="OR",
                        ),
                        name="keno_game_invalidated_why",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("invalidated_at__isnull", True), ("invalidated_by__isnull", True)),
                            Q(("invalidated_at__isnull", False), ("invalidated_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="keno_game_invalidated_by_somebody",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("matched_upto__isnull", True),
                            ("status__in", ["drawn", "settled", "invalidated"]),
                            _connector="OR",
                        ),
                        name="keno_game_matched_when_drawn",
                    ),
                    CheckConstraint(
                        condition=Q(("contributed_at__isnull", True), ("closed_at__isnull", False), _connector="OR"),
                        name="keno_game_contributes_once_closed",
                    ),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "keno.Game"),
                    refuse("named_for_good", "UPDATE", "keno.Game", only_if=changed("number")),
                    follow(
                        "transitions",
                        "keno.Game",
                        "closed:invalidated",
                        "closed:sealed",
                        "drawing:drawn",
                        "drawing:invalidated",
                        "drawing:sealed",
                        "drawn:invalidated",
                        "drawn:sealed",
                        "drawn:settled",
                        "open:closed",
                        "open:invalidated",
                        "scheduled:open",
                        "sealed:drawing",
                        "sealed:invalidated",
                    ),
                    trigger(
                        "sealed_once",
                        "UPDATE",
                        "keno.Game",
                        run="\n                    IF OLD.sealed_at IS NOT NULL\n                            AND (NEW.sealed_at, NEW.ticket_root, NEW.ticket_count, NEW.sealed_stakes)\n                                IS DISTINCT FROM (OLD.sealed_at, OLD.ticket_root, OLD.ticket_count, OLD.sealed_stakes)\n                        OR OLD.asked_at IS NOT NULL AND NEW.asked_at IS DISTINCT FROM OLD.asked_at\n                    THEN\n                        RAISE check_violation USING CONSTRAINT = 'keno_game_sealed_once',\n                            MESSAGE = 'a set of tickets is sealed once, and asked about for good';\n                    END IF;\n                    RETURN NEW;\n                ",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Draw",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("game", models.ForeignKey(on_delete=models.PROTECT, related_name="draws", to="keno.game")),
                ("attempt", models.SmallIntegerField()),
                ("device", models.CharField(choices=[("rng", "Rng"), ("mechanical", "Mechanical")], max_length=16)),
                ("made_at", models.DateTimeField(db_default=Now())),
                ("asked", models.SmallIntegerField(null=True)),
                ("waits_since", models.DateTimeField(null=True)),
                ("stakes", MoneyField(null=True)),
                ("numbers", ArrayField(base_field=models.SmallIntegerField(), default=list, size=None)),
                ("began_at", models.DateTimeField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
                ("voided_at", models.DateTimeField(null=True)),
                ("voided_by", models.CharField(max_length=80, null=True)),
                ("void_reason", models.TextField(blank=True)),
                ("would_be", ArrayField(base_field=models.SmallIntegerField(), default=list, size=None)),
                (
                    "void_proposal",
                    models.ForeignKey(null=True, on_delete=models.PROTECT, related_name="+", to="house.proposal"),
                ),
                ("balls_counted", models.SmallIntegerField(null=True)),
                ("counted_by", models.CharField(max_length=80, null=True)),
                ("ball_set", models.CharField(max_length=16, null=True)),
                ("entered_by", ArrayField(base_field=models.CharField(max_length=80), default=list, size=None)),
                ("read_back_by", models.CharField(max_length=80, null=True)),
            ],
            options={
                "ordering": ("game", "attempt"),
                "constraints": [
                    UniqueConstraint(fields=("game", "attempt"), name="keno_draw_attempts_counted"),
                    UniqueConstraint(
                        condition=Q(("voided_at__isnull", True)), fields=("game",), name="keno_draw_one_stands"
                    ),
                    CheckConstraint(condition=Q(("device__in", ["rng", "mechanical"])), name="keno_draw_device_known"),
                    CheckConstraint(condition=Q(("attempt__gte", 1)), name="keno_draw_attempts_from_one"),
                    UniqueConstraint(fields=("game", "asked"), name="keno_draw_asked_once"),
                    CheckConstraint(
                        condition=Q(("asked__isnull", True), Q(("asked__gte", 1), ("device", "rng")), _connector="OR"),
                        name="keno_draw_balls_ask_nobody",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("began_at__isnull", True),
                            ("device", "mechanical"),
                            ("asked__isnull", False),
                            _connector="OR",
                        ),
                        name="keno_draw_asked_when_begun",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("began_at__isnull", True), ("stakes__isnull", True)),
                            Q(("began_at__isnull", False), ("stakes__isnull", False)),
                            _connector="OR",
                        ),
                        name="keno_draw_stakes_when_begun",
                    ),
                    CheckConstraint(
                        condition=Q(("waits_since__isnull", True), ("asked__isnull", False), _connector="OR"),
                        name="keno_draw_waits_once_asked",
                    ),
                    CheckConstraint(
                        condition=Q(("began_at__isnull", False), ("numbers", []), _connector="OR"),
                        name="keno_draw_numbers_when_begun",
                    ),
                    CheckConstraint(condition=Q(("numbers__len__lte", 20)), name="keno_draw_at_most_twenty"),
                    CheckConstraint(
                        condition=django.db.models.lookups.Exact(
                            Func(
                                Func(F("numbers"), function="keno_bits"),
                                function="bit_count",
                                output_field=models.BigIntegerField(),
                            ),
                            Func(F("numbers"), function="cardinality", output_field=models.BigIntegerField()),
                        ),
                        name="keno_draw_numbers_different",
                    ),
                    CheckConstraint(
                        condition=Q(("finished_at__isnull", True), ("numbers__len", 20), _connector="OR"),
                        name="keno_draw_finished_with_twenty",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("voided_at__isnull", True), ("voided_by__isnull", True)),
                            Q(("voided_at__isnull", False), ("voided_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="keno_draw_voided_by_somebody",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("void_reason", ""), ("voided_at__isnull", True)),
                            Q(("voided_at__isnull", False), Q(("void_reason", ""), _negated=True)),
                            _connector="OR",
                        ),
                        name="keno_draw_void_says_why",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("would_be", []), Q(("voided_at__isnull", False), ("would_be__len", 20)), _connector="OR"
                        ),
                        name="keno_draw_would_be_void",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(
                                ("balls_counted__isnull", True),
                                ("counted_by__isnull", True),
                                ("ball_set__isnull", True),
                            ),
                            Q(
                                ("balls_counted__isnull", False),
                                ("counted_by__isnull", False),
                                ("ball_set__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="keno_draw_counted_by_somebody",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("device", "mechanical"),
                            Q(("balls_counted__isnull", True), ("entered_by", [])),
                            _connector="OR",
                        ),
                        name="keno_draw_balls_are_mechanical",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("device", "rng"),
                            ("began_at__isnull", True),
                            Q(("balls_counted", 80), ("balls_counted__isnull", False)),
                            _connector="OR",
                        ),
                        name="keno_draw_counted_first",
                    ),
                    CheckConstraint(
                        condition=Q(("read_back_by__isnull", True), ("finished_at__isnull", False), _connector="OR"),
                        name="keno_draw_read_back_whole",
                    ),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "keno.Draw"),
                    refuse("promised", "UPDATE", "keno.Draw", only_if=changed("game_id", "attempt", "device")),
                    trigger(
                        "official_record",
                        "UPDATE",
                        "keno.Draw",
                        run="\n                    IF (OLD.numbers IS DISTINCT FROM NEW.numbers AND (\n                            OLD.voided_at IS NOT NULL OR OLD.finished_at IS NOT NULL AND NOT EXISTS (\n                                SELECT FROM keno_resettlement r\n                                WHERE r.game_id = OLD.game_id AND r.recorded = OLD.numbers AND r.numbers = NEW.numbers)\n                            OR OLD.device = 'rng' AND NEW.numbers[1:cardinality(OLD.numbers)] <> OLD.numbers))\n                        OR OLD.asked IS NOT NULL AND NEW.asked IS DISTINCT FROM OLD.asked\n                        OR OLD.stakes IS NOT NULL AND NEW.stakes IS DISTINCT FROM OLD.stakes\n                        OR OLD.finished_at IS NOT NULL AND NEW.finished_at IS DISTINCT FROM OLD.finished_at\n                        OR OLD.voided_at IS NOT NULL AND NEW.voided_at IS DISTINCT FROM OLD.voided_at\n                    THEN\n                        RAISE check_violation USING CONSTRAINT = 'keno_draw_official_record',\n                            MESSAGE = 'what a draw has recorded stands';\n                    END IF;\n                    RETURN NEW;\n                ",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Match",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False, on_delete=models.DO_NOTHING, related_name="matches", to="keno.game"
                    ),
                ),
                ("ticket_id", models.BigIntegerField()),
                ("place", models.SmallIntegerField()),
                ("spots", models.SmallIntegerField()),
                ("matches", models.SmallIntegerField()),
                ("ways", models.BigIntegerField()),
                ("stake", MoneyField()),
                ("prize", MoneyField(help_text="of one way, before majors and jackpots are settled")),
                ("jackpot", models.BooleanField()),
            ],
            options={
                "constraints": [
                    UniqueConstraint(fields=("game", "ticket_id", "place", "matches"), name="keno_match_once")
                ]
            },
        ),
        migrations.CreateModel(
            name="Shift",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("terminal", models.CharField(help_text="the device, or the person at the console", max_length=80)),
                ("writer", models.CharField(help_text="who answers for the drawer", max_length=80)),
                ("day", models.DateField()),
                ("opened_at", models.DateTimeField()),
                ("opened_by", models.CharField(max_length=80)),
                ("opening_float", MoneyField(default=keno.models.fields.nothing)),
                ("closed_at", models.DateTimeField(null=True)),
                ("closed_by", models.CharField(max_length=80, null=True)),
                ("counted_cash", MoneyField(null=True)),
                ("counted_chips", MoneyField(null=True)),
                ("expected_cash", MoneyField(null=True)),
                ("expected_chips", MoneyField(null=True)),
            ],
            options={
                "indexes": [Index(fields=["day", "id"], name="keno_shift_day")],
                "constraints": [
                    UniqueConstraint(
                        condition=Q(("closed_at__isnull", True)),
                        fields=("terminal",),
                        name="keno_shift_one_open_a_terminal",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(
                                ("closed_at__isnull", True),
                                ("closed_by__isnull", True),
                                ("counted_cash__isnull", True),
                                ("counted_chips__isnull", True),
                                ("expected_cash__isnull", True),
                                ("expected_chips__isnull", True),
                            ),
                            Q(
                                ("closed_at__isnull", False),
                                ("closed_by__isnull", False),
                                ("counted_cash__isnull", False),
                                ("counted_chips__isnull", False),
                                ("expected_cash__isnull", False),
                                ("expected_chips__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="keno_shift_closed",
                    ),
                    CheckConstraint(condition=Q(("opening_float__gte", Value(0))), name="keno_shift_float"),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "keno.Shift"),
                    refuse("closed_for_good", "UPDATE", "keno.Shift", only_if='OLD."closed_at" IS NOT NULL'),
                ],
            },
        ),
        migrations.CreateModel(
            name="Ticket",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("serial", models.CharField(db_collation="C", max_length=12)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("standard", "Standard"),
                            ("way", "Way"),
                            ("quick-pick", "Quick Pick"),
                            ("mystery", "Mystery"),
                            ("set-bet", "Set Bet"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[("issued", "Issued"), ("cancelled", "Cancelled"), ("voided", "Voided")],
                        default="issued",
                        max_length=16,
                    ),
                ),
                ("groups", models.JSONField()),
                ("schedule", models.CharField(max_length=16)),
                ("schedule_version", models.BigIntegerField(null=True)),
                ("jackpot", models.BooleanField()),
                ("set_bet", models.CharField(blank=True, max_length=32)),
                ("games", models.IntegerField()),
                ("first_game", models.BigIntegerField()),
                ("last_game", models.BigIntegerField()),
                ("charged_to", models.BigIntegerField()),
                (
                    "price_a_game",
                    MoneyField(help_text="what each charged game cost: stakes, and the premium of a jackpot ticket"),
                ),
                ("premium", MoneyField(help_text="the part of it that is the premium (4.7a)")),
                ("price", MoneyField()),
                ("change", MoneyField(default=keno.models.fields.nothing, help_text="given back in cash at the sale")),
                ("sold_at", models.DateTimeField()),
                ("day", models.DateField(help_text="the gaming day of issue")),
                ("terminal", models.CharField(help_text="the device or person that sold it", max_length=80)),
                ("writer", models.CharField(max_length=80)),
                (
                    "shift",
                    models.ForeignKey(
                        db_index=False, on_delete=models.DO_NOTHING, related_name="tickets", to="keno.shift"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=models.DO_NOTHING,
                        related_name="keno_tickets",
                        to="house.player",
                    ),
                ),
                ("leaf", models.BinaryField()),
                (
                    "could_pay",
                    MoneyField(help_text="the most that it could be paid in one game, alone in it", null=True),
                ),
                ("could_pay_minors", MoneyField(help_text="the most in prizes below $200", null=True)),
                (
                    "could_pay_held",
                    MoneyField(help_text="the most with every major at the $200 it never falls below", null=True),
                ),
                ("paper", models.SmallIntegerField(db_default=1, default=1)),
                (
                    "cancelled_from",
                    models.BigIntegerField(help_text="the first game that it does not play any more", null=True),
                ),
                ("cancelled_at", models.DateTimeField(null=True)),
                ("cancelled_by", models.CharField(max_length=80, null=True)),
                (
                    "plays_to",
                    models.GeneratedField(
                        db_persist=True,
                        expression=Coalesce(CombinedExpression(F("cancelled_from"), "-", Value(1)), F("last_game")),
                        output_field=models.BigIntegerField(),
                    ),
                ),
            ],
            options={
                "indexes": [
                    Index(fields=["plays_to", "first_game"], name="keno_ticket_in_game"),
                    BrinIndex(
                        autosummarize=True,
                        fields=["first_game", "plays_to"],
                        name="keno_ticket_played",
                        pages_per_range=32,
                    ),
                    Index(fields=["shift", "id"], name="keno_ticket_shift"),
                    Index(fields=["day", "id"], name="keno_ticket_day"),
                ],
                "constraints": [
                    UniqueConstraint(fields=("serial",), name="keno_ticket_serial"),
                    CheckConstraint(
                        condition=Q(("kind__in", ["standard", "way", "quick-pick", "mystery", "set-bet"])),
                        name="keno_ticket_kind_known",
                    ),
                    CheckConstraint(
                        condition=Q(("status__in", ["issued", "cancelled", "voided"])), name="keno_ticket_status_known"
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("games__gte", 1),
                            (
                                "last_game",
                                CombinedExpression(CombinedExpression(F("first_game"), "+", F("games")), "-", Value(1)),
                            ),
                        ),
                        name="keno_ticket_games",
                    ),
                    CheckConstraint(
                        condition=Q(("charged_to__gte", F("first_game")), ("charged_to__lte", F("last_game"))),
                        name="keno_ticket_charged",
                    ),
                    CheckConstraint(
                        condition=Q(
                            (
                                "price",
                                CombinedExpression(
                                    F("price_a_game"),
                                    "*",
                                    CombinedExpression(
                                        CombinedExpression(F("charged_to"), "-", F("first_game")), "+", Value(1)
                                    ),
                                ),
                            ),
                            ("price_a_game__gt", Value(0)),
                        ),
                        name="keno_ticket_price",
                    ),
                    CheckConstraint(condition=Q(("price__lte", Value(9999000000))), name="keno_ticket_most"),
                    CheckConstraint(
                        condition=Q(
                            Q(
                                ("cancelled_from__isnull", True),
                                ("cancelled_at__isnull", True),
                                ("cancelled_by__isnull", True),
                            ),
                            Q(
                                ("cancelled_from__isnull", False),
                                ("cancelled_at__isnull", False),
                                ("cancelled_by__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="keno_ticket_cancelled",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("cancelled_from__isnull", True),
                            Q(("cancelled_from__gte", F("first_game")), ("cancelled_from__lte", F("last_game"))),
                            _connector="OR",
                        ),
                        name="keno_ticket_cancelled_from",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("status", "cancelled"), _negated=True),
                            ("cancelled_from", F("first_game")),
                            _connector="OR",
                        ),
                        name="keno_ticket_cancelled_whole",
                    ),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "keno.Ticket"),
                    refuse(
                        "as_sold",
                        "UPDATE",
                        "keno.Ticket",
                        only_if=changed(
                            "change",
                            "charged_to",
                            "could_pay",
                            "could_pay_held",
                            "could_pay_minors",
                            "day",
                            "first_game",
                            "games",
                            "groups",
                            "id",
                            "jackpot",
                            "kind",
                            "last_game",
                            "leaf",
                            "player_id",
                            "premium",
                            "price",
                            "price_a_game",
                            "schedule",
                            "schedule_version",
                            "serial",
                            "set_bet",
                            "shift_id",
                            "sold_at",
                            "terminal",
                            "writer",
                        ),
                    ),
                    trigger(
                        "takes_its_exposure_along",
                        'UPDATE OF "cancelled_from"',
                        "keno.Ticket",
                        run="\n                    INSERT INTO keno_gameexposure (game, part, most, minors, held)\n                    SELECT g.number, -NEW.id, -NEW.could_pay, -NEW.could_pay_minors, -NEW.could_pay_held\n                    FROM keno_game g\n                    WHERE g.status = 'open' AND g.number BETWEEN NEW.cancelled_from AND NEW.last_game;\n                    RETURN NULL;\n                ",
                        only_if='NEW."could_pay" IS NOT NULL AND OLD."cancelled_from" IS NULL',
                        when="AFTER",
                    ),
                    trigger(
                        "one_paper_after_the_other",
                        'UPDATE OF "paper"',
                        "keno.Ticket",
                        run="\n                    IF NEW.paper <> OLD.paper + 1 THEN\n                        RAISE check_violation USING CONSTRAINT = 'keno_ticket_one_paper_after_the_other',\n                            MESSAGE = 'a ticket goes on with the next paper';\n                    END IF;\n                    RETURN NEW;\n                ",
                        only_if=changed("paper"),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Play",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "ticket",
                    models.ForeignKey(
                        db_index=False, on_delete=models.DO_NOTHING, related_name="plays", to="keno.ticket"
                    ),
                ),
                ("place", models.SmallIntegerField(help_text="its place on the ticket, from 0")),
                ("spots", models.SmallIntegerField()),
                ("ways", models.BigIntegerField()),
                ("stake", MoneyField()),
                ("numbers", NumbersField(null=True)),
                ("jackpot", models.BooleanField(help_text="its ways are in the jackpot of that many numbers")),
                ("schedule", models.CharField(max_length=16)),
                ("schedule_version", models.BigIntegerField(null=True)),
                ("first_game", models.BigIntegerField()),
                ("charged_to", models.BigIntegerField()),
                ("plays_to", models.BigIntegerField()),
            ],
            options={
                "indexes": [
                    Index(fields=["plays_to", "first_game"], name="keno_play_in_game"),
                    Index(
                        condition=Q(("numbers__isnull", True), ("place__gt", Value(0)), _connector="OR"),
                        fields=["plays_to", "first_game", "ticket"],
                        name="keno_play_of_ways",
                    ),
                ],
                "constraints": [
                    UniqueConstraint(fields=("ticket", "place"), name="keno_play_place"),
                    CheckConstraint(
                        condition=Q(("spots__range", (1, 15)), ("stake__gt", Value(0)), ("ways__gte", 1)),
                        name="keno_play_possible",
                    ),
                    CheckConstraint(
                        condition=Q(("numbers__isnull", True), ("ways", 1), _connector="OR"), name="keno_play_one_way"
                    ),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "keno.Play"),
                    refuse(
                        "as_sold",
                        "UPDATE",
                        "keno.Play",
                        only_if=changed(
                            "charged_to",
                            "first_game",
                            "id",
                            "jackpot",
                            "numbers",
                            "place",
                            "schedule",
                            "schedule_version",
                            "spots",
                            "stake",
                            "ticket_id",
                            "ways",
                        ),
                    ),
                    trigger(
                        "as_its_ticket",
                        "INSERT",
                        "keno.Play",
                        run="\n    SELECT t.schedule, t.schedule_version, t.first_game, t.charged_to, t.plays_to, t.jackpot AND NEW.spots IN (6, 8),\n           CASE WHEN cardinality(m.marked) = NEW.spots THEN keno_bits(m.marked) END\n    INTO NEW.schedule, NEW.schedule_version, NEW.first_game, NEW.charged_to, NEW.plays_to, NEW.jackpot, NEW.numbers\n    FROM keno_ticket t\n    CROSS JOIN LATERAL (SELECT ('{' || translate(t.groups::text, '[] ', '') || '}')::smallint[] AS marked) m\n    WHERE t.id = NEW.ticket_id;\n    IF NOT FOUND THEN\n        RAISE foreign_key_violation USING CONSTRAINT = 'keno_play_of_a_ticket', MESSAGE = 'a play belongs to a ticket';\n    END IF;\n    RETURN NEW;\n",
                    ),
                    trigger(
                        "stops_with_its_ticket",
                        'UPDATE OF "plays_to"',
                        "keno.Play",
                        run="\n                    SELECT t.plays_to INTO NEW.plays_to FROM keno_ticket t WHERE t.id = NEW.ticket_id;\n                    RETURN NEW;\n                ",
                        only_if=changed("plays_to"),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Tender",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "ticket",
                    models.ForeignKey(
                        db_index=False, on_delete=models.DO_NOTHING, related_name="tenders", to="keno.ticket"
                    ),
                ),
                ("place", models.SmallIntegerField()),
                (
                    "type",
                    models.CharField(
                        choices=[
                            ("cash", "Cash"),
                            ("chips", "Chips"),
                            ("voucher", "Voucher"),
                            ("keno-voucher", "Keno Voucher"),
                            ("ticket", "Ticket"),
                        ],
                        max_length=16,
                    ),
                ),
                ("amount", MoneyField()),
                ("reference", models.CharField(blank=True, max_length=64)),
            ],
            options={
                "constraints": [
                    UniqueConstraint(fields=("ticket", "place"), name="keno_tender_place"),
                    CheckConstraint(
                        condition=Q(("type__in", ["cash", "chips", "voucher", "keno-voucher", "ticket"])),
                        name="keno_tender_type_known",
                    ),
                    CheckConstraint(condition=Q(("amount__gt", Value(0))), name="keno_tender_positive"),
                    CheckConstraint(
                        condition=Q(
                            Q(("reference", ""), ("type__in", ["cash", "chips"])),
                            Q(("type__in", ["voucher", "keno-voucher", "ticket"]), Q(("reference", ""), _negated=True)),
                            _connector="OR",
                        ),
                        name="keno_tender_reference",
                    ),
                    UniqueConstraint(
                        condition=Q(("type__in", ["voucher", "keno-voucher"])),
                        fields=("type", "reference"),
                        name="keno_tender_once",
                    ),
                ],
                "triggers": [refuse("append_only", "UPDATE OR DELETE", "keno.Tender")],
            },
        ),
        migrations.CreateModel(
            name="LateCancellation",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False, on_delete=models.PROTECT, related_name="late_cancellations", to="keno.game"
                    ),
                ),
                (
                    "ticket",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="late_cancellations", to="keno.ticket"),
                ),
                ("at", models.DateTimeField()),
            ],
            options={
                "constraints": [UniqueConstraint(fields=("game", "ticket"), name="keno_late_once")],
                "triggers": [refuse("append_only", "UPDATE OR DELETE", "keno.LateCancellation")],
            },
        ),
        migrations.CreateModel(
            name="CancellationRequest",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False, on_delete=models.PROTECT, related_name="cancellation_requests", to="keno.game"
                    ),
                ),
                (
                    "ticket",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="cancellation_requests", to="keno.ticket"),
                ),
                ("at", models.DateTimeField()),
                ("by", models.CharField(max_length=80)),
                (
                    "outcome",
                    models.CharField(
                        blank=True, choices=[("honoured", "Honoured"), ("refused", "Refused")], max_length=16
                    ),
                ),
                ("decided_at", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [
                    UniqueConstraint(fields=("game", "ticket"), name="keno_request_once"),
                    CheckConstraint(
                        condition=Q(
                            Q(("decided_at__isnull", True), ("outcome", "")),
                            Q(("decided_at__isnull", False), ("outcome__in", ["honoured", "refused"])),
                            _connector="OR",
                        ),
                        name="keno_request_decided_when",
                    ),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "keno.CancellationRequest"),
                    refuse(
                        "as_asked",
                        "UPDATE",
                        "keno.CancellationRequest",
                        only_if=changed("game_id", "ticket_id", "at", "by"),
                    ),
                    refuse(
                        "decided_once", "UPDATE", "keno.CancellationRequest", only_if='OLD."decided_at" IS NOT NULL'
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Payment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("ticket", models.ForeignKey(on_delete=models.DO_NOTHING, related_name="payments", to="keno.ticket")),
                ("amount", MoneyField()),
                (
                    "method",
                    models.CharField(
                        choices=[
                            ("cash", "Cash"),
                            ("cheque", "Cheque"),
                            ("mix", "Mix"),
                            ("keno-voucher", "Voucher"),
                            ("tender", "Tender"),
                        ],
                        max_length=16,
                    ),
                ),
                ("cash", MoneyField(default=keno.models.fields.nothing)),
                ("cheque", MoneyField(default=keno.models.fields.nothing)),
                ("not_cash", MoneyField(default=keno.models.fields.nothing)),
                ("cheque_number", models.CharField(blank=True, max_length=32)),
                ("paid_at", models.DateTimeField()),
                ("day", models.DateField()),
                (
                    "shift",
                    models.ForeignKey(null=True, on_delete=models.DO_NOTHING, related_name="payments", to="keno.shift"),
                ),
                ("paid_by", models.CharField(max_length=80)),
                ("supervisor", models.CharField(max_length=80, null=True)),
                ("retain_until", models.DateTimeField()),
                ("continued", models.SmallIntegerField(null=True)),
            ],
            options={
                "indexes": [Index(fields=["day", "id"], name="keno_payment_day")],
                "constraints": [
                    CheckConstraint(condition=Q(("amount__gt", Value(0))), name="keno_payment_positive"),
                    CheckConstraint(
                        condition=Q(("method__in", ["cash", "cheque", "mix", "keno-voucher", "tender"])),
                        name="keno_payment_method_known",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("cash__gte", Value(0)),
                            ("cheque__gte", Value(0)),
                            ("not_cash__gte", Value(0)),
                            Q(
                                Q(
                                    (
                                        "amount",
                                        CombinedExpression(
                                            CombinedExpression(F("cash"), "+", F("cheque")), "+", F("not_cash")
                                        ),
                                    ),
                                    ("method__in", ["cash", "cheque", "mix"]),
                                ),
                                Q(("cash", Value(0)), ("cheque", Value(0)), ("method__in", ["keno-voucher", "tender"])),
                                _connector="OR",
                            ),
                        ),
                        name="keno_payment_adds_up",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("supervisor__isnull", True),
                            Q(("supervisor", F("paid_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="keno_payment_two_people",
                    ),
                ],
                "triggers": [refuse("append_only", "UPDATE OR DELETE", "keno.Payment")],
            },
        ),
        migrations.CreateModel(
            name="VoidedWin",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "ticket",
                    models.ForeignKey(
                        db_index=False, on_delete=models.DO_NOTHING, related_name="voided_wins", to="keno.ticket"
                    ),
                ),
                ("game", models.BigIntegerField()),
                ("amount", MoneyField(help_text="what it had won, jackpot and bonus included")),
                ("jackpot", MoneyField(default=keno.models.fields.nothing)),
                ("bonus", MoneyField(default=keno.models.fields.nothing)),
                (
                    "refund",
                    MoneyField(
                        default=keno.models.fields.nothing,
                        help_text="what was paid for that game: of a free one nothing",
                    ),
                ),
                ("proposal", models.ForeignKey(on_delete=models.PROTECT, related_name="+", to="house.proposal")),
                ("at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    UniqueConstraint(fields=("ticket", "game"), name="keno_voidedwin_once"),
                    CheckConstraint(condition=Q(("amount__gt", Value(0))), name="keno_voidedwin_had_won"),
                ],
                "triggers": [refuse("append_only", "UPDATE OR DELETE", "keno.VoidedWin")],
            },
        ),
        migrations.CreateModel(
            name="Resettlement",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.OneToOneField(on_delete=models.PROTECT, related_name="resettlement", to="keno.game")),
                (
                    "recorded",
                    ArrayField(
                        base_field=models.SmallIntegerField(), help_text="what it had been settled on", size=None
                    ),
                ),
                (
                    "numbers",
                    ArrayField(base_field=models.SmallIntegerField(), help_text="the balls that came out", size=None),
                ),
                ("totals", models.JSONField(help_text="what it had come to on the wrong numbers")),
                ("why", models.TextField()),
                ("proposal", models.OneToOneField(on_delete=models.PROTECT, related_name="+", to="house.proposal")),
                ("at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    CheckConstraint(
                        condition=Q(
                            ("numbers__len", 20), ("recorded__len", 20), Q(("recorded", F("numbers")), _negated=True)
                        ),
                        name="keno_resettlement_of_twenty",
                    ),
                    CheckConstraint(condition=Q(("why", ""), _negated=True), name="keno_resettlement_says_why"),
                ],
                "triggers": [refuse("append_only", "UPDATE OR DELETE", "keno.Resettlement")],
            },
        ),
        migrations.CreateModel(
            name="Prize",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "ticket_id", "game", "kind", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "ticket",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=models.DO_NOTHING,
                        related_name="prizes",
                        to="keno.ticket",
                    ),
                ),
                ("game", models.BigIntegerField()),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("prize", "Prize"),
                            ("bonus", "Bonus"),
                            ("refund", "Refund"),
                            ("prize-corrected", "Prize Corrected"),
                            ("bonus-corrected", "Bonus Corrected"),
                        ],
                        default="prize",
                        max_length=16,
                    ),
                ),
                ("amount", MoneyField()),
                ("jackpot", MoneyField(default=keno.models.fields.nothing, help_text="the part of it that is jackpot")),
                (
                    "major",
                    models.BooleanField(
                        default=False, help_text="a way of it won $200 or more: a cheque is allowed (10.5)"
                    ),
                ),
                ("spots", models.SmallIntegerField(null=True)),
                ("matches", models.SmallIntegerField(null=True)),
                ("listed", models.JSONField(db_column="ways", null=True)),
                ("day", models.DateField(help_text="the Keno day of the win")),
                (
                    "payment",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=models.DO_NOTHING,
                        related_name="prizes",
                        to="keno.payment",
                    ),
                ),
                ("unclaimed_on", models.DateField(null=True)),
                (
                    "void",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=models.DO_NOTHING,
                        related_name="prizes",
                        to="keno.voidedwin",
                    ),
                ),
                (
                    "replaced",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=models.DO_NOTHING,
                        related_name="replaced",
                        to="keno.resettlement",
                    ),
                ),
            ],
            options={
                "indexes": [
                    BrinIndex(autosummarize=True, fields=["game", "day"], name="keno_prize_game", pages_per_range=32)
                ],
                "constraints": [
                    CheckConstraint(
                        condition=Q(("kind__in", ["prize", "bonus", "refund", "prize-corrected", "bonus-corrected"])),
                        name="keno_prize_kind_known",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("amount__gt", Value(0)), ("jackpot__gte", Value(0)), ("jackpot__lte", F("amount"))
                        ),
                        name="keno_prize_positive",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("matches__isnull", True), ("spots__isnull", True)),
                            Q(
                                ("listed__isnull", True),
                                ("major", False),
                                ("matches__gte", 0),
                                ("matches__lte", F("spots")),
                            ),
                            _connector="OR",
                        ),
                        name="keno_prize_of_one_way",
                    ),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "keno.Prize"),
                    trigger(
                        "of_a_ticket",
                        "INSERT",
                        "keno.Prize",
                        run="\n                    IF NOT EXISTS (SELECT FROM keno_ticket t WHERE t.id = NEW.ticket_id) THEN\n                        RAISE foreign_key_violation USING CONSTRAINT = 'keno_prize_of_a_ticket',\n                            MESSAGE = 'a prize belongs to a ticket';\n                    END IF;\n                    RETURN NEW;\n                ",
                        only_if="NOT (NEW.\"kind\" = 'prize')",
                    ),
                    trigger(
                        "paid_unborn",
                        "INSERT",
                        "keno.Prize",
                        run="RAISE check_violation USING MESSAGE = 'a prize is paid after it is won';",
                        only_if='NEW."payment_id" IS NOT NULL',
                    ),
                    trigger(
                        "by_a_payment",
                        'UPDATE OF "payment_id"',
                        "keno.Prize",
                        run="\n                    IF NOT EXISTS (SELECT FROM keno_payment p WHERE p.id = NEW.payment_id) THEN\n                        RAISE foreign_key_violation USING CONSTRAINT = 'keno_prize_by_a_payment',\n                            MESSAGE = 'a prize is paid by a payment';\n                    END IF;\n                    IF NEW.void_id IS NOT NULL OR NEW.replaced_id IS NOT NULL OR EXISTS (\n                        SELECT FROM keno_prizehold h WHERE h.ticket_id = NEW.ticket_id AND h.released_at IS NULL\n                    ) THEN\n                        RAISE check_violation USING CONSTRAINT = 'keno_prize_held',\n                            MESSAGE = 'what is void, replaced or on hold is not paid';\n                    END IF;\n                    RETURN NEW;\n                ",
                        only_if='NEW."payment_id" IS NOT NULL',
                    ),
                    refuse(
                        "as_settled",
                        "UPDATE",
                        "keno.Prize",
                        only_if=changed(
                            "amount", "day", "game", "jackpot", "kind", "ways", "major", "matches", "spots", "ticket_id"
                        ),
                    ),
                    refuse("void_for_good", "UPDATE", "keno.Prize", only_if='OLD."void_id" IS NOT NULL'),
                    trigger(
                        "void_once_decided",
                        'UPDATE OF "void_id"',
                        "keno.Prize",
                        run="\n                    IF NEW.kind = 'refund' OR NEW.payment_id IS NOT NULL OR NOT EXISTS (\n                        SELECT FROM keno_voidedwin v\n                        WHERE v.id = NEW.void_id AND v.ticket_id = NEW.ticket_id AND v.game = NEW.game\n                    ) THEN\n                        RAISE check_violation USING CONSTRAINT = 'keno_prize_void_once_decided',\n                            MESSAGE = 'a prize that was not paid is void by the decision about it';\n                    END IF;\n                    RETURN NEW;\n                ",
                        only_if='NEW."void_id" IS NOT NULL',
                    ),
                    refuse("replaced_for_good", "UPDATE", "keno.Prize", only_if='OLD."replaced_id" IS NOT NULL'),
                    trigger(
                        "replaced_once_decided",
                        'UPDATE OF "replaced_id"',
                        "keno.Prize",
                        run="\n                    IF NEW.kind NOT IN ('prize', 'bonus') OR NEW.payment_id IS NOT NULL OR NOT EXISTS (\n                        SELECT FROM keno_resettlement r WHERE r.id = NEW.replaced_id AND r.game_id = NEW.game\n                    ) THEN\n                        RAISE check_violation USING CONSTRAINT = 'keno_prize_replaced_once_decided',\n                            MESSAGE = 'a prize that was not paid is replaced where its game is settled again';\n                    END IF;\n                    RETURN NEW;\n                ",
                        only_if='NEW."replaced_id" IS NOT NULL',
                    ),
                    refuse("paid_once", "UPDATE", "keno.Prize", only_if='OLD."payment_id" IS NOT NULL'),
                ],
            },
        ),
        migrations.CreateModel(
            name="Voucher",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("code", models.CharField(db_collation="C", max_length=12, unique=True)),
                ("amount", MoneyField()),
                ("cashable", models.BooleanField(default=True)),
                ("issued_at", models.DateTimeField()),
                ("day", models.DateField()),
                ("shift", models.ForeignKey(on_delete=models.DO_NOTHING, related_name="vouchers", to="keno.shift")),
                ("issued_by", models.CharField(max_length=80)),
                (
                    "ticket",
                    models.ForeignKey(
                        null=True, on_delete=models.DO_NOTHING, related_name="vouchers", to="keno.ticket"
                    ),
                ),
                (
                    "payment",
                    models.ForeignKey(
                        null=True, on_delete=models.DO_NOTHING, related_name="vouchers", to="keno.payment"
                    ),
                ),
                ("spent_at", models.DateTimeField(null=True)),
                ("spent_by", models.CharField(max_length=80, null=True)),
                (
                    "spent_on",
                    models.ForeignKey(null=True, on_delete=models.DO_NOTHING, related_name="+", to="keno.ticket"),
                ),
            ],
            options={
                "constraints": [
                    CheckConstraint(condition=Q(("amount__gt", Value(0))), name="keno_voucher_positive"),
                    CheckConstraint(
                        condition=Q(
                            Q(("spent_at__isnull", True), ("spent_by__isnull", True)),
                            Q(("spent_at__isnull", False), ("spent_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="keno_voucher_spent",
                    ),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "keno.Voucher"),
                    refuse("spent_once", "UPDATE", "keno.Voucher", only_if='OLD."spent_at" IS NOT NULL'),
                    refuse(
                        "as_issued",
                        "UPDATE",
                        "keno.Voucher",
                        only_if=changed(
                            "amount",
                            "cashable",
                            "code",
                            "day",
                            "id",
                            "issued_at",
                            "issued_by",
                            "payment_id",
                            "shift_id",
                            "ticket_id",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PaymentAuthority",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "ticket",
                    models.ForeignKey(
                        null=True, on_delete=models.DO_NOTHING, related_name="payment_authorities", to="keno.ticket"
                    ),
                ),
                (
                    "voucher",
                    models.ForeignKey(
                        null=True, on_delete=models.DO_NOTHING, related_name="payment_authorities", to="keno.voucher"
                    ),
                ),
                ("amount", MoneyField()),
                ("given_by", models.CharField(max_length=80)),
                ("given_at", models.DateTimeField()),
                (
                    "payment",
                    models.OneToOneField(
                        null=True, on_delete=models.DO_NOTHING, related_name="authority", to="keno.payment"
                    ),
                ),
            ],
            options={
                "constraints": [
                    CheckConstraint(
                        condition=Q(
                            Q(("ticket__isnull", False), ("voucher__isnull", True)),
                            Q(("payment__isnull", True), ("ticket__isnull", True), ("voucher__isnull", False)),
                            _connector="OR",
                        ),
                        name="keno_paymentauthority_of_one_thing",
                    )
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "keno.PaymentAuthority"),
                    refuse("used_once", "UPDATE", "keno.PaymentAuthority", only_if='OLD."payment_id" IS NOT NULL'),
                ],
            },
        ),
        migrations.CreateModel(
            name="Claim",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "ticket",
                    models.ForeignKey(null=True, on_delete=models.DO_NOTHING, related_name="claims", to="keno.ticket"),
                ),
                (
                    "voucher",
                    models.ForeignKey(null=True, on_delete=models.DO_NOTHING, related_name="claims", to="keno.voucher"),
                ),
                ("amount", MoneyField()),
                (
                    "reason",
                    models.CharField(
                        choices=[("lost", "Lost"), ("unreadable", "Unreadable"), ("late", "Late")], max_length=16
                    ),
                ),
                ("claimant", models.JSONField(help_text="name, address and how they can be reached")),
                ("grounds", models.TextField(help_text="what shows that the ticket is theirs")),
                ("made_at", models.DateTimeField()),
                ("made_by", models.CharField(max_length=80)),
                ("approved_by", models.CharField(max_length=80, null=True)),
                ("approved_at", models.DateTimeField(null=True)),
                ("paid_at", models.DateTimeField(null=True)),
                ("paid_by", models.CharField(max_length=80, null=True)),
                ("cheque_number", models.CharField(blank=True, max_length=32)),
                (
                    "payment",
                    models.OneToOneField(
                        null=True, on_delete=models.DO_NOTHING, related_name="claim", to="keno.payment"
                    ),
                ),
            ],
            options={
                "constraints": [
                    CheckConstraint(
                        condition=Q(
                            Q(("ticket__isnull", False), ("voucher__isnull", True)),
                            Q(("ticket__isnull", True), ("voucher__isnull", False)),
                            _connector="OR",
                        ),
                        name="keno_claim_of_one_thing",
                    ),
                    CheckConstraint(condition=Q(("amount__gt", Value(0))), name="keno_claim_positive"),
                    CheckConstraint(
                        condition=Q(
                            Q(("paid_at__isnull", True), ("paid_by__isnull", True)),
                            Q(("paid_at__isnull", False), ("paid_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="keno_claim_paid",
                    ),
                    CheckConstraint(
                        condition=Q(("reason__in", ["lost", "unreadable", "late"])), name="keno_claim_reason_known"
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("approved_by__isnull", True), ("approved_at__isnull", True)),
                            Q(("approved_by__isnull", False), ("approved_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="keno_claim_approved",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("approved_by__isnull", True),
                            Q(("approved_by", F("made_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="keno_claim_two_people",
                    ),
                    CheckConstraint(
                        condition=Q(("paid_at__isnull", True), ("approved_by__isnull", False), _connector="OR"),
                        name="keno_claim_paid_once_approved",
                    ),
                ],
                "triggers": [refuse("kept_for_good", "DELETE", "keno.Claim")],
            },
        ),
        migrations.CreateModel(
            name="Printing",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("ticket", models.ForeignKey(on_delete=models.DO_NOTHING, related_name="printings", to="keno.ticket")),
                ("at", models.DateTimeField()),
                ("by", models.CharField(max_length=80)),
                ("duplicate", models.BooleanField()),
                ("paper", models.SmallIntegerField(default=1, help_text="2, 3, …: a continuation (10.4)")),
                ("reason", models.TextField(blank=True)),
            ],
            options={
                "constraints": [
                    UniqueConstraint(
                        condition=Q(("duplicate", False)), fields=("ticket", "paper"), name="keno_printing_one_original"
                    ),
                    CheckConstraint(
                        condition=Q(("duplicate", False), Q(("reason", ""), _negated=True), _connector="OR"),
                        name="keno_printing_says_why",
                    ),
                ],
                "triggers": [refuse("append_only", "UPDATE OR DELETE", "keno.Printing")],
            },
        ),
        migrations.CreateModel(
            name="PaperFound",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("payment", models.OneToOneField(on_delete=models.DO_NOTHING, related_name="found", to="keno.payment")),
                ("at", models.DateTimeField()),
                ("by", models.CharField(max_length=80)),
            ],
            options={"triggers": [refuse("append_only", "UPDATE OR DELETE", "keno.PaperFound")]},
        ),
        migrations.CreateModel(
            name="Order",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("request", models.JSONField(help_text="the ticket asked for, as the API takes it")),
                ("runner", models.CharField(max_length=80)),
                ("note", models.CharField(blank=True, max_length=200)),
                (
                    "card",
                    models.CharField(blank=True, default="", help_text="the player card that was shown", max_length=32),
                ),
                ("taken_at", models.DateTimeField()),
                (
                    "status",
                    models.CharField(
                        choices=[("waiting", "Waiting"), ("issued", "Issued"), ("withdrawn", "Withdrawn")],
                        default="waiting",
                        max_length=16,
                    ),
                ),
                (
                    "ticket",
                    models.OneToOneField(
                        null=True, on_delete=models.DO_NOTHING, related_name="order", to="keno.ticket"
                    ),
                ),
                ("ended_at", models.DateTimeField(null=True)),
                ("ended_by", models.CharField(max_length=80, null=True)),
            ],
            options={
                "constraints": [
                    CheckConstraint(
                        condition=Q(("status__in", ["waiting", "issued", "withdrawn"])), name="keno_order_status_known"
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("ended_at__isnull", True), ("ended_by__isnull", True)),
                            Q(("ended_at__isnull", False), ("ended_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="keno_order_ended",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("status", "issued"), ("ticket__isnull", False)),
                            Q(Q(("status", "issued"), _negated=True), ("ticket__isnull", True)),
                            _connector="OR",
                        ),
                        name="keno_order_issued_is_a_ticket",
                    ),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "keno.Order"),
                    refuse("ended_for_good", "UPDATE", "keno.Order", only_if="NOT (OLD.\"status\" = 'waiting')"),
                ],
            },
        ),
        migrations.CreateModel(
            name="WrongCode",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("terminal", models.CharField(max_length=80)),
                ("paper", models.CharField(max_length=40)),
                ("at", models.DateTimeField()),
            ],
            options={
                "indexes": [
                    Index(fields=["terminal", "paper"], name="keno_wrongcode_terminal"),
                    Index(fields=["paper"], name="keno_wrongcode_paper"),
                ]
            },
        ),
        migrations.CreateModel(
            name="CodeWatch",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("about", models.CharField(db_collation="C", max_length=80, unique=True)),
                (
                    "incident",
                    models.ForeignKey(null=True, on_delete=models.DO_NOTHING, related_name="+", to="house.incident"),
                ),
            ],
        ),
        migrations.CreateModel(
            name="CashMove",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("shift", models.ForeignKey(on_delete=models.DO_NOTHING, related_name="cash_moves", to="keno.shift")),
                ("way", models.CharField(choices=[("drop", "Drop"), ("fill", "Fill")], max_length=8)),
                ("amount", MoneyField()),
                ("said_by", models.CharField(max_length=80)),
                ("said_at", models.DateTimeField()),
                ("confirmed_by", models.CharField(max_length=80, null=True)),
                ("confirmed_at", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [
                    CheckConstraint(condition=Q(("way__in", ["drop", "fill"])), name="keno_cashmove_way_known"),
                    CheckConstraint(condition=Q(("amount__gt", Value(0))), name="keno_cashmove_positive"),
                    CheckConstraint(
                        condition=Q(
                            Q(("confirmed_by__isnull", True), ("confirmed_at__isnull", True)),
                            Q(("confirmed_by__isnull", False), ("confirmed_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="keno_cashmove_confirmed",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("confirmed_by__isnull", True),
                            Q(("confirmed_by", F("said_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="keno_cashmove_two_people",
                    ),
                    UniqueConstraint(
                        condition=Q(("confirmed_at__isnull", True)),
                        fields=("shift", "way"),
                        name="keno_cashmove_one_waits",
                    ),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "keno.CashMove"),
                    refuse("moved_for_good", "UPDATE", "keno.CashMove", only_if='OLD."confirmed_at" IS NOT NULL'),
                ],
            },
        ),
        migrations.CreateModel(
            name="DrawerCount",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "shift",
                    models.ForeignKey(on_delete=models.DO_NOTHING, related_name="drawer_counts", to="keno.shift"),
                ),
                ("cash", MoneyField(default=keno.models.fields.nothing)),
                ("chips", MoneyField(default=keno.models.fields.nothing)),
                ("by", models.CharField(max_length=80)),
                ("at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    UniqueConstraint(fields=("shift", "by"), name="keno_drawercount_one_a_person"),
                    CheckConstraint(
                        condition=Q(("cash__gte", Value(0)), ("chips__gte", Value(0))), name="keno_drawercount_cents"
                    ),
                ],
                "triggers": [refuse("kept_for_good", "DELETE", "keno.DrawerCount")],
            },
        ),
        migrations.CreateModel(
            name="DisputeReview",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("incident", models.OneToOneField(on_delete=models.PROTECT, related_name="+", to="house.incident")),
                ("decision", models.TextField()),
                ("decided_by", models.CharField(max_length=80)),
                ("decided_at", models.DateTimeField()),
                ("operators", models.TextField(blank=True)),
            ],
            options={
                "constraints": [
                    CheckConstraint(condition=Q(("decision", ""), _negated=True), name="keno_disputereview_says_what")
                ],
                "triggers": [refuse("append_only", "UPDATE OR DELETE", "keno.DisputeReview")],
            },
        ),
        migrations.CreateModel(
            name="GameLimits",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=models.PROTECT,
                        primary_key=True,
                        related_name="limits",
                        serialize=False,
                        to="keno.game",
                    ),
                ),
                ("way_limit", MoneyField()),
                ("ticket_limit", MoneyField()),
                ("game_limit", MoneyField()),
                ("most", MoneyField()),
                ("minors", MoneyField()),
                ("held", MoneyField()),
            ],
            options={"triggers": [refuse("append_only", "UPDATE OR DELETE", "keno.GameLimits")]},
        ),
        migrations.CreateModel(
            name="GameExposure",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "game", "part", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("game", models.BigIntegerField()),
                ("part", models.BigIntegerField()),
                ("most", MoneyField()),
                ("minors", MoneyField()),
                ("held", MoneyField()),
            ],
            options={"triggers": [refuse("kept_for_good", "DELETE", "keno.GameExposure")]},
        ),
        migrations.CreateModel(
            name="Favourite",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "player",
                    models.ForeignKey(on_delete=models.CASCADE, related_name="keno_favourites", to="house.player"),
                ),
                ("name", models.CharField(max_length=40)),
                ("request", models.JSONField(help_text="the ticket asked for, as the API takes it")),
                ("kept_at", models.DateTimeField()),
                ("kept_by", models.CharField(max_length=80)),
            ],
            options={
                "constraints": [
                    UniqueConstraint(fields=("player", "name"), name="keno_favourite_once"),
                    CheckConstraint(condition=Q(("name", ""), _negated=True), name="keno_favourite_named"),
                ]
            },
        ),
        migrations.CreateModel(
            name="PrizeHold",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "ticket",
                    models.ForeignKey(
                        db_index=False, on_delete=models.DO_NOTHING, related_name="holds", to="keno.ticket"
                    ),
                ),
                ("why", models.TextField()),
                ("owner", models.CharField(help_text="who looks into it", max_length=80)),
                ("put_by", models.CharField(max_length=80)),
                ("put_at", models.DateTimeField()),
                ("released_by", models.CharField(max_length=80, null=True)),
                ("released_at", models.DateTimeField(null=True)),
                ("release_why", models.TextField(blank=True)),
                (
                    "decided",
                    models.ForeignKey(null=True, on_delete=models.PROTECT, related_name="+", to="house.proposal"),
                ),
            ],
            options={
                "indexes": [Index(fields=["ticket"], name="keno_prizehold_ticket")],
                "constraints": [
                    UniqueConstraint(
                        condition=Q(("released_at__isnull", True)),
                        fields=("ticket",),
                        name="keno_prizehold_one_a_ticket",
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(("released_by__isnull", True), ("released_at__isnull", True)),
                            Q(("released_by__isnull", False), ("released_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="keno_prizehold_released",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("released_by__isnull", True),
                            Q(("released_by", F("put_by")), _negated=True),
                            ("decided__isnull", False),
                            _connector="OR",
                        ),
                        name="keno_prizehold_two_people",
                    ),
                    CheckConstraint(condition=Q(("why", ""), _negated=True), name="keno_prizehold_says_why"),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "keno.PrizeHold"),
                    refuse(
                        "as_put", "UPDATE", "keno.PrizeHold", only_if=changed("ticket_id", "why", "put_by", "put_at")
                    ),
                    refuse("released_once", "UPDATE", "keno.PrizeHold", only_if='OLD."released_at" IS NOT NULL'),
                ],
            },
        ),
        migrations.CreateModel(
            name="Correction",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "resettlement",
                    models.ForeignKey(
                        db_index=False, on_delete=models.PROTECT, related_name="corrections", to="keno.resettlement"
                    ),
                ),
                (
                    "ticket",
                    models.ForeignKey(on_delete=models.DO_NOTHING, related_name="corrections", to="keno.ticket"),
                ),
                ("kind", models.CharField(help_text="prize or bonus", max_length=16)),
                ("paid", MoneyField()),
                ("owed", MoneyField(default=keno.models.fields.nothing)),
            ],
            options={
                "constraints": [
                    UniqueConstraint(fields=("resettlement", "ticket", "kind"), name="keno_correction_once"),
                    CheckConstraint(
                        condition=Q(("kind__in", ["prize", "bonus"]), ("owed__gte", Value(0)), ("paid__gt", Value(0))),
                        name="keno_correction_of_a_payment",
                    ),
                ],
                "triggers": [refuse("append_only", "UPDATE OR DELETE", "keno.Correction")],
            },
        ),
        migrations.CreateModel(
            name="SealedTickets",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=models.PROTECT, primary_key=True, related_name="+", serialize=False, to="keno.game"
                    ),
                ),
                ("leaves", models.BinaryField()),
                ("tiles", models.BinaryField()),
                ("firsts", models.TextField(help_text="the first serial of every tile, with a space between them")),
            ],
            options={"triggers": [refuse("append_only", "UPDATE OR DELETE", "keno.SealedTickets")]},
        ),
        migrations.CreateModel(
            name="Overpayment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "payment",
                    models.ForeignKey(
                        db_index=False, on_delete=models.PROTECT, related_name="overpayments", to="keno.payment"
                    ),
                ),
                ("game", models.BigIntegerField(null=True)),
                ("amount", MoneyField()),
                ("received", MoneyField(default=keno.models.fields.nothing)),
                ("written_off", MoneyField(default=keno.models.fields.nothing)),
                ("why", models.TextField()),
                (
                    "proposal",
                    models.ForeignKey(
                        help_text="by which two said so",
                        on_delete=models.PROTECT,
                        related_name="+",
                        to="house.proposal",
                    ),
                ),
                ("at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    UniqueConstraint(fields=("payment", "game"), name="keno_overpayment_once_a_game"),
                    UniqueConstraint(
                        condition=Q(("game__isnull", True)),
                        fields=("payment",),
                        name="keno_overpayment_once_at_counter",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("amount__gt", Value(0)),
                            ("received__gte", Value(0)),
                            ("written_off__gte", Value(0)),
                            ("amount__gte", CombinedExpression(F("received"), "+", F("written_off"))),
                        ),
                        name="keno_overpayment_within",
                    ),
                    CheckConstraint(
                        condition=Q(
                            ("written_off", Value(0)),
                            ("amount", CombinedExpression(F("received"), "+", F("written_off"))),
                            _connector="OR",
                        ),
                        name="keno_overpayment_ends",
                    ),
                    CheckConstraint(condition=Q(("why", ""), _negated=True), name="keno_overpayment_says_why"),
                ],
                "triggers": [
                    refuse("kept_for_good", "DELETE", "keno.Overpayment"),
                    refuse(
                        "as_recorded",
                        "UPDATE",
                        "keno.Overpayment",
                        only_if=changed("payment_id", "game", "amount", "why", "proposal_id", "at"),
                    ),
                    refuse("written_off_once", "UPDATE", "keno.Overpayment", only_if='OLD."written_off" > 0'),
                ],
            },
        ),
        migrations.CreateModel(
            name="Recovery",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "overpayment",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="steps", to="keno.overpayment"),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("asked", "Asked"), ("received", "Received"), ("written-off", "Written Off")],
                        max_length=16,
                    ),
                ),
                (
                    "how",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("counter", "At the counter"),
                            ("letter", "By letter"),
                            ("telephone", "By telephone"),
                            ("not-found", "Whom to ask was not found"),
                        ],
                        max_length=16,
                    ),
                ),
                ("amount", MoneyField(default=keno.models.fields.nothing)),
                ("note", models.TextField(blank=True)),
                ("by", models.CharField(max_length=80)),
                ("at", models.DateTimeField()),
                ("day", models.DateField()),
                (
                    "shift",
                    models.ForeignKey(
                        db_index=False, null=True, on_delete=models.PROTECT, related_name="+", to="keno.shift"
                    ),
                ),
                (
                    "proposal",
                    models.ForeignKey(null=True, on_delete=models.PROTECT, related_name="+", to="house.proposal"),
                ),
            ],
            options={
                "constraints": [
                    CheckConstraint(
                        condition=Q(("kind__in", ["asked", "received", "written-off"])), name="keno_recovery_kind_known"
                    ),
                    CheckConstraint(
                        condition=Q(
                            Q(
                                ("amount", Value(0)),
                                ("kind", "asked"),
                                ("proposal__isnull", True),
                                ("shift__isnull", True),
                                Q(("how", ""), _negated=True),
                            ),
                            Q(
                                ("amount__gt", Value(0)),
                                ("how", ""),
                                ("kind", "received"),
                                ("proposal__isnull", True),
                                ("shift__isnull", False),
                            ),
                            Q(
                                ("amount__gt", Value(0)),
                                ("how", ""),
                                ("kind", "written-off"),
                                ("proposal__isnull", False),
                                ("shift__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="keno_recovery_of_its_kind",
                    ),
                ],
                "triggers": [refuse("append_only", "UPDATE OR DELETE", "keno.Recovery")],
            },
        ),
        InstallTriggers(),
        migrations.RunSQL(ROOM_FOR_PAYMENTS, migrations.RunSQL.noop),
        migrations.RunSQL(LEAVES_IN_PARTS, migrations.RunSQL.noop),
        migrations.RunSQL(
            HOLD_OPEN_WITHIN, "DROP FUNCTION keno_hold_open_within(integer, integer, bigint, bigint, bigint)"
        ),
        migrations.RunSQL(SELL_AT_ONCE, "DROP FUNCTION keno_sell_at_once"),
    ]
