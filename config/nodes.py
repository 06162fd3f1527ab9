"""What this machine does of the house: everything, or the share that ONLY names (``make run ONLY=web,streams``)."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final

from kernel import keys
from kernel.environment import Trouble

PREPARE, WITNESS = "prepare", "witness"
PARTS: Final = (PREPARE, *keys.PROGRAMS, WITNESS)
# What a node needs that has none of it beside itself.
_ELSEWHERE: Final = ("DATABASE_URL", "REDIS_URL", "WITNESS_URL")


@dataclass(frozen=True, slots=True)
class Share:
    programs: frozenset[str] = frozenset(keys.PROGRAMS)
    prepares: bool = True  # migrates and begins the log; others wait until somebody has
    witness: bool = True  # beside the house, where no WITNESS_URL names another

    @property
    def only_witness(self) -> bool:
        return self.witness and not self.programs and not self.prepares

    @property
    def only_prepares(self) -> bool:
        return self.prepares and not self.programs

    def serves(self, program: str) -> bool:
        return program in self.programs


def share() -> Share:
    """By ONLY. Where there are workers there is a sealer: of several one works and the others stand by."""
    named = {each.strip() for each in os.environ.get("ONLY", "").split(",")} - {""}
    if not named:
        return Share()
    if strange := sorted(named - set(PARTS)):
        raise Trouble(f"ONLY may name {', '.join(PARTS)}, not “{strange[0]}”.")
    if WITNESS in named and len(named) > 1:
        raise Trouble("ONLY=witness stands alone: a witness on a machine of the house binds nobody.")
    missing = [variable for variable in _ELSEWHERE if not os.environ.get(variable)]
    if missing and WITNESS not in named:
        raise Trouble(f"A node that runs only a part of the house needs {' and '.join(missing)}.")
    if keys.WORKER in named:
        named.add(keys.SEALER)
    return Share(
        programs=frozenset(named & set(keys.PROGRAMS)),
        prepares=PREPARE in named,
        witness=WITNESS in named,
    )
