"""Paper is possession (10.3): a serial names a ticket, its security code shows that somebody holds it.

Whoever pays, cancels, tenders or looks up a ticket or a voucher shows its code. A wrong one does nothing but count.
Five wrong ones within half an hour are an incident, one, and no act each:

- at one terminal: the terminal then takes no paper until the incident is closed by a supervisor who has looked. What
  needs no paper, selling for cash, goes on;
- on one paper, from several terminals, or at the public check where nobody signs in: the paper is flagged by the
  incident, and nothing more. Whoever holds it is paid: a stranger who types must not lock an honest player out. Nor
  does he make an incident of every serial that he has seen: of a few papers, then of the public check itself, once.

A right code forgives the wrong ones that were typed for the same paper at the same terminal: a slip of the finger.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from house.incidents import open_incident
from house.models import Incident, IncidentStatus
from keno import particulars
from keno.incident_kinds import WRONG_CODES
from keno.models import CodeWatch, Ticket, Voucher, WrongCode
from kernel.actors import Actor, system
from kernel.refusal import Conflict, Forbidden, NotFound, Refusal

WRONG_LIMIT: Final = 5
WINDOW: Final = timedelta(minutes=30)
PUBLIC: Final = system("public check")
PUBLIC_PAPERS_LIMIT: Final = 3  # incidents that strangers can have open about single papers
_CLAUSE: Final = "act-keno:10.3"

_WATCH: Final = "INSERT INTO keno_codewatch (about) VALUES (%s) ON CONFLICT (about) DO NOTHING"


def require_ticket(ticket: Ticket, security_code: str | None, *, by: Actor, field: str = "security_code") -> None:
    """The caller holds this ticket: a code that was made for other particulars does not do, nor does that of a paper
    which was paid, kept, and continued on another (10.4)."""
    if ticket.paper > 1 and security_code and _is_dead(ticket, security_code):
        raise Conflict(
            "already-paid",
            "This paper was paid and is kept by the house: its games to come go on with the one that was handed out.",
            clause="act-keno:10.4",
            field=field,
        )
    _require(f"ticket {ticket.serial}", lambda: particulars.on_paper(ticket), security_code, by, field)


def _is_dead(ticket: Ticket, code: str) -> bool:
    return any(particulars.agrees(code, particulars.on_paper(ticket, paper=n)) for n in range(1, ticket.paper))


def require_voucher(voucher: Voucher, security_code: str | None, *, by: Actor, field: str = "security_code") -> None:
    _require(f"voucher {voucher.code}", lambda: particulars.of_voucher(voucher), security_code, by, field)


def refuse_missing(security_code: str | None, *, field: str = "security_code") -> str:
    """Before anything is looked at: without a code there is nothing to do, and nothing to find out."""
    if not (security_code or "").strip():
        raise Refusal(
            "code-missing",
            "Scan the paper, or type its security code: a serial alone pays, cancels and buys nothing.",
            clause=_CLAUSE,
            field=field,
        )
    assert security_code is not None
    return security_code


def refuse_stranger(ticket: Ticket, security_code: str, *, by: Actor = PUBLIC) -> None:
    """For whoever checks a draw: without the right code there is no such ticket. It counts like anywhere else."""
    if by is not PUBLIC:
        refuse_held(by)
    if ticket.paper > 1 and _is_dead(ticket, security_code):  # of what came after it this paper tells nothing (10.4)
        raise Conflict(
            "already-paid",
            f"This paper was paid and is kept by the house: the ticket goes on with paper {ticket.paper}, which was "
            "handed out then. Check that one.",
            clause="act-keno:10.4",
            field="security_code",
        )
    if not particulars.agrees(security_code, particulars.on_paper(ticket)):
        paper = f"ticket {ticket.serial}"
        count = partial(_count_public, paper) if by is PUBLIC else partial(_count, paper, by)
        raise NotFound("no-such-ticket", "There is no ticket with this serial and security code.").noting(count)


def refuse_held(by: Actor) -> None:
    if CodeWatch.objects.filter(about=by.identity, incident__status=IncidentStatus.OPEN).exists():
        raise Forbidden(
            "terminal-held",
            f"{WRONG_LIMIT} wrong security codes came from here: a supervisor has to look at the incident first.",
            clause=_CLAUSE,
        )


def _require(paper: str, record: Callable[[], bytes], security_code: str | None, by: Actor, field: str) -> None:
    code = refuse_missing(security_code, field=field)
    refuse_held(by)
    if particulars.agrees(code, record()):
        WrongCode.objects.filter(terminal=by.identity, paper=paper).delete()
        return
    raise Refusal(
        "security-code-wrong",
        "The paper does not agree with the record. Keep it, and call a supervisor.",
        clause=_CLAUSE,
        field=field,
    ).noting(partial(_count, paper, by))


@transaction.atomic
def _count(paper: str, by: Actor) -> None:
    """Count a wrong code, and report the fifth. The two watched rows are locked: processes count one after another."""
    now = timezone.now()
    WrongCode.objects.filter(at__lt=now - WINDOW).delete()
    watched = _lock(sorted({paper, by.identity}))
    WrongCode.objects.create(terminal=by.identity, paper=paper, at=now)
    terminal = watched[by.identity]
    if _is_fifth(terminal, WrongCode.objects.filter(terminal=by.identity), now):
        _report(terminal, f"{WRONG_LIMIT} wrong security codes at {by.identity}, the last for {paper}.", by)
    elif _is_fifth(watched[paper], WrongCode.objects.filter(paper=paper), now):
        _report(watched[paper], f"{WRONG_LIMIT} wrong security codes for {paper}, the last at {by.identity}.", by)


@transaction.atomic
def _count_public(paper: str) -> None:
    """By paper only: what one stranger types is not held against the next."""
    now = timezone.now()
    WrongCode.objects.filter(at__lt=now - WINDOW).delete()
    watched = _lock(sorted({paper, PUBLIC.identity}))
    WrongCode.objects.create(terminal=PUBLIC.identity, paper=paper, at=now)
    if not _is_fifth(watched[paper], WrongCode.objects.filter(paper=paper), now):
        return
    mine = Incident.objects.filter(kind=WRONG_CODES, status=IncidentStatus.OPEN, reported_by=PUBLIC.identity)
    if mine.count() < PUBLIC_PAPERS_LIMIT:
        _report(
            watched[paper], f"{WRONG_LIMIT} wrong security codes for {paper}, the last at the public check.", PUBLIC
        )
        return
    everywhere = watched[PUBLIC.identity]
    if everywhere.incident is None or everywhere.incident.closed_at is not None:
        what = f"Wrong security codes for more than {PUBLIC_PAPERS_LIMIT} tickets at the public check, now {paper}."
        _report(everywhere, what, PUBLIC)


def _lock(names: list[str]) -> dict[str, CodeWatch]:
    with connection.cursor() as cursor:
        for name in names:
            cursor.execute(_WATCH, [name])
    # Not joined: whoever waited for the lock would see the row as it is now, and its incident as it was before.
    rows = CodeWatch.objects.select_for_update().order_by("about")
    return {row.about: row for row in rows.filter(about__in=names)}


def _is_fifth(watch: CodeWatch, wrong: QuerySet[WrongCode], now: datetime) -> bool:
    """Enough since the window began, or since somebody looked; and not reported yet."""
    since = now - WINDOW
    if watch.incident is not None:
        if watch.incident.closed_at is None:
            return False
        since = max(since, watch.incident.closed_at)
    return wrong.filter(at__gt=since).count() >= WRONG_LIMIT


def _report(watch: CodeWatch, what: str, by: Actor) -> None:
    watch.incident = open_incident(kind=WRONG_CODES, what=what, by=by, subject=watch.about)
    watch.save(update_fields=["incident"])
