"""The audit export and its offline check: a good one passes, and any change to it is caught and named."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core.management import CommandError, call_command
from django.db import connection

from house.refusal import Conflict
from ledger.export import export
from ledger.keys import SealingKey
from ledger.models import Account
from ledger.money import Money
from ledger.pend import pend, post_pending, void_pending
from ledger.post import post, post_many
from ledger.reverse import reverse
from ledger.seal import rotate_key, seal_now
from ledger.statements import BEGIN, END, SEAL, canonical
from ledger.verify import Wrong, main, verify
from tests.ledger.books import ANNA, BEN, CASH, DAY, POOL, RESERVE, booking, open_books

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = Path(__file__).resolve().parents[2]


def exported() -> list[bytes]:
    file = io.BytesIO()
    export(to=file, by=ANNA, venue="Test “Casino”")
    return file.getvalue().splitlines(keepends=True)


def check(lines: list[bytes], path: Path, key: str | None = None):
    path.write_bytes(b"".join(lines))
    with path.open("rb") as file:
        return verify(file, key=key)


@pytest.fixture
def a_day(transactional_db: None) -> list[bytes]:
    """Sales, a payout by two people, one voided, a correction, a key handed over: every kind of line."""
    open_books()
    seal_now()
    sale = post(booking=booking("12.50"), by=ANNA, day=DAY)
    post(booking=booking(Money(123_456), debit=RESERVE, credit=POOL), by=ANNA, day=DAY)
    payout = pend(booking=booking("3.00", kind="test.payout"), by=ANNA, day=DAY)
    refused = pend(booking=booking("4.00", kind="test.payout"), by=ANNA, day=DAY)
    seal_now()
    rotate_key(by=BEN)
    post_pending(transfer=payout, by=BEN, day=DAY)
    void_pending(transfer=refused, by=BEN, day=DAY)
    reverse(transfer=sale, why="“wrong” game\nsold\t💸", by=BEN, day=DAY)
    seal_now()
    return exported()


def test_a_good_export_is_right(a_day: list[bytes], tmp_path: Path) -> None:
    result = check(a_day, tmp_path / "x")
    rows = [json.loads(line)["row"] for line in a_day if line.startswith(b'{"n"')]
    assert result.rows == len(rows)
    assert {row["type"] for row in rows} == {"act", "transfer"}
    assert {row.get("phase") for row in rows} == {None, "posted", "pending", "post", "void"}
    assert result.first_key != result.last_key
    assert result.venue == "Test “Casino”"


def test_its_balances_are_those_of_an_independent_sum(a_day: list[bytes]) -> None:
    sums: dict[str, int] = {}
    for line in a_day:
        row = json.loads(line).get("row", {})
        if row.get("phase") in ("posted", "post"):
            sums[row["debit"]] = sums.get(row["debit"], 0) + row["micros"]
            sums[row["credit"]] = sums.get(row["credit"], 0) - row["micros"]
    stated = {b["account"]: b["debits"] - b["credits"] for b in (json.loads(x).get("balance") for x in a_day) if b}
    assert stated == sums
    assert sum(stated.values()) == 0


def test_every_single_changed_byte_is_caught(a_day: list[bytes], tmp_path: Path) -> None:
    """Each byte of each line in turn, and the line named is the changed one."""
    path = tmp_path / "x"
    for number, line in enumerate(a_day):
        for at in range(len(line)):
            changed = line[:at] + bytes([line[at] ^ 1]) + line[at + 1 :]
            with pytest.raises(Wrong) as wrong:
                check([*a_day[:number], changed, *a_day[number + 1 :]], path)
            assert wrong.value.line == number + 1, (changed, str(wrong.value))


def test_every_dropped_added_or_swapped_line_is_caught(a_day: list[bytes], tmp_path: Path) -> None:
    path = tmp_path / "x"
    for n in range(len(a_day)):
        for forged in (
            a_day[:n] + a_day[n + 1 :],  # dropped
            [*a_day[: n + 1], a_day[n], *a_day[n + 1 :]],  # added
            a_day[:n],  # broken off before it
            [*a_day[:n], a_day[n][:-1], *a_day[n + 1 :]],  # joined to the next, or without its end
            [*a_day[:n], b"{}\n", *a_day[n:]],
            [*a_day[:n], b"\n", *a_day[n:]],
        ):
            with pytest.raises(Wrong):
                check(forged, path)
        for m in range(n + 1, len(a_day)):
            swapped = list(a_day)
            swapped[n], swapped[m] = swapped[m], swapped[n]
            with pytest.raises(Wrong) as wrong:
                check(swapped, path)
            assert n + 1 <= wrong.value.line <= n + 2  # a seal swapped with the row after it is missed there


def test_an_export_broken_off_at_a_seal_is_caught(a_day: list[bytes], tmp_path: Path) -> None:
    first_seal = next(n for n, line in enumerate(a_day) if line.startswith(b'{"seal"'))
    with pytest.raises(Wrong, match="its end is missing"):
        check(a_day[: first_seal + 1], tmp_path / "x")


def test_signed_anew_with_another_key_it_is_not_the_venues(a_day: list[bytes], tmp_path: Path) -> None:
    """Whoever forges everything needs a key of his own: the fingerprint tells."""
    genuine = check(a_day, tmp_path / "x")
    thief = SealingKey(Ed25519PrivateKey.generate())
    forged = []
    for line in a_day:
        value = json.loads(line)
        for name, purpose in (("export", BEGIN), ("seal", SEAL), ("end", END)):
            if name in value:
                if "key" in value[name]:
                    value[name]["key"] = thief.fingerprint
                if "first_key" in value[name]:
                    value[name] |= {"first_key": thief.public.hex(), "first_key_name": thief.fingerprint}
                value["signature"] = thief.sign(purpose, canonical(value[name])).hex()
        forged.append(canonical(value) + b"\n" if "row" not in value else line)
    with pytest.raises(Wrong):
        check(forged, tmp_path / "x")
    check(a_day, tmp_path / "x", key=genuine.first_key)
    check(a_day, tmp_path / "x", key=genuine.last_key)
    with pytest.raises(Wrong, match="no key in this export"):
        check(a_day, tmp_path / "x", key=thief.fingerprint)


TAMPERING = {
    "an amount changed": "UPDATE ledger_transfer SET amount = amount + 10000 WHERE phase = 'posted' AND id = {sale}",
    "an actor changed": "UPDATE ledger_transfer SET actor = 'staff:zoe' WHERE id = {sale}",
    "an account's code changed": "UPDATE ledger_account SET code = 'house:crash' WHERE code = 'house:cash'",
    "a time changed": "UPDATE ledger_act SET at = at + interval '1 microsecond' WHERE id = {act}",
    "a row deleted": "DELETE FROM ledger_transfer WHERE id = {sale}",
    "the last row deleted": "DELETE FROM ledger_transfer WHERE id = {last}",
    "a row slipped in": """INSERT INTO ledger_act (id, tx, day, kind, subject, actor, data)
                           SELECT nextval('ledger_row_id'), tx, day, kind, subject, actor, data FROM ledger_act
                           WHERE id = {act}""",
    "a roll-up changed": "UPDATE ledger_balance SET debits = debits + 1, credits = credits + 1",
    "a seal deleted": "DELETE FROM ledger_seal WHERE number = 2",
    "the last seal deleted": "DELETE FROM ledger_seal WHERE number = (SELECT max(number) FROM ledger_seal)",
    "a seal's root changed": "UPDATE ledger_seal SET root = sha256(root) WHERE number = 2",
}


@pytest.mark.parametrize("how", TAMPERING)
def test_somebody_with_the_database_password_is_caught(how: str, transactional_db: None, tmp_path: Path) -> None:
    """With the triggers off, as a database administrator could. What he cannot do is sign."""
    open_books()
    seal_now()
    sale = post(booking=booking("12.50"), by=ANNA, day=DAY)
    seal_now()
    last = post(booking=booking("1.50"), by=ANNA, day=DAY)
    seal_now()
    check(exported(), tmp_path / "x")
    tables = ("ledger_transfer", "ledger_act", "ledger_account", "ledger_seal")
    with connection.cursor() as cursor:
        cursor.execute("SELECT min(id) FROM ledger_act")
        (act,) = cursor.fetchone()
        for table in tables:
            cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        cursor.execute(TAMPERING[how].format(sale=sale, last=last, act=act))
        assert cursor.rowcount > 0
        for table in tables:
            cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")
    with pytest.raises(Wrong):
        check(exported(), tmp_path / "x")


def test_a_large_export_is_checked_by_several_processes(
    transactional_db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the limits lowered so far that every few lines are a chunk of their own."""
    open_books()
    for _ in range(3):
        post_many(bookings=[booking() for _ in range(40)], by=ANNA, day=DAY)
        pend(booking=booking("4.00", kind="test.payout"), by=ANNA, day=DAY)
        seal_now()
    lines = exported()
    alone = check(lines, tmp_path / "x")
    monkeypatch.setattr("ledger.verify_rows.LARGE", 0)
    monkeypatch.setattr("ledger.verify_rows._CHUNK", 2000)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    assert check(lines, tmp_path / "x") == alone
    at = 70
    changed = [*lines[:at], lines[at].replace(b'"micros":1000000', b'"micros":2000000'), *lines[at + 1 :]]
    with pytest.raises(Wrong) as wrong:
        check(changed, tmp_path / "x")
    assert wrong.value.line == at + 1


def test_nothing_sealed_is_nothing_to_export(transactional_db: None, tmp_path: Path) -> None:
    with pytest.raises(Conflict):
        exported()


def test_the_commands_from_one_end_to_the_other(transactional_db: None, tmp_path: Path, capsys) -> None:
    open_books()
    post_many(bookings=[booking() for _ in range(20)], by=ANNA, day=DAY)
    path = tmp_path / "audit.jsonl"
    call_command("audit", "export", str(path))
    assert sorted(tmp_path.iterdir()) == [path]
    # Offline: Django and psycopg cannot even be imported.
    blocked = "import sys; sys.modules.update(django=None, psycopg=None, rest_framework=None, rich=None);"
    run = f"{blocked} from ledger.verify import main; sys.exit(main([{str(path)!r}]))"
    done = subprocess.run([sys.executable, "-c", run], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "right." in done.stdout
    path.write_bytes(path.read_bytes().replace(b'"micros":1000000', b'"micros":1000001', 1))
    capsys.readouterr()
    assert main([str(path)]) == 1
    assert "WRONG at line" in capsys.readouterr().err
    assert main([str(tmp_path / "missing")]) == 2


def test_the_command_refuses_in_words(transactional_db: None, tmp_path: Path) -> None:
    open_books()
    with pytest.raises(CommandError, match="No such file or directory"):
        call_command("audit", "export", str(tmp_path / "no" / "where"))
    call_command("audit", "rotate-key")
    call_command("audit", "status")
    assert list(tmp_path.iterdir()) == []


def test_a_fraction_through_a_whole_cent_account_is_named(transactional_db: None, tmp_path: Path) -> None:
    """A system that lost its constraints would be found out by the verifier too."""
    open_books()
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE ledger_transfer DROP CONSTRAINT transfer_whole_cents")
    try:
        post(booking=booking(Money(10_001), debit=CASH, credit=POOL), by=ANNA, day=DAY)
        seal_now()
        lines = exported()
        at = next(n for n, line in enumerate(lines, 1) if b'"micros":10001' in line)
        with pytest.raises(Wrong, match="part of a cent") as wrong:
            check(lines, tmp_path / "x")
        assert wrong.value.line == at
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE ledger_transfer DISABLE TRIGGER USER")
            cursor.execute("DELETE FROM ledger_transfer")
            cursor.execute("ALTER TABLE ledger_transfer ENABLE TRIGGER USER")
            cursor.execute(
                """ALTER TABLE ledger_transfer ADD CONSTRAINT transfer_whole_cents CHECK
                   ((NOT debit_whole_cents AND NOT credit_whole_cents) OR amount = amount / 10000 * 10000)"""
            )
    assert Account.objects.filter(code=CASH).exists()
