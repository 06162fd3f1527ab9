"""What people and devices may do with promotions: terms and entries. Draws and winners declare theirs beside them."""

from __future__ import annotations

from typing import Final

from house.permissions import declare

_SEES: Final = ("supervisor", "manager", "inspector", "auditor")

SEE = declare("promotions.view", "See promotions, their terms and how many have entered", roles=_SEES)
DRAFT = declare("promotions.draft", "Draft and edit promotions", roles=("supervisor", "manager"))
SUBMIT = declare("promotions.submit", "Submit a promotion’s terms, start, close and cancel it", roles=("manager",))
AMEND = declare("promotions.amend", "Amend a promotion’s terms after its start", roles=("manager",))
DECIDE = declare("promotions.approve", "Decide for the authority on amended terms", roles=("inspector",))
ENTER = declare(
    "promotions.enter", "Enter people in a promotion", roles=("writer", "dealer", "table", "supervisor", "manager")
)
IMPORT = declare("promotions.import", "Import entries from a file", roles=("supervisor", "manager"))
WITHDRAW = declare("promotions.withdraw", "Take an entry out before the list is sealed", roles=("manager",))
EXCLUDE = declare("promotions.exclude", "Say whose cards may not enter promotions", roles=("manager",))
PERSONAL = declare(
    "promotions.personal", "See the names and addresses of entrants and winners", roles=("manager", "inspector")
)
EXPORT = declare("promotions.export", "Export entries with personal data", roles=("manager",))
ERASE = declare("promotions.erase", "Delete the personal data of a promotion that is over", roles=("manager",))
REPORTS = declare("promotions.reports", "See the reports on promotions", roles=_SEES)
