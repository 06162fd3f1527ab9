"""What is written to the log about cash. Who received it stays out, and so does whom anybody suspects of what."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import ClassVar

from kernel.acts import Act, OrMissing
from kernel.money import Money


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdReportDue(Act):
    """Made, or grown by another payment: the last one counts."""

    kind: ClassVar[str] = "cash.threshold-due"
    report: int
    cash: Money
    payments: int
    day: date
    due_at: datetime

    @property
    def subject(self) -> str:
        return f"threshold-report:{self.report}"

    def sentence(self) -> str:
        many = "payments" if self.payments != 1 else "payment"
        return f"brought threshold report {self.report} to ${self.cash} in {self.payments} {many}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdReported(Act):
    kind: ClassVar[str] = "cash.threshold-reported"
    report: int
    room: str
    payment: int
    reference: OrMissing[str] = None

    @property
    def subject(self) -> str:
        return f"threshold-report:{self.report}"

    def sentence(self) -> str:
        return f"sent threshold report {self.report} to the authority"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportsDownloaded(Act):
    """A file with personal data left the house's system; the hash says which."""

    kind: ClassVar[str] = "cash.reports-downloaded"
    reports: list[int]
    format: str
    sha256: str

    @property
    def subject(self) -> str:
        return f"threshold-report:{self.reports[0]}" if len(self.reports) == 1 else "threshold-reports"

    def sentence(self) -> str:
        many = f"{len(self.reports)} threshold reports" if len(self.reports) != 1 else f"report {self.reports[0]}"
        return f"downloaded {many} as {self.format.upper()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfidentialRecordKept(Act):
    """Something that only few may read was written down. The hash shows later that it is as it was then."""

    kind: ClassVar[str] = "cash.confidential"
    record: int
    sha256: str

    @property
    def subject(self) -> str:
        return f"confidential-record:{self.record}"

    def sentence(self) -> str:
        return f"kept confidential record {self.record}"
