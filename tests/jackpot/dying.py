"""Web and worker killed with -9 before any chosen write. One process imports everything, each job dies in a fork.

A line of JSON on standard input is a job: ``{"job": "web", "path", "body", "token", "key", "at"}`` sends a request
through the whole web stack; ``{"job": "worker", "at"}`` is a tick, ``"seal"`` the part of it that seals. Before its
write number *at* the fork kills itself. The answer is a line: the signal that ended it, or, where it
came to its end, the status that the web answered.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import Any


def work(order: dict[str, Any]) -> int:
    from django.db import connection
    from django.test import Client
    from django.utils import timezone

    from jackpot.decide import BY, decide_movements
    from jackpot.movements import seal_movement
    from jackpot.promises import must_hit_by_links
    from jackpot.settle_pools import settle_pools

    done = 0

    def count(execute: Any, sql: Any, params: Any, many: bool, context: Any) -> Any:
        nonlocal done
        done += "INSERT INTO" in sql or sql.startswith("UPDATE")
        if done and done == order["at"]:
            os.kill(os.getpid(), signal.SIGKILL)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(count):
        if order["job"] == "worker":
            decide_movements(timezone.now())
            settle_pools()
            return 0
        if order["job"] == "seal":
            for link in must_hit_by_links():
                seal_movement(link, now=timezone.now(), by=BY)
            return 0
        headers = {"Authorization": f"Bearer {order['token']}", "Idempotency-Key": order["key"], "Host": "127.0.0.1"}
        path = f"/api/v1/jackpot/{order['path']}"
        return Client(headers=headers).post(path, order["body"], content_type="application/json").status_code


def main() -> None:
    import django

    django.setup()
    from django.db import connections
    from django.test import Client

    from tests.world import second_party

    second_party.stand_by()  # no witness runs here
    # What a fork need not import again.
    Client(headers={"Host": "127.0.0.1"}).get("/api/v1/jackpot/pools")
    import jackpot.decide
    import jackpot.settle_pools  # noqa: F401
    from kernel.rooms import declared_acts

    declared_acts()

    connections.close_all()
    for line in sys.stdin:
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            status = -1
            try:
                status = work(json.loads(line))
            finally:
                os.write(write, f"{status}".encode())
                os._exit(0)
        os.close(write)
        _, ended = os.waitpid(child, 0)
        said = os.read(read, 20).decode()
        os.close(read)
        sys.stdout.write(f"{json.dumps('killed' if os.WIFSIGNALED(ended) else int(said))}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
