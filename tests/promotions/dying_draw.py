"""A draw that is killed with -9: ``dying_draw.py CODE NOW WHEN``.

WHEN is "middle" (before the result is in the log), "inside" (all written, not committed) or "after" the commit.
"""

from __future__ import annotations

import os
import signal
import sys
from datetime import datetime
from typing import Any


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def main() -> None:
    import django

    django.setup()
    from house import acts
    from promotions.draw import draw

    code, now, when = sys.argv[1:]
    real = acts._pen
    assert real is not None

    def write(**act: Any) -> None:
        if act["kind"] == "promotion.drawn" and when == "middle":
            die()
        real(**act)
        if act["kind"] == "promotion.result" and when == "inside":
            die()

    acts.use(write)
    draw(code=code, now=datetime.fromisoformat(now))
    die()


if __name__ == "__main__":
    main()
