"""``/log/``: the log's head, its keys, its proofs and its hashes, for everybody; its entries for whoever may audit.

In others' formats: C2SP's checkpoints and tlog-tiles, RFC 6962's proofs. Nothing here is computed from rows: a proof is
made of at most a few hundred kept hashes, and what can never change is said to be cacheable for ever.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from rest_framework.request import Request

from house.api.authentication import DeviceToken, StaffSession
from house.permissions import VIEW_AUDIT
from kernel import unique_signatures, verifier_bundle
from kernel.actors import Actor
from kernel.merkle import HASH_SIZE
from kernel.notes import NoteError, decimal, to_base64
from kernel.refusal import Malformed, NotFound, NotSignedIn, Refusal
from ledger import proofs, witnesses
from ledger.checkpoints import Notes, latest, receipt_keys, verifier_keys
from web import problems
from web.json import as_json

TILE_WIDTH: Final = 256
_FOR_EVER: Final = "public, max-age=31536000, immutable"
_TEXT, _BYTES, _JSON = "text/plain; charset=utf-8", "application/octet-stream", "application/json"
# C2SP tlog-tiles: three digits an element, all but the last with an x; perhaps the width of a partial tile.
_PLACE = re.compile(r"((?:x[0-9]{3}/)*[0-9]{3})(?:\.p/([1-9][0-9]{0,2}))?").fullmatch


def _public(answer: Callable[[], tuple[bytes, str, str]]) -> HttpResponse:
    """The body, its type and for how long it may be kept; a refusal as a problem document."""
    try:
        body, kind, kept = answer()
    except Refusal as refusal:
        return problems.answer(refusal)
    headers = {"Cache-Control": kept, "Access-Control-Allow-Origin": "*", "X-Content-Type-Options": "nosniff"}
    return HttpResponse(body, content_type=kind, headers=headers)


@require_safe
def checkpoint(request: HttpRequest) -> HttpResponse:
    def answer() -> tuple[bytes, str, str]:
        head = latest()
        if head is None:
            raise NotFound("nothing-sealed", "Nothing has been sealed yet.")
        return str(Notes().of(head)).encode(), _TEXT, "public, max-age=1"

    return _public(answer)


@require_safe
def keys(request: HttpRequest) -> HttpResponse:
    """Verifier keys, one a line: the house's first, then the witness's."""
    return _public(
        lambda: (
            "".join(f"{key}\n" for key in [*verifier_keys(), *receipt_keys()]).encode(),
            _TEXT,
            "public, max-age=60",
        )
    )


@require_safe
def witness_pem(request: HttpRequest) -> HttpResponse:
    def answer() -> tuple[bytes, str, str]:
        witness = witnesses.current()
        if witness is None:
            raise NotFound("no-witness", "The log names no witness.")
        return unique_signatures.to_pem(witness.rsa).encode(), _TEXT, "public, max-age=60"

    return _public(answer)


@require_safe
def verifier(request: HttpRequest) -> HttpResponse:
    """The one file that checks an export; its SHA-256 is in the log (``verifier.published``)."""
    answer = _public(lambda: (verifier_bundle.bundle(), _BYTES, "public, max-age=60"))
    answer.headers["Content-Disposition"] = f'attachment; filename="{verifier_bundle.NAME}"'
    answer.headers["X-SHA256"] = verifier_bundle.digest()
    return answer


@require_safe
def consistency(request: HttpRequest) -> HttpResponse:
    return _public(lambda: _proof(proofs.consistency(old=_number(request, "old"), new=_number(request, "new"))))


@require_safe
def inclusion(request: HttpRequest) -> HttpResponse:
    return _public(lambda: _proof(proofs.inclusion(index=_number(request, "index"), size=_number(request, "size"))))


@require_safe
def tile(request: HttpRequest, level: int, place: str) -> HttpResponse:
    """The hashes of a tile, 32 bytes each."""

    def answer() -> tuple[bytes, str, str]:
        index, width = _place(place)
        hashes = proofs.tile(level, index)[: width * HASH_SIZE] if level < 8 else b""
        if len(hashes) != width * HASH_SIZE:
            raise NotFound("no-such-tile", "The log has not come so far.")
        return hashes, _BYTES, _FOR_EVER

    return _public(answer)


@require_safe
def entries(request: HttpRequest, place: str) -> HttpResponse:
    """The rows themselves, each after its length in two bytes: for whoever may read the log."""

    def answer() -> tuple[bytes, str, str]:
        _auditor(request).require(VIEW_AUDIT)
        index, width = _place(place)
        rows = [row.encode() for row in proofs.rows(index * TILE_WIDTH, index * TILE_WIDTH + width)]
        if len(rows) != width:
            raise NotFound("no-such-tile", "The log has not come so far.")
        if any(len(row) > 0xFFFF for row in rows):
            raise Refusal("row-too-long", "A row here is longer than this format allows: take an export.")
        return b"".join(len(row).to_bytes(2, "big") + row for row in rows), _BYTES, "private, no-store"

    return _public(answer)


def _proof(path: list[bytes]) -> tuple[bytes, str, str]:
    return as_json([to_base64(each) for each in path]), _JSON, _FOR_EVER


def _number(request: HttpRequest, name: str) -> int:
    try:
        return decimal(request.GET.get(name, ""))
    except NoteError:
        raise Malformed("malformed", f"“{name}” is a whole number.", field=name) from None


def _place(place: str) -> tuple[int, int]:
    """Index and width of a tile."""
    found = _PLACE(place)
    if found is None or len(place) > 40 or found[1].startswith("x000/"):
        raise NotFound("no-such-tile", "A tile is named like x001/067, or 003.p/17.")
    width = int(found[2]) if found[2] else TILE_WIDTH
    if width > TILE_WIDTH or (found[2] and width == TILE_WIDTH):
        raise NotFound("no-such-tile", "A partial tile has 1 to 255 hashes.")
    return int(found[1].replace("/", "").replace("x", "")), width


def _auditor(request: HttpRequest) -> Actor:
    asked = Request(request)
    for way in (DeviceToken(), StaffSession()):
        found = way.authenticate(asked)
        if found is not None:
            return found[0]
    raise NotSignedIn("not-signed-in", "Entries are for whoever may audit: sign in, or send a token.")
