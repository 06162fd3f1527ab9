"""Every address of the console: who may open it, who may act at it, and something behind each number in it."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from house.actors import Actor
from house.approvals import approve, propose
from house.devices import register_device
from house.incidents import report_incident
from house.players.cards import register_player
from jackpot.demo import build_demo as build_links
from jackpot.finish_round import finish_round
from jackpot.hits import verify_hit
from jackpot.models import Hit
from jackpot.reports import REPORTS as JACKPOT_REPORTS
from jackpot.rules.payouts import Dealt
from jackpot.start_round import Offer, start_round
from keno import approved
from keno.approved import put_in_force
from keno.demo import build_demo as build_keno
from keno.entries import TicketRequest
from keno.sell import sell_ticket
from keno.shifts import open_shift
from keno.tender import EXACT_CASH
from ledger.money import Money
from promotions.claims import deny_claim, make_claim
from promotions.draft import draft_promotion
from promotions.imports import begin_import
from promotions.models import Submission, Win
from tests.console.people import ROLES, actor
from tests.promotions.draws_world import drawn
from tests.promotions.promos import running

# Page → the roles that may open it; everybody else gets 403. Written from the brief, not from the code.
ALL = set(ROLES)
OFFICE = {"supervisor", "manager", "inspector", "administrator", "auditor"}
KENO = {"writer", "supervisor", "manager", "inspector", "auditor"}
FLOOR = {"supervisor", "manager"}
PROMO = FLOOR | {"inspector", "auditor"}
STEPS = ("close", "draw", "count", "balls", "fall-back", "stoppage", "void")
PAGES = {
    "/": ALL,
    "/rules/": ALL,
    "/roles/": ALL,
    "/venue/": ALL,
    "/search/?q=keno": ALL,
    "/password/": ALL,
    "/waiting/": ALL,
    "/status/": ALL,
    "/live/": ALL,
    "/stay/": ALL,
    "/terminal/keno": {"writer"},
    "/terminal/keno/now/": {"writer"},
    "/terminal/table": {"dealer", "supervisor"},
    "/terminal/table?table=CSP-01": {"dealer", "supervisor"},
    "/terminal/table/CSP-01/now/": {"dealer", "supervisor"},
    "/keno/": KENO,
    "/keno/live/": KENO,
    "/keno/games/": KENO,
    "/keno/games/?format=csv": KENO,
    "/keno/games/1/": KENO,
    "/keno/tickets/": KENO,
    "/keno/tickets/?format=csv": KENO,
    "/keno/tickets/SERIAL/": KENO,
    "/keno/scanned/?code=keno:SERIAL:X:1-1": KENO,
    "/keno/orders/": KENO,
    "/keno/orders/?format=csv": KENO,
    "/keno/orders/take/": {"writer", "supervisor"},
    "/keno/shifts/": KENO,
    "/keno/shifts/?format=csv": KENO,
    "/keno/shifts/77/": KENO,
    "/keno/claims/": KENO,
    "/keno/claims/?format=csv": KENO,
    "/keno/claims/new/": {"writer", "supervisor", "manager"},
    "/keno/threshold-reports/": KENO - {"writer"},
    "/keno/unclaimed/": KENO,
    "/keno/unclaimed/?format=csv": KENO,
    "/keno/schedules/": KENO,
    "/keno/schedules/special-3/": KENO,
    "/keno/what-if/": KENO,
    "/keno/catalogue/set-bet/": KENO,
    "/keno/catalogue/bonus/": KENO,
    "/keno/catalogue/tournament/": KENO,
    "/keno/catalogue/amount/": KENO,
    "/keno/catalogue/set-bet/propose/": {"supervisor", "manager", "administrator"},
    "/keno/catalogue/set-bet/KINGS/propose/": {"supervisor", "manager", "administrator"},
    "/keno/schedules/standard/simulation/": KENO - {"writer"},
    "/keno/schedules/standard/simulation/live/": KENO - {"writer"},
    "/keno/tournaments/": KENO,
    "/keno/tournaments/?format=csv": KENO,
    "/keno/tournaments/CUP/": KENO,
    "/keno/tournaments/CUP/?format=csv": KENO,
    "/keno/reports/": KENO - {"writer"},
    "/keno/reports/liability/": KENO - {"writer"},
    "/keno/reports/days/?format=csv": KENO - {"writer"},
    "/keno/reports/days/?format=pdf": KENO - {"writer"},
    "/approvals/": OFFICE,
    "/approvals/history/": OFFICE,
    "/approvals/?format=csv": OFFICE,
    "/approvals/propose/opening-hours/": {"supervisor", "manager", "administrator"},
    "/approvals/propose/player-protection/": {"supervisor", "manager", "administrator"},
    "/approvals/propose/look/": {"supervisor", "manager", "administrator"},
    "/roles/writer/propose/": {"administrator"},
    "/incidents/": OFFICE,
    "/incidents/?format=csv": OFFICE,
    "/incidents/1/": OFFICE,
    "/incidents/report/": ALL - {"auditor"},
    "/tables/settle/": {"supervisor", "manager"},
    "/tables/errors/": OFFICE,
    "/tables/reports/": OFFICE,
    **{f"/tables/reports/{name}/": OFFICE for name in ("payment-errors", "month-end", "checks")},
    "/tables/reports/checks/?format=csv": OFFICE,
    "/devices/": OFFICE,
    "/devices/?format=csv": OFFICE,
    "/devices/W-0001/": OFFICE,
    "/devices/register/": {"manager", "administrator"},
    "/jackpots/": ALL,
    "/jackpots/meters/": ALL,
    "/jackpots/CSP/": ALL,
    "/jackpots/CSP/meter/": ALL,
    "/jackpots/rounds/": ALL,
    "/jackpots/rounds/?format=csv": ALL,
    "/jackpots/hits/": ALL,
    "/jackpots/reports/": OFFICE,
    **{f"/jackpots/reports/{name}/": OFFICE for name in JACKPOT_REPORTS},
    "/jackpots/reports/expected/?format=pdf": OFFICE,
    "/jackpots/reports/hours/?format=csv": OFFICE,
    "/jackpots/hits/?format=csv": ALL,
    "/jackpots/hits/1/": ALL,
    "/jackpots/hits/1/slip/": ALL,
    "/jackpots/CSP/propose/terms/": FLOOR | {"administrator"},
    "/jackpots/CSP/propose/adjustment/": FLOOR | {"administrator"},
    "/jackpots/CSP/propose/retirement/": FLOOR | {"administrator"},
    "/promo/": PROMO,
    "/promo/?format=csv": PROMO,
    "/promo/new/": FLOOR,
    "/promo/enter/": {"writer", "dealer", "supervisor", "manager"},
    "/promo/submissions/1/paper/": PROMO,
    "/promo/imports/1/": PROMO,
    "/promo/imports/1/live/": PROMO,
    "/promo/winners/": PROMO,
    "/promo/winners/?format=csv": PROMO,
    "/promo/winners/1/": PROMO,
    "/promo/claims/": PROMO,
    "/promo/claims/?format=csv": PROMO,
    "/promo/claims/1/": PROMO,
    "/promo/claims/1/letter/": {"manager", "inspector"},
    "/promo/reports/": PROMO,
    **{f"/promo/reports/{name}/": PROMO for name in ("register", "submissions", "winners", "overdue-notifications")},
    "/promo/reports/denied-claims/": {"manager", "inspector"},
    "/promo/reports/register/?format=csv": PROMO,
    "/promo/reports/register/?format=pdf": PROMO,
    "/promo/tournaments/": PROMO | {"writer"},
    "/promo/tournaments/?format=csv": PROMO | {"writer"},
    "/promo/tournaments/propose/": {"supervisor", "manager", "administrator"},
    "/promo/tournaments/POKER/": PROMO | {"writer"},
    "/promo/excluded/": {"manager", "inspector"},
    "/promo/excluded/?format=csv": {"manager", "inspector"},
    "/promo/excluded/new/": {"manager"},
    "/promo/personal/": {"manager", "inspector"},
    "/promo/personal/?format=csv": {"manager", "inspector"},
    "/promo/SPRING/personal/": {"manager", "inspector"},
    "/promo/SPRING/": PROMO,
    "/promo/SPRING/versions/": PROMO,
    "/promo/DRAFT/terms/": FLOOR,
    "/promo/RUNNING/amend/": {"manager"},
    "/promo/SPRING/entries/": PROMO,
    "/promo/SPRING/entries/?format=csv": PROMO,
    "/promo/RUNNING/import/": FLOOR,
    "/promo/SPRING/claim/": FLOOR,
    "/promo/SPRING/room/": PROMO,
    "/promo/SPRING/room/live/": PROMO,
    "/players/": FLOOR | {"inspector", "auditor"},
    "/players/?format=csv": FLOOR | {"inspector", "auditor"},
    "/players/P-1/": FLOOR | {"inspector", "auditor"},
    "/players/register/": FLOOR,
    "/staff/": OFFICE - {"supervisor"},
    "/staff/?format=csv": OFFICE - {"supervisor"},
    "/staff/writer/": OFFICE - {"supervisor"},
    "/staff/hire/": {"administrator"},
    "/staff/writer/roles/": {"administrator"},
    "/audit/": OFFICE - {"supervisor"},
    "/audit/?format=csv": OFFICE - {"supervisor"},
    "/audit/seals/": OFFICE - {"supervisor"},
    "/audit/transfers/": OFFICE - {"supervisor"},
    "/audit/transfers/?format=csv": OFFICE - {"supervisor"},
    "/audit/exports/": OFFICE - {"supervisor"},
    "/audit/exports/live/": OFFICE - {"supervisor"},
}
# What is done, never looked at → the roles that may do it.
ACTS = {
    **{
        f"/keno/games/1/{step}/": FLOOR for step in ("close", "draw", "count", "balls", "fall-back", "stoppage", "void")
    },
    "/keno/games/1/invalidate/": FLOOR,
    "/keno/device/": FLOOR,
    "/keno/tickets/SERIAL/cancel/": {"writer", "supervisor"},
    "/keno/tickets/SERIAL/pay/": {"writer"},
    "/keno/tickets/SERIAL/authorise/": FLOOR,
    "/keno/tickets/SERIAL/reprint/": FLOOR,
    "/keno/tickets/SERIAL/void/": {"manager"},
    "/keno/orders/1/issue/": {"writer"},
    "/keno/orders/1/withdraw/": {"writer", "supervisor"},
    "/keno/shifts/77/close/": {"writer", "manager"},
    "/keno/shifts/77/cash/drop/": FLOOR,
    "/keno/claims/1/pay/": FLOOR,
    "/keno/threshold-reports/1/reported/": {"manager"},
    "/keno/catalogue/set-bet/KINGS/withdraw/": {"supervisor", "manager", "administrator"},
    "/keno/simulations/1/cancel/": KENO - {"writer"},
    "/keno/tournaments/X/finish/": FLOOR,
    "/keno/tournaments/CUP/enter/": {"writer"},
    "/keno/tournaments/entries/1/authorise/": FLOOR,
    "/keno/tournaments/entries/1/pay/": {"writer"},
    "/approvals/1/approve/": OFFICE,  # who may decide depends on the kind: see test_approvals
    "/incidents/1/close/": {"supervisor", "manager"},
    "/incidents/notices/1/": {"supervisor", "manager"},
    "/venue/close-early/": {"manager"},
    "/devices/W-0001/provision/": {"manager", "administrator"},
    "/devices/W-0001/roll/": {"manager", "administrator"},
    "/devices/W-0001/revoke/": {"manager", "administrator"},
    "/jackpots/hits/1/verify/": FLOOR,
    "/jackpots/hits/1/pay/": {"manager"},
    "/jackpots/hits/1/deny/": FLOOR,
    "/jackpots/CSP/tables/CSP-01/suspend/": FLOOR,
    "/promo/checklist/": FLOOR,
    "/promo/prizes/": FLOOR,
    "/promo/imports/1/cancel/": FLOOR,
    "/promo/winners/1/notify/": FLOOR,
    "/promo/winners/1/claim/": FLOOR,
    "/promo/winners/1/decline/": FLOOR,
    "/promo/winners/1/call/": FLOOR,
    "/promo/claims/1/accept/": {"manager"},
    "/promo/claims/1/deny/": {"manager"},
    "/promo/claims/1/told/": FLOOR,
    "/promo/claims/1/pay/": FLOOR,
    "/promo/tournaments/entries/1/pay/": FLOOR,
    "/promo/tournaments/POKER/enter/": FLOOR | {"writer"},
    "/promo/tournaments/POKER/finish/": FLOOR,
    **{f"/promo/SPRING/{step}/": {"manager"} for step in ("submit", "start", "close", "seal", "give-up", "export")},
    "/promo/SPRING/erase/": {"manager"},
    "/promo/excluded/1/readmit/": {"manager"},
    "/promo/SPRING/redraft/": FLOOR,
    "/promo/SPRING/entries/1/withdraw/": {"manager"},
    "/promo/SPRING/room/draw/": FLOOR,
    "/promo/SPRING/room/nominate/": FLOOR,
    "/promo/SPRING/room/practise/": FLOOR,
    "/promo/SPRING/room/scrutineer/attend/": PROMO,
    "/promo/SPRING/room/on-the-spot/sign/": FLOOR,
    "/promo/SPRING/room/integrity/postpone/": {"manager"},
    "/players/P-1/cards/": FLOOR,
    "/players/P-1/cards/C-1/cancel/": FLOOR,
    "/players/P-1/limits/": FLOOR | {"writer"},
    "/players/P-1/restrictions/": FLOOR,
    "/players/P-1/restrictions/1/lift/": FLOOR,
    "/staff/writer/unlock/": {"administrator"},
    "/staff/writer/reset-second-step/": {"administrator"},
    "/staff/writer/reset-password/": {"administrator"},
    "/staff/writer/deactivate/": {"administrator"},
    "/audit/exports/begin/": OFFICE - {"supervisor"},
    "/audit/exports/1/verify/": OFFICE - {"supervisor"},
    "/audit/exports/1/cancel/": OFFICE - {"supervisor"},
}
POLLED = {"/waiting/", "/status/", "/live/", "/stay/", "/terminal/keno/now/", "/keno/live/"}
POLLED |= {"/audit/exports/live/", "/terminal/table/CSP-01/now/", "/jackpots/meters/", "/jackpots/CSP/meter/"}
POLLED |= {"/promo/imports/1/live/", "/promo/SPRING/room/live/"}
POLLED |= {"/keno/schedules/standard/simulation/live/"}
# The audience's screen: whoever has the address the desk has signed.
STAGE = {"/promotions/stage/SPRING/TOKEN/", "/promotions/stage/SPRING/TOKEN/live/"}
DOOR = {"/sign-in/", "/sign-in/second-step/", "/sign-in/enrol/", "/sign-out/"}
# Where something is begun: the inspector has no business there. Everything else is open to him.
DOING = (
    *("/terminal/", "/propose/", "/devices/register/", "/players/register/", "/hire/", "/claims/new/"),
    *("/staff/writer/roles/", "/tables/settle/", "/promo/new/", "/promo/enter/", "/promo/DRAFT/terms/"),
    *("/amend/", "/import/", "/SPRING/claim/"),
    *("/promo/excluded/new/", "/orders/take/"),
)


def verified_hit() -> Hit:
    """A royal flush at CSP-01, seen by a supervisor."""
    table = Actor(identity="device:T-1", name="T-1", permissions=frozenset({"jackpot.play"}))
    started = start_round(table="CSP-01", wagers=[Offer(box=2)], by=table)
    royal = Dealt(box=2, cards=["AS", "KS", "QS", "JS", "TS"])
    (hit,) = finish_round(round_id=started.pk, hands=[royal], by=table)
    return verify_hit(hit_id=hit.pk, cards=royal.cards, surveillance="CAM-12 21:04", by=actor("supervisor"))


def promoted() -> dict[str, str]:
    """A drawn promotion with a denied claim, one that runs with a file, a draft, and a tournament."""
    draft_promotion(code="DRAFT", edition_code="2025", title="Not yet", by=actor("manager"))
    running("RUNNING")
    made = begin_import(code="RUNNING", name="x.csv", lines=["reference,card\n", "R-1,C-R\n"], by=actor("manager"))
    drawn()
    win = Win.objects.get()
    claim = make_claim(win_id=win.pk, name="Ben Ng", address="2 Hill Road", by=actor("supervisor"))
    deny_claim(claim_id=claim.pk, reasons="An employee.", forfeit=False, by=actor("manager"))
    closes = (timezone.now() + timedelta(days=2)).isoformat()
    new = {"name": "Poker night", "game": "Lunar Poker", "entry_fee": "50.00", "retained": 1000, "prizes": [10000],
           "play": "Chips.", "closes_at": closes}  # fmt: skip
    proposal = propose(
        kind="promotions.tournament", subject="tournament:POKER", new=new, why="Winter.", by=actor("supervisor")
    )
    approve(proposal_id=proposal.pk, by=actor("manager"))
    paper = Submission.objects.filter(promotion__code="SPRING").latest("id")
    return {
        "/imports/1/": f"/imports/{made.pk}/",
        "/winners/1/": f"/winners/{win.pk}/",
        "/claims/1/": f"/claims/{claim.pk}/",
        "/submissions/1/": f"/submissions/{paper.pk}/",
    }


CUP = {"name": "Spring cup", "entry_fee": "50.00", "retained": 1000, "prizes": [10000], "spots": 3, "stake": "1.00",
       "schedule": "standard", "first_game": 900, "last_game": 901}  # fmt: skip


def stock() -> dict[str, str]:
    """Something behind every number in the addresses above; the answer says what it is called here."""
    device = register_device(name="Keno counter", kind="writer-terminal", by=actor("manager"))
    incident = report_incident(kind="equipment-malfunction", what="Reader stuck.", by=actor("supervisor"))
    notice = incident.notices.get()
    build_links()
    player = register_player(name="Pat Morgan", card="C-1", by=actor("supervisor"))
    build_keno()
    put_in_force(approved.TOURNAMENT, "CUP", CUP, by=actor("manager"))
    shift = open_shift(by=actor("writer"), opening_float=Money.dollars(500))
    request = TicketRequest(numbers=[1, 2, 3], stake=Money.dollars(1))
    ticket = sell_ticket(request=request, tender=EXACT_CASH, by=actor("writer")).ticket
    return promoted() | {
        "SERIAL": ticket.serial,
        "P-1": player.number,
        "/hits/1/": f"/hits/{verified_hit().pk}/",
        "/shifts/77/": f"/shifts/{shift.pk}/",
        "W-0001": device.code,
        "/incidents/1/": f"/incidents/{incident.pk}/",
        "notices/1/": f"notices/{notice.pk}/",
    }


def address(path: str, stocked: dict[str, str]) -> str:
    for name, real in stocked.items():
        path = path.replace(name, real)
    return path
