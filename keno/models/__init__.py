"""What Keno stores. Constraints are in the database; the verbs beside this package are the only writers."""

from keno.models.approved_vouchers import ApprovedVoucher
from keno.models.cancellations import CancellationRequest, LateCancellation
from keno.models.counter import (
    CashMove,
    CashWay,
    CodeWatch,
    DrawerCount,
    Order,
    OrderStatus,
    PaperFound,
    Printing,
    WrongCode,
)
from keno.models.disputes import DisputeReview
from keno.models.exposure import GameExposure, GameLimits
from keno.models.favourites import Favourite
from keno.models.games import Draw, DrawDevice, Game, GameStatus, InvalidationCause, KenoSettings, Match
from keno.models.holds import PrizeHold, VoidedWin
from keno.models.money import (
    Claim,
    ClaimReason,
    Payment,
    PaymentAuthority,
    PaymentMethod,
    Prize,
    PrizeKind,
    Shift,
    Voucher,
)
from keno.models.overpayments import AskedHow, Overpayment, Recovery, RecoveryKind
from keno.models.resettlements import Correction, Resettlement
from keno.models.sealed_tickets import SealedTickets
from keno.models.tickets import Play, Tender, TenderType, Ticket, TicketKind, TicketStatus

__all__ = [
    "ApprovedVoucher",
    "AskedHow",
    "CancellationRequest",
    "CashMove",
    "CashWay",
    "Claim",
    "ClaimReason",
    "CodeWatch",
    "Correction",
    "DisputeReview",
    "Draw",
    "DrawDevice",
    "DrawerCount",
    "Favourite",
    "Game",
    "GameExposure",
    "GameLimits",
    "GameStatus",
    "InvalidationCause",
    "KenoSettings",
    "LateCancellation",
    "Match",
    "Order",
    "OrderStatus",
    "Overpayment",
    "PaperFound",
    "Payment",
    "PaymentAuthority",
    "PaymentMethod",
    "Play",
    "Printing",
    "Prize",
    "PrizeHold",
    "PrizeKind",
    "Recovery",
    "RecoveryKind",
    "Resettlement",
    "SealedTickets",
    "Shift",
    "Tender",
    "TenderType",
    "Ticket",
    "TicketKind",
    "TicketStatus",
    "VoidedWin",
    "Voucher",
    "WrongCode",
]
