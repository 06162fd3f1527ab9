"""What decides a must-hit-by link, promised a gaming day at a time: a master before the day, shown after it.

The promise of a day is made the day before (of its first day when a link opens) and is public before a wager counts.
It is shown when the next day has begun and everything sealed under it is decided.
"""

from __future__ import annotations

import logging
from datetime import date, datetime
from typing import Final

from django.db import transaction

from draws.commit import commit, is_public, reveal
from draws.masters import MasterLost
from draws.models import Commitment
from house.gaming_days import gaming_day_at
from house.models import GamingDay
from jackpot import links, terms
from jackpot.models import Link, MeterSeal, Terms
from jackpot.rules.must_hit_by import DEVICE, PURPOSE
from jackpot.rules.policies import Game
from jackpot.terms import LinkTerms
from kernel.actors import Actor
from kernel.refusal import Conflict

log = logging.getLogger(__name__)

_seen: set[tuple[int, bytes]] = set()  # promises that are public, and stay so: every round asks


def is_must_hit_by(link_terms: LinkTerms) -> bool:
    return link_terms.rules.game is Game.MYSTERY


def is_must_hit_by_link(link: Link) -> bool:
    newest = Terms.objects.filter(link=link).order_by("-version").first()
    return newest is not None and is_must_hit_by(terms.of(newest))


def must_hit_by_links() -> list[Link]:
    """The open ones, by their newest terms."""
    newest = Terms.objects.filter(link__status=Link.Status.OPEN).select_related("link")
    found = newest.order_by("link_id", "-version").distinct("link_id")
    return [version.link for version in found if is_must_hit_by(terms.of(version))]


def name_of(link: Link, day: date) -> str:
    return f"{link.code}/{day.isoformat()}"


def promise(link: Link, *, day: date, by: Actor) -> Commitment:
    """The promise of a day, made if it was not."""
    with transaction.atomic():
        links.hold(link.code)  # of two workers one makes it
        return find(link, day=day) or commit(purpose=PURPOSE, name=name_of(link, day), device=DEVICE, by=by)


def find(link: Link, *, day: date) -> Commitment | None:
    return Commitment.objects.filter(purpose=PURPOSE, name=name_of(link, day)).first()


def promise_days(now: datetime, *, by: Actor) -> None:
    """Today's, should it be missing, and tomorrow's."""
    found = must_hit_by_links()
    if not found:
        return
    following = GamingDay.objects.filter(opens_at__gt=now).order_by("opens_at").first()
    days = [gaming_day_at(now).date, *([following.date] if following else [])]
    names = {name_of(link, day): (link, day) for link in found for day in days}
    known = set(Commitment.objects.filter(purpose=PURPOSE, name__in=names).values_list("name", flat=True))
    for name in sorted(names.keys() - known):
        link, day = names[name]
        promise(link, day=day, by=by)


def public_promise(link: Link, moment: datetime) -> Commitment | None:
    """The promise of the gaming day of this moment, if the witness has seen it and it still hides its master."""
    made = find(link, day=gaming_day_at(moment).date)
    if made is None or made.master is not None:
        return None
    key = made.pk, bytes(made.commitment)
    if key not in _seen:
        if not is_public(made):
            return None
        _seen.add(key)
    return made


def must_be_promised(link: Link, moment: datetime) -> None:
    if public_promise(link, moment) is None:
        raise Conflict(
            "not-promised-yet",
            f"What decides {link.code} today is not public yet: no jackpot wager is taken before. Try again in a "
            "moment; if it stays so, the witness is away.",
        )


_SHOWN_AT_ONCE: Final = 20  # of one tick


def reveal_days(now: datetime, *, by: Actor) -> None:
    """The masters of days that are over, and on which everything is decided."""
    today = gaming_day_at(now).date
    hidden = Commitment.objects.filter(purpose=PURPOSE, master__isnull=True).order_by("id")
    over = [made for made in hidden[: 10 * _SHOWN_AT_ONCE] if _day_of(made) < today]
    for made in over[:_SHOWN_AT_ONCE]:
        try:
            _reveal(made, by=by)
        except MasterLost:
            log.exception("the master of %s does not open", made)


@transaction.atomic
def _reveal(made: Commitment, *, by: Actor) -> None:
    links.hold(made.name.partition("/")[0])  # nothing is sealed under it meanwhile
    if not MeterSeal.objects.filter(commitment=made, decided_at__isnull=True).exists():
        reveal(made, by=by)


def _day_of(made: Commitment) -> date:
    return date.fromisoformat(made.name.partition("/")[2])
