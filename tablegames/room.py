from __future__ import annotations

from house.approvals import Approvable
from house.cash.kinds import CashKind
from house.incident_kinds import IncidentKind
from house.simulate import Simulated
from kernel.codes import Permission
from kernel.rooms import Acts, ApiRoutes, DemoVenue, PageRoutes, Room, all_of
from tablegames import (
    acts,
    approvables,
    books,
    cash_kinds,
    higher_maximum,
    incident_kinds,
    permissions,
)
from tablegames.demo import build_demo
from tablegames.pages import home, reports
from tablegames.simulate import Checks

ROOM = Room(
    "tablegames",
    *all_of(Permission, permissions),
    books.GAME,
    *all_of(Approvable, approvables, higher_maximum),
    *all_of(CashKind, cash_kinds),
    *all_of(IncidentKind, incident_kinds),
    Acts(*acts.ALL),
    DemoVenue(build_demo),
    Simulated(Checks),
    ApiRoutes("tablegames.api.urls"),
    PageRoutes("tablegames.pages.urls"),
    reports.TABLES,
    *home.OFFERS,
)
