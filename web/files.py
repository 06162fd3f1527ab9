"""A file that is given to somebody: by a call instead of data, or from a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.http import HttpResponse

# What came from somebody's machine is kept as a file; a browser neither guesses its type nor runs anything in it.
KEPT_NOT_SHOWN: Final = {"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; sandbox"}


@dataclass(frozen=True, slots=True)
class FileAnswer:
    """What a call gives instead of data, where it says so with ``also``."""

    media_type: str
    content: bytes
    name: str

    def response(self, *, status: int = 200) -> HttpResponse:
        named = {"Content-Disposition": f'attachment; filename="{self.name}"', **KEPT_NOT_SHOWN}
        return HttpResponse(self.content, status=status, content_type=self.media_type, headers=named)
