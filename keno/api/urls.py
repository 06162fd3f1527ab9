"""Keno's calls, under ``/api/v1/``."""

from __future__ import annotations

from django.urls import path

from keno.api import arithmetic, counter, tickets

urlpatterns = [
    path("keno/quote", arithmetic.Quote.as_view(), name="keno-quote"),
    path("keno/evaluate", arithmetic.Evaluate.as_view(), name="keno-evaluate"),
    path("keno/mathematics", arithmetic.Mathematics.as_view(), name="keno-mathematics"),
    path("keno/tickets", tickets.Tickets.as_view(), name="keno-tickets"),
    path("keno/tickets/<str:serial>", tickets.OneTicket.as_view(), name="keno-ticket"),
    path("keno/tickets/<str:serial>/cancel", tickets.Cancel.as_view(), name="keno-ticket-cancel"),
    path("keno/tickets/<str:serial>/pay", tickets.Pay.as_view(), name="keno-ticket-pay"),
    path("keno/tickets/<str:serial>/authorise-payment", tickets.Authorise.as_view(), name="keno-ticket-authorise"),
    path("keno/tickets/<str:serial>/void", tickets.VoidWagers.as_view(), name="keno-ticket-void"),
    path("keno/shifts", counter.Shifts.as_view(), name="keno-shifts"),
    path("keno/shifts/current", counter.CurrentShift.as_view(), name="keno-shift-current"),
    path("keno/shifts/<int:id>", counter.OneShift.as_view(), name="keno-shift"),
    path("keno/shifts/<int:id>/close", counter.CloseShift.as_view(), name="keno-shift-close"),
    path("keno/shifts/<int:id>/drop", counter.Drop.as_view(), name="keno-shift-drop"),
    path("keno/shifts/<int:id>/fill", counter.Fill.as_view(), name="keno-shift-fill"),
    path("keno/vouchers/<str:code>", counter.OneVoucher.as_view(), name="keno-voucher"),
    path("keno/vouchers/<str:code>/redeem", counter.Redeem.as_view(), name="keno-voucher-redeem"),
    path("keno/set-bets", counter.SetBets.as_view(), name="keno-set-bets"),
]
