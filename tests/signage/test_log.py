"""``/log/``: the public log. A stranger follows it with nothing but what is served there."""

from __future__ import annotations

import base64
import struct
from hashlib import sha256
from typing import Any

import pytest
from django.test import Client

from kernel import unique_signatures
from kernel.merkle import check_consistency, check_inclusion, leaf_hash, root_of
from kernel.notes import Checkpoint, Note, VerifierKey
from ledger.announce import announce_verifier
from ledger.cosign import cosign_now
from ledger.keys import signing
from ledger.models import Act, Seal
from ledger.post import post, post_many
from ledger.seal import seal_now
from tests.world.books import ANNA, DAY, booking, open_books
from tests.world.calls import make_device
from tests.world.go.checker import needs_go, told_by_go
from tests.world.witness import RunningWitness

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _books(witness: RunningWitness) -> None:
    open_books()
    seal_now()


def get(path: str, **headers: str) -> Any:
    return Client().get(f"/log/{path}", headers=headers)


def hashes(path: str) -> list[bytes]:
    answer = get(path)
    assert answer.status_code == 200, answer.content
    return [base64.b64decode(each) for each in answer.json()]


def head() -> Checkpoint:
    answer = get("checkpoint")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert "max-age=1" in answer.headers["Cache-Control"]
    assert not answer.cookies
    note = Note.parse(answer.content)
    known = [VerifierKey.parse(line) for line in get("keys").content.decode().splitlines()]
    assert note.opened(known)
    return Checkpoint.parse(note.text)


def test_a_stranger_follows_the_log(witness: RunningWitness) -> None:
    cosign_now()
    before = head()
    post_many(bookings=[booking() for _ in range(600)], by=ANNA, day=DAY)
    seal_now()
    cosign_now()
    after = head()
    assert after.size > 600
    proof = hashes(f"proof/consistency?old={before.size}&new={after.size}")
    assert check_consistency(before.size, before.root, after.size, after.root, proof)
    leaves = [leaf for index in range(after.size // 256) for leaf in split(get(f"tile/0/{index:03}").content)]
    rest = after.size % 256
    leaves += split(get(f"tile/0/{after.size // 256:03}.p/{rest}").content)
    assert root_of(leaves) == after.root
    assert root_of(leaves[: before.size]) == before.root
    for index in (0, 255, 256, 511, 512, after.size - 1):
        path = hashes(f"proof/inclusion?index={index}&size={after.size}")
        assert check_inclusion(leaves[index], index, after.size, path, after.root)
    level = get(f"tile/1/000.p/{after.size // 256}")
    assert split(level.content) == [root_of(leaves[:256]), root_of(leaves[256:512])]
    assert "immutable" in level.headers["Cache-Control"]


def split(packed: bytes) -> list[bytes]:
    return [packed[at : at + 32] for at in range(0, len(packed), 32)]


def test_the_head_is_cosigned_and_the_keys_are_named(witness: RunningWitness) -> None:
    house, cosigner, receipts = (VerifierKey.parse(line) for line in get("keys").content.decode().splitlines())
    plain = Note.parse(get("checkpoint").content)
    assert plain.opened([house, cosigner]) == [house]
    cosign_now()
    note = Note.parse(get("checkpoint").content)
    assert note.opened([house, cosigner]) == [house, cosigner]
    assert cosigner.name.startswith("same-machine.")  # whoever reads the checkpoint sees where the witness stands
    assert str(cosigner) == str(witness.memory.keys.cosigner)
    assert str(receipts).startswith(house.name.replace("log", "receipts", 1))  # the key that signs paper
    assert receipts.public == signing("receipt").public
    pem = get("witness.pem").content.decode()
    assert unique_signatures.from_pem(pem) == witness.memory.keys.rsa_public


def test_the_latest_head_is_shown_when_the_cosigned_one_is_old(witness: RunningWitness) -> None:
    from datetime import timedelta

    from tests.world.owner import unguarded

    cosign_now()
    post(booking=booking(), by=ANNA, day=DAY)
    seal_now()
    cosigned, newest = Seal.objects.order_by("number")
    assert head().size == cosigned.size
    with unguarded("ledger_seal") as cursor:
        cursor.execute("UPDATE ledger_seal SET at = %s WHERE number = 1", [cosigned.at - timedelta(minutes=2)])
    assert Checkpoint.parse(Note.parse(get("checkpoint").content).text).size == newest.size


def test_entries_are_for_whoever_may_audit(witness: RunningWitness) -> None:
    size = Seal.objects.latest("number").size
    for headers in ({}, {"Authorization": "Bearer nonsense"}):
        assert get(f"tile/entries/000.p/{size}", **headers).status_code == 401
    writer, auditor = (f"Bearer {make_device(role)[1]}" for role in ("writer", "auditor"))
    assert get(f"tile/entries/000.p/{size}", Authorization=writer).status_code == 403
    answer = get(f"tile/entries/000.p/{size}", Authorization=auditor)
    assert answer.status_code == 200
    assert "no-store" in answer.headers["Cache-Control"]
    rows, at = [], 0
    while at < len(answer.content):
        (length,) = struct.unpack_from(">H", answer.content, at)
        rows.append(answer.content[at + 2 : at + 2 + length])
        at += 2 + length
    assert root_of([leaf_hash(row) for row in rows]) == head().root


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("proof/consistency", 400),
        ("proof/consistency?old=1", 400),
        ("proof/consistency?old=-1&new=1", 400),
        ("proof/consistency?old=01&new=1", 400),
        ("proof/consistency?old=1&new=99999999", 404),
        ("proof/consistency?old=2&new=1", 404),
        ("proof/consistency?old=1&new=" + "9" * 40, 400),
        ("proof/inclusion?index=0&size=0", 404),
        ("proof/inclusion?index=5&size=5", 404),
        ("proof/inclusion?index=x&size=5", 400),
        ("tile/0/000", 404),
        ("tile/0/000.p/0", 404),
        ("tile/0/000.p/256", 404),
        ("tile/0/000.p/255", 404),
        ("tile/0/0", 404),
        ("tile/0/x000/000", 404),
        ("tile/0/999", 404),
        ("tile/0/x999/x999/x999/x999/x999/x999/999", 404),
        ("tile/9/000", 404),
        ("tile/63/000", 404),
        ("tile/" + "9" * 30 + "/000", 404),
        ("nothing", 404),
    ],
)
def test_what_is_not_there_is_said(path: str, status: int) -> None:
    answer = get(path)
    assert answer.status_code == status
    if answer.headers["Content-Type"] == "application/problem+json":
        assert answer.json()["status"] == status


def test_it_is_cheap(witness: RunningWitness, django_assert_max_num_queries: Any) -> None:
    """However many seals lie between: a proof is a few lookups."""
    for _ in range(40):
        post(booking=booking(), by=ANNA, day=DAY)
        seal_now()
    size = Seal.objects.latest("number").size
    for path, queries in (
        ("checkpoint", 5),
        ("keys", 8),
        (f"proof/inclusion?index=3&size={size}", 4),
        (f"proof/consistency?old=7&new={size}", 4),
        (f"tile/0/000.p/{size}", 2),
    ):
        with django_assert_max_num_queries(queries):
            assert get(path).status_code == 200


@needs_go
def test_go_follows_it_too(witness: RunningWitness) -> None:
    """With what is served here and nothing else."""
    cosign_now()
    before = head()
    post_many(bookings=[booking() for _ in range(20)], by=ANNA, day=DAY)
    seal_now()
    cosign_now()
    after = head()
    house, cosigner, _ = get("keys").content.decode().splitlines()
    path = get(f"proof/consistency?old={before.size}&new={after.size}").json()
    root, old_root = (base64.b64encode(each.root).decode() for each in (after, before))
    consistent = {"Size": str(after.size), "Root": root, "Old": str(before.size), "OldRoot": old_root, "Path": path}
    leaf = base64.b64encode(get(f"tile/0/000.p/{after.size}").content[3 * 32 : 4 * 32]).decode()
    inside = get(f"proof/inclusion?index=3&size={after.size}").json()
    included = {"Size": str(after.size), "Root": root, "Index": "3", "Leaf": leaf, "Path": inside}
    note = get("checkpoint").content.decode()
    said = told_by_go(Note=note, House=house, Witness=cosigner, Consistency=[consistent], Inclusion=[included])
    assert said["Wrong"] is None
    assert said["Signers"] == [house.partition("+")[0], cosigner.partition("+")[0]]


def test_the_verifier_is_served_and_its_hash_is_in_the_log(client: Client) -> None:
    answer = client.get("/log/meterhouse-verify.pyz")
    digest = sha256(answer.content).hexdigest()
    announced = Act.objects.get(kind="verifier.published")
    assert (announced.subject, announced.data) == (f"verifier:{digest}", {"bytes": len(answer.content)})
    announce_verifier()  # the same again is no news
    assert Act.objects.filter(kind="verifier.published").count() == 1
