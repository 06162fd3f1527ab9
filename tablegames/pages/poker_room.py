"""The page for a supervisor who is called to a disputed pot: the round as it lay, and the answer in words."""

from __future__ import annotations

from django import forms
from django.http import HttpResponseBase

from chance.cards import RANKS
from kernel.money import Money
from kernel.refusal import Refusal
from tablegames.pages.forms import amount, lines_field, name_of_field
from tablegames.rules.showdown import JOKER_NAME, Decided, Player, Round, Shown, Win, decide
from tablegames.rules.showdown_hands import JOKER, LOWEST, ROOM, Made
from web import words
from web.forms import PageForm
from web.page import Visit, attempt, page, show

FOLDED = "folded"
_SEAT_DIGITS = 3
_SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_ALSO = {
    "joker": "A joker is in the deck",
    "ace_high": "The ace is never low",
    "only_blinds": "Only antes and blinds were put in",
    "invalidated": "The house invalidated the round",
}
_WIN = {
    Win.HIGH: "The high hand",
    Win.LOW: "The low hand",
    Win.HIGH_LOW: "High and low, half each",
    Win.HIGH_LOW_8: "High and low, low of eight or less",
}


def _seat(text: str, *, field: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= _SEAT_DIGITS):
        raise Refusal("seat-not-readable", f"“{text}” is not a seat: write its number.", field=field)
    return int(text)


def players(text: str) -> list[Player]:
    """``1 20 AH KC`` a line: the seat, what was put in, the cards; ``3 5 folded``."""
    read = []
    for line in filter(None, map(str.strip, text.splitlines())):
        seat, *rest = line.replace(":", " ").split()
        if not rest:
            raise Refusal(
                "line-not-readable", f"“{line}”: write the seat, what was put in, then the cards.", field="players"
            )
        cards = [word.upper() for word in rest[1:]]
        folded = FOLDED.upper() in cards
        read.append(
            Player(
                seat=_seat(seat, field="players"),
                bet=amount(rest[0], field="players"),
                cards=tuple(card for card in cards if card != FOLDED.upper()),
                folded=folded,
            )
        )
    return read


class ShowdownForm(PageForm):
    game = forms.ChoiceField(label="Game", choices=[(code, code.replace("-", " ").title()) for code in ROOM])
    deck = forms.TypedChoiceField(
        label="Cards in the deck", coerce=int, choices=[(str(size), str(size)) for size in LOWEST], initial=max(LOWEST)
    )
    win = forms.ChoiceField(label="What wins", choices=[(str(win), said) for win, said in _WIN.items()])
    also = forms.MultipleChoiceField(
        label="Also", required=False, choices=list(_ALSO.items()), widget=forms.CheckboxSelectMultiple
    )
    players = lines_field(
        "Players",
        "1 20 AH KC\n2 25 QS QH\n3 5 folded",
        rows=6,
        help_text="A line a player: the seat, all that he put in, his cards, typed (T is ten, JK the joker) or tapped "
        "below.",
    )
    board = forms.CharField(
        label="Communal cards",
        max_length=100,
        required=False,
        widget=forms.TextInput(attrs={"class": "mono", "placeholder": "AS KD 9H 4C 2D", "spellcheck": "false"}),
    )
    buck = forms.CharField(label="Seat of the buck", max_length=_SEAT_DIGITS)
    last_folded = forms.CharField(
        label="Last to fold",
        max_length=_SEAT_DIGITS,
        required=False,
        help_text="His seat; asked where no hand has the right number of cards.",
    )
    maximum = forms.CharField(
        label="Maximum commission",
        max_length=20,
        required=False,
        help_text="As approved. 0 where the commission is paid by time.",
    )

    def refuse(self, refusal: Refusal) -> None:
        self.refused_as = name_of_field(self, refusal)
        super().refuse(refusal)

    def read(self) -> Round:
        """The round as it was entered. Refuses what cannot be read."""
        maximum: Money | None = amount(self.maximum, field="maximum") if self.maximum.strip() else None
        return Round(
            game=self.game,
            players=players(self.players),
            buck=_seat(self.buck.strip(), field="buck"),
            board=self.board.upper().split(),
            deck=self.deck,
            joker="joker" in self.also,
            ace_low="ace_high" not in self.also,
            win=Win(self.win),
            only_blinds="only_blinds" in self.also,
            commission_maximum=maximum,
            invalidated="invalidated" in self.also,
            last_folded=_seat(self.last_folded.strip(), field="last_folded") if self.last_folded.strip() else None,
        )


@page()
def showdown(request: Visit) -> HttpResponseBase:
    """Enter the cards and the money, see who gets what and why. Nothing is kept."""
    form = ShowdownForm(request.POST or None)
    decided = attempt(form, _decide, entered=form) if form.is_valid() else None
    hands = [] if decided is None else [_said(hand) for hand in decided.hands]
    return show(
        request,
        "tablegames/showdown.html",
        form=form,
        decided=decided,
        hands=hands,
        ranks=list(reversed(RANKS)),
        suits=_SUITS,
    )


def _decide(*, entered: ShowdownForm) -> Decided:
    return decide(entered.read())


def _said(hand: Shown) -> dict[str, object]:
    return {"seat": hand.seat, "high": _made(hand.high), "low": _made(hand.low)}


def _made(made: Made | None) -> str:
    if made is None:
        return ""
    cards = words.hand(JOKER_NAME if card is JOKER else str(card) for card in made.cards)
    return f"{made.kind.slug.replace('-', ' ')}: {cards}"
