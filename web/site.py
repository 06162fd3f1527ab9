"""The site of documents at /docs/, as ``make docs`` has built it into dist/docs; where it was not, a sentence says so.

Its pages come from a generator that writes small scripts into them: each is allowed by its own hash, and nothing else.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import mimetypes
import re
from pathlib import Path
from typing import Final

from django.conf import settings
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from web.headers import CONTENT_SECURITY_POLICY, secured

FOLDER: Final = Path("dist", "docs")
NOT_BUILT: Final = "The documents are not built on this machine: `make docs` builds them, and then they are here.\n"
_SCRIPT = re.compile(rb"<script>(.*?)</script>", re.DOTALL)


@require_safe
def document(request: HttpRequest, path: str = "") -> HttpResponseBase:
    """A file of the site, or the page of a folder; nothing outside of it."""
    folder = (settings.ROOT / FOLDER).resolve()
    if not (folder / "index.html").is_file():
        return secured(HttpResponse(NOT_BUILT, status=404, content_type="text/plain; charset=utf-8"))
    file = (folder / path).resolve()
    if not file.is_relative_to(folder):
        raise Http404
    if file.is_dir():
        if path and not path.endswith("/"):
            return HttpResponseRedirect(f"{request.path}/")
        file /= "index.html"
    if not file.is_file():
        raise Http404
    answer = _page(file) if file.suffix == ".html" else _other(file)
    patch_cache_control(answer, public=True, max_age=300)
    return secured(answer)


def _other(file: Path) -> FileResponse:
    return FileResponse(file.open("rb"), content_type=mimetypes.guess_type(file.name)[0] or "application/octet-stream")


def _page(file: Path) -> HttpResponse:
    body = file.read_bytes()
    answer = HttpResponse(body, content_type="text/html; charset=utf-8")
    answer.headers["Content-Security-Policy"] = _policy(tuple(sorted(set(_SCRIPT.findall(body)))))
    return answer


@functools.lru_cache(maxsize=256)
def _policy(scripts: tuple[bytes, ...]) -> str:
    hashes = [f"'sha256-{base64.b64encode(hashlib.sha256(script).digest()).decode()}'" for script in scripts]
    return (
        CONTENT_SECURITY_POLICY.replace("script-src 'self'", " ".join(["script-src 'self'", *hashes])).replace(
            "style-src 'self'", "style-src 'self' 'unsafe-inline'"
        )
        + "; worker-src 'self' blob:"
    )
