"""Whose word a figure needs before it is in force. Pure.

"Approved" is the regulator's word: in the ACT rules it means approved in writing by a Government Casino Inspector, in
New South Wales the commission approves. Everything else that two people decide is the house's own.
"""

from __future__ import annotations

from enum import StrEnum


class Authority(StrEnum):
    HOUSE = "house"
    """A second person of the house."""
    INSPECTOR = "inspector"
    """A Government Casino Inspector (ACT)."""
    COMMISSION = "commission"
    """The commission (NSW)."""

    @property
    def words(self) -> str:
        """As the pages say it, after "by" or "of"."""
        return _WORDS[self]


def strictest(*asked: Authority) -> Authority:
    """Where a change touches what several decide, the furthest from the house does."""
    return max(asked, key=[*Authority].index)


_WORDS = {
    Authority.HOUSE: "the house",
    Authority.INSPECTOR: "a Government Casino Inspector",
    Authority.COMMISSION: "the commission",
}
