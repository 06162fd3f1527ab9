"""The QR code on paper: of whole dots of a thermal printer, so that no module is wider than its neighbour; 28 mm wide
at least; with the four modules of white around it that the standard asks for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import segno

DOTS_A_MILLIMETRE: Final = 8  # 203 dots an inch
PRINTED_DOTS: Final = 72 * DOTS_A_MILLIMETRE  # of paper 80 mm wide
LEAST_DOTS: Final = 28 * DOTS_A_MILLIMETRE
LEAST_MODULE_DOTS: Final = 4  # half a millimetre: a telephone reads it from worn paper
QUIET_MODULES: Final = 4
ERROR: Final = "m"  # a seventh of it may be gone


@dataclass(frozen=True, slots=True)
class Code:
    qr: Any  # segno's, which is not typed
    module_dots: int

    @property
    def matrix(self) -> list[bytearray]:
        return list(self.qr.matrix)

    @property
    def side_millimetres(self) -> float:
        return len(self.matrix) * self.module_dots / DOTS_A_MILLIMETRE


def code_of(text: str) -> Code:
    qr = segno.make(text, error=ERROR, micro=False, boost_error=False)
    modules = len(list(qr.matrix))
    wanted = max(LEAST_MODULE_DOTS, -(-LEAST_DOTS // modules))
    fits = PRINTED_DOTS // (modules + 2 * QUIET_MODULES)
    return Code(qr, min(wanted, fits))
