"""What the verifier keeps about an account, and what it finds."""

from __future__ import annotations

from dataclasses import dataclass, field

from kernel.export_check import Figure


class Wrong(Exception):
    """The first thing that is not as it should be."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(f"line {line}: {what}")
        self.line = line
        self.what = what


@dataclass(slots=True)
class Account:
    whole_cents: bool
    kind: str  # asset, liability, equity, income, expense
    opened_at: int  # the line
    debits: int = 0
    credits: int = 0


@dataclass(slots=True)
class Result:
    rows: int = 0
    seals: int = 0
    venue: str = ""
    first_key: str = ""
    last_key: str = ""
    accounts: int = 0
    until: str = ""
    separated: bool = False  # whether those who sold and paid could neither seal nor change what is on record
    witness: str = ""  # its name, as the log has it
    attention: list[str] = field(default_factory=list)  # right, but a person should look at it
    rooms: list[str] = field(default_factory=list)  # what the rooms have checked, in words
    shown: list[str] = field(default_factory=list)  # what was found of what was asked for
    cosigned: int = 0  # how many rows the witness has cosigned
    extends: int = 0  # how many rows there are beyond the export, or the head, that the reader had before
    sums: list[tuple[str, str, int]] = field(default_factory=list)  # gaming day, kind of transfer, micro-dollars
    figures: list[tuple[str, Figure]] = field(default_factory=list)  # with the name of the room
