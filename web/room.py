from __future__ import annotations

from kernel.rooms import Acts, PublicRoutes, Room, Tick, acts_of
from web import acts, lateness, retained
from web.tick import tick

ROOM = Room(
    "web", Acts(*acts_of(acts)), Tick(tick), PublicRoutes("web.urls"), lateness.LOOPS, lateness.WORK, *retained.ALL
)
