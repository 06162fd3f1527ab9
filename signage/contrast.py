"""How well one colour reads on another: the contrast ratio of WCAG 2. Pure."""

from __future__ import annotations

from typing import Final

TEXT_RATIO: Final = 4.5  # AA for text
LARGE_RATIO: Final = 3.0  # AA for large figures, and for what is no text


def ratio(one: str, other: str) -> float:
    """From 1, the same, to 21, black on white; colours as ``#rrggbb``."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(int(colour[at : at + 2], 16) / 255) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
