"""``make bench [ONLY=name]``: prints one line a figure, ``name value unit ratio-to-baseline``.

Each figure in a process of its own, on embedded services of its own in a temporary folder, so that it does not depend
on what was measured before it; with the settings of ``make run`` (writes are durable).
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path

FIGURES = (
    "ledger",
    "jackpot",
    "chance",
    "signage",
    "keno_sale",
    "keno",
    "promotions",
    "second_party",
    "console",
    "verify",
)


def main() -> int:
    wanted_figures = sys.argv[1:] or list(FIGURES)
    if strange := set(wanted_figures) - set(FIGURES):
        print(f"There is no benchmark {', '.join(sorted(strange))}; there are: {', '.join(FIGURES)}.", file=sys.stderr)
        return 1
    print(f"{'figure':<44}{'value':>14} {'unit':<12}{'ratio':>8}  to", flush=True)
    if len(wanted_figures) == 1:
        measure(wanted_figures[0])
        return 0
    # All of them, whatever becomes of one.
    ended = [subprocess.run([sys.executable, "-m", "benchmarks", name], check=False) for name in wanted_figures]
    return max(each.returncode for each in ended)


def measure(name: str) -> None:
    with tempfile.TemporaryDirectory(prefix="meterhouse-bench-") as folder:
        os.environ["METERHOUSE_DATA"] = folder
        os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
        os.environ["METERHOUSE_AS"] = "owner"  # makes tables, and seals; the servers it starts work as the runtime role
        from config import keys
        from config.services.embedded import wanted
        from config.services.witness import for_draws

        keys.make()

        services = wanted(Path(folder), durable=True)
        for service in services:
            service.start()
        try:
            import django

            django.setup()
            from django.core.management import call_command

            call_command("migrate", verbosity=0)
            with for_draws(wanted=True):  # games are drawn between two parties
                import_module(f"benchmarks.{name}").run()
            from django.db import connection

            connection.close_pool()  # type: ignore[attr-defined]
        finally:
            for service in reversed(services):
                service.stop()


if __name__ == "__main__":
    sys.exit(main())
