"""How the witness says no: to whoever starts it, and to whoever asks it."""

from __future__ import annotations


class Trouble(Exception):
    """In the way of starting: one plain sentence for the person at the terminal."""


class MemoryLost(Trouble):
    """The journal is not what this witness remembers having written. A lost memory is a lost key."""


class Refused(Exception):
    """An answer that is no: its HTTP status, a code for programs, a sentence for people."""

    def __init__(self, status: int, code: str, detail: str, **more: object) -> None:
        super().__init__(detail)
        self.status, self.code, self.detail, self.more = status, code, detail, more
