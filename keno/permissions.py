"""What people and devices may do in Keno."""

from __future__ import annotations

from typing import Final

from house.permissions import declare

_SEES: Final = ("writer", "supervisor", "manager", "inspector", "auditor")

SEE = declare("keno.view", "See Keno tickets, vouchers and shifts", roles=_SEES)
SELL = declare("keno.sell", "Sell Keno tickets", roles=("writer",))
CANCEL = declare("keno.cancel", "Cancel a Keno ticket for its player", roles=("writer", "supervisor"))
PAY = declare("keno.pay", "Pay Keno prizes and vouchers", roles=("writer",))
PAY_LARGE = declare("keno.pay-large", "Stand by a large Keno payment", roles=("supervisor", "manager"))
SHIFT = declare("keno.shift", "Open and close one's own shift", roles=("writer", "manager"))
SHIFT_OTHERS = declare("keno.shift-others", "Close another's shift", roles=("manager",))
CASH = declare("keno.cash", "Bring a float to a writer and take a drop", roles=("supervisor", "manager"))
PRINT = declare("keno.print", "Print a receipt as it is sold", roles=("writer",))
REPRINT = declare("keno.reprint", "Print a receipt again, marked as a duplicate", roles=("supervisor", "manager"))
ORDER = declare("keno.order", "Take a player's wager to the writer", roles=("writer", "supervisor"))
CLAIM = declare("keno.claim", "Take a claim form", roles=("writer", "supervisor", "manager"))
PAY_CLAIM = declare("keno.pay-claim", "Pay an approved claim by cheque", roles=("supervisor", "manager"))
VOID_WAGER = declare("keno.void-wager", "Void the wagers of a person in breach", roles=("manager",))
REPORTS = declare("keno.reports", "See Keno's reports", roles=("supervisor", "manager", "inspector", "auditor"))
REPORT_THRESHOLD = declare("keno.report-threshold", "Note that a threshold report was sent", roles=("manager",))
DECIDE = declare(
    "keno.approve", "Approve Keno's claims, set bets, bonuses and schedules", roles=("manager", "inspector")
)
RUN_GAMES = declare("keno.games.run", "Close, draw and void games, enter balls", roles=("supervisor", "manager"))
INVALIDATE = declare("keno.games.invalidate", "Invalidate a game", roles=("supervisor", "manager"))
CHOOSE_DEVICE = declare("keno.device", "Choose how games are drawn", roles=("supervisor", "manager"))
TOURNAMENT = declare("keno.tournament", "Finish a tournament and rank its entries", roles=("supervisor", "manager"))
