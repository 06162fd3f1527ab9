from __future__ import annotations

from house.management.refused import Refused


class Command(Refused):
    help = "Refused: it serves rows from a file, as loaddata would load them."
    way = "Nothing is loaded past the verbs. To try something, run a demo with a METERHOUSE_DATA of its own."
