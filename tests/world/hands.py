"""What is known of cards, as every book of them gives it."""

from __future__ import annotations

# The hands of five cards, and how many there are of each.
FIVE_CARD_HANDS = {
    "royal-flush": 4,
    "straight-flush": 36,
    "four-of-a-kind": 624,
    "full-house": 3_744,
    "flush": 5_108,
    "straight": 10_200,
    "three-of-a-kind": 54_912,
    "two-pairs": 123_552,
    "pair": 1_098_240,
    "high-card": 1_302_540,
}
