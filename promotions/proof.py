"""The published draw: everything a stranger needs to check it (`docs/proof/promotions.md`, `promotions.verify`).

Published with the result. Before that only what was promised is told: the commitment, once sealed the root and the
number of entries, and once asked what the witness was asked and said. What is published is what is on record: were it
ever not to fit, everybody shall see it fail.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from chance import two_party
from chance.two_party import Said
from draws.models import Commitment
from draws.proof import proof_of
from kernel.merkle import HASH_SIZE
from promotions import leaves
from promotions.attempts import promise_of, said_to
from promotions.locks import find_promotion
from promotions.models import Draw, EntryList, Loss, LossCase, Pick, Promotion
from promotions.tree import packed_leaves
from promotions.versions import single_prizes

VERSION = 2


def draw_proof(*, code: str, texts: bool = False) -> dict[str, Any]:
    """{"promotion", "status", "promise", "attempts": [what was asked, said, void], "list", "published": the draw, or
    None}.

    *texts*: with the sealed text of each drawn entry, which says whose it is. Not for everybody.
    """
    promotion = find_promotion(code)
    draws = list(
        Draw.objects.filter(promotion=promotion).select_related("promotion", "promise", "entry_list", "version")
    )
    current = next((draw for draw in draws if draw.voided_at is None), None)
    sealed = EntryList.objects.filter(promotion=promotion, voided_at=None).first()
    promised = promise_of(promotion)
    return {
        "promotion": code,
        "status": promotion.status,
        "promise": None if promised is None else _promise(promised),
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
        "barred": draw.barred,
        "losses": [
            {"place": loss.place, "reason": loss.reason, "redraw": loss.redraw}
            for loss in Loss.objects.filter(draw=draw).order_by("id")
        ],
        "signatures": _signatures(draw),
        "drawn": [_line(pick, draw.promotion, texts=texts) for pick in picked],
        "void": [
            {"attempt": each.attempt, "why": each.void_reason, "proof": _proof(each)}
            for each in Draw.objects.filter(promotion=draw.promotion, attempt__lt=draw.attempt)
            .select_related("promotion", "promise", "entry_list")
            .order_by("attempt")
        ],
    }


def _signatures(draw: Draw) -> list[dict[str, str]]:
    """What the scrutineer signed and when: the draw's result, and the result of each loss."""
    signed = [(draw.signed_at, draw.signed_result)]
    cases = LossCase.objects.filter(win__pick__draw=draw).order_by("signed_at", "id")
    signed += cases.values_list("signed_at", "signed_result")
    of_moments = sorted((at, result) for at, result in signed if at is not None)
    return [{"at": at.isoformat(), "result": result} for at, result in of_moments]


def leaf_lines(*, code: str) -> Iterator[bytes]:
    """The sealed list, a leaf hash a line: what ``--leaves`` of the check reads. Nobody can be found by it."""
    for packed in packed_leaves(find_promotion(code).pk):
        lines = (packed[at : at + HASH_SIZE].hex() for at in range(0, len(packed), HASH_SIZE))
        yield ("\n".join(lines) + "\n").encode()


def _proof(draw: Draw) -> dict[str, object] | None:
    assert draw.entry_list is not None
    return proof_of(
        draw.promise,
        occasion=draw.promotion.code,
        attempt=draw.attempt,
        pool=draw.entry_list.count,
        numbers=draw.void_numbers or draw.numbers,
    )


def _line(pick: Pick, promotion: Promotion, *, texts: bool) -> dict[str, object]:
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


def _promise(promised: Commitment) -> dict[str, object]:
    return {
        "commitment": bytes(promised.commitment).hex(),
        "made_at": promised.made_at,
        "device": promised.device,
        "beacon": promised.beacon,
        "witness": promised.witness,
        "witness_key": bytes(promised.witness_key).hex(),
        "master": bytes(promised.master).hex() if promised.master is not None else None,
    }


def _attempt(draw: Draw) -> dict[str, object]:
    said = said_to(draw)
    master = draw.promise.master
    seed = two_party.attempt_seed(bytes(master), said.question).hex() if master is not None and said else None
    return {
        "attempt": draw.attempt,
        "commitment": bytes(draw.promise.commitment).hex(),
        "committed_at": draw.promise.made_at,
        "seed": seed,
        "begun_at": draw.begun_at,
        "how": said.how.value if said is not None else None,
        "checkpoint": None if said is None else _checkpoint(said),
        "witness": _witness(draw, said) if said is not None and said.is_witnessed else None,
        "void": draw.void_reason or None,
        "void_numbers": draw.void_numbers,
    }


def _checkpoint(said: Said) -> dict[str, object]:
    """The head of the log that was signed: what counts stands before it."""
    asked = said.question
    return {"origin": asked.origin, "size": asked.size, "root": asked.checkpoint_root.hex()}


def _witness(draw: Draw, said: Said) -> dict[str, object]:
    return {
        "name": draw.promise.witness,
        "key": bytes(draw.promise.witness_key).hex(),
        "signature": said.said.hex(),
    }


def _list(sealed: EntryList) -> dict[str, object]:
    return {
        "number": sealed.number,
        "entry_root": bytes(sealed.root).hex(),
        "entry_count": sealed.count,
        "sealed_at": sealed.sealed_at,
    }
