"""Several sources of value against several uses of it, as single transfers. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ledger.money import Money


def pair(sources: Iterable[tuple[str, Money]], uses: Iterable[tuple[str, Money]]) -> Iterator[tuple[str, str, Money]]:
    """(source, use, amount), in the order given; both sides add up to the same. Nothing goes from a name to itself."""
    left = [(name, amount) for name, amount in sources if amount]
    for use, amount in uses:
        wanted = amount
        while wanted:
            name, available = left.pop(0)
            moved = min(wanted, available)
            if name != use:
                yield name, use, moved
            wanted -= moved
            if available > moved:
                left.insert(0, (name, available - moved))
    assert not left
