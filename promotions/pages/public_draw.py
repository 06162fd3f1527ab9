"""What everybody may take home of a draw, without a login: the published draw, and the sealed list's leaf hashes.

Both are what ``python -m promotions.verify`` reads. Nobody can be found by them: the leaves are hashes with a salt.
"""

from __future__ import annotations

from typing import TypeVar

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from promotions import queries
from promotions.api.draws import DrawProofOut
from promotions.models import Promotion
from promotions.proof import draw_proof, leaf_lines
from web.view import json_response

Answer = TypeVar("Answer", bound=HttpResponseBase)


@require_safe
def draw_json(request: HttpRequest, code: str) -> HttpResponse:
    """What was promised and, once it is out, everything to check the draw with; ``?published`` for that part alone."""
    _find(code)
    shown = DrawProofOut(draw_proof(code=code)).data
    if "published" not in request.GET:
        return _open(json_response(shown))
    if shown["published"] is None:
        raise Http404("The result is not published yet.")
    return _open(json_response(shown["published"]))


@require_safe
def leaves_txt(request: HttpRequest, code: str) -> HttpResponseBase:
    """The sealed list, one leaf hash a line."""
    promotion = _find(code)
    if queries.sealed_list(promotion) is None:
        raise Http404("The list is not sealed yet.")
    return _open(StreamingHttpResponse(leaf_lines(code=code), content_type="text/plain; charset=ascii"))


def _find(code: str) -> Promotion:
    promotion = queries.public_promotion(code)
    if promotion is None:
        raise Http404("There is no such promotion.")
    return promotion


def _open(response: Answer) -> Answer:
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Access-Control-Allow-Origin"] = "*"
    return response
