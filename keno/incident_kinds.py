"""What can go wrong with a draw, and who must be told (12, 14). Players see the boards, too."""

from __future__ import annotations

from house.incident_kinds import IMMEDIATELY, INSPECTOR, PLAYERS, IncidentKind

BALLS_MISSING = IncidentKind(
    "keno-balls-missing",
    "Fewer than 80 balls were in the device before the draw",
    clause="act-keno:12.2",
    notices=[(INSPECTOR, IMMEDIATELY), (PLAYERS, IMMEDIATELY)],
)
MALFUNCTION = IncidentKind(
    "keno-malfunction",
    "A draw could not be continued after a malfunction",
    clause="act-keno:12.3",
    notices=[(INSPECTOR, IMMEDIATELY), (PLAYERS, IMMEDIATELY)],
)
BALL_DAMAGED = IncidentKind(
    "keno-ball-damaged",
    "A broken, cracked, split or dented ball was found during a draw",
    clause="act-keno:12.4a",
    notices=[(INSPECTOR, IMMEDIATELY), (PLAYERS, IMMEDIATELY)],
)
BALL_FELL_BACK = IncidentKind(
    "keno-ball-fell-back", "A ball fell back into the device and was not drawn", clause="act-keno:12.4b"
)
BALLS_SPILLED = IncidentKind(
    "keno-balls-spilled",
    "Balls spilled from the device",
    clause="act-keno:12.4c",
    notices=[(INSPECTOR, IMMEDIATELY), (PLAYERS, IMMEDIATELY)],
)
DEVICE_STOPPED = IncidentKind(
    "keno-device-stopped",
    "The device stopped during a draw and was operated by hand",
    clause="act-keno:12.4d",
    notices=[(INSPECTOR, IMMEDIATELY)],
)
WITNESS_AWAY = IncidentKind(
    "keno-witness-away",
    "The witness did not answer, and a draw waited for it",
    clause="act-keno:12.3",
    notices=[(INSPECTOR, IMMEDIATELY), (PLAYERS, IMMEDIATELY)],
)
MASTER_LOST = IncidentKind(
    "keno-master-lost",
    "The promised master of a draw does not open: an inspector gives it back from escrow",
    clause="act-keno:12.3",
    notices=[(INSPECTOR, IMMEDIATELY)],
)
GAME_INVALIDATED = IncidentKind(
    "keno-game-invalidated",
    "A game was invalidated",
    clause="act-keno:14.1",
    notices=[(INSPECTOR, IMMEDIATELY), (PLAYERS, IMMEDIATELY)],
)
GAME_RESETTLED = IncidentKind(
    "keno-game-resettled",
    "A game that had been settled on wrongly recorded balls was settled again",
    clause="act-keno:12.1-record",
    notices=[(INSPECTOR, IMMEDIATELY), (PLAYERS, IMMEDIATELY)],
)
WORN_BALL = IncidentKind(
    "keno-ball-bias",
    "A ball has come up more or less often than chance explains",
    clause="act-keno:2.1",
    notices=[(INSPECTOR, IMMEDIATELY)],
)
# The operator decides a dispute; an inspector who is asked to review it is told as such (14.6).
DISPUTE = IncidentKind("keno-dispute", "A player disputes a Keno result or payment", clause="act-keno:14.6")
WRONG_CODES = IncidentKind(
    "keno-wrong-codes",
    "Wrong security codes were typed, time and again, for a ticket or at a terminal",
    clause="act-keno:10.3",
)
PRIZE_DIFFERS = IncidentKind(
    "keno-prize-differs",
    "A payment was stopped: what is on record is not what was sealed",
    clause="act-keno:4.3",
    notices=[(INSPECTOR, IMMEDIATELY)],
)
PRIZE_HELD = IncidentKind(
    "keno-prize-held", "What a ticket has won is on hold while it is looked into", clause="act-keno:14.3"
)
OVER_SHORT = IncidentKind("keno-over-short", "A drawer was over or short by more than the limit")
SHIFT_ABANDONED = IncidentKind("keno-shift-abandoned", "A shift was closed by others than its own writer")
EXPOSURE = IncidentKind("keno-exposure", "A sale was refused because of what its game could pay out")
