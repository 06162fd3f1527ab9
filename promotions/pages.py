"""The public pages: every promotion with its terms in force (17.6, 15.6) and, once there are any, its results."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from house.venue import venue, zone
from promotions import paper
from promotions.lifecycle import PUBLIC, Status
from promotions.models import Entry, EntryList, Promotion, TermsVersion
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
    Status.DRAWN: ("Drawn", "good"),
    Status.FINISHED: ("Over", "quiet"),
    Status.POSTPONED: ("Postponed", "attention"),
    Status.CANCELLED: ("Cancelled", "stopped"),
}
_COMING: Final = (Status.SUBMITTED, Status.RUNNING, Status.CLOSED, Status.SEALED, Status.POSTPONED)


@require_safe
def every(request: HttpRequest) -> HttpResponse:
    shown = [_line(each) for each in Promotion.objects.filter(status__in=PUBLIC).order_by("-starts_at", "-id")[:200]]
    known = [line for line in shown if line["version"]]
    return _for_everybody(
        render(
            request,
            "promotions/list.html",
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
    sealed = EntryList.objects.filter(promotion=promotion, voided_at=None).first()
    versions = TermsVersion.objects.filter(promotion=promotion, in_force_from__isnull=False).order_by("number")
    words, look = WORDS[Status(promotion.status)]
    return _for_everybody(
        render(
            request,
            "promotions/one.html",
            {
                "venue": venue(),
                "zone": zone(),
                "promotion": promotion,
                "words": words,
                "look": look,
                "version": version,
                "versions": list(versions),
                "in_force": on_show(promotion) == version,
                "rule": rules.clauses["rule"],
                "regulator": rules.regulator,
                "particulars": list(paper.particulars(version.data)),
                "prizes": [
                    {"name": prize["name"], "lines": list(paper.prize_lines(prize, rules))}
                    for prize in version.data.get("prizes", [])
                ],
                "entries": Entry.objects.filter(promotion=promotion, withdrawn_at=None).count(),
                "sealed": sealed and {"at": sealed.sealed_at, "count": sealed.count, "root": bytes(sealed.root).hex()},
                "results": _in_words(results_of(promotion)),
                "complaint": paper.COMPLAINT,
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


def results_of(promotion: Promotion) -> dict[str, Any] | None:
    """What the draws have published; where they are not installed, nothing."""
    if find_spec("promotions.results") is None:
        return None
    found: dict[str, Any] | None = import_module("promotions.results").published(promotion)
    return found


def _in_words(results: dict[str, Any] | None) -> dict[str, Any] | None:
    """Amounts as people read them."""
    if not results or not results["result"]:
        return results
    prizes = [line | {"value": paper.dollars(line["value"])} for line in results["result"]["prizes"]]
    return results | {"result": results["result"] | {"prizes": prizes}}


def _find(request: HttpRequest, code: str) -> tuple[Promotion, TermsVersion]:
    """The promotion and the version asked for: the one on show or, with ``?version=``, one that was in force."""
    promotion = Promotion.objects.filter(code=code, status__in=PUBLIC).first()
    version = on_show(promotion) if promotion else None
    asked = request.GET.get("version", "")
    if promotion and asked:
        number = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 5 else 0
        version = TermsVersion.objects.filter(promotion=promotion, number=number, in_force_from__isnull=False).first()
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
