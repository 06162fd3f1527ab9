"""The pages of table games, under ``/tables/``."""

from __future__ import annotations

from django.urls import path

from tablegames.pages import checks, poker_room, reports

urlpatterns = [
    path("tables/settle/", checks.settle, name="tables-settle"),
    path("tables/poker/", poker_room.showdown, name="tables-poker"),
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
