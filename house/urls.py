"""Addresses of the house that are neither pages nor calls."""

from __future__ import annotations

from django.urls import path

from house.api import figures

urlpatterns = [path("metrics", figures.prometheus, name="metrics")]
