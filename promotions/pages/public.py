"""The public pages: every promotion with its terms in force (17.6, 15.6) and, once there are any, its results."""

from __future__ import annotations

from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from house.venue import venue, zone
from promotions import queries, results, terms_text
from promotions.lifecycle import Status
from promotions.models import Promotion, TermsVersion
from promotions.versions import edition_of, on_show

_POLICY: Final = (
    "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'"
)
# What a visitor reads of where a promotion stands, and how it looks: good, wants attention, stopped, quiet.
WORDS: Final = {
    Status.SUBMITTED: ("Starts soon", "quiet"),
    Status.RUNNING: ("Entries are open", "good"),
    Status.CLOSED: ("Entries have closed", "quiet"),
    Status.SEALED: ("Entries are sealed, the draw is next", "quiet"),
    Status.DRAWING: ("The draw is under way", "attention"),
    Status.DRAWN: ("Drawn", "good"),
    Status.FINISHED: ("Over", "quiet"),
    Status.POSTPONED: ("Postponed", "attention"),
    Status.CANCELLED: ("Cancelled", "stopped"),
}
_COMING: Final = (
    Status.SUBMITTED,
    Status.RUNNING,
    Status.CLOSED,
    Status.SEALED,
    Status.DRAWING,
    Status.POSTPONED,
)


@require_safe
def every(request: HttpRequest) -> HttpResponse:
    shown = [_line(each) for each in queries.public_promotions()]
    known = [line for line in shown if line["version"]]
    return _for_everybody(
        render(
            request,
            "promotions/public/list.html",
            {
                "venue": venue(),
                "now_on": [line for line in known if line["promotion"].status in _COMING],
                "over": [line for line in known if line["promotion"].status not in _COMING],
            },
        )
    )


@require_safe
def one(request: HttpRequest, code: str) -> HttpResponse:
    promotion, version = _find(request, code)
    rules = edition_of(promotion)
    sealed = queries.sealed_list(promotion)
    words, look = WORDS[Status(promotion.status)]
    return _for_everybody(
        render(
            request,
            "promotions/public/one.html",
            {
                "venue": venue(),
                "zone": zone(),
                "promotion": promotion,
                "words": words,
                "look": look,
                "version": version,
                "versions": queries.versions_in_force(promotion),
                "in_force": on_show(promotion) == version,
                "rule": rules.clauses["rule"],
                "regulator": rules.regulator,
                "particulars": list(terms_text.particulars(version.data)),
                "prizes": terms_text.prizes(version.data, rules),
                "entries": queries.entries_now(promotion),
                "sealed": sealed and {"at": sealed.sealed_at, "count": sealed.count, "root": bytes(sealed.root).hex()},
                "results": _in_words(results_of(promotion)),
                "complaint": terms_text.COMPLAINT,
            },
        )
    )


@require_safe
def terms_pdf(request: HttpRequest, code: str) -> HttpResponse:
    """The terms on paper, as the regulator has them."""
    _, version = _find(request, code)
    pdf = bytes(version.submission.pdf)
    name = f"{code}-terms-{version.number}.pdf"
    return HttpResponse(
        pdf, content_type="application/pdf", headers={"Content-Disposition": f'inline; filename="{name}"'}
    )


def results_of(promotion: Promotion) -> dict[str, object] | None:
    """What the draws have published."""
    return results.published(promotion)


def _in_words(found: dict[str, Any] | None) -> dict[str, object] | None:
    """Amounts as people read them."""
    if not found or not found["result"]:
        return found
    prizes = [line | {"value": terms_text.dollars(line["value"])} for line in found["result"]["prizes"]]
    return found | {"result": found["result"] | {"prizes": prizes}}


def _find(request: HttpRequest, code: str) -> tuple[Promotion, TermsVersion]:
    """The promotion and the version asked for: the one on show or, with ``?version=``, one that was in force."""
    promotion = queries.public_promotion(code)
    asked, number = request.GET.get("version", ""), None
    if asked:
        number = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 5 else 0
    version = queries.public_version(promotion, number) if promotion else None
    if promotion is None or version is None:
        raise Http404("There is no such promotion.")
    return promotion, version


def _line(promotion: Promotion) -> dict[str, Any]:
    words, look = WORDS[Status(promotion.status)]
    version = on_show(promotion)
    prizes = version.data.get("prizes", []) if version else []
    return {
        "promotion": promotion,
        "version": version,
        "words": words,
        "look": look,
        "prizes": [prize["name"] for prize in prizes[:3]],
        "more": max(0, len(prizes) - 3),
    }


def _for_everybody(response: HttpResponse) -> HttpResponse:
    response.headers["Content-Security-Policy"] = _POLICY
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cache-Control"] = "no-cache"
    return response
