"""The pages of table games, under ``/tables/``."""

from __future__ import annotations

from django.urls import path

from tablegames.pages import checks, poker_room, reports, signs

urlpatterns = [
    path("tables/settle/", checks.settle, name="tables-settle"),
    path("tables/poker/", poker_room.showdown, name="tables-poker"),
    path("tables/signs/", signs.signs, name="tables-signs"),
    path("tables/signs/<str:code>/", signs.one_sign, name="tables-sign"),
    path("tables/signs/<str:code>/limits/", signs.limits, name="tables-sign-limits"),
    path("tables/signs/<str:code>/closing/", signs.closing, name="tables-sign-closing"),
    path("tables/signs/<str:code>/close/", signs.close, name="tables-sign-close"),
    path("tables/signs/<str:code>/reopen/", signs.reopen, name="tables-sign-reopen"),
    path("tables/signs/<str:code>/notices/<int:number>/take-down/", signs.take_down, name="tables-sign-take-down"),
    path("tables/signs/<str:code>/seats/", signs.seat, name="tables-sign-seat"),
    path("tables/signs/<str:code>/seats/<int:number>/leave/", signs.leave, name="tables-sign-leave"),
    path("tables/signs/<str:code>/seats/<int:number>/time/", signs.time, name="tables-sign-time"),
    path("tables/signs/<str:code>/seats/<int:number>/limits/", signs.own_limits, name="tables-sign-own"),
    path("tables/signs/<str:code>/markers/<int:number>/remove/", signs.remove_marker, name="tables-sign-marker"),
    path("tables/checks/<int:number>/", checks.check, name="tables-check"),
    path("tables/errors/", checks.errors, name="tables-errors"),
    path("tables/errors/<int:number>/", checks.error, name="tables-error"),
    path("tables/errors/<int:number>/intent/", checks.decide, name="tables-error-intent"),
    path("tables/errors/<int:number>/step/", checks.step, name="tables-error-step"),
    path("tables/errors/<int:number>/rectify/", checks.rectify, name="tables-error-rectify"),
    path("tables/errors/<int:number>/close/", checks.close, name="tables-error-close"),
    path("tables/reports/", reports.report, name="tables-reports"),
    path("tables/reports/<slug:name>/", reports.report, name="tables-report"),
]
