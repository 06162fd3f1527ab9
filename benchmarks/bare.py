"""What a sale is measured against: a bare DRF view that does as many INSERTs, served by the same server.

Twice: in SQL, as lean as it can be, and with Django's models, as it would usually be written.
"""

from __future__ import annotations

import os
from typing import Any

os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.bare_settings"

from django.core.wsgi import get_wsgi_application

application = get_wsgi_application()

from django.db import connection, models, transaction  # noqa: E402
from django.http import HttpResponse  # noqa: E402
from django.urls import path  # noqa: E402
from django.utils import timezone  # noqa: E402
from rest_framework import serializers  # noqa: E402
from rest_framework.parsers import JSONParser  # noqa: E402
from rest_framework.renderers import JSONRenderer  # noqa: E402
from rest_framework.request import Request  # noqa: E402
from rest_framework.response import Response  # noqa: E402
from rest_framework.views import APIView  # noqa: E402

# A sale's own: the request key, ticket, play, tender, transfer.
TABLES = tuple(f"bench_row_{name}" for name in ("key", "ticket", "play", "tender", "transfer"))


class Row(models.Model):
    at = models.DateTimeField()
    day = models.DateField()
    name = models.TextField()
    what = models.TextField()
    amount = models.BigIntegerField()

    class Meta:
        abstract = True


def _model(table: str) -> Any:
    meta = type("Meta", (), {"app_label": "benchmarks", "db_table": table, "managed": False})
    return type(table, (Row,), {"__module__": __name__, "Meta": meta})


MODELS = [_model(table) for table in TABLES]


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
        with transaction.atomic():
            number = self.write(request.headers["Idempotency-Key"], str(form.validated_data["numbers"]))
        return Response({"id": number, "numbers": form.validated_data["numbers"]}, status=201)

    def write(self, name: str, what: str) -> int:
        with connection.cursor() as cursor:
            for table in TABLES:
                cursor.execute(
                    f"INSERT INTO {table} (at, day, name, what, amount) "  # names of our own
                    "VALUES (now(), current_date, %s, %s, %s) RETURNING id",
                    [name, what, 2_000_000],
                )
                number: int = cursor.fetchone()[0]
        return number


class ModelSales(Sales):
    def write(self, name: str, what: str) -> int:
        now = timezone.now()
        for model in MODELS:
            row = model.objects.create(at=now, day=now.date(), name=name, what=what, amount=2_000_000)
        return int(row.pk)


def healthz(request: Any) -> HttpResponse:
    return HttpResponse("ok")


urlpatterns = [
    path("healthz", healthz),
    path("api/v1/keno/tickets", Sales.as_view()),
    path("api/v1/keno/tickets-by-models", ModelSales.as_view()),
]
