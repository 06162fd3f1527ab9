from __future__ import annotations

from draws import acts
from kernel.rooms import Acts, Room, acts_of

ROOM = Room("draws", Acts(*acts_of(acts)))
