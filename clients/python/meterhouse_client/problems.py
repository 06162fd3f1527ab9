"""What may come instead of an answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

Json = dict[str, "Json"] | list["Json"] | str | int | float | bool | None


class Trouble(Exception):
    """Anything that this client says no with."""


class Refused(Trouble):
    """The house has answered, and said no: a problem document (RFC 9457). Programs decide by ``code``."""

    def __init__(self, status: int, document: Mapping[str, Json]) -> None:
        self.status = status
        self.code = str(document.get("code", "unknown"))
        self.detail = str(document.get("detail", f"The house answered {status}."))
        self.clause = cast("str | None", document.get("clause"))
        self.field = cast("str | None", document.get("field"))
        self.document = document
        super().__init__(self.detail)


class NotAnswered(Trouble):
    """Nobody knows what became of it: it is in the journal, and is asked again under the same key."""

    def __init__(self, key: str, why: str) -> None:
        self.key = key
        super().__init__(f"No answer to request {key}: {why}")


class NotYet(Trouble):
    """The journal does not allow it, and says why."""
