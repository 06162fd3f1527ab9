"""Transfers: what is booked, what the database refuses by itself, and the two-step and reversing kinds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from psycopg.types.json import Jsonb

from kernel.money import ZERO, Money
from kernel.prepared import execute
from kernel.refusal import Conflict, NotFound
from ledger.accounts import open_account
from ledger.balance import balance
from ledger.models import Account, Act, Transfer
from ledger.post import _INSERT as POSTING
from ledger.post import post, post_many
from ledger.reverse import reverse
from tests.world.books import ANNA, BEN, CASH, DAY, POOL, RESERVE, SALES, booking, open_books
from tests.world.owner import as_owner, separated
from tests.world.refusals import refused_by_database

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _books(db: None) -> None:
    open_books()


def refused_sql(sql: str, *values: Any) -> str:
    """Run SQL that the database must refuse; the reason it gave."""
    with connection.cursor() as cursor:
        return refused_by_database(cursor.execute, sql, values)


def refused_to_all(sql: str) -> str:
    """The runtime role has no right to it; and what the tables say to their own owner."""
    assert "permission denied" in refused_sql(sql) or not separated()
    with as_owner() as cursor:
        return refused_by_database(cursor.execute, sql)


def test_a_transfer_carries_who_when_what_and_how_much() -> None:
    number = post(booking=booking("12.50"), by=ANNA, day=DAY)
    transfer = Transfer.objects.select_related("debit", "credit").get(id=number)
    assert (transfer.debit.code, transfer.credit.code, transfer.amount) == (CASH, SALES, Money.parse("12.50"))
    assert (transfer.actor, transfer.day, transfer.kind) == ("staff:anna", DAY, "test.sale")
    assert balance(CASH).amount == balance(SALES).amount == Money.parse("12.50")


def test_many_are_posted_in_order_or_not_at_all() -> None:
    bookings = [booking("1.00"), booking("2.00"), booking("3.00")]
    numbers = post_many(bookings=bookings, by=ANNA, day=DAY)
    assert numbers == sorted(numbers)
    amounts = dict(Transfer.objects.values_list("id", "amount"))
    assert [amounts[n] for n in numbers] == [b.amount for b in bookings]
    with pytest.raises(IntegrityError), transaction.atomic():
        post_many(bookings=[booking("5.00"), bookings[0]], by=ANNA, day=DAY)
    assert Transfer.objects.count() == 3
    assert balance(CASH).amount == Money.parse("6.00")
    assert post_many(bookings=[], by=ANNA, day=DAY) == []


def test_an_unknown_account_is_named_and_nothing_is_booked() -> None:
    with pytest.raises(LookupError, match="no such account: pool:nowhere"), transaction.atomic():
        post_many(bookings=[booking(), booking(credit="pool:nowhere")], by=ANNA, day=DAY)
    assert Transfer.objects.count() == 0
    with pytest.raises(LookupError, match="pool:nowhere"):
        balance("pool:nowhere")


@pytest.mark.parametrize("micros", [0, -10_000])
def test_only_amounts_above_zero(micros: int) -> None:
    with pytest.raises(IntegrityError, match="transfer_positive"), transaction.atomic():
        post(booking=booking(Money(micros)), by=ANNA, day=DAY)
    assert Transfer.objects.count() == 0


@pytest.mark.parametrize(("debit", "credit"), [(CASH, POOL), (POOL, CASH), (CASH, SALES)])
def test_whole_cents_where_people_are_touched(debit: str, credit: str) -> None:
    with pytest.raises(IntegrityError, match="transfer_whole_cents"), transaction.atomic():
        post(booking=booking(Money(10_001), debit=debit, credit=credit), by=ANNA, day=DAY)
    assert Transfer.objects.count() == 0


def test_pools_move_parts_of_a_cent() -> None:
    post(booking=booking(Money(1), debit=RESERVE, credit=POOL), by=ANNA, day=DAY)
    assert balance(POOL).amount == Money(1)
    assert balance(RESERVE).amount == Money(-1)


def test_a_transfer_cannot_lie_about_its_accounts() -> None:
    cash, pool = (Account.objects.get(code=code) for code in (CASH, POOL))
    columns = "day, debit_id, debit_whole_cents, credit_id, credit_whole_cents, amount, kind, reference, actor"
    reason = refused_sql(
        f"INSERT INTO ledger_transfer ({columns}) VALUES (%s, %s, false, %s, false, 1, 'test.lie', 'x', 'staff:x')",
        DAY, cash.id, pool.id,
    )  # fmt: skip
    assert "transfer_debit_account" in reason


def test_the_row_is_stamped_with_its_own_transaction_whatever_the_writer_says() -> None:
    number = post(booking=booking(), by=ANNA, day=DAY)
    with connection.cursor() as cursor:
        cursor.execute(
            """INSERT INTO ledger_act (tx, day, kind, subject, actor, data)
               VALUES (7, %s, 'test.forged', 'x', 'staff:x', '{}') RETURNING tx, pg_current_xact_id()::text::bigint""",
            [DAY],
        )
        stamped, current = cursor.fetchone()
    assert stamped == current == Transfer.objects.get(id=number).tx


def test_a_reference_is_booked_once_within_its_kind() -> None:
    first = booking("1.00")
    post(booking=first, by=ANNA, day=DAY)
    with pytest.raises(IntegrityError, match="transfer_once"), transaction.atomic():
        post(booking=replace(first, amount=Money.parse("2.00")), by=BEN, day=DAY)
    post(booking=replace(first, kind="test.fee"), by=ANNA, day=DAY)
    assert balance(CASH).amount == Money.parse("2.00")


def test_not_to_the_same_account() -> None:
    with pytest.raises(IntegrityError, match="transfer_two_accounts"), transaction.atomic():
        post(booking=booking(credit=CASH), by=ANNA, day=DAY)


@pytest.mark.parametrize("table", ["ledger_account", "ledger_transfer", "ledger_act", "ledger_seal", "ledger_node"])
def test_nothing_is_ever_emptied(table: str) -> None:
    assert "append-only" in refused_to_all(f"TRUNCATE {table} CASCADE")


def test_nothing_is_ever_changed_or_deleted() -> None:
    post(booking=booking(), by=ANNA, day=DAY)
    for table in ("ledger_account", "ledger_transfer", "ledger_act"):
        assert "Cannot update or delete" in refused_to_all(f"DELETE FROM {table}")
    assert "Cannot update or delete" in refused_to_all("UPDATE ledger_transfer SET amount = amount + 1000000")
    assert "Cannot update or delete" in refused_to_all("UPDATE ledger_account SET name = 'x'")
    assert "Cannot update or delete" in refused_to_all("UPDATE ledger_act SET actor = 'staff:x'")
    assert balance(CASH).amount == Money.parse("1.00")


def test_a_reversal_puts_it_back_once() -> None:
    number = post(booking=booking("12.50"), by=ANNA, day=DAY)
    reverse(transfer=number, why="sold to the wrong game", by=BEN, day=DAY)
    undone = Transfer.objects.get(reverses=number)
    assert (undone.amount, undone.kind, undone.memo) == (
        Money.parse("12.50"), "test.sale.reversal", {"why": "sold to the wrong game"},
    )  # fmt: skip
    assert balance(CASH).amount == balance(SALES).amount == ZERO
    for target, code in ((number, "already-reversed"), (undone.id, "is-a-reversal")):
        with pytest.raises(Conflict) as refusal:
            reverse(transfer=target, why="again", by=BEN, day=DAY)
        assert refusal.value.code == code
    assert Transfer.objects.count() == 2
    with pytest.raises(NotFound):
        reverse(transfer=undone.id + 1000, why="x", by=BEN, day=DAY)


def test_the_database_itself_refuses_a_false_reversal() -> None:
    number = post(booking=booking("12.50"), by=ANNA, day=DAY)
    for wrong in (booking("12.50"), booking("12.51", debit=SALES, credit=CASH)):
        with pytest.raises(IntegrityError, match="mirrors a posted transfer"), transaction.atomic():
            post(booking=replace(wrong, reverses=number), by=BEN, day=DAY)


def test_opening_an_account_twice_is_one_account_and_one_act() -> None:
    before = Account.objects.count()
    open_books()
    assert Account.objects.count() == before
    assert Act.objects.filter(kind="ledger.account-opened", subject=f"account:{CASH}").count() == 1
    with pytest.raises(ValueError, match="another kind"):
        open_account(code=CASH, name="Cash", kind=Account.Kind.INCOME)


@pytest.mark.parametrize("code", ["", "Cash", "cash:", ":cash", "cash drawer", "cash:a:"])
def test_an_account_code_is_well_formed(code: str) -> None:
    with pytest.raises(IntegrityError, match="account_code"), transaction.atomic():
        open_account(code=code, name="x", kind=Account.Kind.ASSET)


def test_a_quiet_account_is_read_by_its_index_whoever_is_busy() -> None:
    """One drawer in every transfer: a sample of them would say that there are no other accounts."""
    open_books()
    post_many(bookings=[booking() for _ in range(30)], by=ANNA, day=DAY)
    with as_owner() as cursor:
        cursor.execute("ANALYZE ledger_transfer")
        cursor.execute(
            "SELECT attname, n_distinct FROM pg_stats WHERE tablename = 'ledger_transfer'"
            " AND attname IN ('debit_id', 'credit_id', 'kind')"
        )
        assert dict(cursor.fetchall()) == {"debit_id": 1000.0, "credit_id": 1000.0, "kind": 1.0}


def test_posting_looks_for_its_own_accounts_not_at_all_there_are() -> None:
    """Every shift has two: after some years of them a sale must not take longer."""
    with as_owner() as cursor:
        cursor.execute(
            "INSERT INTO ledger_account (code, name, kind, whole_cents)"
            " SELECT 'shift:' || n, 'a drawer', 'asset', true FROM generate_series(1, 5000) n"
        )
        cursor.execute("ANALYZE ledger_account")
    written = Jsonb([{"debit": CASH, "credit": SALES, "amount": 1_000_000, "kind": "a.sale", "reference": "1"}])
    plan = execute("EXPLAIN " + POSTING, {"at": None, "day": DAY, "actor": ANNA.identity, "bookings": written})
    assert "Index Scan using ledger_account" in str(plan)
    assert "Seq Scan on ledger_account" not in str(plan)
