from __future__ import annotations

from house.approvals import Approvable
from house.cash.kinds import CashKind
from house.incident_kinds import IncidentKind
from house.simulate import Simulated
from jackpot import (
    acts,
    approvables,
    books,
    cash_kinds,
    explain_disagreement,
    handpay,
    hit_acts,
    incident_kinds,
    instalments,
    late_claims,
    link_acts,
    must_hit_by_changes,
    pay_out,
    permissions,
    round_acts,
    waiting_rounds,
)
from jackpot.demo import build_demo
from jackpot.pages import home, reports
from jackpot.simulate import Floor
from jackpot.tick import due, tick
from kernel.codes import Permission
from kernel.rooms import Acts, ApiRoutes, DemoVenue, PageRoutes, Room, Tick, all_of

ROOM = Room(
    "jackpot",
    *all_of(Permission, permissions),
    books.GAME,
    books.OWED,
    *all_of(IncidentKind, incident_kinds),
    *all_of(Approvable, approvables, must_hit_by_changes, late_claims, waiting_rounds, explain_disagreement, pay_out),
    *all_of(Approvable, handpay, instalments),
    *all_of(CashKind, cash_kinds),
    Acts(*acts.ALL, *hit_acts.ALL, *round_acts.ALL, *link_acts.ALL),
    Tick(tick, due),
    DemoVenue(build_demo),
    Simulated(Floor),
    ApiRoutes("jackpot.api.urls"),
    PageRoutes("jackpot.pages.urls"),
    reports.JACKPOTS,
    *home.OFFERS,
)
