"""Keno's calls, under ``/api/v1/``."""

from __future__ import annotations

from django.urls import path

from keno.api import arithmetic, counter, games, tickets

urlpatterns = [
    path("keno/quote", arithmetic.Quote.as_view(), name="keno-quote"),
    path("keno/evaluate", arithmetic.Evaluate.as_view(), name="keno-evaluate"),
    path("keno/mathematics", arithmetic.Mathematics.as_view(), name="keno-mathematics"),
    path("keno/games", games.Games.as_view(), name="keno-games"),
    path("keno/games/current", games.Current.as_view(), name="keno-game-current"),
    path("keno/games/<int:number>", games.OneGame.as_view(), name="keno-game"),
    path("keno/games/<int:number>/close", games.Close.as_view(), name="keno-game-close"),
    path("keno/games/<int:number>/draw", games.Draw.as_view(), name="keno-game-draw"),
    path("keno/games/<int:number>/count", games.Count.as_view(), name="keno-game-count"),
    path("keno/games/<int:number>/balls", games.Balls.as_view(), name="keno-game-balls"),
    path("keno/games/<int:number>/fall-back", games.FallBack.as_view(), name="keno-game-fall-back"),
    path("keno/games/<int:number>/stoppage", games.Stoppage.as_view(), name="keno-game-stoppage"),
    path("keno/games/<int:number>/void", games.Void.as_view(), name="keno-game-void"),
    path("keno/games/<int:number>/invalidate", games.Invalidate.as_view(), name="keno-game-invalidate"),
    path("keno/games/<int:number>/proof", games.Proof.as_view(), name="keno-game-proof"),
    path("keno/games/<int:number>/entry-proof", games.EntryProof.as_view(), name="keno-game-entry-proof"),
    path("keno/device", games.ChooseDevice.as_view(), name="keno-device"),
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
