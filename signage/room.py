from __future__ import annotations

from kernel.rooms import Acts, PageRoutes, PublicRoutes, Room
from signage.acts import LookChosen
from signage.approvables import LOOK
from signage.lateness import BOARDS
from signage.pages.look import PANEL

ROOM = Room(
    "signage", LOOK, PANEL, BOARDS, Acts(LookChosen), PageRoutes("signage.pages.urls"), PublicRoutes("signage.urls")
)
