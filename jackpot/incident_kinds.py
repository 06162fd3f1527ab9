from house.incident_kinds import IMMEDIATELY, INSPECTOR, incident_kind

POOL_OUT_OF_BALANCE = incident_kind(
    "jackpot-out-of-balance",
    "A jackpot’s books do not agree with its rounds and hits",
    clause="nsw-csp:11.5",
    notices=[(INSPECTOR, IMMEDIATELY)],
)
