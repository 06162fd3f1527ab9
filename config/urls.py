"""Addresses. A room has its pages in ``urls.py`` and its calls in ``api/urls.py``; having one is being reachable."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from config import health
from config.rooms import rooms_with

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    *(path("api/v1/", include(f"{room}.api.urls")) for room in rooms_with("api.urls")),
    *(path("", include(f"{room}.urls")) for room in rooms_with("urls")),
]

handler400 = "console.views.problems.bad_request"
handler403 = "console.views.problems.not_allowed"
handler404 = "console.views.problems.not_found"
handler500 = "console.views.problems.server_error"
