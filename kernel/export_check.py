"""What a room checks of its own in an audit export (``<room>/verify.py``), for the verifier to ask. Pure.

The verifier reads the export once, in the order of the log, and has shown that every row is the sealed one before a
room sees it. A room sees its acts and its transfers, interleaved as the log has them; then every account's balance;
then its attachment. What does not fit is a ``Doubt``. ``verify/README.md`` shows a check of ten lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import compress
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

from kernel.acts import Act
from kernel.canonical import canonical
from kernel.row_text import read_json

CASH: Final = (":cash", ":cage")  # how the account of a drawer ends
REVERSAL: Final = ".reversal"  # how the kind of a transfer ends that takes another one back
CLOCKS_DIFFER_SECONDS: Final = 120  # those of database, sealer and witness, at most
UNDER_WAY: Final = timedelta(seconds=60)  # a transaction, at most: then the database ends one that stands idle
_AT_ONCE: Final = timedelta(seconds=CLOCKS_DIFFER_SECONDS) + UNDER_WAY  # from a verb's own moment to its row's


class Doubt(Exception):
    """What does not fit, as a sentence. The verifier adds the line: the one being read, unless *line* says another, or
    *row* is the number (``id``) of the row that is meant."""

    def __init__(self, what: str, *, line: int | None = None, row: int | None = None) -> None:
        super().__init__(what)
        self.line, self.row = line, row


NOT_AN_EXPORTS: Final = "this is not written as an export writes it."


def read_attached(line: bytes) -> dict[str, object]:
    """A line that is written in its one way."""
    value = read_json(line)
    if not isinstance(value, dict) or canonical(value) + b"\n" != line:
        raise Doubt(NOT_AN_EXPORTS)
    return value


@dataclass(slots=True)  # not frozen, which costs as much again to make; nobody changes one
class RowOnRecord:
    index: int  # its place in the log, from 0: what proofs and questions to the witness name
    line: int  # of the export, for a Doubt that comes later
    id: int  # its number in the house's books: what ``reverses`` names
    tx: int  # the transaction that wrote it: rows of one follow each other
    at: str  # UTC, to the microsecond, of one length: texts compare as the moments do
    day: str  # the gaming day, ISO
    kind: str
    actor: str  # who: ``staff:anna``, ``device:W-0007``, ``system:sealer``


@dataclass(slots=True)
class ActOnRecord(RowOnRecord):
    subject: str
    act: Act  # as its class reads it: every field there, of its type, in its one way to be written
    cosigned: int | None  # how many rows the witness had cosigned by then; None: the log names no witness
    cash: int = 0  # micro-dollars that were handed out or taken in before it, in its transaction


@dataclass(slots=True)
class TransferOnRecord(RowOnRecord):
    reference: str
    debit: str
    credit: str
    micros: int
    reverses: int | None = None  # the ``id`` of the transfer that it takes back: same kind, accounts exchanged, once
    memo: Mapping[str, Any] | None = None


def is_now(moment: datetime, row: RowOnRecord) -> bool:
    """Whether what an act says of its own time is when it was written, as near as clocks and transactions are."""
    return abs(moment - datetime.fromisoformat(row.at)) <= _AT_ONCE


def is_now_or_before(moment: datetime, row: RowOnRecord) -> bool:
    """The same of what somebody had seen or done when he wrote it down."""
    return moment <= datetime.fromisoformat(row.at) + _AT_ONCE


def has_passed(moment: datetime, row: RowOnRecord) -> bool:
    """Whether it lay in the past when the row was written, whatever the clocks say."""
    return moment + _AT_ONCE < datetime.fromisoformat(row.at)


class Flow(NamedTuple):
    day: bytes
    kind: bytes
    debit: bytes
    credit: bytes


class Transfers(NamedTuple):
    """Transfers that reverse none and have no escaped letter, in columns: bytes as the export has them, for there are
    millions."""

    places: Sequence[int]  # in the log
    ids: Sequence[int]
    txs: Sequence[int]
    times: Sequence[bytes]
    flows: Sequence[Flow]
    references: Sequence[bytes]
    amounts: Sequence[bytes]  # micro-dollars, in digits
    actors: Sequence[bytes]
    memos: Sequence[bytes | None]  # JSON

    def where(self, wanted: Sequence[bool]) -> Transfers:
        columns: list[Any] = [list(compress(column, wanted)) for column in self]
        return Transfers(*columns)

    def on_record(self, at: int) -> TransferOnRecord:
        """One of them, as it would have come by itself."""
        flow, memo = self.flows[at], self.memos[at]
        return TransferOnRecord(
            self.places[at], 0, self.ids[at], self.txs[at], self.times[at].decode(), flow.day.decode(),
            flow.kind.decode(), self.actors[at].decode(), self.references[at].decode(), flow.debit.decode(),
            flow.credit.decode(), int(self.amounts[at]), None, read_json(memo) if memo is not None else None,
        )  # fmt: skip


Reduce: TypeAlias = Callable[[Transfers], object]
ReadLine: TypeAlias = Callable[[bytes], object]  # a line of an attachment, with its end; raises Doubt


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the reader asks about; a room shows what it finds (``shown``)."""

    ticket: str | None = None
    game: int | None = None
    link: str | None = None
    promotion: str | None = None

    def names(self) -> dict[str, str]:
        """What was asked for, by the option's name."""
        asked = {name: getattr(self, name) for name in ("ticket", "game", "link", "promotion")}
        return {name: str(value) for name, value in asked.items() if value is not None}


NOTHING_WANTED: Final = Wanted()


@dataclass(frozen=True, slots=True)
class Figure:
    """A number for the summary: of one gaming day, under one heading of the room."""

    day: str
    what: str  # "Tickets sold", "Prizes won"
    value: int
    money: bool = True  # micro-dollars; else a count


class RoomCheck:
    """A room's part. A room's ``Check`` inherits this and says what it reads; what it leaves out does nothing.

    Every kind of transfer is exactly one room's; acts may be read by several. Kinds that nobody knows are wrong.
    """

    name: ClassVar[str] = ""  # as people call the room: "Keno"
    acts: ClassVar[frozenset[str]] = frozenset()  # the kinds of acts that it reads
    transfers: ClassVar[frozenset[str]] = frozenset()  # the kinds of transfers that are its own, and their reversals
    # Of these kinds there are very many: a plain one does not come to ``transfer`` but, with its neighbours, to
    # ``reduce``, in another process; what that answers comes to ``merge``. What is not plain comes to ``transfer``.
    reduced: ClassVar[frozenset[str]] = frozenset()
    attachment: ClassVar[str] = ""  # the name of the lines it has in the export beside the rows; "": none

    def __init__(self, wanted: Wanted = NOTHING_WANTED) -> None:
        self.wanted = wanted
        self.shown: list[str] = []  # what was found of ``wanted``, in words
        self.attention: list[str] = []  # what is right, and yet a person should look at it
        self.figures: list[Figure] = []  # for the summary; by the end

    def act(self, row: ActOnRecord) -> None:
        """An act of one of its kinds, in the order of the log."""

    def transfer(self, row: TransferOnRecord) -> None:
        """A transfer of one of its kinds, in the order of the log. The verifier sees to it that amounts are above
        nothing, accounts are two and open, the reference is new within the kind, and ``reverses`` names its match."""

    @staticmethod
    def reduce(rows: Transfers) -> object:
        """Plain transfers of the kinds in ``reduced`` that follow each other, no other row of this room and no act
        between them: to something small that can be pickled. Pure, and in another process: it sees nothing but
        them."""
        raise NotImplementedError

    def merge(self, part: Any) -> None:
        """What ``reduce`` has made, in the order of the log, between the acts where it belongs."""
        raise NotImplementedError

    def ended_before(self, tx: int, *, at: datetime) -> None:
        """A seal was read: every transaction below *tx* had ended when it was made. Others above it may have ended
        before these did, and come with a later seal; and who is above it may have read before these ended."""

    def balances(self, held: Mapping[str, int]) -> None:
        """What every account owes at the end (credits less debits), in micro-dollars. After all rows."""

    def reader(self) -> ReadLine:
        """After the balances: what reads a line of its attachment, in another process where the export is large. It
        can be pickled, has in itself all that it needs, and changes nothing. Written here as canonical text is."""
        return read_attached

    def attached(self, part: Any) -> None:
        """What the reader has made of a line of its attachment, in their order. Its bytes are covered by the signed
        end."""

    def answers_used(self) -> Iterable[tuple[str, str, int]]:
        """(purpose, occasion, attempt) of each answer of the witness that something here was drawn from. At the end."""
        return ()

    def end(self, *, attached: bool) -> list[str]:
        """Everything was read; *attached*: the export has the attachment. What was checked, in words."""
        return []
