"""The house's part of the offline check of an export: people, powers, approvals, incidents, adjustments. Pure.

Everything that takes somebody's word has it, before it is so: proposed by one person, seconded where it must be,
decided by the authority that the rule names (``approvals_on_record.py``), by people who worked here then and had that
power (``people_on_record.py``). What follows from an approval is what was approved: roles, devices, adjustments of the
books. Incidents are closed when everybody was told who had to be. Values in force by letter are said.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from house import acts as of_house
from house import approvals_on_record, incident_acts, people_on_record
from house.approval_acts import ChangeEffective
from house.approvals_on_record import ApprovalsOnRecord, Change, ProposalOnRecord
from house.people_on_record import SYSTEM, PeopleOnRecord
from kernel.acts import Json
from kernel.authority import Authority
from kernel.export_check import NOTHING_WANTED, ActOnRecord, Doubt, RoomCheck, TransferOnRecord, Wanted
from kernel.money import Money
from kernel.notes import COSIGNATURE_V1, VerifierKey
from ledger.acts import WitnessAppointed

ADJUSTMENT: Final = "ledger.adjustment"
_PRIVILEGED: Final = frozenset({"supervisor", "manager", "inspector", "administrator", "auditor"})
_INCIDENTS: Final = (
    incident_acts.IncidentReported,
    incident_acts.IncidentTold,
    incident_acts.IncidentNotReached,
    incident_acts.IncidentClosed,
)
_EFFECTS: Final = (
    of_house.PersonRolesChanged,
    of_house.RolePermissionsChanged,
    of_house.AccessReset,
    of_house.DeviceRegistered,
    of_house.DeviceHeld,
    of_house.DeviceTokenDue,
    of_house.DeviceBound,
    of_house.PersonalDataErased,
    WitnessAppointed,
)
# What decides whose word a change takes: terms of links, games at tables, editions of promotions.
_OF_OTHERS: Final = frozenset(
    {"jackpot.terms-set", "jackpot.terms-restored", "tablegames.table-opened", "promotion.drafted"}
)
_SAID_LIMIT: Final = 5


class WhoseWord(Protocol):
    """By what the log has said before: whose word a change takes."""

    def act(self, row: ActOnRecord) -> None: ...

    def __call__(self, kind: str, about: str, old: Json, new: Json) -> Authority: ...


class Check(RoomCheck):
    """*whose_word*, *changes* and *powers* are the stranger's own tables (``verify/changes.py``)."""

    name = "House"
    acts = (
        people_on_record.KINDS | approvals_on_record.KINDS | _OF_OTHERS | {act.kind for act in (*_INCIDENTS, *_EFFECTS)}
    )
    transfers = frozenset({ADJUSTMENT})

    def __init__(
        self,
        wanted: Wanted = NOTHING_WANTED,
        *,
        whose_word: WhoseWord,
        changes: Mapping[str, Change],
        powers: Mapping[str, frozenset[str]],
    ) -> None:
        super().__init__(wanted)
        self.whose_word = whose_word
        self.people = PeopleOnRecord(powers)
        self.approvals = ApprovalsOnRecord(self.people, changes, whose_word)
        self.incidents: dict[int, set[str]] = {}  # open ones: who is still to be told
        self.about: dict[int, str] = {}
        self.closed = self.adjusted = 0
        self.adjusting: dict[int, ProposalOnRecord] = {}  # booked, and not yet in force

    def act(self, row: ActOnRecord) -> None:
        if isinstance(row.act, _EFFECTS):
            self._check_effect(row)
        if row.kind in _OF_OTHERS:
            self.whose_word.act(row)
        if row.kind in people_on_record.KINDS:
            self.people.act(row)
        elif row.kind in approvals_on_record.KINDS:
            self.approvals.act(row)
            self._check_adjusted(row)
        elif isinstance(row.act, _INCIDENTS):
            self._of_incident(row)

    # What follows from an approval, and is written before it is said to be in force

    def _check_effect(self, row: ActOnRecord) -> None:
        match row.act:
            case of_house.PersonRolesChanged() as act:
                said = (act.old, act.new)
                self._must_be_approved(row, "house.staff-roles", act.subject, lambda old, new: (old, new) == said)
            case of_house.RolePermissionsChanged() as act:
                changed = (act.granted, act.revoked)
                self._must_be_approved(
                    row, "house.role-permissions", act.subject, lambda old, new: _changed(old, new) == changed
                )
            case of_house.AccessReset() as act:
                because = {"because": act.because}
                self._must_be_approved(row, "house.access", act.subject, lambda _, new: new == because)
            case of_house.DeviceBound() as act:
                bound = act.tables
                self._must_be_approved(row, "house.device-tables", act.subject, lambda _, new: new == bound)
            case of_house.DeviceHeld() as act:
                held = {"holder": act.holder.removeprefix("staff:"), "profile": act.profile}
                self._must_be_approved(row, "house.device-holder", act.subject, lambda _, new: new == held)
            case of_house.DeviceRegistered() as act:
                self._check_registered(row, act)
            case of_house.DeviceTokenDue() as act:
                self._check_token(row, act)
            case of_house.PersonalDataErased() as act:
                erased = {"before": act.before.isoformat()}
                self._must_be_approved(row, "house.erasure", act.of, lambda _, new: new == erased)
            case WitnessAppointed() as act:
                key = VerifierKey(act.witness.name, COSIGNATURE_V1, act.witness.public)
                appointed = {"key": str(key), "last_number": act.last_number}
                self._must_be_approved(row, "house.witness", "venue", lambda _, new: new == appointed)

    def _must_be_approved(self, row: ActOnRecord, kind: str, about: str, is_it: Callable[[Any, Any], bool]) -> None:
        """*is_it*: whether that is what a proposal of this kind, with its old and new value, comes to."""
        if not any(_holds(is_it, found) for found in self.approvals.under_way(kind, about)):
            raise Doubt(f"{row.actor} {row.act.sentence()}, and nobody has approved that.")

    def _check_registered(self, row: ActOnRecord, act: of_house.DeviceRegistered) -> None:
        if not act.holder:
            if act.profile in _PRIVILEGED:
                raise Doubt(f"device {act.device} has the powers of a {act.profile}, and nobody holds it.")
            return
        if row.actor.startswith(SYSTEM) and act.holder in self.people.demo:
            return  # a token of the demo, made at the command line for somebody who is nobody
        self._must_be_approved(
            row, "house.device-registration", act.holder, lambda _, new: new["profile"] == act.profile
        )

    def _check_token(self, row: ActOnRecord, act: of_house.DeviceTokenDue) -> None:
        holder = self.people.holders.get(act.device)
        if holder != act.holder:
            raise Doubt(f"{act.holder} is to collect a token of {act.device}, and does not hold it.")
        ways = [("house.device-registration", act.holder), ("house.device-holder", act.subject)]
        if not any(self.approvals.under_way(*way) for way in (*ways, ("house.device-token", act.subject))):
            raise Doubt(f"{row.actor} {row.act.sentence()}, and nobody has approved that.")

    # Adjustments of the books

    def transfer(self, row: TransferOnRecord) -> None:
        number = row.reference.removeprefix("proposal/")
        found = self.approvals.numbered(int(number)) if number.isdecimal() else None
        if found is None or found.act.kind_ != ADJUSTMENT or not found.decided_by or found.over:
            raise Doubt(f"the books are adjusted ({row.reference}), and nobody has approved that.")
        new = found.act.new
        booked = {"debit": row.debit, "credit": row.credit, "amount": str(Money(row.micros)), "cause": new["cause"]}
        if booked != new or row.actor != found.decided_by:
            raise Doubt(f"the books are adjusted otherwise than proposal {number} says.")
        if int(number) in self.adjusting:
            raise Doubt(f"the books are adjusted twice by proposal {number}.")
        self.adjusting[int(number)] = found
        self.adjusted += 1
        moved = self.approvals.adjusted
        moved[row.debit] = moved.get(row.debit, 0) - row.micros
        moved[row.credit] = moved.get(row.credit, 0) + row.micros

    def _check_adjusted(self, row: ActOnRecord) -> None:
        """An adjustment in force was booked."""
        if row.kind == ChangeEffective.kind:
            number = int(row.subject.partition(":")[2])
            found = self.approvals.numbered(number)
            if found is not None and found.act.kind_ == ADJUSTMENT and self.adjusting.pop(number, None) is None:
                raise Doubt(f"proposal {number} adjusted the books, and nothing was booked.")

    # Incidents

    def _of_incident(self, row: ActOnRecord) -> None:
        match row.act:
            case incident_acts.IncidentReported() as act:
                if act.incident in self.about:
                    raise Doubt(f"incident {act.incident} is reported twice.")
                self.incidents[act.incident] = {notice.to for notice in act.notices}
                self.about[act.incident] = act.about
            case incident_acts.IncidentTold() as act:
                self._open(act.incident, closed_too=True).discard(act.to)
            case incident_acts.IncidentNotReached() as act:
                self._open(act.incident, closed_too=True)
            case incident_acts.IncidentClosed() as act:
                owed = self._open(act.incident)
                if owed:
                    raise Doubt(f"incident {act.incident} is closed, and {min(owed)} was not told.")
                if self.about[act.incident] in self.people.persons(row.actor):
                    raise Doubt(f"incident {act.incident} is closed by {row.actor}, whom it is about.")
                del self.incidents[act.incident]
                self.closed += 1

    def _open(self, number: int, *, closed_too: bool = False) -> set[str]:
        found = self.incidents.get(number)
        if found is None and closed_too and number in self.about:
            return set()
        if found is None:
            raise Doubt(f"there is word of incident {number}, which is closed or was never reported.")
        return found

    def end(self, *, attached: bool) -> list[str]:
        if self.adjusting:
            raise Doubt(f"the books were adjusted by proposal {min(self.adjusting)}, which is not in force.")
        self.approvals.end()
        self._say_letters()
        proposals = self.approvals.proposals
        said = []
        if proposals:
            said.append(
                f"House: {_count(len(proposals), 'proposal')}, {self.approvals.effective:,} of them in force, each by "
                f"the authority that its rule names; {_count(self.adjusted, 'adjustment')} of the books."
            )
        if self.about:
            said.append(
                f"House: {_count(len(self.about), 'incident')}, {self.closed:,} of them closed with everybody told "
                "who had to be."
            )
        if self.approvals.installed:
            words = (
                f"{_count(self.approvals.installed, 'value')} in force from the beginning, which nobody has approved."
            )
            # In a demo that is how it begins; in a real house somebody should have a look.
            (said if self.people.demo else self.attention).append(f"House: {words}" if self.people.demo else words)
        return said

    def _say_letters(self) -> None:
        """In force by a letter that no inspector has countersigned: two people could have invented it."""
        proposals = self.approvals.proposals.values()
        in_force = [found for found in proposals if found.by_letter and found.over == "effective"]
        said = {"": "which no inspector has countersigned", "disputed": "which an inspector disputes"}
        for answer, words in said.items():
            named = [found for found in in_force if found.answered == answer]
            for found in named[:_SAID_LIMIT]:
                assert found.letter is not None
                self.attention.append(f"{found.name} is in force by letter {found.letter.reference}, {words}.")
            if len(named) > _SAID_LIMIT:
                self.attention.append(f"{len(named) - _SAID_LIMIT:,} more are in force by letters, {words}.")


def _holds(is_it: Callable[[Any, Any], bool], found: ProposalOnRecord) -> bool:
    try:
        return is_it(found.act.old, found.act.new)
    except (KeyError, TypeError):
        return False


def _changed(old: Any, new: Any) -> tuple[list[str], list[str]]:
    """What is granted and what is revoked, from one list of powers to another."""
    before, after = set(old or ()), set(new)
    return sorted(after - before), sorted(before - after)


def _count(many: int, noun: str) -> str:
    return f"{many:,} {noun}{'' if many == 1 else 's'}"
