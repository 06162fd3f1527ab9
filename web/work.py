"""Long work in the background that can be watched, cancelled and taken away as a file. One way for every room.

A room declares what it can do as a :class:`WorkKind`. :func:`begin` writes a row and sends a task; the task
runs the room's function, which tells how far it is; whoever looks at the row sees it (``web/_work.html``).

Most work is read-only or makes a file: it can be cancelled at every step and begun again, so a worker that dies leaves
nothing half done. It tells over a connection of its own, because the work itself may stand in one long snapshot, and
one of a kind runs at a time. Work that *goes on* instead commits as it goes and knows by itself where it was: whatever
stopped its worker, another takes it over, and cancelling keeps what is done.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from celery import shared_task
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, OperationalError, connection, connections, transaction
from django.db.models import QuerySet
from django.utils import timezone

from kernel import locks
from kernel.actors import Actor
from kernel.codes import Code, Permission
from kernel.locks import Lock
from kernel.refusal import Conflict, NotFound, Refusal
from kernel.rooms import offered
from kernel.tasks import after_commit
from ledger.log import write_act
from web.acts import WorkBegun, WorkCancelled
from web.models import Work, WorkState

log = logging.getLogger(__name__)

Tell = Callable[[int, int], None]
"""How far, of how much. Raises Cancelled where somebody has asked for that."""

TELL_EVERY_SECONDS: Final = 0.5
SILENT: Final = timedelta(minutes=3)  # after which a worker is taken for dead
FILES_KEPT: Final = 5  # of a kind: an export is as large as the log


class Cancelled(Exception):
    """Somebody has asked for this work to stop."""


class WorkKind(Code):
    """A kind of long work: who may ask for it, and what does it. *run* answers the outcome as a sentence.

    *goes_on*: it commits as it goes, and is taken over where its worker stopped; several may run at once.
    """

    permission: Permission
    run: Callable[[Work, Tell], str]
    goes_on: bool

    def __new__(
        cls, code: str, *, label: str, permission: Permission, run: Callable[[Work, Tell], str], goes_on: bool = False
    ) -> WorkKind:
        made = super().__new__(cls, code, label)
        assert isinstance(made, WorkKind)
        made.permission, made.run, made.goes_on = permission, run, goes_on
        return made


def kinds() -> dict[str, WorkKind]:
    return {str(kind): kind for kind in offered(WorkKind)}


def folder() -> Path:
    path = Path(settings.DATA) / "work"
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def latest(*kinds_asked: str) -> QuerySet[Work]:
    """Work of these kinds, the newest first."""
    return Work.objects.filter(kind__in=kinds_asked)


def find(number: int) -> Work:
    found = Work.objects.filter(pk=number).first()
    if found is None:
        raise NotFound("no-such-work", f"There is no work {number}.")
    return found


@transaction.atomic
def begin(*, kind: str, by: Actor, asked: Mapping[str, object] | None = None) -> Work:
    """Ask for it. One of a kind runs at a time: whoever asks meanwhile is told of the one that runs."""
    by.require(kinds()[kind].permission)
    if not kinds()[kind].goes_on:
        _refuse_second(kinds()[kind])
    work = Work.objects.create(kind=kind, asked=dict(asked or {}), made_at=timezone.now(), made_by=by.identity)
    write_act(WorkBegun(work=work.pk, kind_=kind, asked=work.asked), by=by)
    after_commit(do, work.pk)
    return work


def _refuse_second(kind: WorkKind) -> None:
    locks.hold(Lock.WORK)
    if running := Work.objects.filter(kind=kind, finished_at=None).first():
        raise Conflict("already-running", f"{kind.label} {running.pk} is still running. Wait, or cancel it.")


@transaction.atomic
def cancel(*, number: int, by: Actor) -> Work:
    """Ask for it to stop: at once where nobody has begun, else at the worker's next step."""
    work = Work.objects.select_for_update().filter(pk=find(number).pk).get()
    by.require(kinds()[work.kind].permission)
    if work.is_over:
        raise Conflict("already-over", f"This is over: {work.outcome}")
    work.cancel_asked = True
    if work.state == WorkState.WAITING:
        _end(work, WorkState.CANCELLED, "Cancelled before it began.")
    work.save()
    write_act(WorkCancelled(work=work.pk, kind_=work.kind), by=by)
    return work


@shared_task(name="long-work", soft_time_limit=3600, time_limit=3660)
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
    kind = kinds()[work.kind]
    try:
        with _teller(work, own_connection=not kind.goes_on) as tell:
            outcome = kind.run(work, tell)
        state = WorkState.DONE
    except Cancelled:
        state, outcome = WorkState.CANCELLED, "Cancelled."
    except Refusal as refusal:
        state, outcome = WorkState.FAILED, refusal.detail
    except OperationalError:  # a lock that did not come, or a database that was away
        if kind.goes_on:
            log.warning("work %s waits to go on", number, exc_info=True)
            return _put_back(work)
        log.exception("work %s failed", number)
        state, outcome = WorkState.FAILED, "The database did not answer in time. Begin again."
    except Exception:
        log.exception("work %s failed", number)
        state, outcome = WorkState.FAILED, "This is our mistake. It is in the log of the worker."
    file = work.file if state == WorkState.DONE else ""
    Work.objects.filter(pk=number, state=WorkState.RUNNING).update(
        state=state, outcome=outcome, file=file, finished_at=timezone.now()
    )
    _keep_the_newest(work.kind)
    return find(number)


def _put_back(work: Work) -> Work:
    """Another worker goes on with it: the tick sends it again."""
    Work.objects.filter(pk=work.pk, state=WorkState.RUNNING).update(state=WorkState.WAITING)
    return find(work.pk)


def _end(work: Work, state: WorkState, outcome: str) -> None:
    work.state, work.outcome, work.finished_at = state, outcome, timezone.now()


@contextmanager
def _teller(work: Work, *, own_connection: bool) -> Iterator[Tell]:
    told_over = connections.create_connection(DEFAULT_DB_ALIAS) if own_connection else connection
    last = 0.0

    def tell(done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last < TELL_EVERY_SECONDS:
            return
        last = time.monotonic()
        with told_over.cursor() as cursor:
            cursor.execute(
                "UPDATE web_work SET done = %s, total = %s, told_at = now() WHERE id = %s "
                "RETURNING cancel_asked OR state <> 'running'",
                [done, total, work.pk],
            )
            (stop,) = cursor.fetchone()
        if stop:
            raise Cancelled

    try:
        yield tell
    finally:
        if own_connection:
            told_over.close()


@contextmanager
def making(work: Work, name: str) -> Iterator[Any]:
    """A file that is there whole or not at all; ``work.file`` names it once it is."""
    part = folder() / f".{name}.part"
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o640), "wb") as file:
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
            if kinds()[work.kind].goes_on:
                _put_back(work)
                after_commit(do, work.pk)
                continue
            Work.objects.filter(pk=work.pk, state=WorkState.RUNNING).update(
                state=WorkState.FAILED, outcome="The worker stopped before the end. Begin again.", finished_at=now
            )
