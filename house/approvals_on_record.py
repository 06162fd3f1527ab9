"""What the log says of changes that need somebody's word: proposed, seconded, decided by whom, in force. Pure.

Each proposal is followed from its act to its end. What a room does by one (terms, an amendment, a void draw) happens
between its approval and its end: a room's check asks `ApprovalsOnRecord.under_way` for it, having been given the object
that ``house/verify.py`` fills.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime as dt
from typing import Final

from house import approval_acts as acts
from house.people_on_record import SYSTEM, PeopleOnRecord
from kernel.acts import Act, Json
from kernel.authority import Authority
from kernel.export_check import ActOnRecord, Doubt

_LETTERS: Final = (
    acts.LetterRecorded,
    acts.LetterConfirmed,
    acts.LetterDiscarded,
    acts.LetterCountersigned,
    acts.LetterDisputed,
)
_ENDS: Final = (acts.ChangeEffective, acts.ChangeStale, acts.ChangeFailed)
_READ: Final[tuple[type[Act], ...]] = (
    acts.ChangeProposed,
    acts.ChangeTakenUp,
    acts.ChangeSeconded,
    acts.ChangeApproved,
    acts.ChangeRejected,
    acts.ChangeWithdrawn,
    acts.ChangeWaitsAgain,
    acts.ValueInstalled,
    *_ENDS,
    *_LETTERS,
)
KINDS: Final = frozenset(act.kind for act in _READ)
LETTERS_POWER: Final = "approvals.letters"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A kind of change: *power* is what a second person of the house decides it by, *propose* what it is proposed by,
    *anywhere*: at a device on the floor, too; *second*: two of the house stand behind it before its authority decides,
    in person; *kept*: each value replaces the one before."""

    power: str = ""
    propose: str = "approvals.propose"
    anywhere: bool = False
    second: str = ""
    kept: bool = False


# Whose word a change takes: (kind, about, old, new).
WhoseWord = Callable[[str, str, Json, Json], Authority]


@dataclass(slots=True)
class ProposalOnRecord:
    act: acts.ChangeProposed
    authority: Authority
    by: str
    seconded_by: str = ""
    decided_by: str = ""
    letter: acts.LetterRecorded | None = None  # the one that is on record and not discarded
    recorded_by: str = ""
    confirmed_by: str = ""
    by_letter: bool = False
    answered: str = ""  # what an inspector said of the letter
    over: str = ""  # how it ended

    @property
    def name(self) -> str:
        return self.act.change


@dataclass(slots=True)
class ApprovalsOnRecord:
    people: PeopleOnRecord
    changes: Mapping[str, Change]
    whose_word: WhoseWord
    proposals: dict[int, ProposalOnRecord] = field(default_factory=dict)
    values: dict[tuple[str, str], Json] = field(default_factory=dict)  # in force, by kind and code: what is kept so
    used_letters: set[str] = field(default_factory=set)
    adjusted: dict[str, int] = field(default_factory=dict)  # by account: what adjustments added, in micro-dollars
    installed: int = 0
    effective: int = 0

    def act(self, row: ActOnRecord) -> None:
        """An act of one of ``KINDS``, in the order of the log. Raises Doubt."""
        match row.act:
            case acts.ChangeProposed() as act:
                self._proposed(act, row.actor)
            case acts.ValueInstalled() as act:
                self._installed(act, row.actor)
            case acts.ChangeTakenUp() | acts.ChangeSeconded() | acts.ChangeWithdrawn() as act:
                self._before_decision(act, row.actor)
            case acts.ChangeApproved() as act:
                self._approved(act, row.actor)
            case acts.ChangeRejected() as act:
                found = self._undecided(act)
                self._check_decider(found, row.actor)
                found.over = "rejected"
            case acts.ChangeEffective() | acts.ChangeStale() | acts.ChangeFailed() as act:
                self._ended(act, row.actor, row.at)
            case acts.ChangeWaitsAgain() as act:
                self._waits_again(act)
            case _:
                self._of_letter(row)

    def under_way(self, kind: str, about: str) -> list[ProposalOnRecord]:
        """Approved, and not in force yet: what a room does by them, it does now."""
        return [
            found
            for found in self.proposals.values()
            if not found.over and found.decided_by and (found.act.kind_, found.act.about) == (kind, about)
        ]

    def numbered(self, number: int) -> ProposalOnRecord | None:
        return self.proposals.get(number)

    def _about(self, act: acts._OfProposal) -> ProposalOnRecord:
        found = self.proposals.get(act.proposal)
        if found is None:
            raise Doubt(f"there is word of proposal {act.proposal}, which nobody made.")
        if (found.act.kind_, found.act.about) != (act.kind_, act.about):
            raise Doubt(f"proposal {act.proposal} was about {found.act.about} ({found.act.kind_}).")
        return found

    def _undecided(self, act: acts._OfProposal) -> ProposalOnRecord:
        found = self._about(act)
        if found.decided_by or found.over:
            raise Doubt(f"{found.name} is decided a second time, or after its end.")
        return found

    def _proposed(self, act: acts.ChangeProposed, by: str) -> None:
        change = self.changes.get(act.kind_)
        if change is None:
            raise Doubt(f"nobody knows whose word a change of kind {act.kind_} takes.")
        if act.proposal in self.proposals:
            raise Doubt(f"proposal {act.proposal} is made twice.")
        if not by.startswith(SYSTEM) and not self.people.may(by, change.propose, anywhere=change.anywhere):
            raise Doubt(f"{by} proposes {act.change}, and has no power to.")
        if self.people.is_inspector(by):
            raise Doubt(f"{by}, an inspector, proposes {act.change}.")
        authority = self.whose_word(act.kind_, act.about, act.old, act.new)
        if act.authority != authority:
            raise Doubt(f"{act.change} is the word of {authority.words}, and is said to be {act.authority}’s.")
        self.proposals[act.proposal] = ProposalOnRecord(act, authority, by)

    def _before_decision(self, act: acts.ChangeTakenUp | acts.ChangeSeconded | acts.ChangeWithdrawn, by: str) -> None:
        found = self._undecided(act)
        change = self.changes[act.kind_]
        match act:
            case acts.ChangeTakenUp():
                if not found.by.startswith(SYSTEM) or act.proposed_by != found.by or not self.people.is_here(by):
                    raise Doubt(f"{found.name} is taken up by {by}, and {found.by} stands behind it.")
                found.by = by
            case acts.ChangeSeconded():
                if not change.second or found.seconded_by or not self.people.are_others(by, found.by):
                    raise Doubt(f"{found.name} is seconded by {by}, who is no second person.")
                if not self.people.may(by, change.second) or self.people.is_inspector(by):
                    raise Doubt(f"{found.name} is seconded by {by}, who has no power to.")
                found.seconded_by = by
            case acts.ChangeWithdrawn():
                if by != found.by:
                    raise Doubt(f"{found.name} is withdrawn by {by}, who did not propose it.")
                found.over = "withdrawn"

    def _approved(self, act: acts.ChangeApproved, by: str) -> None:
        found = self._undecided(act)
        if act.authority != found.authority:
            raise Doubt(f"{found.name} is approved in the name of another authority than it needs.")
        if act.letter is not None:
            letter = found.letter
            if letter is None or letter.letter != act.letter or found.confirmed_by != by:
                raise Doubt(f"{found.name} is approved by a letter that nobody has recorded and confirmed.")
            found.by_letter = True
        else:
            self._check_decider(found, by)
        found.decided_by = by

    def _check_decider(self, found: ProposalOnRecord, by: str) -> None:
        """The authority that the rule names, in the person of somebody who has nothing else to do with it."""
        change = self.changes[found.act.kind_]
        if found.by.startswith(SYSTEM):
            raise Doubt(f"{found.name} is decided, and nobody stands behind it: {found.by} proposed it.")
        if change.second and not found.seconded_by:
            raise Doubt(f"{found.name} is decided before a second person of the house stood behind it.")
        if not self.people.are_others(by, found.by, found.seconded_by):
            raise Doubt(f"{found.name} is decided by {by}, who proposed it or stood behind it.")
        if by in self._concerned(found):
            raise Doubt(f"{found.name} is decided by {by}, whom it is about.")
        match found.authority:
            case Authority.INSPECTOR:
                if not self.people.is_inspector(by):
                    raise Doubt(f"{found.name} is an inspector’s to decide, and {by} is none.")
            case Authority.COMMISSION:
                raise Doubt(f"{found.name} is the commission’s to decide, by letter, and {by} decided it.")
            case Authority.HOUSE:
                if not self.people.may(by, change.power) or self.people.is_inspector(by):
                    raise Doubt(f"{found.name} is decided by {by}, who has no power to.")

    def _concerned(self, found: ProposalOnRecord) -> set[str]:
        """Whose own affair it is: the person it is about, who holds a device and who is to."""
        about, new = found.act.about, found.act.new
        concerned = {about, self.people.holders.get(about.removeprefix("device:"), "")}
        if isinstance(new, dict) and isinstance(new.get("holder"), str):
            concerned.add(f"staff:{new['holder']}")
        return concerned

    def _ended(self, act: acts.ChangeEffective | acts.ChangeStale | acts.ChangeFailed, by: str, at: str) -> None:
        found = self._about(act)
        said = act.letter if found.by_letter else None
        if not found.decided_by or found.over:
            raise Doubt(f"{found.name} comes to its end, and was not approved, or has ended.")
        if (act.old, act.new) != (found.act.old, found.act.new) or act.authority != found.authority:
            raise Doubt(f"{found.name} is put in force as something else than was approved.")
        if by != found.decided_by and not self.people.is_inspector(by):
            raise Doubt(f"{found.name} is put in force by {by}, who did not decide it.")
        since = found.act.effective_from
        if isinstance(act, acts.ChangeEffective) and since and dt.fromisoformat(since) > dt.fromisoformat(at):
            raise Doubt(f"{found.name} is put in force before its time.")
        if act.letter != said or (found.by_letter and found.letter is not None and act.letter != found.letter.letter):
            raise Doubt(f"{found.name} was approved by a letter, and its end does not say so, or says another.")
        found.over = act.kind.partition(".")[2]
        if isinstance(act, acts.ChangeEffective):
            self._in_force(found)

    def _waits_again(self, act: acts.ChangeWaitsAgain) -> None:
        """Only what waits for something that may turn out not to have been; the room that knows says why."""
        found = self._about(act)
        if found.over != "effective" or not found.act.condition or self.changes[act.kind_].kept:
            raise Doubt(f"{found.name} is said to wait again, and did not wait, or is not in force.")
        found.over = ""
        self.effective -= 1

    def _in_force(self, found: ProposalOnRecord) -> None:
        self.effective += 1
        kind, code = found.act.kind_, found.act.about.partition(":")[2]
        if self.changes[kind].kept:
            if self.values.get((kind, code)) != found.act.old:
                raise Doubt(f"{found.name} replaces something that was not in force.")
            self.values[kind, code] = found.act.new

    def _installed(self, act: acts.ValueInstalled, by: str) -> None:
        if not by.startswith(SYSTEM) or (act.kind_, act.code) in self.values:
            raise Doubt(f"{act.kind_} {act.code} is put in force by {by}, and nobody has approved it.")
        authority = self.whose_word(act.kind_, f"{act.kind_}:{act.code}", None, act.value)
        if act.kind_ not in self.changes or act.authority != authority:
            raise Doubt(f"{act.kind_} {act.code} is put in force as another authority’s to approve than it is.")
        self.values[act.kind_, act.code] = act.value
        self.installed += 1

    def _of_letter(self, row: ActOnRecord) -> None:
        act, by = row.act, row.actor
        assert isinstance(act, _LETTERS)
        found = self._about(act)
        if act.authority != found.authority or found.authority is Authority.HOUSE or self.changes[act.kind_].second:
            raise Doubt(f"a letter is on record for {found.name}, which no such letter decides.")
        match act:
            case acts.LetterRecorded():
                if found.letter is not None or found.decided_by or act.letter in self.used_letters:
                    raise Doubt(f"letter {act.reference} for {found.name} is one too many, or was used before.")
                self._check_clerk(found, by)
                found.letter, found.recorded_by = act, by
                self.used_letters.add(act.letter)
                return
            case acts.LetterConfirmed():
                self._check_clerk(found, by)
                if found.confirmed_by:
                    raise Doubt(f"letter {act.reference} for {found.name} is confirmed twice.")
                if act.recorded_by != found.recorded_by or not self.people.are_others(by, found.recorded_by, found.by):
                    raise Doubt(f"letter {act.reference} is confirmed by {by}, who recorded it or proposed the change.")
                found.confirmed_by = by
            case acts.LetterDiscarded():
                found.letter, found.recorded_by, found.confirmed_by = None, "", ""
                return
            case acts.LetterCountersigned() | acts.LetterDisputed():
                if not self.people.is_inspector(by) or not found.by_letter or found.answered:
                    raise Doubt(f"letter {act.reference} is answered by {by}: an inspector does, once.")
                found.answered = act.kind.rpartition("-")[2]
        recorded = found.letter
        said = (act.letter, act.reference, act.office)
        if recorded is None or (recorded.letter, recorded.reference, recorded.office) != said:
            raise Doubt(f"letter {act.reference} for {found.name} was never put on record.")

    def end(self) -> None:
        """What waits for nothing came to its end when it was decided."""
        for found in self.proposals.values():
            if found.decided_by and not (found.over or found.act.condition or found.act.effective_from):
                raise Doubt(f"{found.name} was approved, and never came to its end.")

    def _check_clerk(self, found: ProposalOnRecord, by: str) -> None:
        if not self.people.may(by, LETTERS_POWER) or self.people.is_inspector(by):
            raise Doubt(f"{by} puts a letter for {found.name} on record, and has no power to.")
