"""The pages of table games, under ``/tables/``."""

from __future__ import annotations

from django.urls import path

from console.views import table_reports, tablegames

urlpatterns = [
    path("settle/", tablegames.settle, name="tables-settle"),
    path("checks/<int:number>/", tablegames.check, name="tables-check"),
    path("errors/", tablegames.errors, name="tables-errors"),
    path("errors/<int:number>/", tablegames.error, name="tables-error"),
    path("errors/<int:number>/intent/", tablegames.decide, name="tables-error-intent"),
    path("errors/<int:number>/step/", tablegames.step, name="tables-error-step"),
    path("errors/<int:number>/rectify/", tablegames.rectify, name="tables-error-rectify"),
    path("errors/<int:number>/close/", tablegames.close, name="tables-error-close"),
    path("reports/", table_reports.report, name="tables-reports"),
    path("reports/<slug:name>/", table_reports.report, name="tables-report"),
]
