"""How the house's accounts are called in its general ledger, and what duty is due on which game: approved, once.

A pattern is an account (``keno:cage``) or a family of them (``keno:cash:*``); of several that fit the longest counts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

from house import approved
from house.approvals import Approvable, Record, Shape
from house.approvals.kept import approved_value
from house.books.games import played_games
from house.permissions import DECIDE_LEDGER
from kernel.authority import Authority
from kernel.refusal import Conflict, NotFound, Refusal
from web.fields import Text, WholeNumber

KIND: Final = "house.books"
CODE: Final = "venue"
SUBJECT: Final = f"books:{CODE}"
ALL_OF_IT: Final = 10_000
ROUNDING_SUGGESTED: Final = "9990"
_PATTERN: Final = re.compile(r"[a-z][a-z0-9-]*(:(\*|[A-Za-z0-9-]+))*", re.ASCII)
_LEDGER_CODE: Final = re.compile(r"[A-Z0-9][A-Z0-9.-]{0,15}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mapped:
    pattern: str
    code: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Duty:
    game: str
    rate: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Books:
    accounts: tuple[Mapped, ...]
    rounding: str
    duties: tuple[Duty, ...]

    def mapped(self, account: str) -> Mapped | None:
        fits = [each for each in self.accounts if fnmatchcase(account, each.pattern)]
        return max(fits, key=lambda each: len(each.pattern), default=None)

    def name_of(self, code: str) -> str:
        return next((each.name for each in self.accounts if each.code == code), "Rounding to cents")

    def rate(self, game: str) -> int:
        return next((each.rate for each in self.duties if each.game == game), 0)


def _made(*, accounts: list[Mapped], rounding: str, duties: list[Duty]) -> Books:
    return Books(accounts=tuple(accounts), rounding=rounding, duties=tuple(duties))


class MappedAccountValue(Record):
    """A house's account, or a family of them, and what the general ledger calls it."""

    pattern = Text(max_length=80, help_text="`keno:cage`, or `keno:cash:*` for all that begin so.")
    code = Text(max_length=16, help_text="The account of the general ledger.")
    name = Text(max_length=80, help_text="What the general ledger calls it.")
    makes = Mapped


class DutyValue(Record):
    """The duty on one game."""

    game = Text(max_length=32, help_text="`keno`, `jackpots`, `promotions` or `tablegames`.")
    rate = WholeNumber(help_text="Basis points of the gaming revenue: 850 is 8.5%.")
    makes = Duty


class BooksValue(Record):
    """The accounts of the general ledger, and the duty on each game."""

    accounts = MappedAccountValue(many=True, help_text="Every account that moves has to be among them.")
    rounding = Text(max_length=16, help_text="The ledger's account for what rounding to cents leaves.")
    duties = DutyValue(many=True, help_text="A game that is not named has none.")
    makes = _made


SHAPE: Final = Shape[Books](BooksValue(), unreadable="books-not-readable")


def in_force() -> Books | None:
    return approved.value(KIND, CODE, SHAPE)


def books() -> Books:
    """Those in force; without them nothing goes into a general ledger."""
    found = in_force()
    if found is None:
        raise Conflict("books-not-mapped", "Nobody has approved yet how accounts are called in the general ledger.")
    return found


def suggested() -> Books:
    """What the rooms suggest for a first proposal; without duty, which nobody can guess."""
    accounts = [
        Mapped(pattern=pattern, code=code, name=name)
        for game in played_games()
        for pattern, code, name in game.suggested
    ]
    return Books(accounts=tuple(accounts), rounding=ROUNDING_SUGGESTED, duties=())


def _check_code(code: str) -> None:
    if code != CODE:
        raise NotFound("no-such-subject", f"The venue has one general ledger: {SUBJECT}.", field="subject")


def _check(code: str, new: Books | None) -> None:
    if new is None:
        return
    if not new.accounts or len({each.pattern for each in new.accounts}) != len(new.accounts):
        raise _wrong("Name each account or family of accounts once.")
    for each in new.accounts:
        if not _PATTERN.fullmatch(each.pattern):
            raise _wrong(f"“{each.pattern}” is no account and no family of them: keno:cage, keno:cash:*.")
    names: dict[str, str] = {}
    for each in new.accounts:
        if names.setdefault(each.code, each.name) != each.name:
            raise _wrong(f"{each.code} has two names: {names[each.code]} and {each.name}.")
    for ledger_code in (*names, new.rounding):
        if not _LEDGER_CODE.fullmatch(ledger_code):
            raise _wrong(f"“{ledger_code}” is no account of a ledger: capitals, digits, dots and dashes, up to 16.")
    games = {game.code for game in played_games()}
    said = [duty.game for duty in new.duties]
    if len(set(said)) != len(said) or not set(said) <= games:
        raise _wrong(f"Name each game once; the games are: {', '.join(sorted(games))}.")
    if not all(0 <= duty.rate <= ALL_OF_IT for duty in new.duties):
        raise _wrong("A duty is 0 to 10,000 basis points.")


def _wrong(words: str) -> Refusal:
    return Refusal("books-invalid", words, field="new")


def _describe(code: str, new: Books) -> str:
    duties = ", ".join(f"{duty.game} {duty.rate / 100:.2f}%" for duty in new.duties) or "none"
    ledger = len({each.code for each in new.accounts})
    return f"{len(new.accounts)} accounts or families of them go into {ledger} of the ledger; duty: {duties}."


MAPPING: Final[Approvable[Books | None]] = approved_value(
    KIND,
    prefix="books",
    label="General ledger and duty",
    shape=SHAPE,
    authority=Authority.HOUSE,
    permission=DECIDE_LEDGER,
    check_code=_check_code,
    check=_check,
    describe=_describe,
)
