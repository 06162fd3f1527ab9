"""One benchmark, once: ``python -m benchmarks.measure NAME``, in a house of its own that is gone afterwards."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path


def main(name: str) -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("It took longer than it may."))  # what it started ends with it
    with tempfile.TemporaryDirectory(prefix="meterhouse-bench-") as folder:
        os.environ["METERHOUSE_DATA"] = folder
        os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
        benchmark = import_module(f"benchmarks.{name}")
        if getattr(benchmark, "STARTS_ITS_OWN_HOUSE", False):
            benchmark.run()
        else:
            in_a_house(Path(folder), benchmark.run)


def in_a_house(data: Path, run: Callable[[], None]) -> None:
    """Embedded services with durable writes, as ``make run`` has them, the tables made, and a witness."""
    os.environ["METERHOUSE_AS"] = "owner"  # makes tables, and seals; the servers it starts work as the runtime role
    from config import keys
    from config.services.embedded import wanted
    from config.services.witness import for_draws

    keys.make()
    services = wanted(data, durable=True)
    for service in services:
        service.start()
    try:
        import django

        django.setup()
        from django.core.management import call_command
        from django.db import connection

        call_command("migrate", verbosity=0)
        with for_draws(wanted=True):  # games are drawn between two parties
            run()
        connection.close_pool()  # type: ignore[attr-defined]
    finally:
        for service in reversed(services):
            service.stop()


if __name__ == "__main__":
    main(sys.argv[1])
