"""Files of entries as the log tells them: who brought one in, what it entered, who confirmed or rejected it. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field

from house.people_on_record import PeopleOnRecord
from kernel.export_check import ActOnRecord, Doubt
from promotions.acts import entries


@dataclass(slots=True)
class ImportOnRecord:
    by: str
    sha256: str
    rows: int
    entered: int | None = None  # not over
    confirmed: bool = False
    rejecting: tuple[str, str] = ("", "")  # who said so first, and why
    rejected: bool = False

    @property
    def is_settled(self) -> bool:
        return not self.entered or self.confirmed or self.rejected


@dataclass(slots=True)
class ImportsOnRecord:
    """Of one promotion: nothing that a file entered is sealed, or taken out again, on one person's word."""

    promotion: str
    refusal_clause: str
    known: dict[int, ImportOnRecord] = field(default_factory=dict)

    def act(self, row: ActOnRecord, people: PeopleOnRecord, *, sealed: bool) -> None:
        match row.act:
            case entries.ImportBegun() as act:
                if act.import_ in self.known:
                    raise Doubt(f"{self.promotion}: import {act.import_} begins twice.")
                self.known[act.import_] = ImportOnRecord(row.actor, act.sha256, act.rows)
            case entries.ImportOver() as act:
                found = self.known.get(act.import_)
                if found is None or found.entered is not None:
                    raise Doubt(f"{self.promotion}: import {act.import_} ends, and never began, or ended before.")
                whole = isinstance(act, entries.ImportDone)
                if act.entered + act.refused > found.rows or (whole and act.entered + act.refused != found.rows):
                    raise Doubt(f"{self.promotion}: import {act.import_} ends with other rows than it began with.")
                if sealed and act.entered:
                    raise Doubt(f"{self.promotion}: import {act.import_} entered people in a list that was sealed.")
                found.entered = act.entered
            case entries.ImportConfirmed() as act:
                found = self._over(act.import_, act.sha256)
                if found is None or found.entered != act.entered or found.is_settled:
                    raise Doubt(f"{self.promotion}: import {act.import_} is confirmed, and is another, or not over.")
                if not people.are_others(row.actor, found.by):
                    raise Doubt(f"{self.promotion}: import {act.import_} is confirmed by who brought it in.")
                found.confirmed = True
            case entries.ImportRejectionSaid() as act:
                found = self._over(act.import_)
                if found is None or found.rejecting[0]:
                    raise Doubt(f"{self.promotion}: import {act.import_} is to be rejected, and is not over, or was.")
                found.rejecting = (row.actor, act.why)
            case entries.ImportRejected() as act:
                self._reject(act, row, people, sealed=sealed)

    def _reject(self, act: entries.ImportRejected, row: ActOnRecord, people: PeopleOnRecord, *, sealed: bool) -> None:
        found = self._over(act.import_, act.sha256)
        if found is None or found.rejected or sealed or act.withdrawn > (found.entered or 0):
            raise Doubt(f"{self.promotion}: import {act.import_} is rejected, and is another, not over, or sealed.")
        said_by, why = found.rejecting
        if (act.why, act.clause) != (why, self.refusal_clause) or not people.are_others(row.actor, said_by):
            raise Doubt(f"{self.promotion}: import {act.import_} is rejected by the word of {row.actor} alone.")
        found.rejected = True

    def _over(self, number: int, sha256: str | None = None) -> ImportOnRecord | None:
        """An import that has entered somebody, where the file is this one."""
        found = self.known.get(number)
        return found if found is not None and found.entered and sha256 in (None, found.sha256) else None

    def must_be_settled(self) -> None:
        for number, found in self.known.items():
            if not found.is_settled:
                raise Doubt(
                    f"{self.promotion}: a list is sealed with import {number}, which {found.by} alone has seen."
                )
