from __future__ import annotations

from house import (
    access,
    acts,
    adjust,
    approvables,
    approval_acts,
    device_changes,
    incident_acts,
    incident_kinds,
    permissions,
    retained,
    retention,
    witness,
)
from house.approvals import Approvable
from house.books import mapping
from house.cash import acts as cash_acts
from house.cash import limits as cash_limits
from house.demo import build_demo
from house.incident_kinds import IncidentKind
from house.pages import home
from house.players import acts as player_acts
from house.players.play import DEPOSITED
from house.tick import due, tick
from kernel.codes import Permission
from kernel.retention import Kept
from kernel.rooms import Acts, ApiRoutes, DemoVenue, PageRoutes, PublicRoutes, Room, Tick, acts_of, all_of

ROOM = Room(
    "house",
    *all_of(Permission, permissions),
    *all_of(IncidentKind, incident_kinds),
    *all_of(Approvable, approvables, access, device_changes, adjust, cash_limits, mapping, retention, witness),
    *all_of(Kept, retained),
    Acts(*acts_of(acts, approval_acts, incident_acts, cash_acts, player_acts)),
    Tick(tick, due),
    DemoVenue(build_demo),
    DEPOSITED,
    ApiRoutes("house.api.urls"),
    PageRoutes("house.pages.urls"),
    PublicRoutes("house.urls"),
    *home.OFFERS,
)
