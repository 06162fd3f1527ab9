"""Guessing at the door is slowed down, never answered by locking: a stranger must not be able to keep somebody out.

Each try is counted before it is looked at, in a transaction of its own, so that a hundred at once are a hundred; one
that is right takes its count back. Who has tried too often is told when the next try will be heard; tries before that
are not looked at and change nothing. Three things are counted:

- a name at a place: the browser where that person has signed in before, else the address;
- a name at all addresses from which nobody of the house has ever signed in, together: many are no way round;
- an address, over all names.

So guesses elsewhere slow nobody who sits where he always does. A failure is not an act: the log is sealed, and whoever
can fill it can drown what matters. Failures that follow each other are a burst: one act when it is over, and an
incident as soon as there are ten.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from django.db import connection, transaction
from django.db.models import F, Max, QuerySet
from django.db.models.functions import Greatest
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac

from house.acts import CodesGuessed, SignInFailed
from house.incident_kinds import GUESSING
from house.incidents import open_incident
from house.log import record_act
from house.models import Burst, Guesses, KnownPlace, Staff
from kernel.actors import system
from kernel.refusal import Refusal
from web.address import address_of
from web.problems import TooMany


class Step(StrEnum):
    PASSWORD = "password"  # noqa: S105  the step, not one
    CODE = "code"
    PROVISION = "provision"


FREE_AT_A_PLACE: Final = 3
FREE_ELSEWHERE: Final = 10
FREE_FOR_AN_ADDRESS: Final = 20
FREE_PROVISIONING: Final = 5
_FIRST_WAIT: Final = timedelta(seconds=5)
WAIT_LIMIT: Final = timedelta(minutes=15)
WAIT_LIMIT_WHERE_KNOWN: Final = timedelta(minutes=1)
FORGOTTEN_AFTER: Final = timedelta(days=1)
BURST_QUIET: Final = timedelta(minutes=30)  # longer than the longest wait: who is patient is one burst, too
BURST_INCIDENT: Final = 10
BURST_ADDRESSES: Final = 5
PLACE_LIFE: Final = timedelta(days=90)

UNKNOWN: Final = "unknown"
_ELSEWHERE: Final = "elsewhere"
_BY: Final = system("sign-in")
# The browser's own mark. It opens nothing: it only says whose failures are counted together.
COOKIE: Final = "place"
_MARK: Final = re.compile(r"[A-Za-z0-9_-]{32}", re.ASCII)


@dataclass(frozen=True, slots=True)
class _Count:
    who: str
    place: str
    free: int
    limit: timedelta

    def wait(self, tries: int) -> timedelta:
        """Nothing for the first few, then five seconds, ten, twenty …"""
        over = tries - self.free
        return min(_FIRST_WAIT * 2 ** min(over, 30), self.limit) if over >= 0 else timedelta(0)


@dataclass(frozen=True, slots=True)
class Guess:
    """A try that is being heard."""

    step: Step
    person: str
    address: str
    counts: tuple[_Count, ...]

    @transaction.atomic
    def was_right(self) -> None:
        """Whoever is right is forgiven: at his place altogether, elsewhere this one try."""
        for count in self.counts:
            mine = Guesses.objects.filter(step=self.step, who=count.who, place=count.place)
            if count.who and count.place != _ELSEWHERE:
                mine.delete()
            else:
                mine.update(tries=Greatest(F("tries") - 1, 0), heard_at=timezone.now())

    @transaction.atomic
    def was_wrong(self) -> None:
        now = timezone.now()
        _finish(Burst.objects.filter(step=self.step, person=self.person, last_at__lt=now - BURST_QUIET))
        with connection.cursor() as cursor:
            cursor.execute(
                """INSERT INTO house_burst AS kept (step, person, failures, addresses, first_at, last_at)
                   VALUES (%(step)s, %(person)s, 1, ARRAY[%(address)s]::varchar[], %(now)s, %(now)s)
                   ON CONFLICT (step, person) DO UPDATE SET failures = kept.failures + 1, last_at = %(now)s,
                   addresses = CASE WHEN %(address)s = ANY(kept.addresses) OR cardinality(kept.addresses) >= %(most)s
                               THEN kept.addresses ELSE kept.addresses || %(address)s::varchar END
                   RETURNING failures""",
                {"step": self.step, "person": self.person, "address": self.address, "now": now,
                 "most": BURST_ADDRESSES},
            )  # fmt: skip
            failures = cursor.fetchone()[0]
        if failures == BURST_INCIDENT:
            burst = Burst.objects.get(step=self.step, person=self.person)
            open_incident(kind=GUESSING, what=_words(burst), subject=_subject(burst), by=_BY)


def begin(step: Step, request: HttpRequest, name: str = "") -> Guess:
    """Count a try; refused (429) while the next one is not to be heard yet."""
    person = Staff.objects.filter(username=name).first() if name else None
    address = address_of(request)
    counts = tuple(_counts(step, request, name, person, address))
    with transaction.atomic():
        # In one order for everybody, the address first. All are looked at before any is counted: a try that is not
        # heard changes nothing, and names that somebody makes up are not even kept.
        tried: list[tuple[_Count, int]] = []
        now = timezone.now()
        for count in sorted(counts, key=lambda each: (each.who, each.place)):
            tries, heard_at = _held(step, count, now)
            now = timezone.now()  # once it is ours: whoever waited for it is not earlier than those before him
            if heard_at > now:
                raise _too_many(heard_at - now)
            tried.append((count, tries))
        for count, tries in tried:
            mine = Guesses.objects.filter(step=step, who=count.who, place=count.place)
            mine.update(tries=tries + 1, tried_at=now, heard_at=now + count.wait(tries + 1))
    return Guess(step, person.username if person else UNKNOWN, address, counts)


@contextmanager
def counted(step: Step, request: HttpRequest, *, wrong: str) -> Iterator[None]:
    """Count what is done inside as a try; a refusal with that code is a wrong one."""
    guess = begin(step, request)
    try:
        yield
    except Refusal as refusal:
        guess.was_wrong() if refusal.code == wrong else guess.was_right()
        raise
    guess.was_right()


def _counts(step: Step, request: HttpRequest, name: str, person: Staff | None, address: str) -> Iterable[_Count]:
    if step is Step.PROVISION:
        yield _Count("", address, FREE_PROVISIONING, WAIT_LIMIT)
        return
    browser = _browser(request)
    known = set(person.known_places.values_list("place", flat=True)) if person else set()
    if browser and browser in known:
        yield _Count(_who(name), browser, FREE_AT_A_PLACE, WAIT_LIMIT_WHERE_KNOWN)
        return
    yield _Count("", address, FREE_FOR_AN_ADDRESS, WAIT_LIMIT)
    if name and address in known:
        yield _Count(_who(name), address, FREE_AT_A_PLACE, WAIT_LIMIT_WHERE_KNOWN)
    elif name:
        yield _Count(_who(name), address, FREE_AT_A_PLACE, WAIT_LIMIT)
        if not KnownPlace.objects.filter(place=address).exists():  # a machine of the house is not elsewhere
            yield _Count(_who(name), _ELSEWHERE, FREE_ELSEWHERE, WAIT_LIMIT)


def _held(step: Step, count: _Count, now: datetime) -> tuple[int, datetime]:
    """How often, and from when on the next is heard; the row is locked until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute(
            """INSERT INTO house_guesses (step, who, place, tries, tried_at, heard_at)
               VALUES (%(step)s, %(who)s, %(place)s, 0, %(now)s, %(now)s)
               ON CONFLICT (step, who, place) DO UPDATE SET step = excluded.step
               RETURNING tries, tried_at, heard_at""",
            {"step": step, "who": count.who, "place": count.place, "now": now},
        )
        tries, tried_at, heard_at = cursor.fetchone()
    return (0, now) if tried_at < now - FORGOTTEN_AFTER else (tries, heard_at)


def _too_many(left: timedelta) -> TooMany:
    seconds = max(1, -(-left // timedelta(seconds=1)))
    return TooMany(
        "too-many-tries", f"Too many tries went wrong here: the next one is heard in {seconds} s.",
        retry_after_seconds=seconds,
    )  # fmt: skip


# Places


def browser_mark(request: HttpRequest) -> str:
    """The mark that this browser has, or a new one."""
    return _browser(request) or secrets.token_urlsafe(24)


def _browser(request: HttpRequest) -> str:
    mark = request.COOKIES.get(COOKIE, "")
    return mark if _MARK.fullmatch(mark) else ""


def know_place(person: Staff, request: HttpRequest, *, mark: str) -> None:
    """Both steps were right here: guesses elsewhere are no longer this place's affair."""
    now = timezone.now()
    for place in (address_of(request), mark):
        KnownPlace.objects.update_or_create(person=person, place=place, defaults={"last_at": now})
    KnownPlace.objects.filter(person=person, last_at__lt=now - PLACE_LIFE).delete()


def slowed_until(usernames: Iterable[str]) -> dict[str, datetime]:
    """Of these, whose next try somewhere is not heard yet, and until when."""
    names = {_who(name): name for name in usernames}
    waiting = Guesses.objects.filter(who__in=names, heard_at__gt=timezone.now()).values("who")
    return {names[row["who"]]: row["until"] for row in waiting.annotate(until=Max("heard_at"))}


def forget(username: str) -> None:
    """What was tried in this name counts no more."""
    Guesses.objects.filter(who=_who(username)).delete()


def _who(name: str) -> str:
    return salted_hmac("house.guesses", name, algorithm="sha256").hexdigest()[:32]


# Bursts


@transaction.atomic
def finish_bursts(now: datetime) -> None:
    """One act for each burst that is over; counts of yesterday go."""
    _finish(Burst.objects.filter(last_at__lt=now - BURST_QUIET))
    Guesses.objects.filter(tried_at__lt=now - FORGOTTEN_AFTER).delete()


def _finish(bursts: QuerySet[Burst]) -> None:
    for burst in list(bursts.select_for_update(skip_locked=True)):
        counted: dict[str, Any] = {"failures": burst.failures, "addresses": burst.addresses, "since": burst.first_at}
        if burst.step == Step.PROVISION:
            record_act(CodesGuessed(**counted, until=burst.last_at), by=_BY)
        else:
            record_act(SignInFailed(person=burst.person, step=burst.step, **counted, until=burst.last_at), by=_BY)
        burst.delete()


def _subject(burst: Burst) -> str:
    return "" if burst.step == Step.PROVISION or burst.person == UNKNOWN else f"staff:{burst.person}"


def _words(burst: Burst) -> str:
    if burst.step == Step.PROVISION:
        what = "Provisioning codes"
    elif burst.person == UNKNOWN:
        what = "User names that nobody has"
    else:
        what = f"The {burst.step} of {burst.person}"
    return f"{what} guessed at: {burst.failures} wrong tries, the first from {', '.join(burst.addresses)}."
