"""Who entered whom: what somebody else looks at before a list is sealed and drawn from.

A file takes two people; an entry by hand is one person's word, within the terms' limit. Whoever seals, oversees or
draws sees how many each has entered, and whom one person has entered most often.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.db.models import Count

from house import people
from promotions.import_steps import unconfirmed_imports
from promotions.models import BY_HAND, Entry, Import, Promotion
from promotions.queries import MOST_ENTERED_SHOWN

PEOPLE_SHOWN: Final = 20


@dataclass(frozen=True, slots=True)
class ByPerson:
    """Entries that one person, or a device, made one at a time."""

    name: str
    entries: int
    entrants: int


@dataclass(frozen=True, slots=True)
class OneByOne:
    """How often the same person entered the same entrant."""

    name: str
    entrant: int
    entries: int


@dataclass(frozen=True, slots=True)
class FromFile:
    made: Import
    name: str
    second: str  # who confirmed it; empty while nobody has


@dataclass(frozen=True, slots=True)
class EnteredBy:
    by_hand: list[ByPerson]
    most: list[OneByOne]
    files: list[FromFile]
    unconfirmed: list[Import]


def entered_by(promotion: Promotion) -> EnteredBy:
    """What stands in the list. What wagers have earned is nobody's word, and not in it."""
    hand = Entry.objects.filter(promotion=promotion, source__in=BY_HAND, withdrawn_at=None).values("entered_by")
    each = list(
        hand.annotate(often=Count("pk"), whom=Count("entrant_id", distinct=True)).order_by("-often", "entered_by")[
            :PEOPLE_SHOWN
        ]
    )
    most = list(
        hand.values("entered_by", "entrant_id")
        .annotate(often=Count("pk"))
        .filter(often__gt=1)
        .order_by("-often", "entrant_id", "entered_by")[:MOST_ENTERED_SHOWN]
    )
    files = list(
        Import.objects.filter(promotion=promotion, entered__gt=0, rejected_at=None).order_by("-id")[:PEOPLE_SHOWN]
    )
    names = people.names(
        [
            *(row["entered_by"] for row in (*each, *most)),
            *(who for file in files for who in (file.made_by, file.confirmed_by) if who),
        ]
    )
    return EnteredBy(
        by_hand=[ByPerson(names[row["entered_by"]], row["often"], row["whom"]) for row in each],
        most=[OneByOne(names[row["entered_by"]], row["entrant_id"], row["often"]) for row in most],
        files=[FromFile(file, names[file.made_by], names.get(file.confirmed_by or "", "")) for file in files],
        unconfirmed=list(unconfirmed_imports().filter(promotion=promotion, finished_at__isnull=False).order_by("id")),
    )
