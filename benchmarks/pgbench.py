"""pgbench against the benchmarks' own database."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile

from django.conf import settings


def rate(script: str, *options: str, clients: int, seconds: float) -> float:
    """Transactions a second, each of them this script."""
    from config.services.postgres import binaries

    database = settings.DATABASES["default"]
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
        file.write(f"BEGIN;\n{script}COMMIT;\n")
        file.flush()
        said = subprocess.run(
            [binaries() / "pgbench", "-n", f"-c{clients}", "-j2", f"-T{seconds:.0f}", *options, "-f", file.name],
            env={
                **os.environ,
                "PGHOST": str(database["HOST"]),
                "PGPORT": str(database["PORT"] or 5432),
                "PGUSER": str(database["USER"]),
                "PGPASSWORD": str(database["PASSWORD"]),
                "PGDATABASE": str(database["NAME"]),
            },
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    found = re.search(r"tps = ([\d.]+)", said)
    assert found, said
    return float(found[1])
