"""What the house stores. Constraints are in the database; the verbs beside this package are the only writers."""

from house.models.approvals import ApprovedValue, Proposal, ProposalStatus
from house.models.cash import CashLine, Cheque, Customer, Structuring, ThresholdReport, Way
from house.models.devices import (
    Device,
    DeviceKind,
    DeviceSeen,
    DeviceStatus,
    DeviceToken,
    ProvisioningCode,
    TokenDue,
)
from house.models.guesses import Burst, Guesses, KnownPlace
from house.models.incidents import Incident, IncidentStatus, Notice, NoticeAttempt
from house.models.letters import DOCUMENT_BYTES_LIMIT, Letter, LetterStatus
from house.models.matters import SuspiciousMatter
from house.models.players import (
    ChipDeclaration,
    DeclarationKind,
    LimitChange,
    Player,
    PlayerCard,
    PlayLine,
    PlayLineKind,
    Restriction,
    RestrictionKind,
    Scope,
)
from house.models.second_steps import SecondStep
from house.models.staff import AccessCode, Grant, InspectorateKey, InspectorCode, Permission, Role, Staff
from house.models.venue import GamingDay, OpeningHours, Venue

__all__ = [
    "DOCUMENT_BYTES_LIMIT",
    "AccessCode",
    "ApprovedValue",
    "Burst",
    "CashLine",
    "Cheque",
    "ChipDeclaration",
    "Customer",
    "DeclarationKind",
    "Device",
    "DeviceKind",
    "DeviceSeen",
    "DeviceStatus",
    "DeviceToken",
    "GamingDay",
    "Grant",
    "Guesses",
    "Incident",
    "IncidentStatus",
    "InspectorCode",
    "InspectorateKey",
    "KnownPlace",
    "Letter",
    "LetterStatus",
    "LimitChange",
    "Notice",
    "NoticeAttempt",
    "OpeningHours",
    "Permission",
    "PlayLine",
    "PlayLineKind",
    "Player",
    "PlayerCard",
    "Proposal",
    "ProposalStatus",
    "ProvisioningCode",
    "Restriction",
    "RestrictionKind",
    "Role",
    "Scope",
    "SecondStep",
    "Staff",
    "Structuring",
    "SuspiciousMatter",
    "ThresholdReport",
    "TokenDue",
    "Venue",
    "Way",
]
