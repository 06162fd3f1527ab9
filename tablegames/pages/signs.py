"""The pit's page of a table's sign: limits, notices, who sits where, a player's own sign, closing."""

from __future__ import annotations

from django import forms
from django.http import HttpResponseBase

from house.models import Proposal
from house.pages.forms.house import local_moment
from house.pages.proposals import proposed
from kernel.refusal import Refusal
from tablegames import in_force, notices, permissions, queries, seats, sign
from tablegames.charge_time import charge_time
from tablegames.higher_maximum import propose_higher_maximum
from tablegames.models import SignNotice
from tablegames.pages.forms import amount, lines_field, name_of_field
from tablegames.rules.signs import BOXES_LIMIT, RULES, Limits
from tablegames.rules.terms import Limit
from tablegames.steps import sign_steps
from tablegames.tables import find_table
from web import words
from web.forms import PageForm
from web.page import Visit, attempt, done, page, show

_LINE = "A line a wager: its name, the least, the most; then what it is a multiple of, where the sign says so."
_WORDS_OF_A_LINE = 4


def read_lines(text: str) -> Limits:
    """``ante 10 200`` a line, ``ante 10 200 5`` with multiples of five; ``-`` where there is no most."""
    read: dict[str, Limit] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        name, *rest = line.replace(":", " ").split()
        if not 2 <= len(rest) + 1 <= _WORDS_OF_A_LINE:
            raise Refusal("line-not-readable", f"“{line}”: write the wager, the least, the most.", field="limits")
        if name in read:
            raise Refusal("line-twice", f"{name} is there twice.", field="limits")
        least, *more = [None if word == "-" else amount(word, field="limits") for word in rest]
        most, multiple = [*more, None, None][:2]
        read[name] = sign.read_limits(
            {
                name: {
                    "minimum": None if least is None else str(least),
                    "maximum": None if most is None else str(most),
                    "multiple": None if multiple is None else str(multiple),
                }
            }
        )[name]
    return read


def as_lines(limits: Limits) -> str:
    """As ``read_lines`` reads them."""
    return "\n".join(
        " ".join(
            str(word)
            for word in (name, limit.minimum, limit.maximum or "-", *([limit.multiple] if limit.multiple else []))
        )
        for name, limit in limits.items()
    )


class LimitsForm(PageForm):
    limits = lines_field("Limits", "ante 10 200", help_text=_LINE)
    takes_effect_at = local_moment("From when", required=False, help_text="Empty: now, where the rules allow it.")
    at_once = forms.BooleanField(
        label="A higher minimum now: who plays already stays on the old one, with a marker", required=False
    )
    why = forms.CharField(
        label="Why, for a maximum above the approved sign’s",
        max_length=500,
        required=False,
        help_text="Another person decides it; then the notice goes up.",
    )

    def refuse(self, refusal: Refusal) -> None:
        self.refused_as = name_of_field(self, refusal) | {"terms": "limits"}
        super().refuse(refusal)


class OwnLimitsForm(PageForm):
    limits = lines_field("His limits", "ante 100 2000", help_text=_LINE)
    why = forms.CharField(label="Why", max_length=500, help_text="Another person decides.")


class ClosingForm(PageForm):
    closes_at = local_moment("Closes at", required=True)


class SeatForm(PageForm):
    box = forms.IntegerField(label="Box", min_value=1, max_value=BOXES_LIMIT)
    player = forms.CharField(label="Player", max_length=80, required=False, help_text="Number of the player card.")


@page(permissions.VIEW)
def signs(request: Visit) -> HttpResponseBase:
    """Every table, what its sign says now, and what stands beside it."""
    rows = [in_force.sign_with_notices(table) for table in queries.tables()]
    return show(request, "tablegames/signs.html", rows=rows)


@page(permissions.VIEW)
def one_sign(request: Visit, code: str) -> HttpResponseBase:
    return _show(request, code)


def _show(request: Visit, code: str, *, bound: PageForm | None = None, reopened: str = "") -> HttpResponseBase:
    table = find_table(code)
    shown = in_force.sign_with_notices(table)
    now = LimitsForm(initial={"limits": as_lines(in_force.terms_at(table).limits)}, auto_id="limits-%s")
    blank = {"limits": now, "closing": ClosingForm(auto_id="closing-%s"), "seat": SeatForm(auto_id="seat-%s")}
    own = reopened.partition("-")[2] if reopened.startswith("own-") else ""
    return show(
        request,
        "tablegames/sign.html",
        form=bound,
        table=table,
        sign=shown | {"standing_notices": [each["number"] for each in (shown["notice"], shown["closing"]) if each]},  # type: ignore[index]
        rules=RULES[in_force.signs_at(table).document],
        forms=blank | ({reopened: bound} if bound is not None and not own else {}),
        own_forms=[
            (seat, bound if bound is not None and own == str(seat["number"]) else _own_form(seat))
            for seat in shown["seats"]  # type: ignore[attr-defined]
        ],
        reopened=reopened,
        steps=sign_steps(table, request.actor),
    )


def _own_form(seat: dict[str, object]) -> OwnLimitsForm:
    return OwnLimitsForm(auto_id=f"own-{seat['number']}-%s")


@page(permissions.SIGNS, post=True)
def limits(request: Visit, code: str) -> HttpResponseBase:
    form = LimitsForm(request.POST, auto_id="limits-%s")
    if form.is_valid() and (made := attempt(form, _announce, code=code, entered=form, request=request)) is not None:
        said = proposed(made) if isinstance(made, Proposal) else f"The notice stands at {code}."
        return done(request, said, "tables-sign", code)
    return _show(request, code, bound=form, reopened="limits")


def _announce(*, code: str, entered: LimitsForm, request: Visit) -> SignNotice | Proposal:
    """The notice or, where a maximum is above the approved sign's, the proposal that another person decides."""
    read, by = read_lines(entered.limits), request.actor
    if entered.why.strip():
        return propose_higher_maximum(table=code, limits=read, why=entered.why, by=by)
    if entered.at_once:
        return notices.raise_minimum_at_once(table=code, limits=read, by=by)
    return notices.announce_limits(table=code, limits=read, takes_effect_at=entered.takes_effect_at or None, by=by)


@page(permissions.SIGNS, post=True)
def closing(request: Visit, code: str) -> HttpResponseBase:
    form = ClosingForm(request.POST, auto_id="closing-%s")
    if (
        form.is_valid()
        and attempt(form, notices.announce_closing, table=code, closes_at=form.closes_at, by=request.actor) is not None
    ):
        return done(request, f"The notice of closing stands at {code}.", "tables-sign", code)
    return _show(request, code, bound=form, reopened="closing")


@page(permissions.SIGNS, post=True)
def close(request: Visit, code: str) -> HttpResponseBase:
    notices.close_table(table=code, by=request.actor)
    return done(request, f"{code} is closed.", "tables-sign", code)


@page(permissions.SIGNS, post=True)
def reopen(request: Visit, code: str) -> HttpResponseBase:
    notices.reopen_table(table=code, by=request.actor)
    return done(request, f"{code} is open.", "tables-sign", code)


@page(permissions.SIGNS, post=True)
def take_down(request: Visit, code: str, number: int) -> HttpResponseBase:
    notices.take_notice_down(table=code, number=number, by=request.actor)
    return done(request, "The notice is down.", "tables-sign", code)


@page(permissions.SIGNS, post=True)
def seat(request: Visit, code: str) -> HttpResponseBase:
    form = SeatForm(request.POST, auto_id="seat-%s")
    if (
        form.is_valid()
        and attempt(form, seats.seat_player, table=code, box=form.box, player_card=form.player, by=request.actor)
        is not None
    ):
        return done(request, f"Box {form.box} has its player.", "tables-sign", code)
    return _show(request, code, bound=form, reopened="seat")


@page(permissions.SIGNS, post=True)
def leave(request: Visit, code: str, number: int) -> HttpResponseBase:
    left = seats.leave_table(table=code, seat=number, by=request.actor)
    return done(request, f"Box {left.box} is free.", "tables-sign", code)


@page(permissions.SIGNS, post=True)
def time(request: Visit, code: str, number: int) -> HttpResponseBase:
    """One period more, paid in advance (act-pk:14.3)."""
    charge = charge_time(table=code, seat=number, periods=1, by=request.actor)
    return done(request, f"{words.money(charge.amount)} is charged in advance.", "tables-sign", code)


@page(permissions.SIGNS, post=True)
def own_limits(request: Visit, code: str, number: int) -> HttpResponseBase:
    form = OwnLimitsForm(request.POST, auto_id=f"own-{number}-%s")
    if form.is_valid() and (made := attempt(form, _allow, code=code, number=number, entered=form, request=request)):
        return done(request, proposed(made), "approval", made.pk)
    return _show(request, code, bound=form, reopened=f"own-{number}")


def _allow(*, code: str, number: int, entered: OwnLimitsForm, request: Visit) -> Proposal:
    limits = read_lines(entered.limits)
    return propose_higher_maximum(table=code, seat=number, limits=limits, why=entered.why, by=request.actor)


@page(permissions.SIGNS, post=True)
def remove_marker(request: Visit, code: str, number: int) -> HttpResponseBase:
    seats.remove_marker(table=code, number=number, by=request.actor)
    return done(request, "The marker is gone.", "tables-sign", code)
