"""Results, for everybody: on the promotion's page, in the feed and on the boards. Numbers of entries, never names.

The act is written again when a prize that was lost is drawn again, and the boards show the latest.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from house.log import record_act
from kernel.actors import Actor
from promotions.acts.draws import ResultPublished, Winner
from promotions.attempts import reveal, said_to
from promotions.finish import finish_if_over
from promotions.models import Draw, Loss, Pick, Promotion, Win


def publish(*, draw: Draw, by: Actor, now: datetime) -> None:
    """The result is out. The promotion's row is locked; where a scrutineer is needed, he has signed."""
    draw.published_at = now
    draw.save(update_fields=["published_at"])
    reveal(draw.promise, by=by)  # the order is fixed since the witness answered: a redraw only goes on along it
    announce(draw=draw, by=by)
    finish_if_over(promotion=draw.promotion, by=by, now=now)


def announce(*, draw: Draw, by: Actor) -> None:
    promotion = draw.promotion
    won = _winners(draw)
    names = list(dict.fromkeys(line["name"] for line in won))
    result = ResultPublished(
        promotion=promotion.code,
        draw=draw.pk,
        attempt=draw.attempt,
        name=promotion.title,
        numbers=tuple(line["number"] for line in won),
        prize=names[0] if len(names) == 1 else f"{len(won)} prizes" if won else "no winner",
        winners=tuple(Winner(prize=line["name"], entry=line["number"]) for line in won),
    )
    record_act(result, by=by)


def published(promotion: Promotion) -> dict[str, Any] | None:
    """What the public may know of a promotion's draw, or None before anything is promised.

    {"commitment", "committed_at", "attempt", "witness", "asked_at", "waits", "how", "void": [attempts that did not
    count], "drawn_at", "result"}; *how* is None until something was said: the witness's answer, or what an inspector
    put in its place. *result* is None until it is published, then {"published_at", "prizes": [{"prize", "name",
    "value", "number", "state"}], "alternates": [numbers], "barred", "losses", "scrutinised", "signed_at"}, *number*
    being the winning entry's place in the sealed list.
    """
    draws = list(Draw.objects.filter(promotion=promotion).select_related("promotion", "promise").order_by("attempt"))
    if not draws:
        return None
    current = next((draw for draw in draws if draw.voided_at is None), None)
    shown = current or draws[-1]
    said = said_to(shown)
    return {
        "commitment": bytes(shown.promise.commitment).hex(),
        "committed_at": shown.promise.made_at,
        "attempt": shown.attempt,
        "witness": shown.promise.witness,
        "asked_at": shown.begun_at,
        "waits": shown.begun_at is not None and said is None,
        "how": said.how.value if said is not None else None,
        "void": [
            {
                "attempt": draw.attempt,
                "why": draw.void_reason,
                "voided_at": draw.voided_at,
                "numbers": draw.void_numbers,
            }
            for draw in draws
            if draw.voided_at is not None
        ],
        "drawn_at": current.drawn_at if current is not None and current.published_at is not None else None,
        "result": _result(current) if current is not None and current.published_at is not None else None,
    }


def _result(draw: Draw) -> dict[str, object]:
    alternates = Pick.objects.filter(draw=draw, outcome="alternate").order_by("place")
    return {
        "published_at": draw.published_at,
        "prizes": _winners(draw),
        "alternates": list(alternates.values_list("number", flat=True)),
        "barred": len(draw.barred),
        "losses": _losses(draw),
        "scrutinised": draw.scrutinised,
        "signed_at": draw.signed_at,
    }


def _losses(draw: Draw) -> list[dict[str, Any]]:
    """Prizes that were lost, in the order recorded, and why."""
    picks = {pick.place: pick for pick in Pick.objects.filter(draw=draw, outcome="lost")}
    return [
        {
            "prize": picks[loss.place].prize,
            "number": picks[loss.place].number,
            "why": loss.get_reason_display(),
            "at": loss.at,
            "redraw": loss.redraw,
        }
        for loss in Loss.objects.filter(draw=draw).order_by("id")
    ]


def _winners(draw: Draw) -> list[dict[str, Any]]:
    """Who holds each prize, in the order of the prizes."""
    held = Win.objects.filter(pick__draw=draw, pick__outcome="winner").select_related("pick", "prize")
    return [
        {
            "prize": win.pick.prize,
            "name": win.prize.name,
            "value": str(win.value),
            "number": win.pick.number,
            "state": win.status,
        }
        for win in held.order_by("pick__prize")
    ]
