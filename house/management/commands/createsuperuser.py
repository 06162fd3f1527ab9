from __future__ import annotations

from house.management.refused import Refused


class Command(Refused):
    help = "Refused: nobody here may do everything, and nobody is made at a command line."
    way = (
        "There are no superusers. People are hired in the console, by two people; a new house gets its first two with "
        "manage.py administrator."
    )
