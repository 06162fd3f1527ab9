"""``make failover``: a primary killed under load, its standby promoted; then an older standby, which has lost sales.

Two of the wheel's PostgreSQL on loopback, the house with the address of both (what Patroni decides is done here by
hand: wait, promote). *In step*: a commit is answered once both have it, so nothing that a terminal was told is lost.
*Behind*: the standby was cut off before the last sales; what it has lost the witness remembers, and no money moves.
"""

from __future__ import annotations

import http.client
import secrets
import sys
import time

from tests.soak.__main__ import TERMINALS, well_again
from tests.soak.pair import Pair, house_on_a_pair
from tests.world.copies import PATIENCE, Copy
from tests.world.journals import compare, verified
from tests.world.terminals import Terminal, token

LOAD_SECONDS, PROMOTED_AFTER_SECONDS = 20.0, 5.0


def main() -> int:
    wrong: list[str] = []
    for trial in (in_step, behind):
        with house_on_a_pair() as (copy, pair):
            wrong += [f"{trial.__name__}: {sentence}" for sentence in trial(copy, pair)]
    for sentence in wrong:
        sys.stdout.write(f"WRONG: {sentence}\n")
    return 1 if wrong else 0


def selling(copy: Copy, *, seconds: float) -> tuple[list[Terminal], list[str]]:
    writers = [token(copy, "writer") for _ in range(TERMINALS)]
    table = token(copy, "table")[1]
    until = time.monotonic() + seconds
    terminals = [
        Terminal(copy, token=secret, table_token=table, seed=number, until=until)
        for number, (_, secret) in enumerate(writers)
    ]
    for terminal in terminals:
        terminal.start()
    return terminals, [f"device:{code}" for code, _ in writers]


def in_step(copy: Copy, pair: Pair) -> list[str]:
    pair.keep_in_step(wanted=True)
    terminals, devices = selling(copy, seconds=3 * LOAD_SECONDS)
    time.sleep(LOAD_SECONDS)
    pair.primary.kill()
    killed_at = time.monotonic()
    sold = sum(len(each.journal.sold) for each in terminals)
    time.sleep(PROMOTED_AFTER_SECONDS)
    pair.promote()
    while sum(len(each.journal.sold) for each in terminals) <= sold + 1 and time.monotonic() - killed_at < 120:
        time.sleep(0.1)
    back = time.monotonic() - killed_at
    for terminal in terminals:
        terminal.join()
    wrong = [each.trouble for each in terminals if each.trouble]
    if well_again(copy) is None:
        wrong.append("the house was not ready again")
    wrong += compare([each.journal for each in terminals], devices=devices, url=pair.url("meterhouse_runtime"))
    if said := verified(copy, copy.data / "export"):
        wrong.append(said)
    sys.stdout.write(
        f"In step: {sum(len(each.journal.sold) for each in terminals):,} sold, {sold:,} of them before the primary was "
        f"killed; sales back {back:.1f} s after it, {back - PROMOTED_AFTER_SECONDS:.1f} s after the "
        f"decision to promote; answers with 500: {sum(each.journal.server_errors for each in terminals)}.\n"
    )
    return wrong


def behind(copy: Copy, pair: Pair) -> list[str]:
    """The standby stands still, sales go on, the primary is lost: what is promoted is older than what was sold."""
    terminals, _ = selling(copy, seconds=LOAD_SECONDS)
    time.sleep(LOAD_SECONDS / 2)
    pair.standby.stop()
    for terminal in terminals:
        terminal.join()
    time.sleep(10)  # sealed, and seen by the witness
    pair.primary.kill()
    pair.standby.start()
    pair.promote()
    ticket = {"numbers": [1], "stake": "1.00", "tender": [{"type": "cash"}]}
    promoted_at, accepted = time.monotonic(), 0
    while time.monotonic() - promoted_at < PATIENCE:
        try:
            status, answer = terminals[0].post("keno/tickets", ticket, terminals[0].token, secrets.token_hex(16))
        except (OSError, http.client.HTTPException, ValueError):
            continue
        if (status, answer.get("code")) == (503, "log-rewound"):
            noticed = time.monotonic() - promoted_at
            sys.stdout.write(f"Behind: noticed {noticed:.1f} s after the promotion, {accepted} sales before that.\n")
            return []
        accepted += status == 201
        time.sleep(0.1)
    return ["nobody noticed that the log went back"]


if __name__ == "__main__":
    sys.exit(main())
