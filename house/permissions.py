"""What people and devices may be allowed to do, and what each power needs. Each room declares its own.

After a migration the newly declared ones are inserted with the grants they declare (house.seed). From then on the
grants belong to the venue, which changes them through an approval: a later release never touches them. How many people
a power takes, above which amount, where, and in whose name is no data: that is the code's, and shown by
``house.powers``.
"""

from __future__ import annotations

from typing import Final

from kernel.authority import Authority
from kernel.codes import ANYWHERE, Permission
from kernel.rooms import offered


def declared() -> dict[str, Permission]:
    """Every permission that any room declares, by its code."""
    return {str(permission): permission for permission in offered(Permission)}


_OFFICE: Final = ("manager", "inspector", "administrator", "auditor")
_WATCH: Final = ("supervisor", *_OFFICE)

# People and devices
VIEW_STAFF = Permission("staff.view", "See staff and their roles", roles=_OFFICE)
MANAGE_STAFF = Permission(
    "staff.manage",
    "Hire, unlock and deactivate staff",
    roles=("administrator",),
    people=2,
    note="Nobody is let in by one person: another agrees, and each is shown half of a code. To deactivate takes one.",
)
VIEW_DEVICES = Permission("devices.view", "See devices", roles=_WATCH)
MANAGE_DEVICES = Permission(
    "devices.manage",
    "Register, provision and revoke devices",
    roles=("manager", "administrator"),
    people=2,
    note="What acts as a person, and the tables of a controller, another person decides. A terminal or display, and "
    "to revoke, takes one.",
)
MANAGE_PERMISSIONS = Permission(
    "permissions.manage",
    "Propose changes of what roles may do",
    roles=("administrator",),
    people=2,
    note="Another person decides.",
)

# Approvals
VIEW_APPROVALS = Permission("approvals.view", "See proposed changes", roles=_WATCH)
PROPOSE = Permission(
    "approvals.propose",
    "Propose a change",
    roles=("supervisor", "manager", "administrator"),
    people=2,
    note="Never an inspector. The kind of change says who decides.",
)
# Never the house's: no role but the inspector's is granted it, and the database refuses it to any other.
AS_INSPECTOR = Permission(
    "approvals.decide.inspector",
    "Decide as a Government Casino Inspector",
    roles=("inspector",),
    people=2,
    authority=Authority.INSPECTOR,
    note="Whoever may also propose for the house is no inspector.",
)
RECORD_LETTERS = Permission(
    "approvals.letters",
    "Put an authority’s letter on record, and confirm one",
    roles=("manager", "administrator"),
    people=2,
    note="One records it, another, who did not propose it, confirms it.",
)
DECIDE_HOUSE = Permission(
    "approvals.decide.house",
    "Approve opening hours, the limits that protect players, and the look of the boards",
    roles=("manager", "administrator"),
    people=2,
    authority=Authority.HOUSE,
)
DECIDE_STAFF = Permission(
    "approvals.decide.staff",
    "Approve changes of roles, rights, devices and access",
    roles=("manager", "administrator"),
    people=2,
    authority=Authority.HOUSE,
    note="Never whom it concerns.",
)
DECIDE_LEDGER = Permission(
    "approvals.decide.ledger",
    "Approve adjustments of the books, and how the general ledger calls accounts",
    roles=("manager",),
    people=2,
    authority=Authority.HOUSE,
)
ADJUST_LEDGER = Permission(
    "ledger.adjust",
    "Propose an adjustment of the books",
    roles=("supervisor", "manager"),
    people=2,
    note="Another person decides.",
)

SEE_BOOKS = Permission(
    "books.view",
    "See the back office: gaming revenue, duty, the general ledger, the month",
    roles=("manager", "inspector", "auditor"),
)

# The venue and what happens there
VIEW_INCIDENTS = Permission("incidents.view", "See incidents", roles=_WATCH)
REPORT_INCIDENTS = Permission(
    "incidents.report",
    "Report an incident",
    roles=("writer", "dealer", "table", "supervisor", "manager", "inspector", "administrator"),
    at=ANYWHERE,
)
NOTIFY_INCIDENTS = Permission(
    "incidents.notify", "Record that somebody was told of an incident", roles=("supervisor", "manager")
)
CLOSE_INCIDENTS = Permission(
    "incidents.close",
    "Close an incident",
    roles=("supervisor", "manager"),
    people=2,
    note="Never whom it is about, and never who caused it. Who only reported what he saw may.",
)
MANAGE_VENUE = Permission(
    "venue.manage", "Set up the venue", roles=("administrator",), note="Its clock stands from the first gaming day on."
)
CLOSE_EARLY = Permission(
    "gaming-day.close-early",
    "Close the gaming day early",
    roles=("manager",),
    note="It is an incident, of which players and an inspector are told; another person closes it.",
)
VIEW_AUDIT = Permission("audit.view", "Read the log of acts and the ledger", roles=_OFFICE)
VIEW_METRICS = Permission("metrics.view", "Read the figures for the machine room", roles=("administrator",))

# Players
VIEW_PLAYERS = Permission(
    "players.view",
    "See players by their numbers, their cards and limits",
    roles=("supervisor", "manager", "inspector", "auditor"),
)
NAME_PLAYERS = Permission(
    "players.names", "See the names of players", roles=("supervisor", "manager", "inspector"), personal=True
)
MANAGE_PLAYERS = Permission("players.manage", "Register players and issue their cards", roles=("supervisor", "manager"))
RESTRICT_PLAYERS = Permission(
    "players.restrict",
    "Exclude players, and let them back",
    roles=("supervisor", "manager"),
    people=2,
    note="To exclude takes one. Another confirms it, which takes out of draws what he had entered; two others let him "
    "back.",
)
LIMIT_PLAYERS = Permission(
    "players.limits", "Set limits as players ask for them", roles=("writer", "supervisor", "manager"), at=ANYWHERE
)
WAGER_OF_PLAYERS = Permission(
    "players.wager",
    "Ask for wagers at a table, keep declared chips",
    roles=("dealer", "table", "supervisor", "manager"),
    at=ANYWHERE,
)
DEPOSIT_OF_PLAYERS = Permission(
    "players.deposit", "Take a player’s deposit", roles=("writer", "supervisor", "manager"), at=ANYWHERE
)

# Cash. What a payment may be is the room's; who received it and what is reported is one thing for all rooms.
REPORTS = Permission(
    "cash.reports",
    "See threshold reports and possible structuring, without who received the cash",
    roles=("supervisor", "manager", "inspector", "auditor"),
    note="Never one that may be about oneself. A supervisor authorises large payments, and has to see what was cut "
    "into small ones.",
)
REPORT_THRESHOLD = Permission(
    "cash.report-threshold",
    "Note that a threshold report was sent",
    roles=("manager",),
    people=2,
    note="Never who paid any of it.",
)
PERSONAL = Permission("cash.personal", "See who received reported cash", roles=("manager", "inspector"), personal=True)
REPORT_FILES = Permission(
    "cash.report-files",
    "Download reports for the authority, with personal data",
    roles=("manager",),
    personal=True,
    note="That it was taken is on record.",
)
RAISE_MATTER = Permission(
    "cash.raise-matter",
    "Raise a suspicious matter",
    roles=("writer", "dealer", "supervisor", "manager"),
    at=ANYWHERE,
)
MATTERS = Permission(
    "cash.matters",
    "See and decide suspicious matters",
    roles=("manager",),
    people=2,
    personal=True,
    note="To report one takes one person, to say that it is not suspicious two. Never one about oneself.",
)
