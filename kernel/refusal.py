"""How a rule says no. Pure: rules raise these, the API renders them as problem documents (RFC 9457).

A refusal says what was refused, why (with the clause, where a gazetted rule decides) and what to do now. Raising
one inside a verb undoes the verb's transaction: nothing changes on a refusal, but for what it asks to be noted (a wrong
code is counted).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Self


class Refusal(Exception):
    """A rule does not allow it (422)."""

    status: ClassVar[int] = 422
    title: ClassVar[str] = "Refused by a rule"
    # Whether a request key remembers this answer. Passing conditions are not remembered: the same key may try again.
    final: ClassVar[bool] = True

    def __init__(
        self, code: str, detail: str, *, clause: str | None = None, field: str | None = None, **extra: Any
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.clause = clause
        self.field = field
        self.extra = extra
        self._note: Callable[[], object] | None = None

    def noting(self, note: Callable[[], object]) -> Self:
        """``raise Refusal(…).noting(count_it)``: what is kept although it was refused.

        Whoever answers the caller (``web``) calls it once everything is undone, in a transaction of its own; a request
        that is sent again under its key is noted once.
        """
        self._note = note
        return self

    def take_note(self) -> None:
        note, self._note = self._note, None
        if note is not None:
            note()


class Malformed(Refusal):
    """The request cannot be read (400)."""

    status = 400
    title = "Malformed request"
    final = False


class NotSignedIn(Refusal):
    """Nobody we know (401)."""

    status = 401
    title = "Not signed in"
    final = False


class Forbidden(Refusal):
    """No right to do this (403)."""

    status = 403
    title = "Not allowed"
    final = False


class NotFound(Refusal):
    """No such thing (404)."""

    status = 404
    title = "Not found"
    final = False


class Conflict(Refusal):
    """The state of the thing does not allow it (409)."""

    status = 409
    title = "Not possible now"


class Busy(Refusal):
    """Somebody else holds it; trying again is right (503)."""

    status = 503
    title = "Busy"
    final = False
