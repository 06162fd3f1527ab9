"""One Keno voucher: what it is worth and the rest of, whether it was spent; a supervisor authorises a large one."""

from __future__ import annotations

from django.http import HttpResponseBase

from house import people
from keno.particulars import read_serial
from keno.permissions import PAY_LARGE, SEE, SEE_ALL
from keno.queries import counter as queries
from keno.steps import voucher_steps
from keno.vouchers import authorise_redemption
from web.page import Visit, done, page, show
from web.words import money


@page(SEE)
def voucher(request: Visit, code: str) -> HttpResponseBase:
    """To a writer what is on its paper; what it is the rest of and what became of it, to who sees everything."""
    found, sees_all = queries.shown_voucher(code, request.actor), request.actor.may(SEE_ALL)
    given = queries.latest_authority(found) if sees_all else None
    names = people.names([found.issued_by, found.spent_by, given.given_by if given else None])
    return show(
        request,
        "keno/voucher.html",
        voucher=found,
        sees_all=sees_all,
        of=(found.ticket or (found.payment.ticket if found.payment else None)) if sees_all else None,
        issuer=names[found.issued_by],
        spender=names.get(found.spent_by or ""),
        given=given,
        giver=names[given.given_by] if given else "",
        steps=voucher_steps(found, request.actor),
    )


@page(PAY_LARGE, post=True)
def authorise(request: Visit, code: str) -> HttpResponseBase:
    given = authorise_redemption(code=code, by=request.actor)
    said = f"You authorised the redemption of {money(given.amount)}. Another person pays it."
    return done(request, said, "keno-voucher", read_serial(code))
