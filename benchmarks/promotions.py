"""A million entries from a file, and the sealing of their list; ``BENCH_ROWS=200000`` tries it on fewer."""

from __future__ import annotations

import hashlib
import os
import time
from datetime import timedelta
from typing import Any

from benchmarks.cpu import spent
from benchmarks.report import figure

ROWS = int(os.environ.get("BENCH_ROWS", "1000000"))
CARDS = ROWS * 2 // 5
WINNERS = 100


def run() -> None:
    import pytest

    from tests.world.second_party import put_at_hand

    with pytest.MonkeyPatch.context() as patched:
        put_at_hand(patched)  # the second party's part is a signature: a running witness adds its line
        from_file_to_check()


def from_file_to_check() -> None:
    from tests.world.players import on_record

    promotion = running()
    on_record(f"C-{n}" for n in range(CARDS))
    lines = [f"R-{n},C-{n % CARDS}\n" for n in range(ROWS)]
    bare = [spent(lambda: copy_bare(lines, "id bigserial PRIMARY KEY, reference text UNIQUE, card text"))]
    heap = spent(lambda: copy_bare(lines, "reference text, card text"))
    ours, cpu = spent(lambda: enter(promotion, lines))
    bare.append(spent(lambda: copy_bare(lines, "id bigserial PRIMARY KEY, reference text UNIQUE, card text")))
    copied, copied_cpu = map(min, zip(*bare, strict=True))
    name = "entries from a file, all or nothing"
    figure(name, ROWS / ours, "entries/s", copied / ours, "a bare COPY of the same lines, numbered and unique")
    figure("  the same, CPU of all processes", cpu, "s", copied_cpu / cpu, "the CPU of that COPY to it")
    figure("  the same", ROWS / ours, "entries/s", heap[0] / ours, "a COPY of the same lines, no index, no number")
    begun = time.perf_counter()
    for n in range(ROWS):
        hashlib.sha256(n.to_bytes(64, "big")).digest()
    hashed = time.perf_counter() - begun
    begun = time.perf_counter()
    sealed = seal(promotion)
    ours = time.perf_counter() - begun
    assert sealed.count == ROWS
    figure(f"sealing a list of {ROWS:,} entries", ours, "s", ours / hashed, "SHA-256 over as many nodes")
    begun = time.perf_counter()
    drawn = draw()
    ours = time.perf_counter() - begun
    assert len(drawn.numbers) >= WINNERS
    figure(f"drawing {WINNERS} of {ROWS:,} entries", ours, "s", ours / hashed, "SHA-256 over as many nodes")
    begun = time.perf_counter()
    check()
    ours = time.perf_counter() - begun
    figure("checking that draw offline, list and all", ours, "s", ours / hashed, "SHA-256 over as many nodes")


def running() -> Any:
    from house.models import Grant
    from kernel.actors import Actor
    from promotions.draft import draft_promotion
    from promotions.locks import database_time
    from promotions.models import Promotion
    from promotions.run import start
    from promotions.submit import submit_promotion
    from tests.world.promotions import prize, terms

    held = frozenset(Grant.objects.filter(role="manager").values_list("permission_id", flat=True))
    by = Actor("staff:bench", "Bench", held)
    begin = database_time() - timedelta(hours=1)
    draft_promotion(
        code="BENCH",
        edition_code="2025",
        title="Bench",
        terms=terms(begin, prizes=[prize(quantity=WINNERS)]),
        by=Actor("staff:writer", "Writer", held),
    )
    submit_promotion(code="BENCH", by=by, now=begin - timedelta(days=2))
    start(code="BENCH", now=begin)
    return Promotion.objects.get(), by


def copy_bare(lines: list[str], columns: str) -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS bench_entries")
        cursor.execute(f"CREATE TABLE bench_entries ({columns})")
        with cursor.copy("COPY bench_entries (reference, card) FROM STDIN (FORMAT csv)") as copy:
            for line in lines:
                copy.write(line)


def enter(promotion: Any, lines: list[str]) -> None:
    from kernel.actors import Actor
    from promotions.imports import begin_import, confirm_import, go_on
    from promotions.permissions import IMPORT

    _, by = promotion
    made = begin_import(code="BENCH", name="bench.csv", lines=["reference,card\n", *lines], by=by)
    done = go_on(made.pk)
    assert (done.state, done.entered) == ("done", ROWS), done.outcome
    confirm_import(import_id=made.pk, by=Actor(identity="staff:second", name="second", permissions=frozenset({IMPORT})))


def seal(promotion: Any) -> Any:
    from promotions import run as running
    from promotions.locks import database_time
    from promotions.models import Promotion
    from promotions.seal import seal as seal_list

    row = Promotion.objects.get(code="BENCH")
    assert row.closes_at is not None
    assert row.draw_at is not None
    assert row.starts_at is not None
    back = row.closes_at - database_time()
    Promotion.objects.update(starts_at=row.starts_at - back, closes_at=row.closes_at - back, draw_at=row.draw_at - back)
    running.close(code="BENCH")
    return seal_list(code="BENCH")


def draw() -> Any:
    """The whole draw: the list compared with its root, the second party asked, winners, paths, rows, books, log."""
    from house.plan_days import ensure_gaming_days
    from promotions.draw import draw as draw_list
    from promotions.models import Promotion

    ensure_gaming_days()
    row = Promotion.objects.get(code="BENCH")
    return draw_list(code="BENCH", now=row.draw_at)


def check() -> None:
    from chance.proof import holds
    from promotions.proof import draw_proof, leaf_lines
    from promotions.verify import check as check_draw

    published = draw_proof(code="BENCH")["published"]
    leaves = b"".join(leaf_lines(code="BENCH")).decode().splitlines()
    assert holds(check_draw(published, leaves=leaves))
