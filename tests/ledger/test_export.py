"""The audit export and its offline check: a good one passes, and any change to it is caught and named."""

from __future__ import annotations

import io
import json
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core.management import CommandError, call_command

from kernel.canonical import canonical
from kernel.money import Money
from kernel.notes import ED25519, Checkpoint, Note, VerifierKey, signature
from kernel.refusal import Conflict
from ledger.export import export
from ledger.keys import SigningKey
from ledger.models import Account
from ledger.post import post, post_many
from ledger.reverse import reverse
from ledger.seal import rotate_key, seal_now
from ledger.statements import BEGIN, END, origin_of
from tests.world.books import ANNA, BEN, CASH, DAY, POOL, RESERVE, booking, open_books
from tests.world.owner import as_owner, unguarded
from verify.program import main
from verify.result import Wrong
from verify.verifier import verify

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = Path(__file__).resolve().parents[2]


def exported() -> list[bytes]:
    file = io.BytesIO()
    export(to=file, by=ANNA, venue="Test “Casino”")
    return file.getvalue().splitlines(keepends=True)


def check(lines: list[bytes], path: Path, key: str | None = None) -> Any:
    path.write_bytes(b"".join(lines))
    with path.open("rb") as file:
        return verify(file, key=key)


@pytest.fixture
def busy_day(transactional_db: None) -> list[bytes]:
    """Sales, a payout, a correction, a key handed over: every kind of line."""
    open_books()
    seal_now()
    sale = post(booking=booking("12.50"), by=ANNA, day=DAY)
    post(booking=booking(Money(123_456), debit=RESERVE, credit=POOL), by=ANNA, day=DAY)
    seal_now()
    rotate_key(by=BEN)
    post(booking=booking("3.00", kind="test.payout"), by=BEN, day=DAY)
    reverse(transfer=sale, why="“wrong” game\nsold\t💸", by=BEN, day=DAY)
    seal_now()
    return exported()


def test_a_good_export_is_right(busy_day: list[bytes], tmp_path: Path) -> None:
    result = check(busy_day, tmp_path / "x")
    rows = [json.loads(line)["row"] for line in busy_day if line.startswith(b'{"n"')]
    assert result.rows == len(rows)
    assert {row["type"] for row in rows} == {"act", "transfer"}
    sale = next(row["id"] for row in rows if row["kind"] == "test.sale")
    assert [row["reverses"] for row in rows if "reverses" in row] == [sale]
    assert result.first_key != result.last_key
    assert result.venue == "Test “Casino”"


def test_its_balances_are_those_of_an_independent_sum(busy_day: list[bytes]) -> None:
    sums: dict[str, int] = {}
    for line in busy_day:
        row = json.loads(line).get("row", {})
        if row.get("type") == "transfer":
            sums[row["debit"]] = sums.get(row["debit"], 0) + row["micros"]
            sums[row["credit"]] = sums.get(row["credit"], 0) - row["micros"]
    stated = {b["account"]: b["debits"] - b["credits"] for b in (json.loads(x).get("balance") for x in busy_day) if b}
    assert stated == sums
    assert sum(stated.values()) == 0


def test_every_single_changed_byte_is_caught(busy_day: list[bytes], tmp_path: Path, exhaustive: bool) -> None:
    """Each byte of each line in turn (or first, last and six between), and the line named is the changed one."""
    path = tmp_path / "x"
    for number, line in enumerate(busy_day):
        some = {0, len(line) - 1, *random.Random(number).sample(range(len(line)), 6)}
        for at in range(len(line)) if exhaustive else sorted(some):
            changed = line[:at] + bytes([line[at] ^ 1]) + line[at + 1 :]
            with pytest.raises(Wrong) as wrong:
                check([*busy_day[:number], changed, *busy_day[number + 1 :]], path)
            assert wrong.value.line == number + 1, (changed, str(wrong.value))


def test_every_dropped_added_or_swapped_line_is_caught(busy_day: list[bytes], tmp_path: Path, exhaustive: bool) -> None:
    """Each line in turn (or every fourth, and the last)."""
    path, last = tmp_path / "x", len(busy_day) - 1
    for n in range(len(busy_day)) if exhaustive else (*range(0, last, 4), last):
        for forged in (
            busy_day[:n] + busy_day[n + 1 :],  # dropped
            [*busy_day[: n + 1], busy_day[n], *busy_day[n + 1 :]],  # added
            busy_day[:n],  # broken off before it
            [*busy_day[:n], busy_day[n][:-1], *busy_day[n + 1 :]],  # joined to the next, or without its end
            [*busy_day[:n], b"{}\n", *busy_day[n:]],
            [*busy_day[:n], b"\n", *busy_day[n:]],
        ):
            with pytest.raises(Wrong):
                check(forged, path)
        for m in range(n + 1, len(busy_day)):
            swapped = list(busy_day)
            swapped[n], swapped[m] = swapped[m], swapped[n]
            with pytest.raises(Wrong) as wrong:
                check(swapped, path)
            assert n + 1 <= wrong.value.line <= n + 2  # a seal swapped with the row after it is missed there


def test_an_export_broken_off_at_a_seal_is_caught(busy_day: list[bytes], tmp_path: Path) -> None:
    first_seal = next(n for n, line in enumerate(busy_day) if line.startswith(b'{"seal"'))
    with pytest.raises(Wrong, match="its end is missing"):
        check(busy_day[: first_seal + 1], tmp_path / "x")


def test_signed_anew_with_another_key_it_is_not_the_venues(busy_day: list[bytes], tmp_path: Path) -> None:
    """Whoever forges everything needs a key of his own: the fingerprint tells."""
    genuine = check(busy_day, tmp_path / "x")
    thief = SigningKey(Ed25519PrivateKey.generate())
    forged = []
    for line in busy_day:
        value = json.loads(line)
        if "seal" in value:
            note = Note.parse(value["seal"].encode())
            head = Checkpoint.parse(note.text)
            text = replace(head, origin=origin_of(thief.fingerprint)).text()
            key = VerifierKey(origin_of(thief.fingerprint), ED25519, thief.public)
            value["seal"] = str(Note(text, (signature(key, text, lambda said: thief.sign(b"", said)),)))
        for name, purpose in (("export", BEGIN), ("end", END)):
            if name in value:
                if "key" in value[name]:
                    value[name]["key"] = thief.fingerprint
                if "first_key" in value[name]:
                    value[name] |= {"first_key": thief.public.hex(), "first_key_name": thief.fingerprint}
                value["signature"] = thief.sign(purpose, canonical(value[name])).hex()
        forged.append(canonical(value) + b"\n" if "row" not in value else line)
    with pytest.raises(Wrong):
        check(forged, tmp_path / "x")
    check(busy_day, tmp_path / "x", key=genuine.first_key)
    check(busy_day, tmp_path / "x", key=genuine.last_key)
    with pytest.raises(Wrong, match="no key in this export"):
        check(busy_day, tmp_path / "x", key=thief.fingerprint)


TAMPERING = {
    "an amount changed": "UPDATE ledger_transfer SET amount = amount + 10000 WHERE id = {sale}",
    "an actor changed": "UPDATE ledger_transfer SET actor = 'staff:zoe' WHERE id = {sale}",
    "an account's code changed": "UPDATE ledger_account SET code = 'house:crash' WHERE code = 'house:cash'",
    "a time changed": "UPDATE ledger_act SET at = at + interval '1 microsecond' WHERE id = {act}",
    "a row deleted": "DELETE FROM ledger_transfer WHERE id = {sale}",
    "the last row deleted": "DELETE FROM ledger_transfer WHERE id = {last}",
    "a row slipped in": """INSERT INTO ledger_act (id, tx, day, kind, subject, actor, data)
                           SELECT nextval('ledger_row_id'), tx, day, kind, subject, actor, data FROM ledger_act
                           WHERE id = {act}""",
    "a roll-up changed": "UPDATE ledger_balance SET debits = debits + 1, credits = credits + 1",
    "a seal deleted": """WITH leaves AS (DELETE FROM ledger_leaves WHERE seal_id = 2)
                         DELETE FROM ledger_seal WHERE number = 2""",
    "the last seal deleted": """WITH last AS (SELECT max(number) AS number FROM ledger_seal),
                                     leaves AS (DELETE FROM ledger_leaves USING last WHERE seal_id = number)
                                DELETE FROM ledger_seal USING last WHERE ledger_seal.number = last.number""",
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
    tables = ("ledger_transfer", "ledger_act", "ledger_account", "ledger_seal", "ledger_leaves")
    with unguarded(*tables) as cursor:
        cursor.execute("SELECT min(id) FROM ledger_act")
        (act,) = cursor.fetchone()
        cursor.execute(TAMPERING[how].format(sale=sale, last=last, act=act))
        assert cursor.rowcount > 0
    with pytest.raises(Wrong):
        check(exported(), tmp_path / "x")


def test_a_large_export_is_checked_by_several_processes(
    transactional_db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the limits lowered so far that every few lines are a chunk of their own."""
    open_books()
    for _ in range(3):
        post_many(bookings=[booking() for _ in range(40)], by=ANNA, day=DAY)
        post(booking=replace(booking("4.00", kind="test.payout"), memo={"by": "hand"}), by=ANNA, day=DAY)
        seal_now()
    lines = exported()
    alone = check(lines, tmp_path / "x")
    monkeypatch.setattr("verify.processes.SEVERAL_PROCESSES_FROM_BYTES", 0)
    for module in ("verify.processes", "verify.verifier"):
        monkeypatch.setattr(f"{module}.CHUNK_BYTES", 2000)
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


def test_the_commands_from_one_end_to_the_other(
    transactional_db: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    open_books()
    post_many(bookings=[booking() for _ in range(20)], by=ANNA, day=DAY)
    path = tmp_path / "audit.jsonl"
    call_command("audit", "export", str(path))
    assert sorted(tmp_path.iterdir()) == [path]
    # Offline: no package can even be imported.
    blocked = ["django", "psycopg", "rest_framework", "rich", "cryptography"]
    run = f"import sys; sys.modules.update(dict.fromkeys({blocked})); import verify.verifier; "
    run += "from tests.world.books_check import with_books; verify.verifier.room_checks = with_books; "
    run += "from verify.program import main; "
    run += f"sys.exit(main([{str(path)!r}]))"
    done = subprocess.run([sys.executable, "-c", run], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (3, "")  # right, and nobody but the house remembers it
    assert "right." in done.stdout
    assert "Look at this: The log names no witness" in done.stdout
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
    with as_owner() as cursor:
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
        with unguarded("ledger_transfer") as cursor:
            cursor.execute("DELETE FROM ledger_transfer")
            cursor.execute(
                """ALTER TABLE ledger_transfer ADD CONSTRAINT transfer_whole_cents CHECK
                   ((NOT debit_whole_cents AND NOT credit_whole_cents) OR amount = amount / 10000 * 10000)"""
            )
    assert Account.objects.filter(code=CASH).exists()
