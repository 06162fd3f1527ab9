from __future__ import annotations

from house.management.refused import Refused


class Command(Refused):
    help = "Refused: whoever could set another's password could be him."
    way = (
        "Nobody sets the password of another. One’s own is changed in the console; whoever has lost it enrols again, "
        "when two people have agreed: Staff, then his name, then “Reset sign-in”."
    )
