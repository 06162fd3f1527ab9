"""The rail by job: nine places at most, each with its letter after ``g``. The rooms say which of their pages
belong where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    icon: str
    key: str  # after g


HOME: Final = Section("Home", "home", "h")
APPROVALS: Final = Section("Approvals", "approvals", "a")
INCIDENTS: Final = Section("Incidents", "incidents", "i")
KENO: Final = Section("Keno", "balls", "k")
JACKPOTS: Final = Section("Jackpots and tables", "meter", "j")
PROMOTIONS: Final = Section("Promotions", "gift", "p")
VENUE: Final = Section("Venue and people", "venue", "v")
REPORTS: Final = Section("Reports", "chart", "r")
RECORDS: Final = Section("Audit and rules", "audit", "u")

SECTIONS: Final = (HOME, APPROVALS, INCIDENTS, KENO, JACKPOTS, PROMOTIONS, VENUE, REPORTS, RECORDS)
