"""What the table pages ask for. Hands are written the way a supervisor says them, a line a wager and a line a hand."""

from __future__ import annotations

import re
from typing import Any, Final

from django import forms

from house.pages.forms.cash import IdentityForm
from kernel.money import Money
from kernel.refusal import Refusal
from tablegames import queries
from tablegames.rules.catalogue import GAMES
from tablegames.rules.payment_errors import Direction, Intent, Status, Step
from tablegames.settle import Entered
from tablegames.tables import find_table
from web.forms import PageForm

_AMOUNT: Final = re.compile(r"\$?(\d{1,9})(\.\d\d)?", re.ASCII)
_ALSO: Final = {
    "force": "The player forced the dealer",
    "undeclared": "Winning first cards were not declared in time",
    "elected": "The house elected to pay what was declared late",
    "reshuffled": "The deck ran out, and discards were dealt again",
    "even_money": "Even money against the dealer’s ace",
}


def amount(text: str, *, field: str) -> Money:
    """Dollars as people write them: 10, 10.50, $10."""
    found = _AMOUNT.fullmatch(text.strip())
    if found is None:
        raise Refusal("amount-not-readable", f"“{text.strip()}” is not an amount: write 10 or 10.50.", field=field)
    return Money.parse(found[1] + (found[2] or ".00"))


def amounts(text: str, *, field: str) -> dict[str, Money]:
    """``ante 10`` a line; the last word is the amount."""
    read: dict[str, Money] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        name, _, value = line.rpartition(" ")
        name = name.strip().rstrip(":")
        if not name:
            raise Refusal("line-not-readable", f"“{line}”: write the wager, then the amount.", field=field)
        if name in read:
            raise Refusal("line-twice", f"{name} is there twice.", field=field)
        read[name] = amount(value, field=field)
    return read


def hands(text: str) -> dict[str, list[str]] | None:
    """``player 8S 8H 5D 5C 3C`` a line."""
    read: dict[str, list[str]] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        name, *cards = line.replace(":", " ").split()
        if name in read:
            raise Refusal("line-twice", f"{name} is there twice.", field="cards")
        read[name] = cards
    return read or None


def lines_field(
    label: str, placeholder: str, *, rows: int = 3, required: bool = True, help_text: str = ""
) -> forms.CharField:
    return forms.CharField(
        label=label,
        required=required,
        max_length=4000,
        help_text=help_text,
        widget=forms.Textarea(attrs={"rows": rows, "placeholder": placeholder, "class": "mono", "spellcheck": "false"}),
    )


def name_of_field(form: PageForm, refusal: Refusal) -> dict[str, str]:
    """A refusal about ``cards.player[1]`` belongs beside the cards."""
    whole = re.split(r"[.\[]", refusal.field or "")[0]
    return {refusal.field or "": whole} if whole in form.fields else {}


class SettleForm(PageForm):
    table = forms.ChoiceField(label="Table")
    wagers = lines_field("Wagers", "ante 10\nbet 20", help_text="A line a wager: its name, then the amount.")
    cards = lines_field(
        "Cards",
        "player 8S 8H 5D 5C 3C\ndealer AD KC 9H 4S 2D",
        required=False,
        help_text="A line a hand. Rank then suit; T is ten. Drawn cards: sixth, discarded, drawn, replacement.",
    )
    outcome = forms.CharField(
        label="Outcome", max_length=40, required=False, help_text="Where one outcome decides: 17, or 2 5 5."
    )
    play = forms.ChoiceField(
        label="The player",
        required=False,
        choices=[("", "Bet or folded, as the wagers say"), ("fold", "Folded"), ("concede", "Conceded")],
    )
    draw = forms.ChoiceField(
        label="Draw",
        required=False,
        choices=[("", "None"), ("exchange", "Exchanged 2 to 5 cards"), ("sixth-card", "Bought a sixth card")],
    )
    irregularity = forms.ChoiceField(label="Irregularity", required=False)
    invalid = forms.ChoiceField(
        label="Own player card",
        required=False,
        choices=[
            ("", "Yes"),
            ("before", "No, found before the hand"),
            ("during", "No, found during the hand"),
            ("after", "No, found after the hand"),
        ],
    )
    also = forms.MultipleChoiceField(
        label="Also", required=False, choices=list(_ALSO.items()), widget=forms.CheckboxSelectMultiple
    )
    paid = lines_field(
        "What was paid",
        "ante 10\nbet 40",
        required=False,
        help_text="A line a wager, the stake not counted; 0 where nothing was paid. Needed to record it.",
    )
    returned = lines_field(
        "What of a stake went back",
        "",
        rows=1,
        required=False,
        help_text="Only where it was not as the rules say: bet 0 where a stake was taken by mistake.",
    )
    box = forms.IntegerField(
        label="Box",
        required=False,
        min_value=1,
        max_value=30,
        help_text="Where players have markers: whose hand it is.",
    )
    player = forms.CharField(label="Player", max_length=80, required=False, help_text="Number of the player card.")
    note = forms.CharField(label="Note", max_length=1000, required=False)

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        tables = [
            (each.code, f"{each.code} · {GAMES[each.game].title}") for each in queries.tables() if each.game in GAMES
        ]
        self.offer("table", [("", "Choose"), *tables])
        known = sorted({name for game in GAMES.values() for name in game.irregularities})
        named = [(name, name.replace("-", " ").capitalize()) for name in known]
        self.offer("irregularity", [("", "None"), *named])

    def refuse(self, refusal: Refusal) -> None:
        self.refused_as = name_of_field(self, refusal)
        super().refuse(refusal)

    def read(self) -> dict[str, Any]:
        """What the verbs take. Refuses what cannot be read."""
        choices: dict[str, Any] = {name: True for name in self.also if name != "undeclared"}
        chosen = {
            "play": self.play,
            "draw": self.draw,
            "irregularity": self.irregularity,
            "invalid": self.invalid,
        }
        choices |= {name: value for name, value in chosen.items() if value}
        choices |= {"declared": False} if "undeclared" in self.also else {}
        table = find_table(self.table)
        entered = Entered(
            game=table.game,
            wagers=amounts(self.wagers, field="wagers"),
            cards=hands(self.cards),
            outcome=self.outcome or None,
            choices=choices,
        )
        return {
            "entered": entered,
            "table": table.code,
            "box": self.box,
            "paid": amounts(self.paid, field="paid") if self.paid.strip() else None,
            "returned": amounts(self.returned, field="returned") if self.returned.strip() else None,
        }


def _words(kind: Any) -> list[tuple[str, str]]:
    return [(str(each), str(each).replace("-", " ").capitalize()) for each in kind]


class IntentForm(PageForm):
    intent = forms.ChoiceField(label="Was it on purpose?", choices=_words((Intent.UNINTENTIONAL, Intent.SUSPECTED)))
    enquiries = forms.CharField(
        label="What was enquired into", max_length=2000, widget=forms.Textarea(attrs={"rows": 3})
    )


class StepForm(PageForm):
    kind = forms.ChoiceField(label="What was tried")
    how = forms.CharField(label="How", max_length=500, widget=forms.Textarea(attrs={"rows": 2}))
    succeeded = forms.TypedChoiceField(
        label="Did it succeed?", coerce=lambda value: value == "yes", choices=[("yes", "Yes"), ("no", "No")]
    )
    reference = forms.CharField(label="Reference", max_length=120, required=False)

    def __init__(self, *args: object, direction: str, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        wrong = Step.REIMBURSE if direction == Direction.OVER else Step.REQUEST_RETURN
        self.offer("kind", _words(each for each in Step if each is not wrong))


class RectifyForm(IdentityForm):
    amount = forms.CharField(label="Amount", max_length=20)
    how = forms.CharField(
        label="How", max_length=500, widget=forms.TextInput(attrs={"placeholder": "in chips, in cash"})
    )
    reference = forms.CharField(label="Reference", max_length=120, required=False)


class CloseForm(PageForm):
    outcome = forms.ChoiceField(
        label="Closed as",
        choices=[
            (str(Status.ATTEMPTED), "A reasonable attempt was made"),
            (str(Status.REPORTED), "Brought to the regulator’s attention"),
        ],
    )
    what = forms.CharField(label="What came of it", max_length=2000, widget=forms.Textarea(attrs={"rows": 3}))
