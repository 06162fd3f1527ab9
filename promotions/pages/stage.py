"""The stage: the screen the audience sees. No sign-in, no names; whoever has the desk's address may look for a day.

Nothing is kept for it. Winners appear one after another by the clock, the first prize last, counted from the published
result, so that every screen shows the same; where entrants must be present, as they are called. A practice is a seed in
the address, drawn over the number of entries and never written down: it leaves nothing on record, and every page of it
says PRACTICE.
"""

from __future__ import annotations

import datetime as dt
import secrets
from itertools import islice
from typing import Any, Final

from django.core import signing
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from chance.drbg import HmacDrbg
from chance.select import Source, picks
from promotions import queries
from promotions.attempts import current_draw, said_to
from promotions.models import Outcomes, Promotion, TermsVersion
from promotions.versions import single_prizes, terms_of
from web.page import door

SALT: Final = "console.promotions.stage"
OPEN_FOR: Final = dt.timedelta(days=1)
STEP_SECONDS: Final = 6  # between one winner and the next
PRACTICE_ENTRIES: Final = 500  # of a practice where nobody has entered yet
WINNERS_SHOWN: Final = 60


def address(code: str) -> str:
    return reverse("console:promotion-stage", args=[code, signing.dumps({"of": code}, salt=SALT)])


def practice_address(promotion: Promotion) -> str:
    seed = {"of": promotion.code, "seed": secrets.token_hex(32), "at": timezone.now().timestamp()}
    return reverse("console:promotion-stage", args=[promotion.code, signing.dumps(seed, salt=SALT)])


def _read(code: str, token: str) -> tuple[Promotion, dict[str, object]]:
    try:
        said = signing.loads(token, salt=SALT, max_age=OPEN_FOR)
    except signing.BadSignature:
        raise Http404("Open the stage from the desk of the draw room.") from None
    promotion = queries.find(code)
    if promotion is None or said.get("of") != code:
        raise Http404("Open the stage from the desk of the draw room.")
    return promotion, said


@door
def page(request: HttpRequest, code: str, token: str) -> HttpResponseBase:
    return render(request, "promotions/stage.html", _shown(request, code, token))


@door
def live(request: HttpRequest, code: str, token: str) -> HttpResponseBase:
    return render(request, "promotions/_stage.html", _shown(request, code, token))


def _shown(request: HttpRequest, code: str, token: str) -> dict[str, object]:
    promotion, said = _read(code, token)
    version, sealed = queries.newest_version(promotion), queries.sealed_list(promotion)
    count = queries.entry_count(promotion)
    now = timezone.now()
    shown: dict[str, Any] = {
        "venue": request.venue,  # type: ignore[attr-defined]
        "promotion": promotion,
        "token": token,
        "entries": count,
        "root": bytes(sealed.root).hex() if sealed else "",
        "practice": "seed" in said,
        "check_url": reverse("promotions:one", args=[code]),
    }
    return shown | (_practice(promotion, version, said, count, now) if "seed" in said else _real(promotion, now))


def _real(promotion: Promotion, now: dt.datetime) -> dict[str, object]:
    draw = current_draw(promotion)
    commitment = bytes(draw.promise.commitment).hex() if draw else ""
    said = said_to(draw) if draw is not None and draw.begun_at is not None else None
    early = promotion.draw_at and now < promotion.draw_at and not promotion.drawn_at
    shown: dict[str, Any] = {
        "commitment": commitment,
        "seconds": int((promotion.draw_at - now).total_seconds()) if early and promotion.draw_at else None,
        "waits": draw is not None and draw.begun_at is not None and said is None,
        "unwitnessed": said is not None and not said.is_witnessed,
        "unsigned": draw is not None and draw.drawn_at is not None and draw.published_at is None,
        "winners": [],
        "total": 0,
    }
    if draw is None or draw.published_at is None or draw.version is None:
        return shown
    present = terms_of(draw.version).must_be_present
    held = [win for win in queries.wins_of(draw) if win.pick.outcome == Outcomes.WINNER]
    held = (held if present else held[::-1])[:WINNERS_SHOWN]
    lines: list[dict[str, Any]] = []
    for turn, win in enumerate(held, start=1):
        first = win.won_at <= draw.published_at  # not drawn again since
        since = (
            draw.published_at + dt.timedelta(seconds=STEP_SECONDS * (1 if present else turn)) if first else win.won_at
        )
        if now < since:
            continue
        waits = present and win.status == "drawn" and win.present_at is None
        left = int((win.call_ends_at - now).total_seconds()) if waits and win.call_ends_at else None
        line = _line(win.pick.prize or 0, win.prize, win.pick.number)
        line |= {"present": win.present_at is not None, "waits": waits, "left": left and max(0, left)}
        lines.append(line)
        if waits:
            break  # called one after another: the next prize waits for this one
    return shown | _revealed(lines) | {"total": draw.prizes or 0}


def _practice(
    promotion: Promotion, version: TermsVersion, said: dict[str, Any], count: int, now: dt.datetime
) -> dict[str, object]:
    prizes: list[Any] = single_prizes(version) or [
        _Made(prize.get("name", "A prize")) for prize in version.data.get("prizes", [])
    ]
    pool = count or PRACTICE_ENTRIES
    gone = now.timestamp() - float(said["at"])
    revealed = max(0, min(len(prizes), pool, int(gone // STEP_SECONDS)))
    stream = Source(HmacDrbg(entropy=bytes.fromhex(said["seed"]), nonce=bytes(16), personalisation=b"practice"))
    drawn = [pick.number for pick in islice(picks(stream, pool), min(len(prizes), pool))]
    every = [_line(at, prizes[at - 1], number) for at, number in enumerate(drawn, start=1)][:WINNERS_SHOWN]
    return {
        "commitment": "",
        "made_up": not count,
        "entries": pool,
        "seconds": STEP_SECONDS - int(gone) if gone < STEP_SECONDS else None,
        "total": len(prizes),
        **_revealed(every[::-1][:revealed]),
    }


def _revealed(lines: list[dict[str, Any]]) -> dict[str, object]:
    """The latest large, the others below in the order of the prizes."""
    return {"winners": sorted(lines, key=lambda line: line["place"]), "latest": lines[-1] if lines else None}


class _Made:
    """A prize of terms that are not submitted yet."""

    value = None

    def __init__(self, name: str) -> None:
        self.name = name


def _line(place: int, prize: Any, number: int) -> dict[str, object]:
    return {"place": place, "name": prize.name, "value": prize.value, "number": number}
