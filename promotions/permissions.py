"""What people and devices may do with promotions (terms and entries, draws, winners and claims), and what it needs."""

from __future__ import annotations

from typing import Final

from kernel.authority import Authority
from kernel.codes import ANYWHERE, AT_THE_CONSOLE, Limit, OneOf, Permission
from tournaments.permissions import SUPERVISED_ABOVE

_SEES: Final = ("supervisor", "manager", "inspector", "auditor")
_RUNS: Final = ("supervisor", "manager")

SCRUTINISED_ABOVE = Limit("promotions.scrutinised-above", "the value of a prize above which a scrutineer is there")

SEE = Permission("promotions.view", "See promotions, their terms and how many have entered", roles=_SEES)
DRAFT = Permission("promotions.draft", "Draft and edit promotions", roles=("supervisor", "manager"))
SUBMIT = Permission(
    "promotions.submit",
    "Submit a promotion’s terms, start, close and cancel it",
    roles=("manager",),
    people=2,
    note="Terms are submitted to the authority before the start, by another person than who wrote them, who confirms "
    "what the prizes hold; every version stays on record.",
)
AMEND = Permission(
    "promotions.amend",
    "Amend a promotion’s terms after its start",
    roles=("manager",),
    people=2,
    note="Under the edition of 2019 the commission decides, by letter; under that of 2025 another person.",
)
DECIDE_TERMS = Permission(
    "approvals.decide.promotions",
    "Approve amended terms of a promotion",
    roles=("manager", "administrator"),
    people=2,
    authority=Authority.HOUSE,
    note="Never who amended them. Under the edition of 2019 the commission decides.",
)
ENTER = Permission(
    "promotions.enter",
    "Enter people in a promotion",
    roles=("writer", "dealer", "table", "supervisor", "manager"),
    at=ANYWHERE,
)
IMPORT = Permission(
    "promotions.import",
    "Import entries from a file, and confirm what another imported",
    roles=("supervisor", "manager"),
    people=2,
    note="The list is not sealed before another has confirmed every file that entered somebody, or two "
    "have rejected it.",
)
WITHDRAW = Permission(
    "promotions.withdraw",
    "Take an entry, or a whole file of them, out before the list is sealed",
    roles=("supervisor", "manager"),
    people=2,
    note="For a reason of which the person is told: one says it, another too. The entry stays on record as withdrawn. "
    "Who brought a file in may be one of the two who reject it; its coupons may be entered again.",
)
EXCLUDE = Permission(
    "promotions.exclude",
    "Say whose cards may not enter promotions",
    roles=("manager",),
    people=2,
    note="One keeps a card from entering and from being paid; what it entered before is left out of the list and the "
    "draw once another has confirmed it. Two others let it enter again.",
)
PERSONAL = Permission(
    "promotions.personal",
    "See the names and addresses of entrants, winners and claimants",
    roles=("manager", "inspector"),
    personal=True,
    note="Whoever asks for all of them is on record.",
)
EXPORT = Permission("promotions.export", "Export entries with personal data", roles=("manager",), personal=True)
ERASE = Permission(
    "promotions.erase",
    "Delete the personal data of a promotion that is over",
    roles=("manager",),
    note="Never before the time for which it has to be kept; then the software does it by itself.",
)
REPORTS = Permission("promotions.reports", "See the reports on promotions", roles=_SEES)

DRAW = Permission(
    "promotions.draw",
    "Draw a promotion, call its winners and nominate its scrutineer",
    roles=_RUNS,
    people=2,
    above=SCRUTINISED_ABOVE,
    note="The scrutineer does not draw.",
)
SCRUTINISE = Permission(
    "promotions.scrutinise",
    "Oversee a draw as its nominated scrutineer",
    roles=("supervisor", "manager", "inspector", "auditor"),
    people=2,
    at=AT_THE_CONSOLE,
    note="Only who was nominated for it, in person, after password and second step; never who draws, and never a "
    "device.",
)
INTEGRITY = Permission(
    "promotions.integrity",
    "Postpone, resume or cancel a promotion whose integrity is in doubt",
    roles=("manager",),
    note="It is an incident, of which an inspector is told; another person closes it.",
)
VOID_DRAW = Permission(
    "promotions.void-draw",
    "Propose that a draw is void after the witness was asked, and stand behind it",
    roles=_RUNS,
    people=3,
    note="One proposes, another stands behind it, an inspector decides.",
)
LOSE = Permission(
    "promotions.lose-prize",
    "Say that a winner loses a prize, and second what another said",
    roles=_RUNS,
    people=3,
    note="One person says it, another seconds it, the scrutineer signs.",
)
NOTIFY = Permission("promotions.notify", "Record attempts to tell a winner", roles=_RUNS)
CLAIM = Permission("promotions.claim", "Take a claim for a prize", roles=_RUNS)
DECIDE_CLAIM = Permission("promotions.claim.decide", "Accept or deny a claim for a prize", roles=("manager",))
PAY = Permission(
    "promotions.pay",
    "Pay or hand over a prize whose claim another person accepted",
    roles=_RUNS,
    people=2,
    note="What is reported, to somebody who shows who he is.",
)
ENTER_TOURNAMENT = Permission(
    "tournaments.enter", "Enter a player in a tournament", roles=("writer", *_RUNS), at=ANYWHERE
)
# Who may enter a player may see what for, though no other promotion.
SEE_TOURNAMENTS = OneOf(SEE, ENTER_TOURNAMENT)
RUN_TOURNAMENT = Permission(
    "tournaments.run",
    "Seat, score and finish a tournament, propose to call it off, and say that a fee goes back",
    roles=_RUNS,
    people=2,
    note="Scores stand once two have written down the same. Another decides that it is called off.",
)
REFUND_TOURNAMENT = Permission(
    "tournaments.refund",
    "Hand back the fee of a tournament, as others said",
    roles=("writer", *_RUNS),
    people=2,
    at=ANYWHERE,
    note="Never who said that it goes back, and neither of the two who called the tournament off. At a device on the "
    "floor two have said that it goes back.",
)
PAY_TOURNAMENT = Permission(
    "tournaments.pay",
    "Pay the prizes of a tournament, and authorise large ones",
    roles=_RUNS,
    people=2,
    above=SUPERVISED_ABOVE,
    note="Who authorised a payment does not make it.",
)
