from __future__ import annotations

from kernel.rooms import Acts, Readiness, Room, Tick, acts_of
from ledger import acts, lateness
from ledger.readiness import ready
from ledger.tick import due, tick

ROOM = Room("ledger", Acts(*acts_of(acts)), Tick(tick, due), Readiness("seals", ready), lateness.SEALS, lateness.CLOCKS)
