"""A page and the call that does or shows the same: which page goes with which call.

A page whose address is that of a call, but for the name of its room, goes with it. The others are said here. A page is
in one of the three, or the test says so.
"""

from __future__ import annotations

import re
from typing import Final

from tests.world.addresses import API, same_room

# Where the page and the call have other names. ``kind:``: the call is ``POST approvals/`` with a change of that kind.
PAIRED: Final = {
    "GET approvals/history/": "GET approvals/",
    "GET approvals/<>/letter/new/": "POST approvals/<>/letter",
    "POST approvals/<>/answer/countersign/": "POST approvals/<>/countersign",
    "POST approvals/<>/answer/dispute/": "POST approvals/<>/dispute",
    "GET approvals/propose/opening-hours/": "kind:house.opening-hours",
    "GET approvals/propose/player-protection/": "kind:house.player-protection",
    "GET approvals/propose/cash-limits/": "kind:house.cash-limits",
    "GET approvals/propose/look/": "kind:signage.look",
    "GET incidents/report/": "POST incidents/",
    "POST incidents/notices/<>/": "POST incidents/<>/notices",
    "GET venue/": "GET gaming-days/current",
    "GET cash/threshold-reports/": "GET cash/reports",
    "GET cash/threshold-reports/<>/": "GET cash/reports/<>",
    "POST cash/threshold-reports/file/": "GET cash/reports/file",
    "POST cash/threshold-reports/<>/file/": "GET cash/reports/<>/file",
    "POST cash/threshold-reports/<>/sent/": "POST cash/reports/<>/sent",
    "GET cash/matters/raise/": "POST cash/matters",
    "POST cash/matters/<>/file/": "GET cash/matters/<>/file",
    "GET devices/<>/": "GET devices/",
    "GET devices/propose/": "kind:house.device-registration",
    "GET devices/<>/propose/token/": "kind:house.device-token",
    "GET devices/<>/propose/holder/": "kind:house.device-holder",
    "GET devices/<>/propose/tables/": "kind:house.device-tables",
    "POST own/devices/<>/collect/": "POST devices/<>/collect",
    "GET players/register/": "POST players/",
    "POST players/<>/cards/<>/cancel/": "POST cards/<>/cancel",
    "POST players/<>/restrictions/<>/lift/": "POST restrictions/<>/lift",
    "GET staff/<>/roles/": "kind:house.staff-roles",
    "POST staff/<>/reset-access/": "kind:house.access",
    "GET roles/": "GET permissions/",
    "GET roles/<>/propose/": "kind:house.role-permissions",
    "GET draws/": "GET draws/waiting",
    "GET draws/questions/<>/": "POST draws/questions/<>/dice",
    "GET draws/promises/<>/": "POST draws/promises/<>/master",
    "GET jackpots/": "GET jackpot/pools",
    "GET jackpots/meters/": "GET jackpot/pools",
    "GET jackpots/rounds/": "GET jackpot/tables/<>/rounds",
    "GET jackpots/disagreements/": "GET jackpot/disagreements",
    "GET jackpots/disagreements/<>/": "GET jackpot/disagreements",
    "GET jackpots/disagreements/<>/propose/": "kind:jackpot.meter-disagreement",
    "GET jackpots/<>/": "GET jackpot/pools/<>",
    "GET jackpots/<>/meter/": "GET jackpot/pools/<>",
    "GET jackpots/<>/propose/terms/": "kind:jackpot.terms",
    "GET jackpots/<>/propose/adjustment/": "kind:jackpot.adjustment",
    "GET jackpots/<>/propose/retirement/": "kind:jackpot.retirement",
    "GET jackpots/<>/propose/pay-out/": "kind:jackpot.pay-out",
    "POST jackpots/<>/payouts/<>/pay/": "POST jackpot/payouts/<>/pay",
    "GET jackpots/movements/<>/dice/": "POST jackpot/pools/<>/mystery/<>/dice",
    "POST jackpots/<>/tables/<>/open/": "POST jackpot/tables/<>/open",
    "POST jackpots/<>/tables/<>/close/": "POST jackpot/tables/<>/close",
    "POST jackpots/<>/tables/<>/suspend/": "POST jackpot/tables/<>/suspend",
    "POST keno/disputes/<>/review/": "POST keno/disputes/<>/review",
    "GET keno/disputes/": "GET incidents/",
    "GET keno/scanned/": "POST keno/tickets/<>/look-up",
    "POST keno/tickets/<>/authorise/": "POST keno/tickets/<>/authorise-payment",
    "POST keno/tickets/<>/void-win/<>/": "POST keno/tickets/<>/void-win",
    "GET keno/paper/": "GET keno/payments",
    "POST keno/paper/<>/tick-off/": "POST keno/payments/<>/tick-off",
    "POST keno/vouchers/<>/authorise/": "POST keno/vouchers/<>/authorise-payment",
    "GET keno/orders/take/": "POST keno/orders",
    "POST keno/shifts/<>/cash/drop/": "POST keno/shifts/<>/drop",
    "POST keno/shifts/<>/cash/fill/": "POST keno/shifts/<>/fill",
    "GET keno/claims/new/": "POST keno/claims",
    "GET keno/schedules/": "POST keno/mathematics",
    "GET keno/schedules/<>/": "POST keno/mathematics",
    "GET keno/what-if/": "POST keno/evaluate",
    "GET terminal/keno/favourites/": "POST keno/favourites/look-up",
    "GET keno/settings/games/propose/": "kind:keno.games",
    "GET keno/settings/amounts/<>/propose/": "kind:keno.amount",
    "GET keno/catalogue/": "GET keno/set-bets",
    "GET keno/catalogue/<>/": "GET approved-values/",
    "GET keno/catalogue/<>/propose/": "kind:keno.set-bet",
    "GET keno/catalogue/<>/<>/propose/": "kind:keno.set-bet",
    "POST keno/catalogue/<>/<>/withdraw/": "kind:keno.set-bet",
    "GET keno/tournaments/": "GET keno/tournaments/<>/entries",
    "GET keno/tournaments/<>/": "GET keno/tournaments/<>/entries",
    "POST keno/tournaments/<>/enter/": "POST keno/tournaments/<>/entries",
    "POST keno/tournaments/entries/<>/authorise/": "POST keno/tournament-entries/<>/authorise-payment",
    "POST keno/tournaments/entries/<>/pay/": "POST keno/tournament-entries/<>/pay",
    "POST keno/tournaments/entries/<>/authorise-refund/": "POST keno/tournament-entries/<>/authorise-refund",
    "POST keno/tournaments/entries/<>/refund/": "POST keno/tournament-entries/<>/refund",
    "GET promo/new/": "POST promotions",
    "POST promo/checklist/": "POST promotions",
    "POST promo/prizes/": "POST promotions",
    "GET promo/enter/": "POST promotions/<>/entries",
    "GET promo/excluded/": "GET promotions/excluded-cards",
    "GET promo/excluded/new/": "POST promotions/excluded-cards",
    "POST promo/excluded/<>/readmit/": "POST promotions/excluded-cards/<>/readmit",
    "GET promo/personal/": "GET promotions/<>/people",
    "GET promo/<>/personal/": "GET promotions/<>/people",
    "GET promo/imports/<>/live/": "GET promotions/imports/<>",
    "GET promo/winners/<>/": "GET promotions/winners/<>/notifications",
    "POST promo/winners/<>/notify/": "POST promotions/winners/<>/notifications",
    "GET promo/claims/<>/": "GET promotions/claims",
    "GET promo/tournaments/": "GET tournaments/<>/entries",
    "GET promo/tournaments/<>/": "GET tournaments/<>/entries",
    "GET promo/tournaments/propose/": "kind:promotions.tournament",
    "POST promo/tournaments/<>/enter/": "POST tournaments/<>/entries",
    "POST promo/tournaments/<>/score/": "POST tournaments/<>/scores",
    "POST promo/tournaments/<>/finish/": "POST tournaments/<>/finish",
    "POST promo/tournaments/<>/cancel/": "POST tournaments/<>/cancel",
    "POST promo/tournaments/entries/<>/authorise/": "POST tournament-entries/<>/authorise-payment",
    "POST promo/tournaments/<>/seats/": "POST tournaments/<>/seats",
    "POST promo/tournaments/entries/<>/rebuy/": "POST tournament-entries/<>/rebuys",
    "POST promo/tournaments/entries/<>/authorise-refund/": "POST tournament-entries/<>/authorise-refund",
    "POST promo/tournaments/entries/<>/refund/": "POST tournament-entries/<>/refund",
    "POST promo/tournaments/entries/<>/pay/": "POST tournament-entries/<>/pay",
    "GET promo/<>/terms/": "POST promotions/<>/edit",
    "GET promo/<>/amend/": "POST promotions/<>/amend",
    "GET promo/<>/import/": "POST promotions/<>/imports",
    "GET promo/<>/claim/": "POST promotions/<>/claims",
    "GET promo/<>/room/": "GET promotions/<>/draw",
    "GET promo/<>/room/live/": "GET promotions/<>/draw",
    "POST promo/<>/room/draw/": "POST promotions/<>/draw",
    "POST promo/<>/room/nominate/": "POST promotions/<>/scrutineer",
    "POST promo/<>/room/scrutineer/attend/": "POST promotions/<>/scrutineer/attend",
    "POST promo/<>/room/scrutineer/sign/": "POST promotions/<>/scrutineer/sign",
    "POST promo/<>/room/integrity/postpone/": "POST promotions/<>/integrity/postpone",
    "POST promo/<>/room/integrity/resume/": "POST promotions/<>/integrity/resume",
    "POST promo/<>/room/integrity/cancel/": "POST promotions/<>/integrity/cancel",
    "POST promo/<>/room/integrity/dispute/": "POST promotions/<>/disputes",
    "POST promo/<>/room/void/": "POST promotions/<>/integrity/void",
    "POST promo/<>/room/dice/": "POST promotions/<>/draw/dice",
    "POST promo/winners/<>/loss/ineligible/": "POST promotions/winners/<>/ineligible",
    "POST promo/winners/<>/loss/unclaimed/": "POST promotions/winners/<>/unclaimed",
    "GET tables/settle/": "POST tablegames/settle",
    "GET tables/poker/": "POST tablegames/poker/showdown",
    "GET tables/errors/": "GET tablegames/payment-errors",
    "GET tables/errors/<>/": "GET tablegames/payment-errors/<>",
    "POST tables/errors/<>/intent/": "POST tablegames/payment-errors/<>/intent",
    "POST tables/errors/<>/step/": "POST tablegames/payment-errors/<>/steps",
    "POST tables/errors/<>/rectify/": "POST tablegames/payment-errors/<>/rectify",
    "POST tables/errors/<>/close/": "POST tablegames/payment-errors/<>/close",
    "GET tables/reports/": "GET tablegames/reports/checks",
    "GET audit/": "GET audit/acts/",
    "GET audit/rows/<>/": "GET audit/rows/<>/proof",
}
# Pages that no call does the same as, by how their address begins, and why.
ALONE: Final = {
    "GET /": "the console's own frame",
    "GET waiting/": "the console's own frame",
    "GET live/": "the console's own frame",
    "GET status/": "the console's own frame",
    "GET stay/": "the console's own frame",
    "GET search/": "finds only what the asker may open",
    "GET rules/": "the gazetted text",
    "GET password/": "one's own",
    "GET own/devices/": "one's own",
    "GET staff/": "people are looked after at the console only",
    "POST staff/": "people are looked after at the console only",
    "GET devices/register/": "a machine is registered where somebody stands before it",
    "POST devices/<>/provision/": "its code is read to the machine from the console",
    "POST venue/close-early/": "at the console only",
    "GET terminal/": "made of the calls that its keys send, each with its own power",
    "GET keno/": "the control room: made of calls, each with its own power",
    "GET keno/live/": "the control room",
    "GET keno/unclaimed/": "a list of what is owing; no terminal needs it",
    "GET keno/schedules/<>/simulation/": "a simulation is watched, not called",
    "POST keno/simulations/": "a simulation is watched, not called",
    "POST promo/<>/room/practise/": "leaves nothing on record",
    "POST promo/<>/room/on-the-spot/": "the scrutineer signs in at the operator's screen",
    "GET audit/exports/": "files are made and taken away at the console",
    "POST audit/exports/": "files are made and taken away at the console",
}


def plain(method: str, route: str) -> str:
    """Without the names of its gaps."""
    return f"{method} {re.sub(r'<[a-z]+>', '<>', route) or '/'}"


def call_of(page: str, calls: set[str]) -> str | None:
    """The call that goes with a page, both as ``plain`` writes them."""
    if page in PAIRED:
        return PAIRED[page]
    method, _, route = page.partition(" ")
    same = f"{method} {same_room(route)}"
    return next((each for each in (same, same.rstrip("/")) if each in calls), None)


def stands_alone(page: str) -> bool:
    return any(page == begins or (begins not in ("GET /", "GET keno/") and page.startswith(begins)) for begins in ALONE)


def as_call(route: str) -> str:
    return route.removeprefix(API)
