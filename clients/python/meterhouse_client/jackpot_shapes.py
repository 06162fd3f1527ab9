"""What calls of jackpot take and give, written from the OpenAPI document by write_shapes.py."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class JackpotAcceptedOut(TypedDict):
    box: int
    player: str | None
    amount: str
    placed: Literal["own", "other-player", "setter", "second", "agreed"]


class JackpotContributionIn(TypedDict):
    id: str
    table: str
    wagers: int
    at: str
    round: NotRequired[int]
    boxes: NotRequired[list[int]]


class JackpotCountedOut(TypedDict):
    accepted: int
    counted: int
    duplicates: int
    held: list[JackpotHeldOut]
    refused: list[JackpotRefusedMessageOut]
    conflicts: list[JackpotRefusedMessageOut]
    wagers: int
    amount: str


class JackpotFinishIn(TypedDict):
    hands: list[JackpotHandIn]
    folded: NotRequired[list[int]]


class JackpotFinishedOut(TypedDict):
    round: int
    status: str
    hits: list[JackpotHitOut]
    displayed: str


class JackpotHandIn(TypedDict):
    box: int
    cards: NotRequired[list[str]]
    tiles: NotRequired[list[str]]
    declared: NotRequired[bool]


class JackpotHeardOut(TypedDict):
    table: str
    status: str
    limit_seconds: int


class JackpotHeldOut(TypedDict):
    id: str
    table: str
    wagers: int
    batch: int


class JackpotHitOut(TypedDict):
    id: int
    sequence: int
    link: str
    table: str
    round: int | None
    message: str | None
    box: int | None
    player: str | None
    hand: str | None
    kind: str
    amount: str
    from_pool: str
    from_house: str
    level: str | None
    measured_on: str | None
    clause: str | None
    status: Literal["claimed", "verified", "paid", "denied"]
    claimed_at: str
    verified_by: str | None
    verified_at: str | None
    authorised_by: str | None
    authorised_at: str | None
    paid_by: str | None
    paid_at: str | None
    method: Literal["cash", "cheque", "chips", "transfer", "instalments", None]
    withheld: str
    denied_by: str | None
    denied_at: str | None
    reason: str
    notice: str
    waits: str


class JackpotLevelOut(TypedDict):
    name: str
    displayed: str
    increment_rate: str | int
    seed: str
    ceiling: str | None
    overflow: str


class JackpotMetersOut(TypedDict):
    accepted: int
    duplicates: int
    wagers: int
    amount: str
    held: list[JackpotRefusedMessageOut]
    refused: list[JackpotRefusedMessageOut]
    conflicts: list[JackpotRefusedMessageOut]
    noted: list[JackpotNotedOut]


class JackpotMustHitByLevelOut(TypedDict):
    level: str
    floor: str
    ceiling: str


class JackpotMustHitByOut(TypedDict):
    number: int
    floor: str
    ceiling: str
    commitment: str
    ticket_root: str
    day: str
    levels: list[JackpotMustHitByLevelOut]
    undecided: bool


class JackpotNotedOut(TypedDict):
    table: str
    sequence: int
    what: str
    first: int | None
    last: int | None


class JackpotPoolOut(TypedDict):
    code: str
    title: str
    rules: str
    displayed: str
    reserve: str
    increment_rate: str | int
    reserve_rate: str | int
    seed: str
    wager: str
    bonus: str
    status: str
    tables: list[str]
    levels: list[JackpotLevelOut]
    terms: int
    mystery: JackpotMustHitByOut | None
    undecided: bool


class JackpotReadingIn(TypedDict):
    table: str
    sequence: int
    meter: int
    at: str


class JackpotRefusedMessageOut(TypedDict):
    place: int
    id: str
    table: str
    code: str
    detail: str


class JackpotRefusedOut(TypedDict):
    box: int
    code: str
    detail: str
    clause: str | None


class JackpotRoundIn(TypedDict):
    wagers: list[JackpotWagerIn]


class JackpotRoundOut(TypedDict):
    round: int
    table: str
    link: str
    status: str
    displayed: str
    levels: dict[str, str]
    accepted: list[JackpotAcceptedOut]
    refused: list[JackpotRefusedOut]
    started_at: str
    ended_at: str | None
    why: str


class JackpotVoidIn(TypedDict):
    cause: NotRequired[Literal["misdeal", "foreign-card", "other"]]
    why: NotRequired[str]


class JackpotWagerIn(TypedDict):
    box: int
    ante: NotRequired[bool]
    player: NotRequired[str | None]
    amount: NotRequired[str]
    placed: NotRequired[Literal["own", "other-player", "setter", "second", "agreed"]]
    allowed_by: NotRequired[str]


class JackpotPoolRow(TypedDict):
    code: str
    title: str
    rules: str
    displayed: str
    reserve: str
    increment_rate: str | int
    reserve_rate: str | int
    seed: str
    wager: str
    bonus: str
    status: str
    tables: list[str]
    levels: list[JackpotLevelOut]
    terms: int
    mystery: JackpotMustHitByOut | None
    undecided: bool
