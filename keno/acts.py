"""The acts Keno writes to the log. Pure: boards, pages and the offline verifier read the same classes.

What decides a draw is here in its order, beside the acts of ``draws`` and ``ledger``: the promise, repeated with the
opening (``GameOpened``), the lock before the witness is asked (``DrawLocked``), each number, and the master that kept
the promise (``GameSettled``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import date, datetime
from typing import ClassVar

from kernel.acts import Act, InSubject, Json, OrMissing
from kernel.money import Money


def game_subject(number: int) -> str:
    """What the log calls a game."""
    return f"keno-game:{number}"


def ticket_subject(serial: str) -> str:
    """What the log calls a ticket."""
    return f"keno-ticket:{serial}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Exact(Act):
    """Moments to the microsecond, as the rows of games have them."""

    def data(self) -> dict[str, Json]:
        held = {field.name: getattr(self, field.name) for field in fields(self)}
        return Act.data(self) | {name: each.isoformat() for name, each in held.items() if isinstance(each, datetime)}


@dataclass(frozen=True, slots=True, kw_only=True)
class OfGame(_Exact):
    game: int

    @property
    def subject(self) -> str:
        return game_subject(self.game)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOpened(OfGame):
    """*commitment* is the promise that every attempt will keep, made before (``draws.MasterPromised``)."""

    kind: ClassVar[str] = "keno.opened"
    opens_at: datetime
    closes_at: datetime
    gaming_day: date
    device: str
    commitment: bytes | None

    def sentence(self) -> str:
        return f"opened game {self.game}"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameMoved(OfGame):
    """The close of an open game moved on to the next gaming day (4.5)."""

    kind: ClassVar[str] = "keno.moved"
    old: datetime
    new: datetime

    def sentence(self) -> str:
        return f"moved the close of game {self.game} to the next gaming day"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameClosed(OfGame):
    kind: ClassVar[str] = "keno.closed"
    closed_at: datetime
    jackpot_stakes: Mapping[int, Money]  # what was paid for jackpot ways, by spots

    def sentence(self) -> str:
        return f"closed game {self.game}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketsSealed(OfGame):
    """The set of tickets, for those who follow the game: the same as in the act that the witness is shown
    (``ledger.OccasionSealed``)."""

    kind: ClassVar[str] = "keno.sealed"
    ticket_root: bytes
    ticket_count: int

    def sentence(self) -> str:
        return f"sealed the {self.ticket_count:,} tickets of game {self.game}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawLocked(OfGame):
    """From here on no cancellation of this game counts: the witness is asked under a head that contains this act.
    *asked*: the number under which it is asked."""

    kind: ClassVar[str] = "keno.locked"
    attempt: int
    asked: int

    def sentence(self) -> str:
        return f"locked game {self.game} for the witness to be asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawWaits(OfGame):
    """The witness does not answer; the game waits."""

    kind: ClassVar[str] = "keno.waits"
    attempt: int

    def sentence(self) -> str:
        return f"had game {self.game} wait: the witness does not answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberDrawn(OfGame):
    """A number or ball on record. With the first stands the sealed set of tickets that it comes from."""

    kind: ClassVar[str] = "keno.ball"
    attempt: int
    place: int
    number: int
    ticket_root: OrMissing[bytes] = None
    ticket_count: OrMissing[int] = None

    def sentence(self) -> str:
        return f"recorded {self.number} as number {self.place} of game {self.game}"


@dataclass(frozen=True, slots=True, kw_only=True)
class BallFellBack(OfGame):
    kind: ClassVar[str] = "keno.ball-fell-back"
    attempt: int
    number: int

    def sentence(self) -> str:
        return f"took back ball {self.number} of game {self.game}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawFinished(OfGame):
    """The twentieth number."""

    kind: ClassVar[str] = "keno.drawn"
    attempt: int
    numbers: tuple[int, ...]
    ticket_root: bytes
    ticket_count: int

    def sentence(self) -> str:
        return f"finished the draw of game {self.game}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawVoided(OfGame):
    """*device* is that of the attempt that follows, from the same promise and the same tickets. *numbers* are those on
    record; *would_be* all twenty that would have come, where the witness had answered; *proposal* by which two people
    and the inspector decided it, where it had been asked."""

    kind: ClassVar[str] = "keno.voided"
    attempt: int
    cause: str
    reason: str
    numbers: tuple[int, ...]
    device: str
    would_be: OrMissing[tuple[int, ...]] = None
    proposal: OrMissing[int] = None

    def sentence(self) -> str:
        return f"declared the draw of game {self.game} void"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSettled(OfGame):
    """*totals*: {"tickets", "stakes", "prizes", "winners", "biggest" (what the ticket that won most won), "majors":
    {"before", "after", "count"}, "jackpots": by spots {"amount", "ways"}, and where any were won "bonuses"}."""

    kind: ClassVar[str] = "keno.settled"
    attempt: int
    numbers: tuple[int, ...]
    device: str
    commitment: bytes | None
    ticket_root: bytes
    ticket_count: int
    seed: bytes | None
    totals: Mapping[str, Json]

    def sentence(self) -> str:
        return f"settled game {self.game}"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameInvalidated(OfGame):
    """The master is revealed with it: nobody has to take on trust what would have come out (*would_be*, where the
    witness had answered)."""

    kind: ClassVar[str] = "keno.invalidated"
    cause: str
    reason: str
    refunded: Money
    numbers: tuple[int, ...]
    would_be: OrMissing[tuple[int, ...]] = None
    proposal: OrMissing[int] = None

    def sentence(self) -> str:
        return f"invalidated game {self.game}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawDeviceChosen(Act):
    kind: ClassVar[str] = "keno.device-chosen"
    old: str
    new: str

    @property
    def subject(self) -> str:
        return "keno"

    def sentence(self) -> str:
        how = "with balls" if self.new == "mechanical" else "by random number generator"
        return f"chose to draw {how} from the next game on"


@dataclass(frozen=True, slots=True, kw_only=True)
class OfTicket(Act):
    ticket: InSubject[str]

    @property
    def subject(self) -> str:
        return ticket_subject(self.ticket)


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentAuthorised(OfTicket):
    kind: ClassVar[str] = "keno.payment-authorised"
    amount: Money

    def sentence(self) -> str:
        return f"authorised the payment of ${self.amount} on ticket {self.ticket}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RedemptionAuthorised(Act):
    kind: ClassVar[str] = "keno.redemption-authorised"
    voucher: InSubject[str]
    amount: Money

    @property
    def subject(self) -> str:
        return f"voucher:{self.voucher}"

    def sentence(self) -> str:
        return f"authorised the redemption of ${self.amount} for voucher {self.voucher}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketCancelled(OfTicket):
    """*from_* is the first game it does not play any more, *to* the last it was sold for. *late*: games in whose sealed
    sets it stays, though it cannot win in them."""

    kind: ClassVar[str] = "keno.cancelled"
    from_: int
    to: int
    refund: Money
    late: tuple[int, ...]

    def sentence(self) -> str:
        return f"cancelled ticket {self.ticket} from game {self.from_} on"


@dataclass(frozen=True, slots=True, kw_only=True)
class CancellationAsked(OfTicket):
    """Asked for between the asking of the witness and the first number: too late, unless no number ever comes."""

    kind: ClassVar[str] = "keno.cancellation-asked"
    game: int

    def sentence(self) -> str:
        return f"asked to cancel ticket {self.ticket} while game {self.game} was being drawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class CancellationRefused(OfTicket):
    kind: ClassVar[str] = "keno.cancellation-refused"
    game: int

    def sentence(self) -> str:
        return f"refused to cancel ticket {self.ticket}: game {self.game} was drawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class WagersVoided(OfTicket):
    """*excluded*: the number of the player in breach, where he was excluded as well (14.3). *to* and *late* as with a
    ticket that is cancelled."""

    kind: ClassVar[str] = "keno.wagers-voided"
    why: str
    from_: int  # the first game it does not play any more
    to: int
    refund: Money
    excluded: str | None
    late: tuple[int, ...]

    def sentence(self) -> str:
        return f"voided the wagers of ticket {self.ticket} from game {self.from_} on"


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfShift(Act):
    shift: InSubject[int]

    @property
    def subject(self) -> str:
        return f"keno-shift:{self.shift}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShiftOpened(_OfShift):
    kind: ClassVar[str] = "keno.shift-opened"
    terminal: str
    writer: str
    float: Money

    def sentence(self) -> str:
        return f"opened shift {self.shift} with ${self.float}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShiftClosed(_OfShift):
    kind: ClassVar[str] = "keno.shift-closed"
    counted_cash: Money
    expected_cash: Money
    counted_chips: Money
    expected_chips: Money

    def sentence(self) -> str:
        return f"closed shift {self.shift}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfDemo(_Exact):
    days: int
    ends: datetime

    @property
    def subject(self) -> str:
        return "demo"


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoPastBegun(_OfDemo):
    kind: ClassVar[str] = "demo.past-begun"

    def sentence(self) -> str:
        return f"began a past of {self.days} days for the demo"


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoPastMade(_OfDemo):
    kind: ClassVar[str] = "demo.past-made"

    def sentence(self) -> str:
        return f"made a past of {self.days} days for the demo"


ALL: tuple[type[Act], ...] = (
    GameOpened,
    GameMoved,
    GameClosed,
    TicketsSealed,
    DrawLocked,
    DrawWaits,
    NumberDrawn,
    BallFellBack,
    DrawFinished,
    DrawVoided,
    GameSettled,
    GameInvalidated,
    DrawDeviceChosen,
    PaymentAuthorised,
    RedemptionAuthorised,
    TicketCancelled,
    CancellationAsked,
    CancellationRefused,
    WagersVoided,
    ShiftOpened,
    ShiftClosed,
    DemoPastBegun,
    DemoPastMade,
)
