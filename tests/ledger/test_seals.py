"""Seals: what they take, how they follow each other, which key signs, and the proofs for single rows."""

from __future__ import annotations

import stat
import threading
from hashlib import sha256
from itertools import pairwise

import psycopg
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.db import connection

from config.prepare import _bring_up_to_date, _wait_until_prepared
from kernel.environment import Trouble
from kernel.merkle import check_consistency, check_inclusion, leaf_hash
from kernel.money import Money
from kernel.refusal import Conflict, NotFound
from ledger import keys
from ledger.balance import balance
from ledger.models import Act, Balance, Node, Seal, Transfer
from ledger.post import post, post_many
from ledger.proofs import prove_consistency, prove_row
from ledger.readiness import ready
from ledger.seal import CannotSeal, rotate_key, seal, seal_now, statement_of
from tests.world.books import ALL, ANNA, BEN, CASH, DAY, SALES, booking, open_books
from tests.world.sealer import at_work, sealing

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _books(transactional_db: None) -> None:
    open_books()


def head() -> Seal:
    return Seal.objects.latest("number")


def rfc6962_root(leaves: list[bytes]) -> bytes:
    """MTH of RFC 6962, 2.1, as it is written there."""
    if len(leaves) == 1:
        return leaves[0]
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    return sha256(b"\x01" + rfc6962_root(leaves[:k]) + rfc6962_root(leaves[k:])).digest()


def rows_in_order() -> list[int]:
    rows = [*Transfer.objects.values_list("tx", "id"), *Act.objects.values_list("tx", "id")]
    return [number for _, number in sorted(rows)]


def test_a_seal_is_signed_over_the_rfc6962_root_of_all_rows_and_chained() -> None:
    first = seal_now()
    assert first is not None
    assert bytes(first.previous) == bytes(32)
    post_many(bookings=[booking(), booking("2.50")], by=ANNA, day=DAY)
    second = seal_now()
    assert second is not None
    assert (second.number, second.first) == (first.number + 1, first.size)
    assert bytes(second.previous) == statement_of(first).digest()
    public = keys.load(second.key).public
    Ed25519PublicKey.from_public_bytes(public).verify(bytes(second.signature), statement_of(second).text().encode())
    sealed = rows_in_order()[: second.size]
    leaves = [leaf_hash(prove_row(row=number).row.encode()) for number in sealed]
    assert bytes(second.root) == rfc6962_root(leaves)


def test_nothing_new_is_no_seal() -> None:
    seal_now()  # the books, and the act that announces the first key
    before = Seal.objects.count()
    assert seal_now() is None
    assert seal() is None
    assert Seal.objects.count() == before


def test_a_row_waits_until_every_earlier_transaction_has_ended() -> None:
    seal_now()
    with psycopg.connect(**connection.get_connection_params() | {"cursor_factory": psycopg.Cursor}) as other:
        (held,) = other.execute("SELECT pg_current_xact_id()::text::bigint").fetchone() or (0,)
        late = post(booking=booking(), by=ANNA, day=DAY)
        assert Transfer.objects.get(id=late).tx > held
        seal_now()
        assert head().tx_upto <= held
        with pytest.raises(Conflict) as refusal:
            prove_row(row=late)
        assert refusal.value.code == "not-sealed-yet"
        assert balance(CASH).amount == Money.parse("1.00")  # and yet it counts
    seal_now()
    assert prove_row(row=late).position < head().size
    assert balance(CASH).amount == Money.parse("1.00")


def test_two_sealers_make_one_chain() -> None:
    def work() -> None:
        try:
            for _ in range(10):
                seal()
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(50):
        post(booking=booking(), by=ANNA, day=DAY)
    for thread in threads:
        thread.join()
    seal_now()
    seals = list(Seal.objects.order_by("number"))
    assert [s.number for s in seals] == list(range(1, len(seals) + 1))
    for before, after in pairwise(seals):
        assert (after.first, after.tx_from) == (before.size, before.tx_upto)
        assert bytes(after.previous) == statement_of(before).digest()


def test_a_sealer_that_ends_leaves_its_place_to_the_next() -> None:
    with sealing():
        assert at_work()
    assert not at_work()  # also where its connection came from a pool


def test_the_roll_up_is_the_balance_as_of_the_seal() -> None:
    post(booking=booking("5.00"), by=ANNA, day=DAY)
    seal_now()
    rolled = Balance.objects.get(account__code=CASH)
    assert (rolled.debits, rolled.credits) == (Money.parse("5.00"), Money(0))
    post(booking=booking("3.00"), by=BEN, day=DAY)
    since = balance(CASH)
    assert since.amount == Money.parse("8.00")
    seal_now()
    assert balance(CASH) == since
    rolled.refresh_from_db()
    assert (rolled.debits, rolled.credits) == (Money.parse("8.00"), Money(0))


def test_every_row_and_every_pair_of_seals_can_be_proved() -> None:
    seal_now()
    for size in (1, 3, 250, 300, 7):  # across the edges of the kept tiles
        post_many(bookings=[booking() for _ in range(size)], by=ANNA, day=DAY)
        seal_now()
    assert set(Node.objects.values_list("level", "index")) == {(8, 0), (8, 1)}
    top = head()
    order = rows_in_order()
    for position in (0, 1, 100, 255, 256, 257, 511, 512, top.size - 1):
        proof = prove_row(row=order[position])
        assert proof.position == position
        leaf = leaf_hash(proof.row.encode())
        assert check_inclusion(leaf, position, top.size, proof.path, bytes(top.root))
        forged = leaf_hash(proof.row.replace('"type"', '"tipe"').encode())
        assert not check_inclusion(forged, position, top.size, proof.path, bytes(top.root))
    seals = {s.number: s for s in Seal.objects.all()}
    for older in seals.values():
        for newer in seals.values():
            if older.number > newer.number:
                continue
            path = prove_consistency(older=older.number, newer=newer.number)
            sizes_and_roots = (older.size, bytes(older.root), newer.size, bytes(newer.root))
            assert check_consistency(*sizes_and_roots, path)
            assert not check_consistency(older.size, bytes(32), newer.size, bytes(newer.root), path)


def test_what_is_not_there_cannot_be_proved() -> None:
    seal_now()
    with pytest.raises(NotFound):
        prove_row(row=10**12)
    with pytest.raises(NotFound):
        prove_consistency(older=1, newer=99)


def test_the_private_key_is_made_once_and_for_us_alone() -> None:
    seal_now()
    (path,) = [p for p in keys.folder().iterdir() if p.name == head().key]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(keys.folder().stat().st_mode) == 0o700
    post(booking=booking(), by=ANNA, day=DAY)
    seal_now()
    assert set(Seal.objects.values_list("key", flat=True)) == {path.name}
    assert Act.objects.filter(kind="keys.first").count() == 1


def test_a_new_key_is_handed_over_to_under_the_old_one() -> None:
    seal_now()
    old = head().key
    new = rotate_key(by=ANNA)
    assert new != old
    handed_over = Act.objects.get(kind="keys.hand-over")
    sealing = Seal.objects.get(tx_from__lte=handed_over.tx, tx_upto__gt=handed_over.tx)
    assert sealing.key == old
    post(booking=booking(), by=ANNA, day=DAY)
    seal_now()
    assert head().key == new
    again = rotate_key(by=BEN)
    post(booking=booking(), by=ANNA, day=DAY)
    seal_now()
    assert head().key == again


def test_a_lost_private_key_stops_the_sealing_and_says_where_it_belongs() -> None:
    seal_now()
    path = keys.folder() / head().key
    aside = path.rename(path.with_suffix(".aside"))
    try:
        post(booking=booking(), by=ANNA, day=DAY)
        before = (Seal.objects.count(), Balance.objects.count())
        with pytest.raises(keys.KeyMissing, match="restore that folder"):
            seal_now()
        assert (Seal.objects.count(), Balance.objects.count()) == before
        assert balance(CASH).amount == balance(SALES).amount == Money.parse("1.00")
    finally:
        aside.rename(path)


def test_a_database_restored_into_a_younger_server_is_noticed() -> None:
    seal_now()
    now = head()
    Seal.objects.create(
        number=now.number + 1, at=now.at, tx_from=now.tx_upto, tx_upto=now.tx_upto + 10**9, first=now.size,
        size=now.size + 1, root=now.root, frontier=now.frontier, previous=now.previous, key=now.key,
        signature=now.signature,
    )  # fmt: skip
    with pytest.raises(CannotSeal, match="restored from a dump"):
        ready()
    for start in (_bring_up_to_date, _wait_until_prepared):
        acts = Act.objects.count()
        with pytest.raises(Trouble, match="restored from a dump"):
            start()
        assert Act.objects.count() == acts
    with pytest.raises(CannotSeal, match="restored from a dump"):
        seal_now()


def test_the_log_refuses_no_account_of_ours() -> None:
    seal_now()
    assert {act.subject for act in Act.objects.filter(kind="ledger.account-opened")} >= {f"account:{c}" for c in ALL}
