"""``python -m verify FILE [--key FINGERPRINT] [--witness KEY] [--ticket SERIAL]``."""

from __future__ import annotations

import sys

from verify.program import main

if __name__ == "__main__":
    sys.exit(main())
