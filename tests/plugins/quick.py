"""The mark ``quick``, which make quick runs: every test that asks for no database, and a smoke of those that do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kernel.environment import ROOT

# They start processes, or work something out a second way for seconds.
NOT_QUICK = (
    "tests/config/test_run.py",
    "tests/config/test_services.py",
    "tests/config/test_nodes.py::test_and_finds_nothing_at_a_house_that_is",
    "tests/config/test_logs.py::test_a_connection_that_fails_prints_no_password",
    "tests/chance/test_evidence.py",
    "tests/chance/test_hands.py::test_every_hand",
    "tests/draws/test_draw_proof.py",
    "tests/jackpot/test_mathematics.py",
    "tests/jackpot/test_payout_oracle.py",
    "tests/keno/test_against_oracle.py",
    "tests/keno/test_simulation_rules.py",
    "tests/tablegames/test_mathematics.py",
    "tests/promotions/test_published_draws.py",
    "tests/tablegames/test_poker_oracle.py",
    "tests/witness/test_killed.py",
)
# One way through each room, over the database.
SMOKE = (
    "tests/house/test_sign_in.py::test_password_and_code_sign_in",
    "tests/ledger/test_export.py::test_a_good_export_is_right",
    "tests/jackpot/test_hits.py::test_three_people_and_the_money_goes_to_the_winner",
    "tests/keno/test_sell.py::test_a_plain_ticket_is_one_row_one_play_one_tender_and_one_transfer",
    "tests/keno/test_games_api.py::test_a_game_from_open_to_settled",
    "tests/keno/test_pay.py::test_everything_settled_and_unpaid_is_paid_once",
    "tests/promotions/test_draws.py::test_a_draw_from_promise_to_proof",
    "tests/promotions/test_prizes.py::test_a_money_prize_from_the_draw_to_the_bank",
    "tests/tablegames/test_api.py::test_evaluate_is_open_to_everybody_and_needs_no_key",
    "tests/signage/test_feed.py::test_a_game_from_open_to_settled",
    "tests/console/test_pages.py::test_navigation_offers_what_opens_and_nothing_else[manager]",
)
OVER_THE_DATABASE = re.compile(r"^pytestmark = .*django_db", re.MULTILINE)
DATABASE = {"db", "transactional_db", "live_server", "django_db_setup"}


@pytest.hookimpl(tryfirst=True)  # before -m chooses
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        asks = item.get_closest_marker("django_db") or DATABASE & set(getattr(item, "fixturenames", ()))
        alone = not asks and not item.nodeid.startswith(NOT_QUICK)
        if alone or item.nodeid in SMOKE:
            item.add_marker("quick")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Whole files that ask for the database are not even imported: that took as long as the quick tests themselves."""
    if not config.option.markexpr.startswith("quick") or not collection_path.name.startswith("test_"):
        return None
    within = collection_path.relative_to(ROOT).as_posix()
    smokes = any(each.startswith(within) for each in SMOKE)
    return True if not smokes and OVER_THE_DATABASE.search(collection_path.read_text()) else None
