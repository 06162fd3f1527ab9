from __future__ import annotations

from house.management.refused import Refused


class Command(Refused):
    help = "Refused: rows from a file would be people, rights and tokens on which nobody agreed."
    way = "Nothing is loaded past the verbs. People, rights and devices come through the console, by two people."
