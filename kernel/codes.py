"""Codes that know what they stand for. Pure.

A permission, a kind of incident, a kind of change: each is stored and sent as a short text, and each is declared once,
with what belongs to it. The declaration *is* the text, so a constant can be compared, stored and printed as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from kernel.authority import Authority


class Code(str):
    """A text with a label for people. Subclasses add what else they know."""

    label: str

    def __new__(cls, code: str, label: str, /) -> Code:
        made = super().__new__(cls, code)
        made.label = label
        return made

    def __deepcopy__(self, memo: object) -> Code:
        """A declaration is one: copied, it would not know what belongs to it."""
        return self


class At(StrEnum):
    """Where somebody acts."""

    FLOOR = "floor"
    """A device that stands on the floor and acts as itself: nobody knows who is before it."""
    HELD = "held"
    """A device in the hands of its holder, who acts."""
    SESSION = "session"
    """The console, after password and second step."""


ANYWHERE: Final = frozenset(At)
IN_PERSON: Final = frozenset({At.HELD, At.SESSION})
AT_THE_CONSOLE: Final = frozenset({At.SESSION})
_PEOPLE: Final = {2: "two people", 3: "three people", 4: "four people"}


class Limit(Code):
    """An amount above which something takes more people. What it is now, its room says (``kernel.rooms.Amount``)."""


class Power(Code):
    """What is asked for before something is shown or done: a permission, or one of several."""

    alternatives: tuple[Permission, ...]


class OneOf(Power):
    """Any of these lets somebody in; which of them the thing itself needs, its verb says."""

    def __new__(cls, *powers: Permission) -> OneOf:
        made = super().__new__(cls, " or ".join(powers), " or ".join(power.label for power in powers))
        assert isinstance(made, OneOf)
        made.alternatives = powers
        return made


class Permission(Power):
    """Something a person or device may be allowed to do, and everything that doing it needs.

    This is the one place that says so. ``Actor.require`` asks for the right and the place, ``house.persons``
    for another person, the verbs read the amount; API, pages and docs/powers.md print it.
    """

    roles: frozenset[str]
    """Who holds it in a new house; from then on that is the venue's to change."""
    people: int
    """How many it takes until the thing is done: the one who uses this power is the last of them, or one of them."""
    above: Limit | None
    """Only above this amount does it take more than one."""
    authority: Authority | None
    """In whose name a decision by it counts; of what decides nothing, none."""
    at: frozenset[At]
    personal: bool
    """It shows who somebody is: names, addresses, documents."""
    note: str
    """What else it needs, in a sentence."""
    everybody: bool
    """Nobody has to be granted it."""

    def __new__(
        cls,
        code: str,
        label: str,
        *,
        roles: Iterable[str] = (),
        people: int = 1,
        above: Limit | None = None,
        authority: Authority | None = None,
        at: frozenset[At] = IN_PERSON,
        personal: bool = False,
        note: str = "",
        everybody: bool = False,
    ) -> Permission:
        made = super().__new__(cls, code, label)
        assert isinstance(made, Permission)
        assert above is None or people > 1, f"{code}: above {above}, how many people?"
        assert not (personal and At.FLOOR in at), f"{code}: a machine on the floor shows nobody's name"
        made.roles, made.people, made.above, made.authority = frozenset(roles), people, above, authority
        made.at, made.personal, made.note, made.everybody = at, personal, note, everybody
        made.alternatives = (made,)
        return made

    def needs(self, *, today: str = "") -> list[str]:
        """What it takes besides the right itself, each in a few words. *today*: how much the amount is."""
        said = []
        if self.people > 1:
            above = f" above {self.above.label}{f' ({today})' if today else ''}" if self.above else ""
            said.append(f"{_PEOPLE[self.people]}{above}")
        if self.authority is not None:
            said.append(f"in the name of {self.authority.words}")
        if self.at == ANYWHERE and not self.everybody:
            said.append("a device on the floor may, too")
        if self.personal:
            said.append("shows who somebody is")
        return [*said, self.note] if self.note else said
