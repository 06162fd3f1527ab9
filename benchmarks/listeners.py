"""Thousands of boards in one cheap process: ``python -m benchmarks.listeners PORT[,PORT…] STREAMS FIRST EVENTS``.

Says ``listening`` when all are connected, and at the end one line of JSON: when the last of them had each event.
"""

from __future__ import annotations

import json
import re
import selectors
import socket
import sys
import time
from itertools import cycle

_GAME = re.compile(rb'"game":(\d+)')
_EVENT = b"event: "


def main(ports: str, streams: int, first: int, events: int) -> None:
    watched = selectors.DefaultSelector()
    for port, _ in zip(cycle(map(int, ports.split(","))), range(streams), strict=False):
        line = socket.create_connection(("127.0.0.1", port))
        line.sendall(b"GET /signage/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        watched.register(line, selectors.EVENT_READ, line)
    answered: set[int] = set()
    last, missing, heard = [0.0] * events, [streams] * events, 0
    told = False
    while any(missing):
        for key, _ in watched.select():
            said = key.data.recv(65_536)
            assert said, "a stream was cut"
            now = time.monotonic()
            answered.add(key.fd)
            heard += said.count(_EVENT)
            for game in _GAME.findall(said):
                place = int(game) - first
                if 0 <= place < events:
                    last[place] = now
                    missing[place] -= 1
        if not told and len(answered) == streams:
            told = True
            sys.stdout.write("listening\n")
            sys.stdout.flush()
    sys.stdout.write(json.dumps({"last": last, "events": heard}) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
