from __future__ import annotations

from house.approvals import Approvable
from house.cash.kinds import CashKind
from house.simulate import Simulated
from kernel.codes import Permission
from kernel.rooms import Acts, Amount, ApiRoutes, DemoVenue, PageRoutes, PublicRoutes, Room, Tick, all_of
from ledger.export import Attachment
from promotions import (
    acts,
    amend,
    attachments,
    books,
    cash_kinds,
    erase,
    imports,
    incident_kinds,
    permissions,
    tournament_conditions,
    tournaments,
    void,
)
from promotions.demo import build_demo
from promotions.pages import home, reports
from promotions.rules.editions import SCRUTINEER_ABOVE
from promotions.simulate import Cups, Promotions
from promotions.tick import due, tick

ROOM = Room(
    "promotions",
    *all_of(Permission, permissions),
    books.GAME,
    *incident_kinds.ALL,
    *all_of(Approvable, amend, tournament_conditions, tournaments, void),
    *all_of(CashKind, cash_kinds),
    Acts(*acts.ALL),
    imports.ENTRIES,
    erase.KEPT,
    Attachment(attachments.NAME, attachments.lines),
    Amount(permissions.SCRUTINISED_ABOVE, lambda: SCRUTINEER_ABOVE),
    Tick(tick, due),
    DemoVenue(build_demo),
    Simulated(Promotions),
    Simulated(Cups),
    ApiRoutes("promotions.api.urls"),
    PageRoutes("promotions.pages.urls"),
    PublicRoutes("promotions.urls"),
    reports.PROMOTIONS,
    *home.OFFERS,
)
