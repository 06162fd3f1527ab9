"""The calls about jackpots, under ``/api/v1/``."""

from __future__ import annotations

from django.urls import include, path

from jackpot.api import controllers, floor, handpay, must_hit_by, reports, slips, views

_CALLS = [
    path("evaluate", views.Evaluate.as_view(), name="jackpot-evaluate"),
    path("mathematics", views.Mathematics.as_view(), name="jackpot-mathematics"),
    path("pools", views.Pools.as_view(), name="jackpot-pools"),
    path("pools/<str:code>", views.OnePool.as_view(), name="jackpot-pool"),
    path("pools/<str:code>/mystery", must_hit_by.Movements.as_view(), name="jackpot-mystery"),
    path("pools/<str:code>/mystery/<int:number>", must_hit_by.OneMovement.as_view(), name="jackpot-mystery-one"),
    path("pools/<str:code>/mystery/<int:number>/dice", must_hit_by.Dice.as_view(), name="jackpot-mystery-dice"),
    path("pools/<str:code>/terms", floor.TermsVersions.as_view(), name="jackpot-terms"),
    path("tables", floor.Tables.as_view(), name="jackpot-tables"),
    path("tables/<str:code>/rounds", views.Rounds.as_view(), name="jackpot-rounds"),
    path("tables/<str:code>/open", views.OpenTable.as_view(), name="jackpot-table-open"),
    path("tables/<str:code>/close", views.CloseTable.as_view(), name="jackpot-table-close"),
    path("tables/<str:code>/heartbeat", controllers.Heartbeat.as_view(), name="jackpot-table-heartbeat"),
    path("tables/<str:code>/move", views.MoveTable.as_view(), name="jackpot-table-move"),
    path("tables/<str:code>/suspend", views.SuspendTable.as_view(), name="jackpot-table-suspend"),
    path("tables/<str:code>/sign", views.Sign.as_view(), name="jackpot-table-sign"),
    path("rounds/<int:id>", views.OneRound.as_view(), name="jackpot-round"),
    path("rounds/<int:id>/finish", views.Finish.as_view(), name="jackpot-round-finish"),
    path("rounds/<int:id>/void", views.Void.as_view(), name="jackpot-round-void"),
    path("rounds/<int:id>/invalidate", views.Invalidate.as_view(), name="jackpot-round-invalidate"),
    path("hits", views.Hits.as_view(), name="jackpot-hits"),
    path("hits/<int:id>", views.OneHit.as_view(), name="jackpot-hit"),
    path("hits/<int:id>/verify", views.Verify.as_view(), name="jackpot-hit-verify"),
    path("hits/<int:id>/pay", views.Pay.as_view(), name="jackpot-hit-pay"),
    path("hits/<int:id>/handpay", handpay.Handpay.as_view(), name="jackpot-hit-handpay"),
    path("hits/<int:id>/authorise", handpay.Authorise.as_view(), name="jackpot-hit-authorise"),
    path("instalments", handpay.Instalments.as_view(), name="jackpot-instalments"),
    path("instalments/<int:id>/pay", handpay.PayInstalment.as_view(), name="jackpot-instalment-pay"),
    path("hits/<int:id>/deny", views.Deny.as_view(), name="jackpot-hit-deny"),
    path("hits/<int:id>/slip", slips.Slip.as_view(), name="jackpot-hit-slip"),
    path("threshold-reports", slips.ThresholdReports.as_view(), name="jackpot-threshold-reports"),
    path("threshold-reports/<int:id>/reported", slips.Reported.as_view(), name="jackpot-threshold-reported"),
    path("reports", reports.Reports.as_view(), name="jackpot-reports"),
    path("reports/<str:name>", reports.OneReport.as_view(), name="jackpot-report"),
    path("meters", controllers.Meters.as_view(), name="jackpot-meters"),
    path("payouts", floor.Payouts.as_view(), name="jackpot-payouts"),
    path("payouts/<int:id>/pay", floor.PayPayout.as_view(), name="jackpot-payout-pay"),
    path("disagreements", controllers.Disagreements.as_view(), name="jackpot-disagreements"),
    path("contributions", views.Contributions.as_view(), name="jackpot-contributions"),
    path("contributions/<int:id>/release", views.Release.as_view(), name="jackpot-contributions-release"),
    path("contributions/<int:id>/reject", views.RejectHeld.as_view(), name="jackpot-contributions-reject"),
]

urlpatterns = [path("jackpot/", include(_CALLS))]
