"""The audit trail in the console: a row's proof step by step; exports made, cancelled, taken away and verified."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client

from house.log import record_act
from jackpot.hit_acts import HitVerified
from keno.acts import NumberDrawn
from kernel.actors import system
from kernel.merkle import inclusion_proof, inclusion_steps, leaf_hash, nodes_of
from ledger import queries
from ledger.models import Act
from ledger.seal import seal_now
from tests.world.demo import ROLES, demo_actor
from verify.verifier import verify
from web import work
from web.models import Work

pytestmark = pytest.mark.django_db(transaction=True)
MAY = {"manager", "inspector", "administrator", "auditor"}


@pytest.fixture(autouse=True)
def told_at_once(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Any) -> None:
    monkeypatch.setattr(work, "TELL_EVERY_SECONDS", 0.0)
    monkeypatch.setattr(work, "folder", lambda: tmp_path)


def newest() -> Work:
    return Work.objects.order_by("-pk")[0]


def test_an_export_is_made_taken_away_and_verified(signed_in: Callable[[str], Client]) -> None:
    inspector = signed_in("inspector")
    assert "No export yet" in inspector.get("/audit/exports/").content.decode()
    inspector.post("/audit/exports/begin/")
    export = newest()
    assert (export.kind, export.state, export.made_by) == ("audit.export", "waiting", "staff:inspector")
    assert "Waits for a worker." in inspector.get("/audit/exports/live/").content.decode()
    inspector.post("/audit/exports/begin/")  # refused: one is on its way
    assert Work.objects.count() == 1
    assert "still running" in inspector.get("/audit/exports/").content.decode()
    assert work.run(export.pk).state == "done"
    assert work.run(export.pk).state == "done"  # sent twice, done once
    answer = inspector.get(f"/audit/exports/{export.pk}/file/")
    content = b"".join(answer.streaming_content)  # type: ignore[attr-defined]
    with (work.folder() / f"audit-{export.pk}.jsonl").open("rb") as file:
        found = verify(file)
    assert newest().outcome.startswith(f"{found.rows:,} rows under {found.seals:,} seals.")
    assert content == (work.folder() / f"audit-{export.pk}.jsonl").read_bytes()
    assert Act.objects.filter(kind="audit.export-taken", actor="staff:inspector").count() == 1

    inspector.post(f"/audit/exports/{export.pk}/verify/")
    check = work.run(newest().pk)
    assert (check.state, check.asked) == ("done", {"export": export.pk})
    assert check.outcome.startswith(f"Right: {found.rows:,} rows, {found.seals:,} seals")
    assert "Right: " in inspector.get("/audit/exports/").content.decode()

    told = Act.objects.order_by("pk")[0].kind.encode()
    spoilt = content.replace(told, told + b"-not", 1)
    (work.folder() / f"audit-{export.pk}.jsonl").write_bytes(spoilt)
    inspector.post(f"/audit/exports/{export.pk}/verify/")
    check = work.run(newest().pk)
    line = content[: content.index(told)].count(b"\n") + 1
    assert check.state == "failed"
    assert check.outcome.startswith(f"WRONG at line {line}: ")


def test_work_is_cancelled_before_and_while_it_runs(signed_in: Callable[[str], Client]) -> None:
    manager = signed_in("manager")
    manager.post("/audit/exports/begin/")
    manager.post(f"/audit/exports/{newest().pk}/cancel/")
    assert (newest().state, newest().outcome) == ("cancelled", "Cancelled before it began.")
    assert work.run(newest().pk).state == "cancelled"  # the task that was sent finds nothing to do
    manager.post("/audit/exports/begin/")
    Work.objects.filter(pk=newest().pk).update(cancel_asked=True)  # as if asked for while the worker runs
    assert work.run(newest().pk).state == "cancelled"
    assert list(work.folder().iterdir()) == []  # nothing half written
    assert manager.get(f"/audit/exports/{newest().pk}/file/").status_code == 409
    manager.post(f"/audit/exports/{newest().pk}/cancel/")
    assert "This is over" in manager.get("/audit/exports/").content.decode()


def test_the_newest_files_are_kept(signed_in: Callable[[str], Client], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "FILES_KEPT", 1)
    manager = signed_in("manager")
    for _ in range(2):
        manager.post("/audit/exports/begin/")
        work.run(newest().pk)
    assert [path.name for path in work.folder().iterdir()] == [f"audit-{newest().pk}.jsonl"]
    assert "not kept" in manager.get("/audit/exports/").content.decode()


def test_what_a_dead_worker_left_is_over_and_nobody_else_takes_it(signed_in: Callable[[str], Client]) -> None:
    signed_in("manager").post("/audit/exports/begin/")
    Work.objects.update(state="running", told_at=newest().made_at)
    work.look_after(newest().made_at + work.SILENT / 2)
    assert newest().state == "running"
    work.look_after(newest().made_at + 2 * work.SILENT)
    assert (newest().state, newest().outcome) == ("failed", "The worker stopped before the end. Begin again.")


def test_a_row_is_proved_step_by_step(signed_in: Callable[[str], Client]) -> None:
    client = signed_in("inspector")
    row = Act.objects.order_by("id")[0]
    assert client.get(f"/audit/rows/{row.pk}/").status_code in (200, 409)  # perhaps not sealed yet
    seal = seal_now()
    assert seal is not None
    page = client.get(f"/audit/rows/{row.pk}/")
    shown = page.context
    assert (shown["included"], shown["signed"]) == (True, True)
    digest = hashlib.sha256(b"\x00" + shown["text"].encode()).hexdigest()
    assert digest == shown["leaf"]
    for step in shown["steps"]:
        assert digest == step["right" if step["added"] == "left" else "left"]
        digest = hashlib.sha256(b"\x01" + bytes.fromhex(step["left"]) + bytes.fromhex(step["right"])).hexdigest()
        assert digest == step["parent"]
    assert digest == bytes(seal.root).hex() == shown["root"]
    assert client.get("/audit/rows/999999999/").status_code == 404


def test_who_may_see_proofs_and_take_files(signed_in: Callable[[str], Client]) -> None:
    row = Act.objects.order_by("id")[0].pk
    seal_now()
    signed_in("manager").post("/audit/exports/begin/")
    work.run(newest().pk)
    for role in ROLES:
        client = signed_in(role)
        expected = 200 if role in MAY else 403
        assert client.get(f"/audit/rows/{row}/").status_code == expected, role
        assert client.get(f"/audit/exports/{newest().pk}/file/").status_code == expected, role
    assert Client().get(f"/audit/exports/{newest().pk}/file/").status_code == 302


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 13, 33])
def test_steps_lead_to_the_root_of_rfc_6962(size: int) -> None:
    def root(hashes: list[bytes]) -> bytes:
        """MTH of RFC 6962, 2.1, written down as it stands there."""
        if len(hashes) == 1:
            return hashes[0]
        split = 1
        while split * 2 < len(hashes):
            split *= 2
        return hashlib.sha256(b"\x01" + root(hashes[:split]) + root(hashes[split:])).digest()

    leaves = [leaf_hash(str(n).encode()) for n in range(size)]
    for index, leaf in enumerate(leaves):
        proof = inclusion_proof(index, size, nodes_of(leaves))
        *_, last = [(b"", b"", leaf), *inclusion_steps(leaf, index, size, proof)]
        assert last[2] == root(leaves)


def test_what_people_did_comes_first_in_sentences(signed_in: Callable[[str], Client]) -> None:
    auditor = signed_in("auditor")
    won = {"hit": 3, "sequence": 3, "link": "CSP", "table": "CSP-01", "round": 1, "box": 2, "hand": "royal-flush"}
    money = {"amount": "50003.50", "from_pool": "50003.50", "from_house": "0.00", "measured_on": None}
    verified = HitVerified.read(
        {**won, **money, "kind": "percentage", "status": "verified", "verification": {}}, subject="jackpot:CSP"
    )
    record_act(verified, by=demo_actor("supervisor"))
    record_act(NumberDrawn(game=7, attempt=1, place=1, number=42), by=system("keno-draw"))
    for place in (2, 3):
        record_act(NumberDrawn(game=7, attempt=1, place=place, number=50 + place), by=system("keno-draw"))
    people = auditor.get("/audit/").content.decode()
    assert "Sunita Rao verified $50,003.50 at CSP-01, hit 3 of CSP" in people
    assert "recorded 42 as number 1" not in people
    machines = auditor.get("/audit/", {"who": "machines"}).content.decode()
    assert "recorded 53 as number 3 of game 7" in machines
    assert "and 2 more like it" in machines
    assert "recorded 42" not in machines  # folded
    assert "Sunita Rao verified" not in machines
    everything = auditor.get("/audit/", {"who": "everybody"}).content.decode()
    assert "Sunita Rao verified" in everything
    assert "recorded 53 as number 3 of game 7" in everything


def test_what_people_did_is_found_without_reading_what_machines_did() -> None:
    """By an index of its own, however much the machines write."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off")
        plan = queries.acts_of_people().order_by("-id")[:50].explain()
    assert "act_by_people" in plan
