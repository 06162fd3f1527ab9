"""What a sale is measured against: a bare DRF view that does as many INSERTs, served by the same server."""

from __future__ import annotations

import os
from typing import Any

os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.bare_settings"

from django.core.wsgi import get_wsgi_application

application = get_wsgi_application()

from django.db import connection, transaction  # noqa: E402
from django.http import HttpResponse  # noqa: E402
from django.urls import path  # noqa: E402
from rest_framework import serializers  # noqa: E402
from rest_framework.parsers import JSONParser  # noqa: E402
from rest_framework.renderers import JSONRenderer  # noqa: E402
from rest_framework.request import Request  # noqa: E402
from rest_framework.response import Response  # noqa: E402
from rest_framework.views import APIView  # noqa: E402

# A sale's own: the request key, ticket, play, tender, transfer.
TABLES = tuple(f"bench_row_{name}" for name in ("key", "ticket", "play", "tender", "transfer"))


class SaleIn(serializers.Serializer[Any]):
    numbers = serializers.ListField(child=serializers.IntegerField())
    stake = serializers.DecimalField(max_digits=12, decimal_places=2)
    games = serializers.IntegerField()


class Sales(APIView):
    authentication_classes = ()
    permission_classes = ()
    parser_classes = (JSONParser,)
    renderer_classes = (JSONRenderer,)

    def post(self, request: Request) -> Response:
        form = SaleIn(data=request.data)
        form.is_valid(raise_exception=True)
        with transaction.atomic(), connection.cursor() as cursor:
            for table in TABLES:
                cursor.execute(
                    f"INSERT INTO {table} (at, day, name, what, amount) "  # names of our own
                    "VALUES (now(), current_date, %s, %s, %s) RETURNING id",
                    [request.headers.get("Idempotency-Key"), str(form.validated_data["numbers"]), 2_000_000],
                )
                number = cursor.fetchone()[0]
        return Response({"id": number, "numbers": form.validated_data["numbers"]}, status=201)


def healthz(request: Any) -> HttpResponse:
    return HttpResponse("ok")


urlpatterns = [path("healthz", healthz), path("api/v1/keno/tickets", Sales.as_view())]
