"""What Keno stores. Constraints are in the database; the verbs beside this package are the only writers."""

from keno.models.counter import Approved, Order, OrderStatus, Printing
from keno.models.games import Device, Draw, Game, GameStatus, InvalidationCause, KenoSettings, Match
from keno.models.money import (
    Claim,
    ClaimReason,
    Payment,
    PaymentAuthority,
    PaymentMethod,
    Prize,
    PrizeKind,
    Shift,
    ThresholdReport,
    Voucher,
)
from keno.models.tickets import Play, Tender, TenderType, Ticket, TicketKind, TicketStatus
from keno.models.tournaments import TournamentEntry

__all__ = [
    "Approved",
    "Claim",
    "ClaimReason",
    "Device",
    "Draw",
    "Game",
    "GameStatus",
    "InvalidationCause",
    "KenoSettings",
    "Match",
    "Order",
    "OrderStatus",
    "Payment",
    "PaymentAuthority",
    "PaymentMethod",
    "Play",
    "Printing",
    "Prize",
    "PrizeKind",
    "Shift",
    "Tender",
    "TenderType",
    "ThresholdReport",
    "Ticket",
    "TicketKind",
    "TicketStatus",
    "TournamentEntry",
    "Voucher",
]
