"""A house to practise in: ``make run PRACTICE=1``. The same programs and screens in a folder of its own, with keys, a
witness and a venue of its own; every page says so. Nothing of it is on the record, because it is another house's.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.templatetags.static import static

from kernel import environment
from kernel.environment import PRACTICE_MARK, Trouble

HEADER: Final = "Meterhouse-Practice"
WORDS: Final = "PRACTICE. Nothing here is played, paid or on record."
_BODY: Final = re.compile(rb"<body[^>]*>")


def keep_apart(data: Path) -> None:
    """A folder that holds a record is never practised in; what is practised in says so from its first start on."""
    if not environment.practice():
        return
    if os.environ.get("DATABASE_URL") or not environment.demo():
        raise Trouble("PRACTICE=1 is a house with its own database and demo people: start it without DATABASE_URL.")
    mark = data / PRACTICE_MARK
    if not mark.exists():
        if (data / "keys").exists():
            raise Trouble(f"{data} holds a house's record: practise in another folder (METERHOUSE_DATA).")
        mark.touch()


class Marked:
    """Every page of it, whoever made it, begins with the same sentence; every answer has a header."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        style = f'<link rel="stylesheet" href="{static("web/practice.css")}">'
        self.head = f"{style}</head>".encode()
        self.banner = f'<p class="practice" role="note">{WORDS}</p>'.encode()

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        request.META.pop("HTTP_ACCEPT_ENCODING", None)  # packed, a page could not be marked
        answer = self.get_response(request)
        answer.headers[HEADER] = "true"
        if not answer.streaming and answer.headers.get("Content-Type", "").startswith("text/html"):
            content: bytes = answer.content  # type: ignore[attr-defined]  # it is no stream
            marked = _BODY.sub(lambda found: found[0] + self.banner, content.replace(b"</head>", self.head, 1), count=1)
            answer.content = marked  # type: ignore[attr-defined]
            answer.headers["Content-Length"] = str(len(marked))
        return answer
