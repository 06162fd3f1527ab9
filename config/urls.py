"""Addresses: the calls, the pages and the public addresses that the rooms offer (``kernel.rooms``)."""

from __future__ import annotations

from importlib import import_module

from django.urls import URLPattern, URLResolver, include, path

from config import health
from kernel.rooms import ApiRoutes, PageRoutes, PublicRoutes, offered

# Staff's pages share one name space, so that a page names another without knowing whose it is.
pages = [path("", include(routes.module)) for routes in offered(PageRoutes)]

# All rooms' calls side by side: a list within a list for each room would be gone through by every call.
calls = [call for routes in offered(ApiRoutes) for call in import_module(routes.module).urlpatterns]

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("api/v1/", include(calls)),
    *(path("", include(routes.module)) for routes in offered(PublicRoutes)),
    path("", include((pages, "console"))),
]

handler400 = "console.views.problems.bad_request"
handler403 = "console.views.problems.not_allowed"
handler404 = "console.views.problems.not_found"
handler500 = "console.views.problems.server_error"
