"""Entries: earned, imported, withdrawn, sealed; cards that may not enter; and what is known of people."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from kernel.acts import Act, InSubject
from promotions.acts.base import PromotionAct


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesEarned(PromotionAct):
    kind: ClassVar[str] = "promotion.entries-earned"
    added: int
    withdrawn: int

    def sentence(self) -> str:
        return f"counted what was wagered: {self.added} more entries in {self.promotion}, {self.withdrawn} fewer"


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawalSaid(PromotionAct):
    """One person: it stands in the list until another has said so, too."""

    kind: ClassVar[str] = "promotion.withdrawal-said"
    entry: int
    why: str

    def sentence(self) -> str:
        return f"said that entry {self.entry} of {self.promotion} is to be withdrawn: {self.why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryWithdrawn(PromotionAct):
    kind: ClassVar[str] = "promotion.entry-withdrawn"
    entry: int
    why: str
    clause: str

    def sentence(self) -> str:
        return f"withdrew entry {self.entry} from {self.promotion}: {self.why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesSealed(PromotionAct):
    """The root that is published before the draw, over every entry that was not withdrawn."""

    kind: ClassVar[str] = "promotion.entries-sealed"
    promotion: str
    list_: int
    entry_root: bytes
    entry_count: int
    closed_at: datetime

    def sentence(self) -> str:
        return f"sealed the {self.entry_count} entries of {self.promotion} as list {self.list_}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ListVoided(PromotionAct):
    kind: ClassVar[str] = "promotion.list-void"
    list_: int
    entry_root: bytes
    why: str

    def sentence(self) -> str:
        return f"declared list {self.list_} of {self.promotion} void: {self.why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportBegun(PromotionAct):
    kind: ClassVar[str] = "promotion.import-begun"
    import_: int
    file: str
    sha256: str
    rows: int

    def sentence(self) -> str:
        return f"began to import {self.rows} rows of “{self.file}” into {self.promotion}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOver(PromotionAct):
    """What became of a file."""

    import_: int
    entered: int
    refused: int
    outcome: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportDone(ImportOver):
    kind: ClassVar[str] = "promotion.import-done"

    def sentence(self) -> str:
        return f"imported {self.entered} entries into {self.promotion}; {self.refused} rows were refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportRefused(ImportOver):
    kind: ClassVar[str] = "promotion.import-refused"

    def sentence(self) -> str:
        return f"had import {self.import_} into {self.promotion} refused: {self.outcome}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportCancelled(ImportOver):
    kind: ClassVar[str] = "promotion.import-cancelled"

    def sentence(self) -> str:
        return f"stopped import {self.import_} into {self.promotion} after {self.entered} entries"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportConfirmed(PromotionAct):
    """By another person than who brought the file in: what it entered may be sealed."""

    kind: ClassVar[str] = "promotion.import-confirmed"
    import_: int
    sha256: str
    entered: int

    def sentence(self) -> str:
        return f"confirmed the {self.entered} entries of import {self.import_} into {self.promotion}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportRejectionSaid(PromotionAct):
    """One person: what the file entered stands until another has said so, too."""

    kind: ClassVar[str] = "promotion.import-rejection-said"
    import_: int
    why: str

    def sentence(self) -> str:
        return f"said that import {self.import_} into {self.promotion} is to be rejected: {self.why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportRejected(PromotionAct):
    """By a second person: everything the file entered is withdrawn."""

    kind: ClassVar[str] = "promotion.import-rejected"
    import_: int
    sha256: str
    withdrawn: int  # some may have been before, one by one
    why: str
    clause: str

    def sentence(self) -> str:
        return f"rejected import {self.import_} into {self.promotion} with its {self.withdrawn} entries: {self.why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class CardExcluded(Act):
    """The log knows that somebody was excluded, not who: what is sealed can never be forgotten again."""

    kind: ClassVar[str] = "promotion.card-excluded"
    exclusion: InSubject[int]
    why: str

    @property
    def subject(self) -> str:
        return f"excluded-card:{self.exclusion}"

    def sentence(self) -> str:
        return f"excluded a card from promotions: {self.why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExclusionConfirmed(Act):
    """By a second person: from now on what the card entered before is left out, too."""

    kind: ClassVar[str] = "promotion.exclusion-confirmed"
    exclusion: InSubject[int]

    @property
    def subject(self) -> str:
        return f"excluded-card:{self.exclusion}"

    def sentence(self) -> str:
        return "confirmed that a card is excluded from promotions"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadmissionSaid(Act):
    """One person, not who excluded it: the card stays out until another has said so, too."""

    kind: ClassVar[str] = "promotion.readmission-said"
    exclusion: InSubject[int]

    @property
    def subject(self) -> str:
        return f"excluded-card:{self.exclusion}"

    def sentence(self) -> str:
        return "said that a card is to be readmitted to promotions"


@dataclass(frozen=True, slots=True, kw_only=True)
class CardReadmitted(Act):
    kind: ClassVar[str] = "promotion.card-readmitted"
    exclusion: InSubject[int]

    @property
    def subject(self) -> str:
        return f"excluded-card:{self.exclusion}"

    def sentence(self) -> str:
        return "readmitted a card to promotions"


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalDataErased(PromotionAct):
    kind: ClassVar[str] = "promotion.personal-data-erased"
    entrants: int

    def sentence(self) -> str:
        return f"deleted the personal data of {self.entrants} entrants of {self.promotion}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalDataExported(PromotionAct):
    kind: ClassVar[str] = "promotion.personal-data-exported"
    entrants: int
    why: str

    def sentence(self) -> str:
        return f"took away the list of {self.entrants} entrants of {self.promotion}: {self.why}"
