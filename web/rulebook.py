"""The clauses the software has a part in, read from docs/rules/clauses.csv, so that a refusal can link to its rule.

Whether a test shows a clause is read from docs/clauses.md, which a wholly green run of the suite writes.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from django.conf import settings

DOCUMENTS: Final = {
    "act-keno": "Keno, Casino Canberra (ACT)",
    "act-cp": "Canberra Poker and Boomerang, Casino Canberra (ACT)",
    "act-pg": "Pai Gow and Gee Jun, Casino Canberra (ACT)",
    "act-pk": "Poker among players, Casino Canberra (ACT)",
    "act-bj": "Blackjack, Casino Canberra (ACT)",
    "act-ar": "American Roulette, Casino Canberra (ACT)",
    "act-bac": "Baccarat, Casino Canberra (ACT)",
    "act-mb": "Mini-Baccarat, Casino Canberra (ACT)",
    "act-sb": "Sic-Bo, Casino Canberra (ACT)",
    "act-mw": "Money Wheel, Casino Canberra (ACT)",
    "nsw-csp": "Caribbean Stud Poker (NSW)",
    "nsw-lp": "Lunar Poker (NSW)",
    "nsw-promo-2019": "Promotions, 2019 edition (NSW)",
    "nsw-promo-2025": "Promotions, 2025 edition (NSW)",
    "nz-lp": "Lunar Poker (New Zealand)",
    "vu-lp": "Lunar Poker (Vanuatu)",
}
# What the software does about a clause, in words, where a test shows that it does.
PARTS: Final = {"enforce": "Enforced", "record": "Recorded", "show": "Shown"}
NOT_SHOWN: Final = "Not shown by a test yet"


@dataclass(frozen=True, slots=True)
class Clause:
    id: str
    kind: str
    what: str

    @property
    def document(self) -> str:
        return self.id.partition(":")[0]

    @property
    def order(self) -> list[tuple[int, str]]:
        """2.10 comes after 2.9, and 4.4-form after 4.4."""
        return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", self.id)]

    @property
    def part(self) -> str:
        return PARTS[self.kind] if self.id in shown_by_a_test() else NOT_SHOWN


@cache
def clauses() -> dict[str, Clause]:
    with open(settings.ROOT / "docs" / "rules" / "clauses.csv", newline="", encoding="utf-8") as file:
        return {row["id"]: Clause(id=row["id"], kind=row["kind"], what=row["what"]) for row in csv.DictReader(file)}


@cache
def shown_by_a_test() -> frozenset[str]:
    return shown_in((settings.ROOT / "docs" / "clauses.md").read_text(encoding="utf-8"))


def shown_in(page: str) -> frozenset[str]:
    """The clauses in the page's table; those without a test are in a list below it."""
    return frozenset(re.findall(r"^\| (\S+:\S+) \|", page, re.MULTILINE))


def says(clause: str) -> str:
    """What a clause says in a few words; nothing for one the book does not know."""
    found = clauses().get(clause)
    return found.what if found else ""


def anchor(clause: str) -> str:
    """Where the book speaks of a clause: at itself, at the range it is in, else at the nearest above it.

    17.7.3 is in the line of 17.7.1-11; 15.7.3 in that of 15.7.
    """
    above = clause
    while above:
        if above in clauses():
            return above
        above = above.rpartition(".")[0]
        span = next((each for each in clauses() if each.startswith(f"{above}.") and "-" in each.rpartition(".")[2]), "")
        if above and span:
            return span
    return clause


def documents(query: str = "") -> list[tuple[str, str, list[Clause]]]:
    """The book by document, its clauses in their order, narrowed to what contains the query."""
    wanted = query.casefold()
    found: dict[str, list[Clause]] = {}
    for each in sorted(clauses().values(), key=lambda clause: clause.order):
        if wanted in f"{each.id} {each.what}".casefold():
            found.setdefault(each.document, []).append(each)
    return [(code, title, found[code]) for code, title in DOCUMENTS.items() if code in found]
