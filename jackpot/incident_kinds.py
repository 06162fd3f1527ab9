from house.incident_kinds import IMMEDIATELY, INSPECTOR, IncidentKind

POOL_OUT_OF_BALANCE = IncidentKind(
    "jackpot-out-of-balance",
    "A jackpot’s books do not agree with its rounds and hits",
    clause="nsw-csp:11.5",
    notices=[(INSPECTOR, IMMEDIATELY)],
)
UNREASONABLE_CONTRIBUTIONS = IncidentKind(
    "jackpot-unreasonable-contributions",
    "A table brought in more wagers than its boxes can play",
    notices=[(INSPECTOR, IMMEDIATELY)],
)
HAND_NOT_CONFIRMED = IncidentKind(
    "jackpot-hand-not-confirmed",
    "Who verified a jackpot hit saw other cards than the table sent, three times",
    clause="nsw-csp:9.6",
    notices=[(INSPECTOR, IMMEDIATELY)],
)
WAGERS_TOO_LATE = IncidentKind(
    "jackpot-wagers-too-late",
    "Wagers on a must-hit-by jackpot came late or out of order: they went to the next pool",
    notices=[(INSPECTOR, IMMEDIATELY)],
)
REFUNDED_AFTER = IncidentKind(
    "jackpot-refund-after-counting",
    "Wagers on a must-hit-by jackpot were refunded after they had counted, at the house’s cost",
    notices=[(INSPECTOR, IMMEDIATELY)],
)
HIT_DIFFERS = IncidentKind(
    "jackpot-hit-differs",
    "A jackpot hit was to be paid that its sealed round did not win",
    notices=[(INSPECTOR, IMMEDIATELY)],
)
MESSAGES_DIFFER = IncidentKind(
    "jackpot-messages-differ",
    "A table’s controller sent the same message twice with other content",
    notices=[(INSPECTOR, IMMEDIATELY)],
)
METER_NOT_BELIEVED = IncidentKind(
    "jackpot-meter-not-believed",
    "A table’s running meter fell without having rolled over",
    notices=[(INSPECTOR, IMMEDIATELY)],
)
ROUND_WAITED_FOR = IncidentKind(
    "jackpot-round-waited-for",
    "A won jackpot has been waiting for an open round for five minutes: two people end it",
    clause="act-pg:13.3",
    notices=[(INSPECTOR, IMMEDIATELY)],
)
METER_DISAGREES = IncidentKind(
    "jackpot-meter-disagrees",
    "A table’s running meter and what was counted differ",
    notices=[(INSPECTOR, IMMEDIATELY)],
)
CONTROLLER_SILENT = IncidentKind(
    "jackpot-controller-silent",
    "A table’s controller was not heard of: its jackpot is suspended",
    clause="nsw-csp:14.15",
    notices=[(INSPECTOR, IMMEDIATELY)],
)
INSTALMENT_OVERDUE = IncidentKind(
    "jackpot-instalment-overdue",
    "An instalment of a jackpot was due and is not paid",
    notices=[(INSPECTOR, IMMEDIATELY)],
)
