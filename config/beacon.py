"""Whether a public beacon takes part in the draws of this house (docs/proof/draws.md), from the environment.

BEACON_RULE, such as drand-quicknet+30, is what every new promise names; BEACON_URL is a relay of drand's that gives the
rounds. Without a rule a relay serves an inspector who names a round while the witness is away.
"""

from __future__ import annotations

import os

from chance import beacon
from kernel.environment import Trouble


def beacon_url() -> str:
    given = os.environ.get("BEACON_URL", "").strip().rstrip("/")
    if given and not given.startswith(("http://", "https://")):
        raise Trouble(f"BEACON_URL must read like https://api.drand.sh, not “{given}”.")
    return given


def beacon_rule() -> str:
    rule = os.environ.get("BEACON_RULE", "").strip()
    if not rule:
        return ""
    try:
        beacon.delay_of(rule)
    except ValueError:
        seconds = f"{beacon.DELAY_LEAST_SECONDS} to {beacon.DELAY_MOST_SECONDS} seconds"
        raise Trouble(f"BEACON_RULE must read like drand-quicknet+30 ({seconds}), not “{rule}”.") from None
    if not beacon_url():
        raise Trouble("BEACON_RULE names a public beacon: set BEACON_URL to a relay of it, like https://api.drand.sh.")
    if not beacon.can_check():
        raise Trouble("BEACON_RULE needs drand-verify to check a round: pip install -r requirements-beacon.txt.")
    return rule
