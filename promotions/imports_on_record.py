"""Files of entries as the log tells them: who brought one in, what it entered, who confirmed it. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field

from house.people_on_record import PeopleOnRecord
from kernel.export_check import ActOnRecord, Doubt
from promotions.acts import entries


@dataclass(slots=True)
class ImportOnRecord:
    by: str
    sha256: str
    entered: int | None = None  # not over


@dataclass(slots=True)
class ImportsOnRecord:
    """Of one promotion: nothing that a file entered is sealed on one person's word."""

    promotion: str
    waiting: dict[int, ImportOnRecord] = field(default_factory=dict)
    confirmed: set[int] = field(default_factory=set)

    def act(self, row: ActOnRecord, people: PeopleOnRecord, *, sealed: bool) -> None:
        match row.act:
            case entries.ImportBegun() as act:
                if act.import_ in self.waiting or act.import_ in self.confirmed:
                    raise Doubt(f"{self.promotion}: import {act.import_} begins twice.")
                self.waiting[act.import_] = ImportOnRecord(row.actor, act.sha256)
            case entries.ImportOver() as act:
                found = self.waiting.get(act.import_)
                if found is None or found.entered is not None:
                    raise Doubt(f"{self.promotion}: import {act.import_} ends, and never began, or ended before.")
                if sealed and act.entered:
                    raise Doubt(f"{self.promotion}: import {act.import_} entered people in a list that was sealed.")
                found.entered = act.entered
            case entries.ImportConfirmed() as act:
                found = self.waiting.pop(act.import_, None)
                if found is None or (found.sha256, found.entered) != (act.sha256, act.entered):
                    raise Doubt(f"{self.promotion}: import {act.import_} is confirmed, and is another, or not over.")
                if not people.are_others(row.actor, found.by):
                    raise Doubt(f"{self.promotion}: import {act.import_} is confirmed by who brought it in.")
                self.confirmed.add(act.import_)

    def must_be_confirmed(self) -> None:
        for number, found in self.waiting.items():
            if found.entered:
                raise Doubt(
                    f"{self.promotion}: a list is sealed with import {number}, which {found.by} alone has seen."
                )
