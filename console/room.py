from __future__ import annotations

from console import acts, audit_work, offers, permissions
from kernel.codes import Permission
from kernel.rooms import Acts, ApiRoutes, PageRoutes, Room, acts_of, all_of
from web.work import WorkKind

ROOM = Room(
    "console",
    *all_of(Permission, permissions),
    *all_of(WorkKind, audit_work),
    Acts(*acts_of(acts)),
    ApiRoutes("console.api.urls"),
    PageRoutes("console.urls"),
    *offers.OFFERS,
)
