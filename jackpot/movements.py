"""Wagers that count on a must-hit-by link, and the seals that they are gathered into.

A wager counts when its round ends: its money goes into the prize purse, and its box is written down beside it. Nothing
there waits for a link. Every second what has come in since is gathered into one movement of the meter, whose wagers are
sealed (``seal_movement``) and then decided (``decide.py``). So the prize purse is always where the meter stands by what
is decided, and what is not decided on top of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db import connection, transaction
from django.db.models import Max, QuerySet

from draws.ask import seal_set
from house.gaming_days import gaming_day_at
from house.log import record_act
from jackpot import links, pools, promises, terms
from jackpot.acts import MovementSealed
from jackpot.models import Batch, CountedWager, Link, MeterSeal, Round, Terms, Wager
from jackpot.rules import must_hit_by as rules
from jackpot.rules.pool import Parameters
from kernel.actors import Actor
from kernel.arrays import array, text_array
from kernel.money import Money
from kernel.refusal import Conflict
from kernel.tasks import tick_after_commit

SEALED_LIMIT: Final = 2_000  # wagers of one seal: the rest is the next one's
WAITING_SEALED_EVERY: Final = timedelta(seconds=60)  # while the witness is away: fewer questions for its return
SEALED_EVERY: Final = timedelta(seconds=1)  # by the tick, while wagers keep coming in
UNDECIDED_AFTER: Final = timedelta(seconds=3)  # a movement is decided within two: then the sign says so

# A model a wager would take ten times as long.
_COUNT: Final = """
    INSERT INTO jackpot_countedwager (link_id, table_id, batch_id, received, message, box, wager, level, increment)
    SELECT %(link)s, %(table)s, %(batch)s, %(received)s, m.id, m.box,
           'message/' || m.id || '/' || m.box, l.name, l.moves
    FROM unnest(%(messages)s::text[], %(boxes)s::smallint[]) WITH ORDINALITY AS m(id, box, place)
    CROSS JOIN unnest(%(levels)s::text[], %(increments)s::bigint[]) WITH ORDINALITY AS l(name, moves, place)
    ORDER BY m.place, l.place
"""


def increments(parameters: Parameters) -> list[tuple[str | None, Money]]:
    """By how much a wager moves each level's meter; the only level goes without its name."""
    alone = len(parameters.levels) == 1
    return [
        (None if alone else level.name, parameters.wager.basis_points(level.increment_rate))
        for level in parameters.levels
    ]


def stored_levels(link: Link) -> list[str | None]:
    """The levels of a link as its seals name them."""
    return [None] if len(link.levels) == 1 else list(link.levels)


def count_round(ended: Round, *, at: datetime) -> None:
    """The wagers of a round count, now that it has ended."""
    moves = increments(terms.of(ended.terms).parameters)
    _decide_soon(ended.terms.link, at)
    CountedWager.objects.bulk_create(
        CountedWager(
            link=ended.terms.link,
            wager=f"round/{ended.pk}/{wager.box}",
            level=level,
            table=ended.table,
            round=ended,
            box=wager.box,
            received=int(at.timestamp()),
            increment=increment,
        )
        for wager in Wager.objects.filter(round=ended)
        for level, increment in moves
    )


def count_messages(batch: Batch, messages: Iterable[tuple[str, Sequence[int]]], *, at: datetime) -> None:
    """The wagers of a controller's messages count: id and boxes of each."""
    _decide_soon(batch.terms.link, at)
    moves = increments(terms.of(batch.terms).parameters)
    wagers = [(name, box) for name, boxes in messages for box in boxes]
    with connection.cursor() as cursor:
        cursor.execute(
            _COUNT,
            {
                "link": batch.terms.link_id,
                "table": batch.table_id,
                "batch": batch.pk,
                "received": int(at.timestamp()),
                "messages": text_array(name for name, _ in wagers),
                "boxes": array(box for _, box in wagers),
                "levels": text_array(level for level, _ in moves),
                "increments": array(increment.micros for _, increment in moves),
            },
        )


def _decide_soon(link: Link, at: datetime) -> None:
    """The first wager in a while is not left waiting for the next tick; what follows it is gathered by the second."""
    last = MeterSeal.objects.filter(link=link).order_by("-number").values_list("sealed_at", flat=True).first()
    if (last is None or last <= at - SEALED_EVERY) and not unsealed(link).exists():
        tick_after_commit("jackpot")


# Where the meter stands


def undecided(link: Link) -> QuerySet[MeterSeal]:
    """In the order in which they are decided."""
    return (
        MeterSeal.objects.filter(link=link, decided_at__isnull=True)
        .select_related("link", "commitment")
        .order_by("number")
    )


def unsealed(link: Link) -> QuerySet[CountedWager]:
    return CountedWager.objects.filter(link=link, seal__isnull=True)


def decided_meter(link: Link, level: str | None = None) -> Money:
    """Where the meter of a level (of the only one) stands by what is decided: J of its next movement."""
    decided = MeterSeal.objects.filter(link=link, level=level, decided_at__isnull=False)
    last = decided.order_by("-number").first()
    if last is not None:
        after: Money | None = last.after
        assert after is not None
        return after
    first = Terms.objects.get(link=link, version=1)
    return Money(rules.bounds_of(terms.of(first).parameters, level or link.levels[0]).seed)


def is_undecided(link: Link, *, now: datetime) -> bool:
    """Whether something has waited longer than it takes to be decided: the sign says so."""
    since = now - UNDECIDED_AFTER
    return (
        undecided(link).filter(sealed_at__lt=since).exists()
        or unsealed(link).filter(received__lt=int(since.timestamp())).exists()
    )


def must_be_below_ceiling(link: Link, parameters: Parameters) -> None:
    """At the ceiling wagers stop until what is sealed is decided: it falls surely, and the next pool begins."""
    held = pools.prize_amounts(link.code, levels=link.levels)
    for level in parameters.levels:
        if level.ceiling is not None and held[level.name] >= level.ceiling:
            raise Conflict(
                "at-ceiling",
                f"{link.code} has reached {level.ceiling} and is being decided: no jackpot wager is taken until it has "
                "fallen. Try again in a moment.",
            )


def must_be_settled(link: Link) -> None:
    """Before a link ends: everything that counted is decided."""
    if undecided(link).exists() or unsealed(link).exists():
        raise Conflict("movement-undecided", f"Wagers on {link.code} are not decided yet: try again in a moment.")


# Sealing


def seal_movement(link: Link, *, now: datetime, by: Actor, level: str | None = None) -> MeterSeal | None:
    """Gather what counted since the last seal of a level. None: nothing did, or what decides it is not public."""
    if not unsealed(link).filter(level=level).exists():
        return None
    with transaction.atomic():
        links.hold(link.code)
        return _seal(link, level, now, by)


def _witness_is_away(link: Link) -> bool:
    return undecided(link).filter(waits=True).exists()


def _seal(link: Link, level: str | None, now: datetime, by: Actor) -> MeterSeal | None:
    waiting = undecided(link).filter(level=level).last()
    if waiting is not None and now - waiting.sealed_at < WAITING_SEALED_EVERY and _witness_is_away(link):
        return None
    promised = promises.public_promise(link, now)
    rows = list(unsealed(link).filter(level=level).prefetch_related("table").order_by("id")[:SEALED_LIMIT])
    if promised is None or not rows:
        return None
    wagers = rules.by_name(row.as_sealed() for row in rows)
    seal = MeterSeal.objects.create(
        link=link,
        level=level,
        number=(MeterSeal.objects.filter(link=link).aggregate(last=Max("number"))["last"] or 0) + 1,
        day=gaming_day_at(now).date,
        commitment=promised,
        root=rules.root(wagers),
        count=len(wagers),
        moved=Money.total(each.increment for each in wagers),
        sealed_at=now,
        attempt=1,
        waits=False,
    )
    CountedWager.objects.filter(pk__in=[row.pk for row in rows]).update(seal=seal)
    record_act(
        MovementSealed(
            code=link.code,
            number=seal.number,
            occasion=seal.occasion,
            moved=seal.moved,
            wagers=tuple(wagers),
            level=level,
        ),
        by=by,
    )
    seal_set(promised, occasion=seal.occasion, root=bytes(seal.root), count=seal.count, by=by)
    return seal
