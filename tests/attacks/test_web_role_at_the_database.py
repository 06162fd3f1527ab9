"""Somebody who has taken over web, or holds its password, speaks to the database himself as web's own role.

What stops him: the role owns nothing, so it disables no trigger, alters and empties nothing; every sealed row is taken
from it by privilege, not only by trigger, so that no setting of a session helps; seals are the sealer's to write; it is
member of no other role; functions of triggers look for their tables in the house's schema first. Not stopped: he can
write what the verbs write, new acts and rows in anybody's name. That shows at whoever checks: a draw has the witness's
signature, money moves in transfers that balance, and the log only grows.
"""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from django.db import connection

from config.services import addresses
from kernel.environment import data_folder
from ledger.models import Act, Question, Seal
from ledger.seal import seal_now
from tests.attacks.insider import House
from tests.attacks.operator import GAME, drawn
from tests.world.owner import separated
from tests.world.witness import RunningWitness

SEALED = ("ledger_act", "ledger_transfer", "ledger_account", "ledger_seal", "ledger_node", "ledger_question")
KEPT = ("draws_commitment", "draws_replacement", "draws_beaconround")


@pytest.fixture
def web(house: House, witness: RunningWitness) -> Iterator[psycopg.Connection]:
    """A session of web's role, opened with web's own password: nothing of the tests' role is in it."""
    if not separated():
        pytest.skip("DATABASE_URL names one role that does everything")
    drawn()
    seal_now()
    url = addresses.embedded_database_url(data_folder(), addresses.RUNTIME)
    with psycopg.connect(url, dbname=connection.settings_dict["NAME"], autocommit=True) as session:
        assert session.execute("SELECT current_user, session_user").fetchone() == ("meterhouse_runtime",) * 2
        yield session


def no_privilege(web: psycopg.Connection, *statements: str) -> None:
    for statement in statements:
        with pytest.raises((psycopg.errors.InsufficientPrivilege, psycopg.errors.RaiseException)) as said:
            web.execute(statement)
        # By privilege, before any trigger of ours is asked; the others have a trigger of their own.
        assert isinstance(said.value, psycopg.errors.InsufficientPrivilege), statement


def test_it_disables_alters_and_empties_nothing(web: psycopg.Connection, house: House) -> None:
    with house.unchanged():
        for table in (*SEALED, *KEPT):
            no_privilege(
                web,
                f"ALTER TABLE {table} DISABLE TRIGGER ALL",
                f"ALTER TABLE {table} DISABLE TRIGGER USER",
                f"ALTER TABLE {table} ADD COLUMN more text",
                f"TRUNCATE {table} CASCADE",
                f"DELETE FROM {table}",
                f"DROP TABLE {table}",
                f"CREATE TRIGGER t BEFORE INSERT ON {table} EXECUTE FUNCTION suppress_redundant_updates_trigger()",
                f"ALTER TABLE {table} OWNER TO meterhouse_runtime",
            )
        no_privilege(
            web,
            "CREATE TABLE public.mine (a int)",
            "CREATE SCHEMA mine",
            "CREATE OR REPLACE FUNCTION public._pgtrigger_should_ignore(trigger_name name) RETURNS boolean "
            "LANGUAGE sql AS 'SELECT true'",
            "DROP SCHEMA public CASCADE",
        )


def test_it_changes_no_row_that_is_sealed(web: psycopg.Connection, house: House) -> None:
    with house.unchanged():
        no_privilege(
            web,
            "UPDATE ledger_act SET actor = 'staff:x'",
            "UPDATE ledger_act SET data = '{}'",
            "UPDATE ledger_transfer SET amount = amount + 1000000",
            "UPDATE ledger_account SET name = 'x'",
            "UPDATE ledger_question SET root = ''::bytea",
            "UPDATE ledger_question SET checkpoint_root = ''::bytea",
            "UPDATE draws_commitment SET commitment = ''::bytea",
            "UPDATE draws_commitment SET witness_key = ''::bytea",
            "UPDATE draws_commitment SET escrow = ''::bytea",
            "UPDATE draws_replacement SET why = 'another'",
            "UPDATE draws_beaconround SET round = 1",
        )


def test_it_seals_nothing(web: psycopg.Connection, house: House) -> None:
    seals = Seal.objects.count()
    with house.unchanged():
        no_privilege(
            web,
            "INSERT INTO ledger_seal SELECT (json_populate_record(s, json_build_object('number', s.number + 1))).* "
            "FROM ledger_seal s ORDER BY number DESC LIMIT 1",
            "UPDATE ledger_seal SET root = ''::bytea",
            "INSERT INTO ledger_node DEFAULT VALUES",
        )
    assert Seal.objects.count() == seals


def test_no_setting_and_no_other_role_helps(web: psycopg.Connection, house: House) -> None:
    with house.unchanged():
        no_privilege(
            web,
            "SET session_replication_role = replica",
            "SET ROLE meterhouse",
            "SET ROLE meterhouse_sealer",
            "SET ROLE postgres",
            "SET SESSION AUTHORIZATION meterhouse",
            "GRANT meterhouse TO meterhouse_runtime",
            "ALTER ROLE meterhouse_runtime SUPERUSER",
            "CREATE ROLE mine",
            "ALTER SYSTEM SET session_replication_role = replica",
            "COPY ledger_act TO PROGRAM 'cat'",
            "COPY (SELECT 1) TO '/tmp/meterhouse-attack'",
            "SELECT pg_read_file('/etc/hostname')",
            "SELECT rolpassword FROM pg_authid",
        )
        # A setting that pgtrigger has for passing triggers over is read by nobody.
        web.execute("SET pgtrigger.ignore = '{ledger_act:append_only,ledger_question:answered_once}'")
        no_privilege(web, "UPDATE ledger_act SET actor = 'staff:x'", "DELETE FROM ledger_act")


def test_an_answer_that_was_given_is_written_over_by_nobody(web: psycopg.Connection, house: House) -> None:
    before = Question.objects.values().get(occasion=GAME["occasion"])
    web.execute("SET pgtrigger.ignore = '{ledger_question:answered_once}'")
    with house.unchanged(), pytest.raises(psycopg.Error, match="Cannot update"):
        web.execute("UPDATE ledger_question SET answer = decode(repeat('00', 384), 'hex')")
    assert Question.objects.values().get(occasion=GAME["occasion"]) == before


def test_tables_of_his_own_are_nobodys(web: psycopg.Connection, house: House) -> None:
    """A temporary table is found before the house's by whoever looks without saying where: no trigger does."""
    web.execute("CREATE TEMPORARY TABLE ledger_transfer AS SELECT * FROM public.ledger_transfer")
    web.execute("CREATE TEMPORARY TABLE ledger_account AS SELECT * FROM public.ledger_account")
    web.execute("CREATE TEMPORARY TABLE ledger_act AS SELECT * FROM public.ledger_act")
    web.execute(
        "CREATE FUNCTION pg_temp.now() RETURNS timestamptz LANGUAGE sql AS $$SELECT '2020-01-01'::timestamptz$$"
    )
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT p.proname FROM pg_proc p JOIN pg_trigger t ON t.tgfoid = p.oid "
            "WHERE p.pronamespace = 'public'::regnamespace AND p.prosrc ~ '\\m(ledger|draws)_[a-z]+\\M' "
            "AND NOT coalesce(p.proconfig::text LIKE '%%search_path=pg_catalog, public, pg_temp%%', false)"
        )
        assert cursor.fetchall() == []
    with house.unchanged():
        no_privilege(web, "UPDATE public.ledger_act SET actor = 'staff:x'")
    web.execute("DELETE FROM ledger_act")  # his own copy
    assert Act.objects.exists()
