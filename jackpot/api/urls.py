"""The calls about jackpots, under ``/api/v1/``."""

from __future__ import annotations

from django.urls import path

from jackpot.api import floor, mystery, reports, slips, views

urlpatterns = [
    path("jackpot/evaluate", views.Evaluate.as_view(), name="jackpot-evaluate"),
    path("jackpot/mathematics", views.Mathematics.as_view(), name="jackpot-mathematics"),
    path("jackpot/pools", views.Pools.as_view(), name="jackpot-pools"),
    path("jackpot/pools/<str:code>", views.OnePool.as_view(), name="jackpot-pool"),
    path("jackpot/pools/<str:code>/mystery", mystery.Triggers.as_view(), name="jackpot-mystery"),
    path("jackpot/pools/<str:code>/mystery/<int:number>", mystery.OneTrigger.as_view(), name="jackpot-mystery-one"),
    path("jackpot/pools/<str:code>/terms", floor.TermsVersions.as_view(), name="jackpot-terms"),
    path("jackpot/tables", floor.Tables.as_view(), name="jackpot-tables"),
    path("jackpot/tables/<str:code>/rounds", views.Rounds.as_view(), name="jackpot-rounds"),
    path("jackpot/tables/<str:code>/open", views.OpenTable.as_view(), name="jackpot-table-open"),
    path("jackpot/tables/<str:code>/close", views.CloseTable.as_view(), name="jackpot-table-close"),
    path("jackpot/tables/<str:code>/suspend", views.SuspendTable.as_view(), name="jackpot-table-suspend"),
    path("jackpot/tables/<str:code>/sign", views.Sign.as_view(), name="jackpot-table-sign"),
    path("jackpot/rounds/<int:id>", views.OneRound.as_view(), name="jackpot-round"),
    path("jackpot/rounds/<int:id>/finish", views.Finish.as_view(), name="jackpot-round-finish"),
    path("jackpot/rounds/<int:id>/void", views.Void.as_view(), name="jackpot-round-void"),
    path("jackpot/rounds/<int:id>/invalidate", views.Invalidate.as_view(), name="jackpot-round-invalidate"),
    path("jackpot/hits", views.Hits.as_view(), name="jackpot-hits"),
    path("jackpot/hits/<int:id>", views.OneHit.as_view(), name="jackpot-hit"),
    path("jackpot/hits/<int:id>/verify", views.Verify.as_view(), name="jackpot-hit-verify"),
    path("jackpot/hits/<int:id>/pay", views.Pay.as_view(), name="jackpot-hit-pay"),
    path("jackpot/hits/<int:id>/deny", views.Deny.as_view(), name="jackpot-hit-deny"),
    path("jackpot/hits/<int:id>/slip", slips.Slip.as_view(), name="jackpot-hit-slip"),
    path("jackpot/threshold-reports", slips.ThresholdReports.as_view(), name="jackpot-threshold-reports"),
    path("jackpot/threshold-reports/<int:id>/reported", slips.Reported.as_view(), name="jackpot-threshold-reported"),
    path("jackpot/reports", reports.Reports.as_view(), name="jackpot-reports"),
    path("jackpot/reports/<str:name>", reports.OneReport.as_view(), name="jackpot-report"),
    path("jackpot/contributions", views.Contributions.as_view(), name="jackpot-contributions"),
    path("jackpot/contributions/<int:id>/release", views.Release.as_view(), name="jackpot-contributions-release"),
    path("jackpot/contributions/<int:id>/reject", views.RejectHeld.as_view(), name="jackpot-contributions-reject"),
]
