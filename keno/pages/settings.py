"""Every setting of the venue for Keno on one page: what holds, who decides it, and the way to propose another."""

from __future__ import annotations

from django import forms
from django.http import HttpResponseBase

from house import approvals
from house.pages.proposals import proposed
from house.permissions import PROPOSE
from keno import approved, game_settings
from keno.models import DrawDevice, KenoSettings
from keno.permissions import SUPERVISED_ABOVE
from keno.steps import room_steps
from kernel.refusal import NotFound
from web.forms import PageForm, reason
from web.money_field import MoneyInput
from web.page import Visit, attempt, done, page, show

# What each amount is for, in the order of the page.
AMOUNTS: dict[str, tuple[str, str]] = {
    approved.PREMIUM: ("Premium of a jackpot way", "A game, on top of the stake (4.7a)."),
    SUPERVISED_ABOVE: ("Paid by one writer alone", "More is authorised by somebody else first."),
    approved.FLOAT_ALONE: ("Opening float on one’s own word", "More takes two people."),
    approved.OVER_SHORT: ("Drawer over or short", "More is an incident."),
    approved.MOST_A_WAY: ("A way could win at most", "A ticket with a way above it is refused."),
    approved.MOST_A_TICKET: ("A ticket could win at most", "In one game, in prizes that are fixed."),
    approved.MOST_A_GAME: ("A game could pay at most", "All its tickets together; what would pass it is refused."),
    approved.EXPOSURE_ALARM: ("Alarm at game control", "From so much on that the game on sale could pay."),
}


class GameSettingsForm(PageForm):
    refused_as = {"new": "interval_seconds"}  # noqa: RUF012
    interval_seconds = forms.IntegerField(label="Seconds from one close to the next", min_value=1, max_value=86_400)
    draw_after_seconds = forms.IntegerField(
        label="Seconds from the close to the first number", min_value=0, max_value=86_400
    )
    pace_milliseconds = forms.IntegerField(
        label="Milliseconds from one number to the next", min_value=0, max_value=60_000
    )
    balls_confirmed = forms.TypedChoiceField(
        label="Balls of a mechanical draw",
        coerce=lambda value: value == "yes",
        choices=[("yes", "Another person reads them back"), ("no", "Entered once")],
    )
    why = reason()

    @property
    def new(self) -> dict[str, object]:
        return {
            "interval_seconds": self.interval_seconds,
            "draw_after_seconds": self.draw_after_seconds,
            "pace_milliseconds": self.pace_milliseconds,
            "balls_confirmed": self.balls_confirmed,
        }


class AmountForm(PageForm):
    new = MoneyInput(label="New amount")
    why = reason()


@page()
def settings(request: Visit) -> HttpResponseBase:
    amounts = approved.amounts()
    by_code = {each.code: each for each in approved.all_in_force(approved.AMOUNT)}
    return show(
        request,
        "keno/settings.html",
        games=KenoSettings.current(),
        device=DrawDevice(KenoSettings.current().device),
        amounts=[
            {"code": code, "title": title, "help": help_text, "now": amounts[code], "version": by_code.get(code)}
            for code, (title, help_text) in AMOUNTS.items()
        ],
        steps=room_steps(request.actor),
    )


@page(PROPOSE)
def propose_games(request: Visit) -> HttpResponseBase:
    current = KenoSettings.current()
    initial = {
        "interval_seconds": int(current.interval.total_seconds()),
        "draw_after_seconds": int(current.draw_after.total_seconds()),
        "pace_milliseconds": int(current.pace.total_seconds() * 1_000),
        "balls_confirmed": "yes" if current.balls_confirmed else "no",
    }
    form = GameSettingsForm(request.POST or None, initial=initial)
    if form.is_valid() and (
        proposal := attempt(
            form,
            approvals.propose,
            kind=game_settings.KIND,
            subject=game_settings.SUBJECT,
            new=form.new,
            why=form.why,
            by=request.actor,
        )
    ):
        return done(request, proposed(proposal), "approval", proposal.pk)
    return show(request, "keno/propose_setting.html", form=form, title="How games are run")


@page(PROPOSE)
def propose_amount(request: Visit, code: str) -> HttpResponseBase:
    if code not in AMOUNTS:
        raise NotFound("no-such-subject", "There is no such amount.")
    title, help_text = AMOUNTS[code]
    form = AmountForm(request.POST or None, initial={"new": approved.amount(code)})
    if form.is_valid() and (
        proposal := attempt(
            form,
            approvals.propose,
            kind=approved.full_name(approved.AMOUNT),
            subject=f"{approved.AMOUNT}:{code}",
            new=str(form.new),
            why=form.why,
            by=request.actor,
        )
    ):
        return done(request, proposed(proposal), "approval", proposal.pk)
    return show(request, "keno/propose_setting.html", form=form, title=title, help=help_text)
