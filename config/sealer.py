"""The process that seals: ``python -m config.sealer``. It alone has the sealing key."""

from __future__ import annotations

import os
import signal
import sys
import threading

import django

from config.services import addresses
from kernel import keys
from kernel.environment import Trouble


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ.setdefault(addresses.AS, addresses.SEALER)
    stop = threading.Event()
    for signum in (signal.SIGTERM, signal.SIGINT):
        signal.signal(signum, lambda *_: stop.set())
    try:
        keys.require(keys.SEALER)
        django.setup()
    except Trouble as trouble:
        sys.exit(str(trouble))
    from ledger import sealer  # noqa: PLC0415  Django first

    sealer.run(stop)


if __name__ == "__main__":
    main()
