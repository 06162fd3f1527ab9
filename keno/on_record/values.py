"""Keno's approved values as the log tells them: which was in force when. Pure.

That each was decided by the authority that its rule names is for ``house/verify.py`` to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from house.approval_acts import ChangeEffective, ValueInstalled
from keno.rules.bonuses import Bonus, Fund, Per
from keno.rules.exposure import Limits
from keno.rules.jackpots import FIRST_RATIO, Ratio
from keno.rules.schedules import SPECIAL_3, Schedule, schedule_named, special_3
from kernel.export_check import ActOnRecord, Doubt
from kernel.money import ZERO, Money
from kernel.refusal import Refusal

PREFIX: Final = "keno."
ADJUSTMENT: Final = "ledger.adjustment"
PREMIUM: Final = "premium"
SUPERVISED_ABOVE: Final = "supervised-above"
FLOAT_ALONE: Final = "float-alone"
MOST_A_WAY, MOST_A_TICKET, MOST_A_GAME = "most-a-way", "most-a-ticket", "most-a-game"
# Until the venue says otherwise; ``keno.approved.AMOUNTS`` are the same.
AMOUNTS: Final[Mapping[str, Money]] = {
    PREMIUM: ZERO,
    SUPERVISED_ABOVE: Money.dollars(10_000),
    FLOAT_ALONE: Money.dollars(2_000),
    MOST_A_WAY: Money.dollars(50_000),
    MOST_A_TICKET: Money.dollars(20_000_000),
    MOST_A_GAME: Money.dollars(1_000_000_000),
}
# A sale that was under way while a value changed has the old one: so long nobody sells.
_UNDER_WAY: Final = timedelta(seconds=10)

KINDS: Final = frozenset({ChangeEffective.kind, ValueInstalled.kind})


@dataclass(frozen=True, slots=True)
class Version:
    index: int
    at: str
    value: Any  # None: withdrawn
    number: int | None


@dataclass(slots=True)
class Values:
    versions: dict[tuple[str, str], list[Version]] = field(default_factory=dict)  # by kind and code
    effective: dict[int, str] = field(default_factory=dict)  # proposals that took effect: what about
    decided_as: dict[int, str] = field(default_factory=dict)  # and of which kind
    adjusted: dict[str, int] = field(default_factory=dict)  # by account: what adjustments put into it, in micro-dollars
    schedules: dict[tuple[str, int], Schedule] = field(default_factory=dict)

    def act(self, row: ActOnRecord) -> None:
        match row.act:
            case ChangeEffective() as act if act.kind_ == ADJUSTMENT:
                self._adjusted(act.new)
            case ChangeEffective() as act if act.kind_.startswith(PREFIX):
                self.effective[act.proposal], self.decided_as[act.proposal] = act.about, act.kind_
                self._add(act.kind_, act.about.partition(":")[2], act.new, act.number, row)
            case ValueInstalled() as act if act.kind_.startswith(PREFIX):
                self._add(act.kind_, act.code, act.value, act.number, row)

    def _adjusted(self, new: Mapping[str, Any]) -> None:
        amount = Money.parse_exact(new["amount"]).micros
        self.adjusted[new["debit"]] = self.adjusted.get(new["debit"], 0) - amount
        self.adjusted[new["credit"]] = self.adjusted.get(new["credit"], 0) + amount

    def _add(self, kind: str, code: str, value: Any, number: int | None, row: ActOnRecord) -> None:
        versions = self.versions.setdefault((kind.removeprefix(PREFIX), code), [])
        versions.append(Version(row.index, row.at, value, number))
        if kind == PREFIX + SPECIAL_3 and value is not None and number is not None:
            self.schedules[SPECIAL_3, number] = _special_3(value)

    def value(self, kind: str, code: str, *, before: int | None = None) -> Any:
        """In force at that place in the log; at the end, where none is named."""
        version = self.version(kind, code, before=before)
        return None if version is None else version.value

    def version(self, kind: str, code: str, *, before: int | None = None) -> Version | None:
        """The same, with where in the log it began."""
        for version in reversed(self.versions.get((kind, code), ())):
            if before is None or version.index < before:
                return version
        return None

    def amount(self, code: str, *, before: int | None = None) -> Money:
        found = self.value("amount", code, before=before)
        return AMOUNTS[code] if found is None else Money.parse(found)

    def lowest(self, code: str) -> Money:
        """That this amount ever was."""
        versions = self.versions.get(("amount", code), ())
        return min([AMOUNTS[code], *(Money.parse(each.value) for each in versions if each.value is not None)])

    @property
    def premium_changes(self) -> bool:
        """Whether the premium was ever another than the first one."""
        return ("amount", PREMIUM) in self.versions

    def premiums(self, sold_at: str) -> set[int]:
        """What a jackpot way may have cost on top at that moment, in micro-dollars: two where it was being changed."""
        return {amount.micros for amount in self._about(PREMIUM, sold_at)}

    def limits(self, opened_at: str) -> Limits | None:
        """What a game that opened at that moment might be made to pay at most; None: the house had set no limit. Where
        one was being changed, the one that lets more through."""
        codes = (MOST_A_WAY, MOST_A_TICKET, MOST_A_GAME)
        if not any(("amount", code) in self.versions for code in codes):
            return None
        return Limits(*(max(self._about(code, opened_at)) for code in codes))

    def _about(self, code: str, at: str) -> set[Money]:
        """What this amount was at about that moment."""
        versions = self.versions.get(("amount", code))
        if not versions:
            return {AMOUNTS[code]}
        moment = datetime.fromisoformat(at)
        found = {AMOUNTS[code]} if datetime.fromisoformat(versions[0].at) > moment - _UNDER_WAY else set()
        for version, upto in zip(versions, [*(each.at for each in versions[1:]), None], strict=True):
            begun = datetime.fromisoformat(version.at) - _UNDER_WAY
            if begun <= moment and (upto is None or moment <= datetime.fromisoformat(upto) + _UNDER_WAY):
                found.add(AMOUNTS[code] if version.value is None else Money.parse(version.value))
        return found

    def ratio(self, code: str, *, before: int) -> Ratio:
        found = self.value("jackpot-ratio", code, before=before)
        return FIRST_RATIO if found is None else Ratio(**found)

    def bonuses(self, game: int, *, before: int) -> Iterator[tuple[str, Bonus]]:
        """In whose windows a game is that was settled at that place in the log, by code."""
        for kind, code in sorted(self.versions):
            if kind != "bonus":
                continue
            found = self.value(kind, code, before=before)
            if found is not None and (bonus := _bonus(found)).covers(game):
                yield code, bonus

    def schedule(self, code: str, version: int) -> Schedule:
        """What a ticket names; of special 3 only what was in force."""
        if version:
            found = self.schedules.get((code, version))
            if found is None:
                raise Doubt(f"no schedule {code} with the number {version} was ever approved.")
            return found
        try:
            return schedule_named(code)
        except Refusal as refused:
            raise Doubt(f"there is no schedule {code}.") from refused


def _bonus(value: Mapping[str, Any]) -> Bonus:
    amounts = {name: Money.parse(value[name]) for name in ("prize", "budget")}
    return Bonus(**{**value, **amounts, "per": Per(value["per"]), "fund": Fund(value["fund"])})


def _special_3(value: Mapping[str, Any]) -> Schedule:
    tables = {
        int(spots): {int(matches): Money.parse(prize) for matches, prize in column.items()}
        for spots, column in value["tables"].items()
    }
    try:
        return special_3(tables)
    except Refusal as refused:
        raise Doubt(f"a special 3 was put in force that cannot be a schedule: {refused.detail}") from refused
