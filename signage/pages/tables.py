"""Signs of the gaming tables, for the displays that stand at them: no login, no names, no cards."""

from __future__ import annotations

from django.http import Http404, HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from kernel.refusal import NotFound
from tablegames import in_force
from tablegames.queries import tables
from tablegames.tables import find_table

_SHOWN = ("code", "game", "title", "terms", "limits", "previous_limits", "notice", "closing", "closed")


@require_safe
def every_sign(request: HttpRequest) -> JsonResponse:
    """What every sign says now."""
    return _answer({"tables": [_sign(in_force.sign_with_notices(table)) for table in tables()]})


@require_safe
def one_sign(request: HttpRequest, code: str) -> JsonResponse:
    """What one table's sign says now, with the notices and markers beside it."""
    try:
        return _answer(_sign(in_force.sign_with_notices(find_table(code))))
    except NotFound as refusal:
        raise Http404(refusal.detail) from refusal


def _sign(sign: dict[str, object]) -> dict[str, object]:
    markers = [
        {"box": each["box"], "kind": each["kind"], "limits": each["limits"]}
        for each in sign["markers"]  # type: ignore[attr-defined]
    ]
    return {name: sign[name] for name in _SHOWN} | {"markers": markers}


def _answer(body: dict[str, object]) -> JsonResponse:
    response = JsonResponse(body)
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Access-Control-Allow-Origin"] = "*"
    return response
