"""Entries earned by wagers: "one entry for every $20 of Keno in the window, player card needed".

Nothing is carried from wager to wager: what somebody has earned follows from what he has wagered in the window, less
what was taken back (`players.wagered`). Counting again gives the same, so a count that was interrupted, or ran twice,
does no harm. It goes on after the close until the list is sealed, for wagers made before it and written just after.
"""

from __future__ import annotations

from typing import Any, Final

from django.db import connection, transaction

from house.log import record_act
from kernel.actors import Actor
from kernel.money import ZERO, Money
from promotions import leaves, players
from promotions.acts.entries import EntriesEarned
from promotions.lifecycle import Status
from promotions.locks import count_alone, find_promotion, hold_entries
from promotions.models import Promotion
from promotions.rules.terms import Terms
from promotions.run import CLERK
from promotions.versions import terms_in_force

_WITHDRAWN: Final = "What it was earned with was taken back, or its holder cannot take part."


def entitled(amount: Money, terms: Terms) -> int:
    """How many entries this much wagered earns, by the terms: none below the minimum wager, no more than the limit."""
    earning = terms.earning
    if earning is None or amount < (terms.minimum_wager or ZERO) or amount < ZERO:
        return 0
    earned = amount.micros // earning.per.micros * earning.entries
    return earned if terms.limit_per_person is None else min(earned, terms.limit_per_person)


@transaction.atomic
def count_earned(*, code: str, by: Actor = CLERK) -> int:
    """Bring the earned entries of a running promotion up to what has been wagered. Answers how many were added."""
    promotion = find_promotion(code)
    hold_entries(promotion.pk)
    count_alone(promotion.pk)
    promotion = Promotion.objects.get(pk=promotion.pk)
    return count_entries(promotion, by=by) if promotion.status == Status.RUNNING else 0


def all_counted(promotion: Promotion) -> bool:
    """Whether every transaction that was under way at the close has ended, so that its wagers can be seen."""
    _, terms = terms_in_force(promotion)
    if terms.earning is None:
        return True
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT NOT EXISTS (
                   SELECT FROM pg_stat_activity
                   WHERE xact_start < %s AND pid <> pg_backend_pid() AND datname = current_database()
                   AND backend_type = 'client backend')""",
            [promotion.closed_at],
        )
        return bool(cursor.fetchone()[0])


def count_entries(promotion: Promotion, *, by: Actor) -> int:
    """In the caller's transaction, which keeps the promotion from being sealed meanwhile."""
    _, terms = terms_in_force(promotion)
    if terms.earning is None:
        return 0
    assert promotion.started_at is not None
    end = min(terms.entries_close_at, promotion.closed_at) if promotion.closed_at else terms.entries_close_at
    amounts = players.wagered(terms.earning.on, promotion.started_at, end)
    barred = players.barred(amounts, terms)
    due = {who: entitled(amount, terms) for who, amount in amounts.items() if who not in barred}
    added, taken = _settle(promotion, due, limit=terms.limit_per_person, by=by)
    if added or taken:
        record_act(EntriesEarned(promotion=promotion.code, added=added, withdrawn=taken), by=by)
    return added


def _settle(promotion: Promotion, due: dict[str, int], *, limit: int | None, by: Actor) -> tuple[int, int]:
    """Add what is owed, withdraw what is owed no more (the newest first). A limit counts entries of every source."""
    given: dict[str, Any] = {
        "promotion": promotion.pk,
        "code": promotion.code,
        "identities": list(due),
        "entries": list(due.values()),
        "limit": limit,
        "by": by.identity,
        "why": _WITHDRAWN,
    }
    with connection.cursor() as cursor:
        cursor.execute(
            """INSERT INTO promotions_entrant (promotion_id, identity)
               SELECT %(promotion)s, identity
               FROM unnest(%(identities)s::text[], %(entries)s::int[]) d (identity, due) WHERE due > 0
               ON CONFLICT DO NOTHING""",
            given,
        )
        # In one order, so that two who hold several never wait for each other; the next statement counts afresh.
        cursor.execute(
            """SELECT count(*) FROM (SELECT id FROM promotions_entrant WHERE promotion_id = %(promotion)s
                                     AND identity = ANY(%(identities)s) ORDER BY id FOR UPDATE) held""",
            given,
        )
        cursor.execute(_ADD, given)
        added = cursor.rowcount
        cursor.execute(_TAKE, given)
        return added, cursor.rowcount


# What each entrant is due and has: earned and in the list, earned ever (it numbers references), in the list at all.
_HELD: Final = """
    held AS (
        SELECT n.id, n.identity, coalesce(d.due, 0) AS due,
               count(e.id) FILTER (WHERE e.source = 'earned' AND e.withdrawn_at IS NULL) AS earned,
               count(e.id) FILTER (WHERE e.source = 'earned') AS ever,
               count(e.id) FILTER (WHERE e.withdrawn_at IS NULL) AS in_list
        FROM promotions_entrant n
        LEFT JOIN unnest(%(identities)s::text[], %(entries)s::int[]) d (identity, due) USING (identity)
        LEFT JOIN promotions_entry e ON e.entrant_id = n.id
        WHERE n.promotion_id = %(promotion)s GROUP BY n.id, n.identity, d.due
    )
"""
_ADD: Final = f"""
    WITH {_HELD}, owed AS (
        SELECT held.*, least(due - earned, coalesce(%(limit)s::bigint - in_list, due - earned)) AS more FROM held
    ), e AS MATERIALIZED (
        SELECT nextval('promotions_entry_id_seq') AS number, owed.id AS entrant, owed.identity,
               gen_random_uuid()::text AS salt, owed.ever + n AS nth
        FROM owed, generate_series(1, owed.more) n
    )
    INSERT INTO promotions_entry (id, promotion_id, entrant_id, source, reference, entered_at, entered_by, salt, leaf,
                                  withdrawn_why)
    SELECT e.number, %(promotion)s, e.entrant, 'earned', 'earned/' || e.entrant || '/' || e.nth, clock_timestamp(),
           %(by)s, e.salt::uuid, {leaves.SQL}, ''
    FROM e
"""  # noqa: S608  only our own text is put together
_TAKE: Final = f"""
    WITH {_HELD}, surplus AS (
        SELECT e.id, row_number() OVER (PARTITION BY e.entrant_id ORDER BY e.id DESC) AS nth,
               held.earned - held.due AS less
        FROM held JOIN promotions_entry e ON e.entrant_id = held.id
        WHERE held.earned > held.due AND e.source = 'earned' AND e.withdrawn_at IS NULL
    )
    UPDATE promotions_entry SET withdrawn_at = clock_timestamp(), withdrawn_by = %(by)s, withdrawn_why = %(why)s
    FROM surplus WHERE surplus.id = promotions_entry.id AND surplus.nth <= surplus.less
"""  # noqa: S608
