"""What promotions add to an audit export: the leaves of every sealed list, so that its root can be computed again.

Hashes only: who an entrant is stands in no export.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kernel.merkle import HASH_SIZE
from ledger.models import Act
from ledger.seal import last_seal
from promotions.acts.entries import EntriesSealed
from promotions.export_check import ATTACHMENT
from promotions.models import EntryList
from promotions.tree import packed_leaves

NAME: Final = ATTACHMENT
_LEAVES_A_LINE: Final = 1024


def lines() -> Iterator[dict[str, object]]:
    """Of the lists that stand and whose seal is in the export."""
    head = last_seal()
    if head is None:
        return
    said = Act.objects.filter(kind=EntriesSealed.kind, tx__lt=head.tx_upto).values_list("subject", "data__list")
    published = {(subject.partition(":")[2], number) for subject, number in said}
    for sealed in EntryList.objects.filter(voided_at=None).select_related("promotion").order_by("id"):
        if (sealed.promotion.code, sealed.number) in published:
            yield from _of_list(sealed)


def _of_list(sealed: EntryList) -> Iterator[dict[str, object]]:
    step, kept, first = _LEAVES_A_LINE * HASH_SIZE, b"", 0
    for packed in packed_leaves(sealed.promotion_id):
        kept += packed
        while len(kept) >= step:
            yield _line(sealed, first, kept[:step])
            kept, first = kept[step:], first + _LEAVES_A_LINE
    if kept:
        yield _line(sealed, first, kept)


def _line(sealed: EntryList, first: int, leaves: bytes) -> dict[str, object]:
    return {"promotion": sealed.promotion.code, "list": sealed.number, "from": first, "leaves": leaves.hex()}
