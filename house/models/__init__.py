"""What the house stores. Constraints are in the database; the verbs beside this package are the only writers."""

from house.models.approvals import Proposal, ProposalStatus
from house.models.devices import Device, DeviceKind, DeviceSeen, DeviceStatus, DeviceToken, ProvisioningCode
from house.models.incidents import Incident, IncidentStatus, Notice, NoticeAttempt
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
from house.models.requests import RequestKey
from house.models.staff import Grant, Permission, Role, Staff
from house.models.venue import GamingDay, OpeningHours, Venue
from house.models.work import Work, WorkState

__all__ = [
    "ChipDeclaration",
    "DeclarationKind",
    "Device",
    "DeviceKind",
    "DeviceSeen",
    "DeviceStatus",
    "DeviceToken",
    "GamingDay",
    "Grant",
    "Incident",
    "IncidentStatus",
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
    "RequestKey",
    "Restriction",
    "RestrictionKind",
    "Role",
    "Scope",
    "Staff",
    "Venue",
    "Work",
    "WorkState",
]
