from __future__ import annotations

from django.urls import path

from draws.pages import reports, views

urlpatterns = [
    path("draws/", views.overview, name="draws"),
    path("draws/questions/<int:number>/", views.question, name="draws-question"),
    path("draws/promises/<int:number>/", views.master, name="draws-master"),
    path("draws/reports/", reports.report, name="draws-reports"),
    path("draws/reports/<slug:name>/", reports.report, name="draws-report"),
]
