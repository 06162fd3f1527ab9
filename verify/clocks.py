"""Whether the times in an export can be: seals one after the other, none of them before what the witness had said."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from kernel.export_check import CLOCKS_DIFFER_SECONDS, Doubt

BACKDATED_SECONDS: Final = 600  # what is entered later than this is told


class Clocks:
    def __init__(self) -> None:
        self.sealed_at = ""
        self.latest = ""  # of a row since the last seal
        self._early = ""  # a row before this was entered late
        self.backdated = 0  # the first line that was
        self.answered_at = 0  # the last answer of the witness, by its clock, in seconds since 1970
        self.postdated = 0  # the first seal that has a row before it that is dated after it

    def rows(self, earliest: str, latest: str, *, line: int) -> None:
        self.latest = max(self.latest, latest)
        if not self.backdated and earliest < self._early:
            self.backdated = line

    def seal(self, number: int, at: str) -> None:
        try:
            moment(at)
        except ValueError as unreadable:
            raise Doubt(f"seal {number} is dated {at}, and there is no such time.") from unreadable
        if at < self.sealed_at:
            raise Doubt(f"seal {number} is dated before the seal before it.")
        if self.answered_at > moment(at).timestamp() + CLOCKS_DIFFER_SECONDS:
            raise Doubt(f"seal {number} is dated before an answer of the witness that it seals.")
        if not self.postdated and self.latest > later(at, CLOCKS_DIFFER_SECONDS):
            self.postdated = number
        self.sealed_at, self.latest, self._early = at, "", later(at, -BACKDATED_SECONDS)

    def exported(self, at: str) -> None:
        if at < later(self.sealed_at, -CLOCKS_DIFFER_SECONDS):
            raise Doubt("the export is dated before its last seal.", line=1)

    def remarks(self) -> list[str]:
        said = []
        if self.postdated:
            said.append(f"A row before seal {self.postdated:,} is dated after it: a clock went ahead, or somebody did.")
        if not self.backdated:
            return said
        return [
            *said,
            f"Rows are dated before the seal before them, the first in line {self.backdated:,}: entered later, or a "
            "simulated past.",
        ]


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def later(text: str, seconds: int) -> str:
    """A time so many seconds later, as the log writes it."""
    return (moment(text) + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
