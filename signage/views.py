"""Feeds and boards, for everybody: no login, no cookie."""

from __future__ import annotations

from hashlib import sha256
from io import BytesIO
from typing import Final

import segno
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from keno.rules.schedules import STANDARD
from ledger.checkpoints import fingerprints
from signage import look
from signage.feed import feed
from signage.headers import for_everybody, streams_origin
from signage.signature import FEED, HEADER, signature_of, signing_key
from web.words import dollars

# What the standard schedule pays for each $1 by matches: the highest first, no more of them than a board has room for.
PRIZES_SHOWN: Final = 6
PAY_TABLES: Final = tuple(
    {
        "spots": table.spots,
        "prizes": [(matches, dollars(prize)[0]) for matches, prize in enumerate(table.prizes) if prize][::-1][
            :PRIZES_SHOWN
        ],
    }
    for table in STANDARD.prize_tables
)


@require_safe
def feed_json(request: HttpRequest) -> HttpResponseBase:
    body = feed()
    etag = f'"{sha256(body).hexdigest()[:32]}"'
    response = HttpResponse(body, content_type="application/json")
    response.headers[HEADER] = signature_of(body)
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["Access-Control-Expose-Headers"] = f"ETag, {HEADER}"
    return get_conditional_response(request, etag=etag, response=response) or response


@require_safe
def key_json(request: HttpRequest) -> HttpResponse:
    """The public half of the key that signs the feed; the log announces it."""
    key = signing_key()
    answer = {"keyid": key.fingerprint, "alg": "ed25519", "public": key.public.hex(), "prefix": FEED.decode()}
    return JsonResponse(answer)


@require_safe
def stream(request: HttpRequest) -> HttpResponse:
    """The streams run on a port of their own: this says where."""
    origin = streams_origin(request)
    if origin is None:
        body = {"title": "Not available", "status": 503, "code": "no-streams", "detail": "No streams are served here."}
        return JsonResponse(body, status=503, content_type="application/problem+json")
    query = f"?{request.META['QUERY_STRING']}" if request.META.get("QUERY_STRING") else ""
    response = HttpResponse(status=307, headers={"Location": f"{origin}/signage/stream{query}"})
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["Cache-Control"] = "no-store"
    return response


@require_safe
def logo(request: HttpRequest) -> HttpResponseBase:
    found = look.logo()
    if found is None:
        raise Http404("The venue has no logo.")
    picture, kind = found
    # A drawing may hold scripts: shown as a picture they do not run, opened by itself they must not either.
    headers = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox"}
    return HttpResponse(picture, content_type=kind, headers=headers | {"Cache-Control": "max-age=86400"})


@require_safe
def look_css(request: HttpRequest) -> HttpResponse:
    """The venue's colours. A style sheet of its own: the policy allows no styles within a page."""
    chosen = look.in_force()
    rules = "".join(f"--{name}: {chosen[name]}; " for name in ("accent", "ground") if chosen[name])
    sheet = f".night {{ {rules}}}\n" if rules else ""
    if chosen["accent"]:
        sheet += f".page {{ --house: {chosen['accent']}; }}\n"
    return HttpResponse(sheet, content_type="text/css", headers={"Cache-Control": "no-cache"})


@require_safe
def qr(request: HttpRequest) -> HttpResponse:
    """The way to /verify/ for one game, as a picture."""
    number = request.GET.get("game", "")
    if not (number.isascii() and number.isdigit() and len(number) < 20):
        raise Http404("Which game?")
    picture = BytesIO()
    address = request.build_absolute_uri(f"{reverse('signage:verify')}?game={number}")
    segno.make(address, error="m").save(picture, kind="svg", border=2, scale=4)
    return HttpResponse(picture.getvalue(), content_type="image/svg+xml", headers={"Cache-Control": "max-age=3600"})


@xframe_options_exempt
@require_safe
def board(request: HttpRequest, name: str) -> HttpResponse:
    """The frame of a board; what it shows comes from the feed and the stream."""
    context: dict[str, object] = {"look": look.look(), "fingerprints": fingerprints()}
    if name == "keno":
        context["pay_tables"] = PAY_TABLES
    return for_everybody(request, render(request, f"signage/{name}.html", context))
