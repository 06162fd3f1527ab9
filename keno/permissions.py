"""What people and devices may do in Keno, and what each power needs."""

from __future__ import annotations

from typing import Final

from kernel.authority import Authority
from kernel.codes import ANYWHERE, Limit, OneOf, Permission

_SEES: Final = ("writer", "supervisor", "manager", "inspector", "auditor")
_FLOOR: Final = ("supervisor", "manager")

SUPERVISED_ABOVE = Limit("supervised-above", "the approved amount above which a Keno payment is authorised first")

# What is seen
SEE = Permission("keno.view", "See Keno: one’s own shift, and what is printed on a ticket", roles=_SEES, at=ANYWHERE)
SEE_ALL = Permission("keno.view-all", "See all Keno tickets, payments and shifts, and what is owing", roles=_SEES[1:])
CLAIMANTS = Permission(
    "keno.claimants",
    "See claimants’ names and addresses, and what runners noted of players",
    roles=("supervisor", "manager", "inspector"),
    personal=True,
)
FAVOURITES = Permission(
    "keno.favourites",
    "See, keep and forget a player’s usual tickets, by his card",
    roles=("writer", *_FLOOR),
    personal=True,
    note="Refused for whoever may not play, as a sale is.",
)
REPORTS = Permission("keno.reports", "See Keno's reports", roles=_SEES[1:])

# The counter
SELL = Permission(
    "keno.sell", "Sell Keno tickets", roles=("writer",), at=ANYWHERE, note="In an open shift of one’s own."
)
CANCEL = Permission(
    "keno.cancel",
    "Cancel a Keno ticket for its player",
    roles=("writer", "supervisor"),
    at=ANYWHERE,
    note="With the ticket’s security code.",
)
PAY = Permission(
    "keno.pay",
    "Pay Keno prizes and vouchers",
    roles=("writer",),
    people=2,
    above=SUPERVISED_ABOVE,
    at=ANYWHERE,
    note="With the ticket’s security code; what is reported, to somebody who shows who he is.",
)
PAY_LARGE = Permission(
    "keno.pay-large",
    "Authorise a large Keno payment",
    roles=_FLOOR,
    people=2,
    note="Who authorised a payment does not make it.",
)
CHECK_PAPER = Permission(
    "keno.check-paper",
    "Tick off the paid tickets that are kept until the close",
    roles=_FLOOR,
    people=2,
    note="Not those that one has paid.",
)
PRINT = Permission("keno.print", "Print a receipt as it is sold", roles=("writer",), at=ANYWHERE)
REPRINT = Permission(
    "keno.reprint",
    "Print a receipt again, marked as a duplicate",
    roles=_FLOOR,
    note="A duplicate has no security code: only the original is paid, cancelled or tendered.",
)
ORDER = Permission("keno.order", "Take a player's wager to the writer", roles=("writer", "supervisor"), at=ANYWHERE)
SHIFT = Permission(
    "keno.shift",
    "Open and close one's own shift",
    roles=("writer", "manager"),
    at=ANYWHERE,
    note="A float up to the approved amount is one’s own word; all other cash comes and goes only when another person, "
    "of the other side, says the same amount. A manager’s own drawer neither sells nor pays.",
)
SHIFT_OTHERS = Permission(
    "keno.shift-others",
    "Count and close a shift that was left open, two together",
    roles=_FLOOR,
    people=2,
    note="The second counts without being told what the first counted.",
)
CASH = Permission(
    "keno.cash",
    "Bring cash to a writer and take a drop, with him",
    roles=_FLOOR,
    people=2,
    note="He and the writer of the shift each say how much.",
)

# Which of the two it takes depends on whose shift it is.
CLOSE_SHIFT = OneOf(SHIFT, SHIFT_OTHERS)
MOVE_CASH = OneOf(SHIFT, CASH)

# Claims
CLAIM = Permission(
    "keno.claim",
    "Take a claim form",
    roles=("writer", *_FLOOR),
    people=2,
    at=ANYWHERE,
    note="A Government Casino Inspector decides it.",
)
CLAIM_WITHOUT_PAPER = Permission(
    "keno.claim-without-paper",
    "Take a claim form for a ticket that is not there",
    roles=_FLOOR,
    note="A Government Casino Inspector decides it.",
)
PAY_CLAIM = Permission(
    "keno.pay-claim",
    "Pay an approved claim by cheque",
    roles=_FLOOR,
    people=2,
    note="After a Government Casino Inspector has approved it, and with the cheque’s number. Who confirmed his letter "
    "does not pay.",
)
VOID_WAGER = Permission(
    "keno.void-wager",
    "Void the wagers of a person in breach",
    roles=("manager",),
    note="Of games not begun; the stake is refunded to whoever holds the ticket. Another person lets the player back.",
)

HOLD = Permission(
    "keno.hold",
    "Put what a ticket has won on hold while it is looked into, and end the hold",
    roles=_FLOOR,
    people=2,
    note="Whoever put it on hold does not end it.",
)
VOID_WIN = Permission(
    "keno.void-win",
    "Propose that the winning wager of a person in breach is void after the draw",
    roles=_FLOOR,
    people=2,
    note="A manager, who is somebody else, decides. Never of a ticket that lost, or that was paid.",
)
DECIDE_VOID_WIN = Permission(
    "keno.void-win.decide",
    "Decide that the winning wager of a person in breach is void after the draw",
    roles=("manager",),
    people=2,
    authority=Authority.HOUSE,
    note="Its stake is refunded; its prize goes back to its pool, never to other winners.",
)

# Games
RUN_GAMES = Permission(
    "keno.games.run",
    "Close, draw and void games, enter balls",
    roles=_FLOOR,
    people=2,
    note="Two for the balls of a mechanical draw, where the venue wants them read back, and to declare a generator’s "
    "draw void; two and the inspector to stop a draw that has begun; one for the rest.",
)
DECIDE_VOID = Permission(
    "keno.games.void.decide",
    "Decide that a generator’s draw is void before the witness is asked",
    roles=_FLOOR,
    people=2,
    authority=Authority.HOUSE,
    note="It can always be continued: whoever proposes it says why it cannot.",
)
INVALIDATE = Permission(
    "keno.games.invalidate",
    "Invalidate a game",
    roles=_FLOOR,
    people=2,
    note="One before the witness is asked; from then on two, and the inspector decides.",
)
STOP_DRAW = Permission(
    "keno.games.stop",
    "Stand behind it that a draw which has begun is void, goes on with the other device, or is invalidated",
    roles=_FLOOR,
    people=3,
    note="One proposes, another stands behind it, and the inspector decides.",
)
RESETTLE = Permission(
    "keno.games.resettle",
    "Propose that a game whose balls were recorded wrongly is settled again",
    roles=_FLOOR,
    people=2,
    note="A manager, who is somebody else, decides. Never of a generator’s game.",
)
DECIDE_RESETTLEMENT = Permission(
    "keno.games.resettle.decide",
    "Decide that a game whose balls were recorded wrongly is settled again",
    roles=("manager",),
    people=2,
    authority=Authority.HOUSE,
    note="Unpaid prizes are replaced; of paid ones only what is missing is paid.",
)
OVERPAYMENT = Permission(
    "keno.overpayment",
    "Propose that a payment was too much, ask for it back, propose to write it off",
    roles=_FLOOR,
    people=2,
    note="Not of what one has paid or authorised. A manager, who is somebody else, decides.",
)
DECIDE_OVERPAYMENT = Permission(
    "keno.overpayment.decide",
    "Decide that a payment was too much, or that what does not come back is written off",
    roles=("manager",),
    people=2,
    authority=Authority.HOUSE,
    note="Not of what one has paid or authorised.",
)
RECEIVE_BACK = Permission(
    "keno.overpayment.receive",
    "Receive back what was paid too much, in cash",
    roles=("writer",),
    at=ANYWHERE,
    note="Into one’s own drawer, at most what is left of it.",
)
CHOOSE_DEVICE = Permission("keno.device", "Choose how games are drawn", roles=_FLOOR)
TOURNAMENT = Permission(
    "keno.tournament",
    "Finish a tournament and rank its entries; propose to call it off, and say that a fee goes back",
    roles=_FLOOR,
    people=2,
    note="The scores follow from the drawn numbers: nobody writes them down. Another decides that it is called off.",
)
DECIDE = Permission(
    "keno.approve",
    "Approve Keno's set bets and amounts, and how its games are run",
    roles=("manager",),
    people=2,
    authority=Authority.HOUSE,
)
