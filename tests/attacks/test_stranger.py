"""A stranger without a token tries every verb that moves money."""

from __future__ import annotations

from typing import Any

from tests.attacks.insider import House

VERBS: tuple[tuple[str, Any], ...] = (
    ("keno/tickets", {"numbers": [1, 2, 3], "stake": "2.00"}),
    ("jackpot/tables/CSP-01/rounds", {"wagers": [{"box": 1}]}),
    ("jackpot/contributions", [{"id": "x", "table": "GJ-01", "wagers": 1, "at": "2026-11-16T10:00:00Z"}]),
    ("jackpot/hits/1/pay", {"method": "cash"}),
    ("keno/games/1/draw", {}),
    ("approvals/1/approve", {}),
)


def test_nothing_is_done_for_somebody_without_a_token(house: House) -> None:
    for token in (None, "mh_00000000_guessed"):
        stranger = house.stranger()
        stranger.token = token
        with house.unchanged():
            for path, body in VERBS:
                answer = stranger.post(path, body)
                assert answer.status == 401, path
                assert answer.refused("not-signed-in", "token-unknown")


def test_a_person_at_the_console_is_who_he_is(house: House) -> None:
    auditor = house.at_console("auditor")
    assert auditor.get("/").status == 200
    with house.unchanged():
        assert auditor.get("/terminal/keno").status == 403
