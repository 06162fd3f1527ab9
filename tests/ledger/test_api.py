"""The audit calls: whoever may look can fetch the log and prove any row of it by himself."""

from __future__ import annotations

import json

import pytest

from kernel.merkle import check_consistency, check_inclusion, leaf_hash
from kernel.money import Money
from ledger.post import post, post_many
from ledger.seal import seal_now
from tests.world.books import ANNA, CASH, DAY, POOL, RESERVE, booking, open_books
from tests.world.calls import Caller, make_device

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def auditor(transactional_db: None) -> Caller:
    open_books()
    return Caller(make_device("auditor")[1])


def test_a_row_is_proved_from_the_answer_alone(auditor: Caller) -> None:
    number = post(booking=booking("12.50"), by=ANNA, day=DAY)
    assert auditor.get(f"audit/rows/{number}/proof").json()["code"] == "not-sealed-yet"
    seal_now()
    proof = auditor.get(f"audit/rows/{number}/proof").json()
    assert json.loads(proof["row"])["micros"] == 12_500_000
    assert leaf_hash(proof["row"].encode()).hex() == proof["leaf"]
    path = [bytes.fromhex(node) for node in proof["path"]]
    root = bytes.fromhex(proof["seal"]["root"])
    assert check_inclusion(bytes.fromhex(proof["leaf"]), proof["position"], proof["seal"]["size"], path, root)


def test_seals_are_listed_and_follow_each_other(auditor: Caller) -> None:
    seal_now()
    post(booking=booking(), by=ANNA, day=DAY)
    seal_now()
    newer, older = auditor.get("audit/seals/").json()["results"][:2]
    assert newer["previous"] == older["hash"]
    path = auditor.get(f"audit/seals/{older['number']}/to/{newer['number']}").json()["path"]
    roots = (older["size"], bytes.fromhex(older["root"]), newer["size"], bytes.fromhex(newer["root"]))
    assert check_consistency(*roots, [bytes.fromhex(node) for node in path])


def test_transfers_and_acts_are_filtered_and_paged(auditor: Caller) -> None:
    post_many(bookings=[booking() for _ in range(5)], by=ANNA, day=DAY)
    post(booking=booking(Money(5), debit=RESERVE, credit=POOL, kind="test.share"), by=ANNA, day=DAY)
    page = auditor.get("audit/transfers/?kind=test.sale&limit=3").json()
    assert len(page["results"]) == 3
    assert len(auditor.client.get(page["next"], headers=auditor.headers).json()["results"]) == 2
    (share,) = auditor.get(f"audit/transfers/?account={POOL}").json()["results"]
    assert (share["amount"], share["debit"], share["credit"]) == ("0.000005", RESERVE, POOL)
    assert len(auditor.get(f"audit/transfers/?account={CASH}&gaming_day={DAY}").json()["results"]) == 5
    assert auditor.get("audit/transfers/?gaming_day=2020-01-01").json()["results"] == []
    opened = auditor.get(f"audit/acts/?kind=ledger.account-opened&subject=account:{CASH}").json()["results"]
    assert [act["data"]["code"] for act in opened] == [CASH]


def test_balances_are_rounded_down_and_exact(auditor: Caller) -> None:
    post(booking=booking(Money(1_009_999), debit=RESERVE, credit=POOL), by=ANNA, day=DAY)
    by_code = {account["code"]: account for account in auditor.get("audit/accounts").json()}
    assert (by_code[POOL]["amount"], by_code[POOL]["exact"]) == ("1.00", "1.009999")


@pytest.mark.parametrize("row", ["0", "99999999999", "9" * 30])
def test_what_is_not_there_is_not_found(auditor: Caller, row: str) -> None:
    seal_now()
    for path in (f"audit/rows/{row}/proof", f"audit/seals/{row}/to/{row}"):
        answer = auditor.get(path)
        assert answer.status_code == 404
        assert answer.json()["status"] == 404


def test_a_writer_may_not_look(transactional_db: None) -> None:
    writer = Caller(make_device("writer")[1])
    for path in ("audit/acts/", "audit/transfers/", "audit/seals/", "audit/accounts", "audit/rows/1/proof"):
        assert writer.get(path).status_code == 403
