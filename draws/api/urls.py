"""The calls about draws between two parties, under ``/api/v1/``."""

from __future__ import annotations

from django.urls import path

from draws.api import views

urlpatterns = [
    path("draws/waiting", views.Waiting.as_view(), name="draws-waiting"),
    path("draws/questions/<int:id>/dice", views.ThrowDice.as_view(), name="draws-dice"),
    path("draws/questions/<int:id>/round", views.NameRound.as_view(), name="draws-round"),
    path("draws/reports", views.Reports.as_view(), name="draws-reports"),
    path("draws/reports/<str:name>", views.OneReport.as_view(), name="draws-report"),
    path("draws/promises", views.Promises.as_view(), name="draws-promises"),
    path("draws/promises/<int:id>", views.OnePromise.as_view(), name="draws-promise"),
    path("draws/promises/<int:id>/master", views.GiveMasterBack.as_view(), name="draws-master"),
]
