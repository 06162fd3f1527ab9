from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from django import forms

from house.models import ApprovedValue
from keno.entries import TicketRequest
from keno.pages.forms import Numbers
from keno.rules.selection import Play
from keno.rules.ways import SPOTS_LIMIT
from web.forms import PageForm
from web.money_field import MoneyInput

_SCHEDULES = [(f"special-{n}" if n else "standard", f"Special {n}" if n else "Standard") for n in range(4)]
_PICKS = [("", "None"), *((str(n), str(n)) for n in range(1, SPOTS_LIMIT + 1)), ("mystery", "A mystery")]


class OrderForm(PageForm):
    """What the player wants: numbers marked, or picked here, or a set bet. Whether it can be sold, the verb says."""

    refused_as = {"quick_pick.spots": "pick", "groups": "numbers", "player": "card"}  # noqa: RUF012
    numbers = forms.CharField(
        label="Numbers",
        max_length=400,
        required=False,
        widget=forms.TextInput(attrs={"class": "mono", "autocomplete": "off", "autofocus": True}),
        help_text="With | between groups: 4 8 | 15 16 | 23 42. Empty for a quick pick or a set bet.",
    )
    plays = Numbers(label="Plays of a way ticket", required=False, help_text="Numbers in a way: 2 4 6.")
    pick = forms.ChoiceField(label="Or a quick pick of", required=False, choices=_PICKS)
    set_bet = forms.ChoiceField(label="Or a set bet", required=False)
    stake = MoneyInput(label="Stake a way", initial="1.00")
    games = forms.IntegerField(label="Games", min_value=1, max_value=9999, initial=1)
    schedule = forms.ChoiceField(label="Schedule", choices=_SCHEDULES)
    jackpot = forms.BooleanField(label="Jackpot", required=False)
    card = forms.CharField(
        label="Player card",
        max_length=32,
        required=False,
        widget=forms.TextInput(attrs={"class": "mono", "autocomplete": "off"}),
        help_text="The player’s own, where he shows it: the ticket is his, and counts towards his limits.",
    )
    note = forms.CharField(
        label="Note", max_length=200, required=False, help_text="Where the player sits, what he gave the runner."
    )

    def __init__(self, *args: object, set_bets: Iterable[ApprovedValue], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        named = [(each.code, f"{each.code}, {(each.value or {}).get('name', each.code)}") for each in set_bets]
        self.offer("set_bet", [("", "None"), *named])

    def clean_numbers(self) -> list[list[int]]:
        text = self.cleaned_data["numbers"]
        if re.search(r"[^\d\s,;|]", text) or any(len(each) > 18 for each in re.findall(r"\d+", text)):
            raise forms.ValidationError("Write whole numbers with spaces between them, and | between groups.")
        return [[int(n) for n in re.findall(r"\d+", part)] for part in text.split("|") if part.strip(" ,;")]

    def clean(self) -> dict[str, object]:
        data = super().clean() or {}
        ways = [name for name in ("numbers", "pick", "set_bet") if data.get(name)]
        if len(ways) != 1 and "numbers" in data:
            self.say(ways[1] if ways else "numbers", "Numbers, a quick pick or a set bet: one of them.")
        if len(data.get("numbers") or ()) > 1 and not data.get("plays"):
            self.say("plays", "Several groups are a way ticket: say how many numbers its ways have.")
        return data

    def wanted(self) -> TicketRequest:
        common: dict[str, Any] = {"games": self.games, "schedule": self.schedule, "jackpot": self.jackpot}
        groups, stake = self.numbers, self.stake
        if self.plays and groups:
            return TicketRequest(groups=groups, plays=[Play(spots, stake) for spots in self.plays], **common)
        if groups:
            return TicketRequest(numbers=groups[0], stake=stake, **common)
        if self.set_bet:
            return TicketRequest(set_bet=self.set_bet, stake=stake, **common)
        spots = None if self.pick == "mystery" else int(self.pick)
        return TicketRequest(quick_pick=True, spots=spots, stake=stake, **common)


class IssueForm(PageForm):
    given = MoneyInput(label="Cash given", required=False)
