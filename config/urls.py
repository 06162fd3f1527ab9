"""Addresses: the calls, the pages and the public addresses that the rooms offer (``kernel.rooms``)."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from config import checks, health  # noqa: F401  Django finds its checks by their being imported
from kernel.rooms import ApiRoutes, PageRoutes, PublicRoutes, offered

# Staff's pages share one name space, so that a page names another without knowing whose it is.
pages = [path("", include(routes.module)) for routes in offered(PageRoutes)]

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    *(path("api/v1/", include(routes.module)) for routes in offered(ApiRoutes)),
    *(path("", include(routes.module)) for routes in offered(PublicRoutes)),
    path("", include((pages, "console"))),
]

handler400 = "console.views.problems.bad_request"
handler403 = "console.views.problems.not_allowed"
handler404 = "console.views.problems.not_found"
handler500 = "console.views.problems.server_error"
