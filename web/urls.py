"""The API's own pages: what it is, for programs and for people; and the site of documents, where it was built."""

from __future__ import annotations

from django.urls import path

from web import docs, site
from web.languages import scripts

urlpatterns = [
    path("api/schema/", docs.schema, name="api-schema"),
    path("api/docs/", docs.docs, name="api-docs"),
    path("api/docs/problems", docs.problems, name="api-problems"),
    path("said/<str:language>.js", scripts.said, name="said"),
    path("docs/", site.document, name="documents"),
    path("docs/<path:path>", site.document, name="document"),
]
