"""What calls of keno take and give, written from the OpenAPI document by write_shapes.py."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class IdentityIn(TypedDict):
    name: str
    born: str
    address: str
    document: str
    document_number: str


class KenoCancelIn(TypedDict):
    security_code: NotRequired[str]
    identity: NotRequired[IdentityIn]
    card: NotRequired[str]


class KenoCancelledOut(TypedDict):
    refund: str
    cash: str
    cancelled_games: int
    voucher: KenoVoucherPaperOut | None


class KenoCodeIn(TypedDict):
    security_code: NotRequired[str]


class KenoContinuationOut(TypedDict):
    serial: str
    paper: int
    security_code: str


class KenoDrawerIn(TypedDict):
    counted_cash: str
    counted_chips: NotRequired[str]


class KenoDrawerOut(TypedDict):
    shift: KenoShiftOut
    cash_over: str | None
    chips_over: str | None


class KenoGameAttemptOut(TypedDict):
    attempt: int
    device: Literal["rng", "mechanical"]
    ticket_root: str | None
    sealed_at: str | None
    checkpoint: KenoGameCheckpointOut | None
    witness: KenoGameWitnessOut | None
    unwitnessed: str | None
    waits: bool
    drawn: list[int]
    void: KenoGameVoidOut | None


class KenoGameCheckpointOut(TypedDict):
    origin: str
    size: int
    root: str


class KenoGameMajorsOut(TypedDict):
    before: str
    after: str
    count: int


class KenoGameStateOut(TypedDict):
    number: int
    status: Literal["scheduled", "open", "closed", "sealed", "drawing", "drawn", "settled", "invalidated"]
    gaming_day: str
    opens_at: str
    closes_at: str
    device: Literal["rng", "mechanical"]
    attempt: int
    drawn: list[int]
    commitment: str | None
    attempts: list[KenoGameAttemptOut]
    ticket_root: NotRequired[str]
    ticket_count: NotRequired[int]
    seed: NotRequired[str]
    totals: NotRequired[KenoGameTotalsOut]
    recorded: NotRequired[list[int]]


class KenoGameTotalsOut(TypedDict):
    tickets: int
    stakes: str
    prizes: str
    winners: int
    biggest: NotRequired[str]
    majors: KenoGameMajorsOut
    bonuses: NotRequired[str]
    jackpots: object


class KenoGameVoidOut(TypedDict):
    why: str
    by: list[str]
    inspector: str | None


class KenoGameWitnessOut(TypedDict):
    name: str
    key: str
    signature: str


class KenoLineOut(TypedDict):
    name: str
    text: str


class KenoPaidGameOut(TypedDict):
    game: int
    kind: str
    prize: str


class KenoPaidOut(TypedDict):
    paid: str
    games: list[KenoPaidGameOut]
    still_playing: bool
    voucher: KenoVoucherPaperOut | None
    continuation: KenoContinuationOut | None
    retain_until: str


class KenoPayIn(TypedDict):
    security_code: NotRequired[str]
    method: NotRequired[Literal["cash", "cheque", "mix", "keno-voucher"]]
    cheque: NotRequired[str]
    cheque_number: NotRequired[str]
    identity: NotRequired[IdentityIn]
    card: NotRequired[str]


class KenoPlayIn(TypedDict):
    spots: int
    stake: str


class KenoPlayOut(TypedDict):
    spots: int
    ways: int
    stake: str


class KenoPrintIn(TypedDict):
    layout: NotRequired[Literal["data", "html", "pdf", "escpos"]]


class KenoPrintedOut(TypedDict):
    serial: str
    duplicate: bool
    paper: int
    signed_text: str
    lines: list[KenoLineOut]
    media_type: str
    content: str


class KenoQuickPickIn(TypedDict):
    spots: NotRequired[int]


class KenoQuoteOut(TypedDict):
    price: str
    games: int
    charged_games: int
    ways: int
    plays: list[KenoQuotedPlayOut]
    keno_to_go: bool
    could_pay: str


class KenoQuotedPlayOut(TypedDict):
    spots: int
    ways: int
    stake: str


class KenoRedeemIn(TypedDict):
    security_code: NotRequired[str]
    identity: NotRequired[IdentityIn]
    card: NotRequired[str]


class KenoShiftIn(TypedDict):
    opening_float: NotRequired[str]
    terminal: NotRequired[str]
    writer: NotRequired[str]


class KenoShiftOut(TypedDict):
    id: int
    terminal: str
    writer: str
    gaming_day: str
    opened_at: str
    opening_float: str
    closed_at: str | None
    closed_by: str | None
    counted_cash: str | None
    counted_chips: str | None
    expected_cash: str | None
    expected_chips: str | None


class KenoSoldOut(TypedDict):
    serial: str
    kind: str
    first_game: int
    last_game: int
    games: int
    price: str
    numbers: NotRequired[list[int]]
    groups: NotRequired[list[list[int]]]
    plays: list[KenoPlayOut]
    schedule: str
    jackpot: bool
    status: str
    sold_at: str
    gaming_day: str
    terminal: str
    security_code: str
    change: str
    voucher: KenoVoucherPaperOut | None
    continuations: list[KenoContinuationOut]


class KenoTenderIn(TypedDict):
    type: Literal["cash", "chips", "voucher", "keno-voucher", "ticket"]
    amount: NotRequired[str]
    reference: NotRequired[str]
    security_code: NotRequired[str]


class KenoTicketGameOut(TypedDict):
    game: int
    status: str
    drawn: list[int]
    prize: str
    refund: str
    ways: list[object]


class KenoTicketIn(TypedDict):
    numbers: NotRequired[list[int]]
    groups: NotRequired[list[list[int]]]
    plays: NotRequired[list[KenoPlayIn]]
    stake: NotRequired[str]
    games: NotRequired[int]
    schedule: NotRequired[Literal["standard", "special-1", "special-2", "special-3"]]
    jackpot: NotRequired[bool]
    quick_pick: NotRequired[KenoQuickPickIn]
    set_bet: NotRequired[str]
    tender: NotRequired[list[KenoTenderIn]]
    rest: NotRequired[Literal["cash", "keno-voucher"]]
    player: NotRequired[str]


class KenoTicketResultOut(TypedDict):
    serial: str
    kind: str
    first_game: int
    last_game: int
    games: int
    price: str
    numbers: NotRequired[list[int]]
    groups: NotRequired[list[list[int]]]
    plays: list[KenoPlayOut]
    schedule: str
    jackpot: bool
    status: str
    sold_at: str
    gaming_day: str
    terminal: str
    won: str | None
    refunded: str | None
    paid: str | None
    owing: str | None
    still_playing: bool | None
    cancelled_from: int | None
    results: list[KenoTicketGameOut]


class KenoVoucherOut(TypedDict):
    code: str
    amount: str
    cashable: bool
    issued_at: str
    gaming_day: str
    spent_at: str | None


class KenoVoucherPaperOut(TypedDict):
    code: str
    security_code: str
    amount: str
    cashable: bool
