"""Hands as people enter them, and what they say of a round afterwards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django import forms
from django.http import QueryDict

from chance import tiles
from chance.cards import RANKS
from jackpot.models import Round
from jackpot.rules.policies import Game
from web.forms import PageForm, reason

SUITS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


class PiecesField(forms.Field):
    """Cards or tiles that were touched on the keyboard of them, as many times as they were."""

    widget = forms.MultipleHiddenInput

    def to_python(self, value: list[str] | None) -> list[str]:
        return " ".join(value or ()).split()


@dataclass(frozen=True, slots=True)
class Piece:
    """A card or a tile on the keyboard with which a hand is entered."""

    name: str
    face: str
    suit: str
    picked: bool


class HandForm(PageForm):
    """A hand, entered by touching what lies there."""

    cards = PiecesField(label="Cards or tiles you see", required=False)

    def pieces(self, game: Game) -> list[list[Piece]]:
        """The keyboard, a row a suit or all tiles in one; what was touched before a refusal stays so."""
        left = Counter(self.data.getlist("cards") if isinstance(self.data, QueryDict) else ())

        def piece(name: str, face: str, suit: str = "") -> Piece:
            left[name] -= 1
            return Piece(name, face, suit, picked=left[name] >= 0)

        if game is Game.TILES:
            return [[piece(tile, tile) for tile in tiles.SET]]
        ranks = [("10" if rank == "T" else rank, rank) for rank in reversed(RANKS)]
        return [[piece(f"{rank}{suit}", f"{face}{sign}", suit) for face, rank in ranks] for suit, sign in SUITS.items()]


class VerifyForm(HandForm):
    box = forms.IntegerField(label="Box", min_value=1, max_value=20, required=False)
    player = forms.CharField(label="Player card", max_length=64, required=False)
    surveillance = forms.CharField(label="Surveillance reference", max_length=200)
    note = forms.CharField(label="Note", max_length=1000, required=False, widget=forms.Textarea(attrs={"rows": 2}))


class LateClaimForm(HandForm):
    """A hand that was not named when its round ended."""

    refused_as: dict[str, str] = {"pieces": "cards", "new.pieces": "cards"}  # noqa: RUF012

    box = forms.ChoiceField(label="Box", help_text="With a wager, and no hand on record.")
    surveillance = forms.CharField(
        label="Surveillance reference",
        max_length=200,
        help_text="Of the recording by which the hand was reconstructed.",
    )
    declared = forms.BooleanField(label="The player declared it before the cards were collected", required=False)
    why = reason()

    def __init__(self, *args: object, boxes: Sequence[int], declared_clause: str | None, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.offer("box", [(str(box), f"Box {box}") for box in boxes])
        if declared_clause:
            self.fields["declared"].help_text = f"It wins only if declared ({declared_clause})."
        else:
            del self.fields["declared"]

    def new(self, played: Round) -> dict[str, object]:
        return {
            "round": played.pk,
            "box": int(self.box),
            "pieces": self.cards,
            "surveillance": self.surveillance,
            "declared": bool(self.cleaned_data.get("declared", True)),
        }


class RoundEndForm(PageForm):
    """How a round ended that a won jackpot waits for."""

    refused_as: dict[str, str] = {"new": "hands"}  # noqa: RUF012

    void = forms.ChoiceField(
        label="How it ended",
        choices=[("", "It was finished"), ("void", "It is void: the wagers go back")],
        required=False,
    )
    hands = forms.CharField(
        label="Hands that won",
        widget=forms.Textarea(attrs={"rows": 3}),
        required=False,
        help_text="One a line, box first: 3 gee-jun gee-jun teen teen. Leave empty where nobody won.",
    )
    surveillance = forms.CharField(label="Surveillance reference", max_length=200)
    why = reason()

    def clean_hands(self) -> list[dict[str, object]]:
        found: list[dict[str, object]] = []
        for line in filter(str.strip, self.cleaned_data["hands"].splitlines()):
            box, *pieces = line.replace(":", " ").split()
            if not (box.isascii() and box.isdigit()) or not pieces:
                raise forms.ValidationError(f"“{line.strip()}” does not begin with a box, then what lay there.")
            found.append({"box": int(box), "pieces": pieces})
        return found

    def new(self, open_: Round) -> dict[str, object]:
        return {
            "round": open_.pk,
            "void": self.void == "void",
            "hands": self.cleaned_data["hands"],
            "surveillance": self.surveillance,
        }
