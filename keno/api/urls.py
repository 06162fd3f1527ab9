"""Keno's calls, under ``/api/v1/``."""

from __future__ import annotations

from django.urls import include, path

from keno.api import (
    arithmetic,
    claims,
    counter,
    games,
    orders,
    payments,
    receipts,
    reports,
    rules,
    threshold_reports,
    tickets,
    tournaments,
)

_CALLS = [
    # What is called most is looked for first.
    path("tickets", tickets.Tickets.as_view(), name="keno-tickets"),
    path("tickets/<str:serial>", tickets.OneTicket.as_view(), name="keno-ticket"),
    path("tickets/<str:serial>/look-up", tickets.LookUp.as_view(), name="keno-ticket-look-up"),
    path("tickets/<str:serial>/cancel", tickets.Cancel.as_view(), name="keno-ticket-cancel"),
    path("tickets/<str:serial>/pay", payments.Pay.as_view(), name="keno-ticket-pay"),
    path("tickets/<str:serial>/authorise-payment", payments.Authorise.as_view(), name="keno-ticket-authorise"),
    path("tickets/<str:serial>/void", tickets.VoidWagers.as_view(), name="keno-ticket-void"),
    path("tickets/<str:serial>/print", receipts.Print.as_view(), name="keno-ticket-print"),
    path("tickets/<str:serial>/reprint", receipts.Reprint.as_view(), name="keno-ticket-reprint"),
    path("tickets/<str:serial>/replay", receipts.Replay.as_view(), name="keno-ticket-replay"),
    path("quote", arithmetic.Quote.as_view(), name="keno-quote"),
    path("evaluate", arithmetic.Evaluate.as_view(), name="keno-evaluate"),
    path("mathematics", arithmetic.Mathematics.as_view(), name="keno-mathematics"),
    path("games", games.Games.as_view(), name="keno-games"),
    path("games/current", games.Current.as_view(), name="keno-game-current"),
    path("games/<int:number>", games.OneGame.as_view(), name="keno-game"),
    path("games/<int:number>/close", games.Close.as_view(), name="keno-game-close"),
    path("games/<int:number>/draw", games.Draw.as_view(), name="keno-game-draw"),
    path("games/<int:number>/count", games.Count.as_view(), name="keno-game-count"),
    path("games/<int:number>/balls", games.Balls.as_view(), name="keno-game-balls"),
    path("games/<int:number>/fall-back", games.FallBack.as_view(), name="keno-game-fall-back"),
    path("games/<int:number>/stoppage", games.Stoppage.as_view(), name="keno-game-stoppage"),
    path("games/<int:number>/void", games.Void.as_view(), name="keno-game-void"),
    path("games/<int:number>/invalidate", games.Invalidate.as_view(), name="keno-game-invalidate"),
    path("games/<int:number>/proof", games.Proof.as_view(), name="keno-game-proof"),
    path("games/<int:number>/entry-proof", games.EntryProof.as_view(), name="keno-game-entry-proof"),
    path("device", games.ChooseDevice.as_view(), name="keno-device"),
    path("payments", payments.Payments.as_view(), name="keno-payments"),
    path("orders", orders.Orders.as_view(), name="keno-orders"),
    path("orders/<int:id>", orders.OneOrder.as_view(), name="keno-order"),
    path("orders/<int:id>/issue", orders.Issue.as_view(), name="keno-order-issue"),
    path("orders/<int:id>/withdraw", orders.Withdraw.as_view(), name="keno-order-withdraw"),
    path("claims", claims.Claims.as_view(), name="keno-claims"),
    path("claims/<int:id>/pay", claims.PayClaim.as_view(), name="keno-claim-pay"),
    path("threshold-reports", threshold_reports.ThresholdReports.as_view(), name="keno-threshold-reports"),
    path("threshold-reports/<int:id>/reported", threshold_reports.Reported.as_view(), name="keno-threshold-reported"),
    path("shifts", counter.Shifts.as_view(), name="keno-shifts"),
    path("shifts/current", counter.CurrentShift.as_view(), name="keno-shift-current"),
    path("shifts/<int:id>", counter.OneShift.as_view(), name="keno-shift"),
    path("shifts/<int:id>/close", counter.CloseShift.as_view(), name="keno-shift-close"),
    path("shifts/<int:id>/drop", counter.Drop.as_view(), name="keno-shift-drop"),
    path("shifts/<int:id>/fill", counter.Fill.as_view(), name="keno-shift-fill"),
    path("vouchers/<str:code>", counter.OneVoucher.as_view(), name="keno-voucher"),
    path("vouchers/<str:code>/redeem", counter.Redeem.as_view(), name="keno-voucher-redeem"),
    path("vouchers/<str:code>/authorise-payment", counter.AuthoriseRedemption.as_view(), name="keno-voucher-authorise"),
    path("reports", reports.Reports.as_view(), name="keno-reports"),
    path("reports/<str:name>", reports.OneReport.as_view(), name="keno-report"),
    path("tournaments/<str:code>/entries", tournaments.Entries.as_view(), name="keno-tournament-entries"),
    path("tournaments/<str:code>/finish", tournaments.Finish.as_view(), name="keno-tournament-finish"),
    path(
        "tournament-entries/<int:id>/authorise-payment",
        tournaments.AuthorisePrize.as_view(),
        name="keno-tournament-authorise",
    ),
    path("tournament-entries/<int:id>/pay", tournaments.PayPrize.as_view(), name="keno-tournament-pay"),
    path("rules", rules.Rules.as_view(), name="keno-rules"),
    path("set-bets", counter.SetBets.as_view(), name="keno-set-bets"),
]

# One prefix for all: another room's call is past them by one look.
urlpatterns = [path("keno/", include(_CALLS))]
