"""The published draw: everything a stranger needs to check it (`docs/proof/promotions.md`, `promotions.verify`).

Published with the result. Before that only what was promised is told: the commitment, and once sealed the root and the
number of entries. What is published is what is on record: were it ever not to fit, everybody shall see it fail.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from chance import proof as proofs
from kernel.merkle import HASH_SIZE
from promotions import leaves
from promotions.locks import find_promotion
from promotions.models import Draw, EntryList, Loss, Pick, Promotion
from promotions.tree import packed_leaves
from promotions.versions import single_prizes

VERSION = 1


def draw_proof(*, code: str, texts: bool = False) -> dict[str, Any]:
    """{"promotion", "status", "attempts": [what was promised, what is void], "list", "published": the draw, or None}.

    *texts*: with the sealed text of each drawn entry, which says whose it is. Not for everybody.
    """
    promotion = find_promotion(code)
    draws = list(Draw.objects.filter(promotion=promotion).select_related("promotion", "entry_list", "version"))
    current = next((draw for draw in draws if draw.voided_at is None), None)
    sealed = EntryList.objects.filter(promotion=promotion, voided_at=None).first()
    return {
        "promotion": code,
        "status": promotion.status,
        "attempts": [_attempt(draw) for draw in draws],
        "list": None if sealed is None else _list(sealed),
        "published": published_draw(current, texts=texts)
        if current is not None and current.published_at is not None
        else None,
    }


def published_draw(draw: Draw, *, texts: bool = False) -> dict[str, object]:
    assert draw.entry_list is not None
    prizes = single_prizes(draw.version) if draw.version else []
    picked = Pick.objects.filter(draw=draw).select_related("entry__entrant").order_by("place")
    return {
        "version": VERSION,
        "promotion": draw.promotion.code,
        "draw": draw.promotion.code,
        "list": draw.entry_list.number,
        "proof": _proof(draw),
        "prizes": [
            {"prize": place, "name": prize.name, "value": str(prize.value)}
            for place, prize in enumerate(prizes, start=1)
        ],
        "alternates": draw.alternates,
        "one_prize_a_person": draw.one_prize_a_person,
        "losses": [
            {"place": loss.place, "reason": loss.reason, "redraw": loss.redraw}
            for loss in Loss.objects.filter(draw=draw).order_by("id")
        ],
        "drawn": [_line(pick, draw.promotion, texts=texts) for pick in picked],
    }


def leaf_lines(*, code: str) -> Iterator[bytes]:
    """The sealed list, a leaf hash a line: what ``--leaves`` of the check reads. Nobody can be found by it."""
    for packed in packed_leaves(find_promotion(code).pk):
        lines = (packed[at : at + HASH_SIZE].hex() for at in range(0, len(packed), HASH_SIZE))
        yield ("\n".join(lines) + "\n").encode()


def _proof(draw: Draw) -> dict[str, object] | None:
    assert draw.entry_list is not None
    if not draw.numbers:
        return None  # nobody had entered
    assert draw.seed is not None
    made = proofs.make(
        seed=bytes(draw.seed),
        occasion=draw.occasion,
        ticket_root=bytes(draw.entry_list.root),
        ticket_count=draw.entry_list.count,
        pool=draw.entry_list.count,
        count=len(draw.numbers),
    )
    return {**made, "commitment": bytes(draw.commitment).hex(), "numbers": draw.numbers}


def _line(pick: Pick, promotion: Promotion, *, texts: bool) -> dict[str, Any]:
    path = bytes(pick.path)
    line = {
        "place": pick.place,
        "entry": pick.number,
        "person": pick.person,
        "outcome": pick.outcome,
        "prize": pick.prize,
        "leaf": bytes(pick.entry.leaf).hex(),
        "path": [path[at : at + HASH_SIZE].hex() for at in range(0, len(path), HASH_SIZE)],
    }
    entry, entrant = pick.entry, pick.entry.entrant
    if texts and entry.salt is not None and entrant.identity is not None:
        line["text"] = leaves.text(code=promotion.code, number=entry.pk, identity=entrant.identity, salt=entry.salt)
    return line


def _attempt(draw: Draw) -> dict[str, object]:
    over = draw.voided_at is not None or draw.published_at is not None
    return {
        "attempt": draw.attempt,
        "commitment": bytes(draw.commitment).hex(),
        "committed_at": draw.made_at,
        "seed": bytes(draw.seed).hex() if over and draw.seed is not None else None,
        "void": draw.void_reason or None,
    }


def _list(sealed: EntryList) -> dict[str, object]:
    return {
        "number": sealed.number,
        "entry_root": bytes(sealed.root).hex(),
        "entry_count": sealed.count,
        "sealed_at": sealed.sealed_at,
    }
