"""Long work in the background that can be watched, cancelled and taken away as a file. One way for every room.

A room says what it can do with :func:`kind` when it starts. :func:`begin` writes a row and sends a task; the task
runs the room's function, which tells how far it is; whoever looks at the row sees it (``console/_work.html``). Work is
read-only or makes a file: it can be cancelled at every step and begun again, so a worker that dies leaves nothing
half done. It tells over a connection of its own, because the work itself may stand in one long snapshot.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.utils import timezone

from config.celery import after_commit, app
from house import acts
from house.actors import Actor
from house.models import Work, WorkState
from house.refusal import Conflict, NotFound, Refusal

log = logging.getLogger(__name__)

Tell = Callable[[int, int], None]
"""How far, of how much. Raises Cancelled where somebody has asked for that."""

TELL_EVERY: Final = 0.5  # seconds
SILENT: Final = timedelta(minutes=3)  # after which a worker is taken for dead
FILES_KEPT: Final = 5  # of a kind: an export is as large as the log


class Cancelled(Exception):
    """Somebody has asked for this work to stop."""


@dataclass(frozen=True, slots=True)
class Kind:
    code: str
    label: str
    permission: str
    run: Callable[[Work, Tell], str]  # answers the outcome as a sentence


_kinds: dict[str, Kind] = {}


def kind(code: str, *, label: str, permission: str, run: Callable[[Work, Tell], str]) -> str:
    _kinds[code] = Kind(code, label, permission, run)
    return code


def kinds() -> Mapping[str, Kind]:
    return _kinds


def folder() -> Path:
    path = Path(settings.DATA) / "work"
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def find(number: int) -> Work:
    found = Work.objects.filter(pk=number).first()
    if found is None:
        raise NotFound("no-such-work", f"There is no work {number}.")
    return found


@transaction.atomic
def begin(*, kind: str, by: Actor, asked: Mapping[str, Any] | None = None) -> Work:
    """Ask for it. One of a kind runs at a time: whoever asks meanwhile is told of the one that runs."""
    by.require(_kinds[kind].permission)
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", [f"house.work:{kind}"])
    if running := Work.objects.filter(kind=kind, finished_at=None).first():
        raise Conflict("already-running", f"{_kinds[kind].label} {running.pk} is still running. Wait, or cancel it.")
    work = Work.objects.create(kind=kind, asked=dict(asked or {}), made_at=timezone.now(), made_by=by.identity)
    acts.record(kind="work.begun", subject=f"work:{work.pk}", by=by, data={"kind": kind, **work.asked})
    after_commit(do, work.pk)
    return work


@transaction.atomic
def cancel(*, number: int, by: Actor) -> Work:
    """Ask for it to stop: at once where nobody has begun, else at the worker's next step."""
    work = Work.objects.select_for_update().filter(pk=find(number).pk).get()
    by.require(_kinds[work.kind].permission)
    if work.is_over:
        raise Conflict("already-over", f"This is over: {work.outcome}")
    work.cancel_asked = True
    if work.state == WorkState.WAITING:
        _end(work, WorkState.CANCELLED, "Cancelled before it began.")
    work.save()
    acts.record(kind="work.cancelled", subject=f"work:{work.pk}", by=by, data={"kind": work.kind})
    return work


@app.task(name="long-work", soft_time_limit=3600, time_limit=3660)
def do(number: int) -> None:
    run(number)


def run(number: int) -> Work:
    """Do it now, here. A second worker that is sent the same finds it taken."""
    taken = Work.objects.filter(pk=number, state=WorkState.WAITING).update(
        state=WorkState.RUNNING, told_at=timezone.now()
    )
    work = find(number)
    if not taken:
        return work
    try:
        with _teller(work) as tell:
            outcome = _kinds[work.kind].run(work, tell)
        state = WorkState.DONE
    except Cancelled:
        state, outcome = WorkState.CANCELLED, "Cancelled."
    except Refusal as refusal:
        state, outcome = WorkState.FAILED, refusal.detail
    except Exception:
        log.exception("work %s failed", number)
        state, outcome = WorkState.FAILED, "This is our mistake. It is in the log of the worker."
    file = work.file if state == WorkState.DONE else ""
    Work.objects.filter(pk=number, state=WorkState.RUNNING).update(
        state=state, outcome=outcome, file=file, finished_at=timezone.now()
    )
    _keep_the_newest(work.kind)
    return find(number)


def _end(work: Work, state: WorkState, outcome: str) -> None:
    work.state, work.outcome, work.finished_at = state, outcome, timezone.now()


@contextmanager
def _teller(work: Work) -> Iterator[Tell]:
    own = connections.create_connection(DEFAULT_DB_ALIAS)
    last = 0.0

    def tell(done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last < TELL_EVERY:
            return
        last = time.monotonic()
        with own.cursor() as cursor:
            cursor.execute(
                "UPDATE house_work SET done = %s, total = %s, told_at = now() WHERE id = %s "
                "RETURNING cancel_asked OR state <> 'running'",
                [done, total, work.pk],
            )
            (stop,) = cursor.fetchone()
        if stop:
            raise Cancelled

    try:
        yield tell
    finally:
        own.close()


@contextmanager
def making(work: Work, name: str) -> Iterator[Any]:
    """A file that is there whole or not at all; ``work.file`` names it once it is."""
    part = folder() / f".{name}.part"
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            yield file
        os.replace(part, folder() / name)
        work.file = name
    finally:
        part.unlink(missing_ok=True)


def _keep_the_newest(kind: str) -> None:
    made = Work.objects.filter(kind=kind).exclude(file="").order_by("-id")
    for old in made[FILES_KEPT:]:
        (folder() / old.file).unlink(missing_ok=True)
        Work.objects.filter(pk=old.pk).update(file="")


def look_after(now: datetime) -> None:
    """What a worker that died, or a broker that was away, left behind. The tick calls it now and then."""
    for work in Work.objects.filter(finished_at=None):
        if work.state == WorkState.WAITING and work.made_at < now - timedelta(seconds=10):
            after_commit(do, work.pk)
        elif work.state == WorkState.RUNNING and work.told_at is not None and work.told_at < now - SILENT:
            Work.objects.filter(pk=work.pk, state=WorkState.RUNNING).update(
                state=WorkState.FAILED, outcome="The worker stopped before the end. Begin again.", finished_at=now
            )
