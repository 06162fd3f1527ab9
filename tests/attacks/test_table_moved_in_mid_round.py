"""A supervisor wants wagers of one link in the pool of another, where a friend plays: he moves the table while a round
is open, while its meter has not been read, or dates its messages after the move.

What stops him: a table moves at a round's end and after its meter was read; a message counts for the link on which its
table stood when it was played. Not stopped: five minutes of a meter's wagers, and a controller whose clock lies about
which side of the move it is on, by as much as it may be off.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from jackpot.models import Table, TableSpell
from tests.attacks.felt import start
from tests.attacks.insider import House

LATE = timedelta(minutes=20)


def reading(sequence: int, meter: int, ago: timedelta = timedelta()) -> dict[str, Any]:
    return {"table": "CSP-01", "sequence": sequence, "meter": meter, "at": (datetime.now(UTC) - ago).isoformat()}


def test_not_in_mid_round_and_not_with_an_unread_meter(house: House) -> None:
    table, supervisor = house.insider("table"), house.insider("supervisor")
    move = ("jackpot/tables/CSP-01/move", {"link": "BOOM"})
    number = start(table)
    with house.unchanged():
        assert table.post(*move).refused("no-permission")
        assert supervisor.post(*move).refused("round-open")
    table.post(f"jackpot/rounds/{number}/finish", {"hands": [], "folded": [1]}).ok()
    table.post("jackpot/meters", [reading(1, 100, LATE)]).ok()
    with house.unchanged():
        assert supervisor.post(*move).refused("meter-not-read")
    table.post("jackpot/meters", [reading(2, 101)]).ok()  # the round's own wager
    supervisor.post(*move).ok()
    before = house.money()
    table.post("jackpot/meters", [reading(3, 104) | {"at": datetime.now(UTC).isoformat()}]).ok()
    moved = {code for code, amount in house.money().items() if amount != before[code]}
    assert moved == {"jackpot:BOOM:drop", "jackpot:BOOM:prize", "jackpot:BOOM:reserve"}


def test_what_was_played_before_the_move_is_the_old_links(house: House) -> None:
    table, supervisor = house.insider("table"), house.insider("supervisor")
    began = datetime.now(UTC)
    supervisor.post("jackpot/tables/CSP-02/move", {"link": "BOOM"}).ok()
    assert (Table.objects.get(code="CSP-02").link.code, TableSpell.objects.filter(table__code="CSP-02").count()) == (
        "BOOM",
        2,
    )
    before = house.money()
    sent = {"id": "m-1", "table": "CSP-02", "wagers": 4, "at": (began - timedelta(seconds=1)).isoformat()}
    assert table.post("jackpot/contributions", [sent]).ok()["accepted"] == 1
    moved = {code.split(":")[1] for code, amount in house.money().items() if amount != before[code]}
    assert moved == {"CSP"}
