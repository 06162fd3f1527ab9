"""``python -m witness --folder F --port P``: see README.md."""

from __future__ import annotations

import sys

from witness.program import main

if __name__ == "__main__":
    sys.exit(main())
