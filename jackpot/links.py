"""Links and their tables: opened, closed, suspended. What a table pays and takes is its link's (nsw-csp:11.9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from house import acts, incidents
from house.actors import Actor
from house.gaming_days import gaming_day_at
from house.incident_kinds import EQUIPMENT_MALFUNCTION
from house.models import Proposal
from house.refusal import Conflict, NotFound, Refusal
from jackpot import mystery, permissions, pools, terms
from jackpot.models import Pool, Round, Table, TableStatus, Terms
from jackpot.rules import pool as rules
from jackpot.terms import LinkTerms
from ledger.money import Money

BOXES: Final = 7
SEED_KIND: Final = "jackpot.seed"


@dataclass(frozen=True, slots=True)
class Meter:
    """What a link shows now."""

    pool: Pool
    terms: LinkTerms
    standing: pools.Standing

    @property
    def displayed(self) -> dict[str, Money]:
        """By level, in whole cents, never above a ceiling (nsw-csp:2.4.3)."""
        return {
            level: rules.displayed(self.terms.parameters, self.standing.balances, level=level)
            for level in self.terms.levels
        }

    @property
    def total(self) -> Money:
        return Money.total(self.displayed.values())


def meter(pool: Pool) -> Meter:
    """Read a link: its newest terms, and its purses as of one moment. Locks nothing."""
    now = terms.of(terms.in_force(pool))
    return Meter(pool=pool, terms=now, standing=pools.standing(pool.code, levels=now.levels))


@transaction.atomic
def open_link(*, code: str, title: str, link_terms: LinkTerms, by: Actor, proposal: Proposal | None = None) -> Pool:
    """Open a link under terms that were approved: its purses, and its seed from the house."""
    terms.check(link_terms)
    if Pool.objects.filter(code=code).exists():
        raise Conflict("pool-exists", f"There is a jackpot {code} already.", field="code")
    pool = pools.open_pool(code=code, title=title, by=by, levels=link_terms.levels)
    set_terms(pool=pool, link_terms=link_terms, by=by, proposal=proposal)
    pools.lock(code)
    balances = pools.standing(code, levels=link_terms.levels).balances
    pools.book(
        pool=code,
        movements=[
            move for level in link_terms.levels for move in rules.top_up(link_terms.parameters, balances, level=level)
        ],
        kind=SEED_KIND,
        reference="opened",
        by=by,
        day=gaming_day_at(timezone.now()).date,
    )
    if mystery.is_mystery(link_terms):
        mystery.begin(pool, by=by)
    return pool


@transaction.atomic
def set_terms(*, pool: Pool, link_terms: LinkTerms, by: Actor, proposal: Proposal | None = None) -> Terms:
    """Put a version of the terms in force, from now on. Rounds that are open keep the ones they began under. A sealed
    point that lies between other bounds is shown and withdrawn, and another one sealed above what is displayed."""
    newest = Terms.objects.filter(pool=pool).order_by("-version").first()
    moved = (
        newest is not None
        and mystery.running(pool) is not None
        and link_terms.parameters.levels != terms.of(newest).parameters.levels
    )
    if moved:
        pools.lock(pool.code)
        mystery.settle_first(pool, by=by)
        mystery.withdraw(pool, by=by)
    version = Terms.objects.create(
        pool=pool,
        version=newest.version + 1 if newest else 1,
        data=terms.write(link_terms),
        effective_at=timezone.now(),
        proposal=proposal,
        set_by=by.identity,
    )
    acts.record(
        kind="jackpot.terms-set",
        subject=pool.subject,
        by=by,
        data={
            "version": version.version,
            "terms": version.data,
            "proposal": proposal.pk if proposal else None,
        },
    )
    if moved:
        mystery.begin(pool, by=by)
    return version


@transaction.atomic
def join_table(*, code: str, link: str, by: Actor, boxes: int = BOXES) -> Table:
    """Put a table on a link."""
    by.require(permissions.TABLES)
    pool = pools.find(link)
    terms.in_force(pool)
    if pool.status != Pool.Status.OPEN:
        raise Conflict("pool-retired", f"Jackpot {link} is retired.")
    if not pools.CODE.fullmatch(code) or not 1 <= boxes <= 20:
        raise Refusal(
            "table-not-allowed", "A table has a code of up to 16 capitals, digits and dashes, and 1 to 20 boxes."
        )
    table, new = Table.objects.get_or_create(code=code, defaults={"pool": pool, "boxes": boxes})
    if not new:
        raise Conflict("table-exists", f"There is a table {code} already.", field="code")
    _record(table, "joined", by, {"link": link, "boxes": boxes})
    return table


@transaction.atomic
def open_table(*, table: str, by: Actor) -> Table:
    """Open a table's jackpot again, after it was closed or its malfunction was put right."""
    by.require(permissions.TABLES)
    found = lock_table(table)
    if found.pool.status != Pool.Status.OPEN:
        raise Conflict("pool-retired", f"Jackpot {found.pool} is retired.")
    return _set(found, Table.Status.OPEN, "opened", by)


@transaction.atomic
def close_table(*, table: str, by: Actor) -> Table:
    by.require(permissions.TABLES)
    found = lock_table(table)
    if Round.objects.filter(table=found, status=Round.Status.OPEN).exists():
        raise Conflict("round-open", f"A round is open at {table}: finish or void it first.")
    return _set(found, Table.Status.CLOSED, "closed", by)


@transaction.atomic
def suspend_table(*, table: str, what: str, by: Actor, happened_at: datetime | None = None) -> Table:
    """nsw-csp:14.15: the equipment fails; an inspector is told, and play goes on without the jackpot. A round that is
    open is finished or voided by people."""
    by.require(permissions.TABLES)
    found = lock_table(table)
    _set(found, Table.Status.SUSPENDED, "suspended", by, {"what": what.strip()})
    incidents.open_incident(
        kind=EQUIPMENT_MALFUNCTION, what=what, by=by, happened_at=happened_at, subject=f"table:{found.code}"
    )
    return found


def sign(table: Table) -> dict[str, Any]:
    """What the sign at the table must show: wager, bonus, pay table (nsw-csp:11.3, 11.11)."""
    now = terms.of(terms.in_force(table.pool))
    return {
        "table": table.code,
        "link": table.pool.code,
        "title": now.rules.title,
        "wager": now.parameters.wager,
        "bonus": now.bonus if now.rules.pays_bonus else None,
        "prizes": [
            {
                "hand": prize.hand,
                "fixed": prize.fixed or None,
                "percent": prize.percent // 100 if prize.percent else None,
                "at_least": prize.at_least or None,
                "level": prize.level if prize.percent else None,
            }
            for prize in now.rules.prizes
        ],
    }


def find_table(code: str) -> Table:
    return _found(Table.objects.select_related("pool"), code)


def lock_table(code: str) -> Table:
    return _found(Table.objects.select_for_update(of=("self",)).select_related("pool"), code)


def _found(tables: QuerySet[Table], code: str) -> Table:
    table = tables.filter(code=code).first()
    if table is None:
        raise NotFound("no-such-table", f"There is no table {code}.")
    return table


def _set(table: Table, status: TableStatus, what: str, by: Actor, data: Mapping[str, Any] | None = None) -> Table:
    if table.status == status:
        raise Conflict("table-is-so", f"The jackpot of {table.code} is {status} already.")
    table.status = status
    table.save(update_fields=["status"])
    _record(table, what, by, data or {})
    return table


def _record(table: Table, what: str, by: Actor, data: Mapping[str, Any]) -> None:
    acts.record(kind=f"jackpot.table-{what}", subject=f"table:{table.code}", by=by, data=data)


def tables_of(pools_shown: Sequence[Pool]) -> dict[int, list[Table]]:
    found: dict[int, list[Table]] = {pool.pk: [] for pool in pools_shown}
    for table in Table.objects.filter(pool__in=pools_shown):
        found[table.pool_id].append(table)
    return found
