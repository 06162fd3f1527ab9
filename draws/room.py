from __future__ import annotations

from draws import acts, incident_kinds, permissions
from draws.pages import home, reports
from draws.watch import ready, tick
from house.incident_kinds import IncidentKind
from kernel.codes import Permission
from kernel.rooms import Acts, ApiRoutes, PageRoutes, Readiness, Room, Tick, acts_of, all_of

ROOM = Room(
    "draws",
    *all_of(Permission, permissions),
    *all_of(IncidentKind, incident_kinds),
    Acts(*acts_of(acts)),
    Tick(tick),
    Readiness("draws", ready),
    ApiRoutes("draws.api.urls"),
    PageRoutes("draws.pages.urls"),
    reports.DRAWS,
    *home.OFFERS,
)
