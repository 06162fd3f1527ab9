"""The poker room's call: a showdown that is entered, decided (act-pk)."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from chance.cards import Card
from kernel.actors import Actor
from tablegames.api.fields import CardsField
from tablegames.rules.showdown import JOKER_NAME, Decided, Player, Round, Shown, Win, decide
from tablegames.rules.showdown_hands import JOKER, LOWEST, ROOM, Made
from web.fields import Choice, MoneyField, StrictSerializer, Text, TrueOrFalse, WholeNumber, shown
from web.view import SIGNED_IN, HouseView, verb

PLAYERS_LIMIT = 23


class PlayerIn(StrictSerializer):
    seat = WholeNumber(min_value=1, max_value=PLAYERS_LIMIT, help_text="Numbered clockwise.")
    cards = CardsField(required=False, help_text="His own; the joker is written JK.")
    bet = MoneyField(help_text="All that he put in during the round.")
    folded = TrueOrFalse(required=False)


class ShowdownIn(StrictSerializer):
    game = Choice(choices=list(ROOM))
    deck = WholeNumber(required=False, help_text=f"Of so many cards: {', '.join(map(str, LOWEST))}.")
    joker = TrueOrFalse(required=False, help_text="A wild card is in the deck.")
    ace_low = TrueOrFalse(required=False, help_text="The ace also ends the lowest straight. Left out: yes.")
    win = Choice(choices=list(Win), required=False, help_text="Left out: the high hand wins.")
    board = CardsField(required=False, help_text="The communal cards.")
    players = serializers.ListField(child=PlayerIn(), min_length=2, max_length=PLAYERS_LIMIT)
    buck = WholeNumber(min_value=1, max_value=PLAYERS_LIMIT, help_text="The seat at which the buck is.")
    only_blinds = TrueOrFalse(required=False, help_text="Nothing but antes and blinds was put in.")
    commission_maximum = MoneyField(required=False, allow_null=True, help_text="As approved. Left out: none.")
    invalidated = TrueOrFalse(required=False, help_text="The house invalidated the round: everything goes back.")
    last_folded = WholeNumber(
        required=False,
        allow_null=True,
        help_text="The seat that folded last before the showdown: it wins where no hand has the right number of cards.",
    )
    example = shown(
        {
            "game": "hold-em",
            "board": ["2C", "7D", "9H", "JS", "KC"],
            "players": [
                {"seat": 1, "cards": ["KD", "KH"], "bet": "20.00", "folded": False},
                {"seat": 4, "cards": ["AS", "AH"], "bet": "20.00", "folded": False},
            ],
            "buck": 1,
            "commission_maximum": "10.00",
        }
    )


class HandOut(StrictSerializer):
    seat = WholeNumber()
    hand = Text(help_text="Such as `full-house`; of a low game, what the low hand is.")
    cards = serializers.ListField(child=Text(), help_text="The five that make it.")
    low = serializers.ListField(
        child=Text(), required=False, allow_null=True, help_text="Of a split game: the low hand, if it qualifies."
    )


class WinnerOut(StrictSerializer):
    seat = WholeNumber()
    amount = MoneyField()


class PotOut(StrictSerializer):
    amount = MoneyField()
    seats = serializers.ListField(child=WholeNumber(), help_text="Who could win it.")
    winners = WinnerOut(many=True)


class ShowdownOut(StrictSerializer):
    hands = HandOut(many=True)
    pots = PotOut(many=True)
    uncalled = WinnerOut(many=True)
    commission = MoneyField()
    paid = serializers.DictField(child=MoneyField(), help_text="By seat, from the pots only.")
    words = serializers.ListField(child=Text(), help_text="What was decided, and by which clause.")


class Showdown(HouseView):
    @verb(permission=SIGNED_IN, takes=ShowdownIn, gives=ShowdownOut, needs_key=False)
    def post(self, by: Actor, data: ShowdownIn) -> dict[str, object]:
        """Who wins which pot of a round of poker; changes nothing."""
        return answer(decide(_round(data)))


def _round(data: ShowdownIn) -> Round:
    players = [
        Player(seat=player.seat, bet=player.bet, cards=tuple(player.cards or ()), folded=bool(player.folded))
        for player in data.players
    ]
    return Round(
        game=data.game,
        players=players,
        buck=data.buck,
        board=tuple(data.board or ()),
        deck=max(LOWEST) if data.deck is None else data.deck,
        joker=bool(data.joker),
        ace_low=data.ace_low is not False,
        win=Win(data.win or Win.HIGH),
        only_blinds=bool(data.only_blinds),
        commission_maximum=data.commission_maximum,
        last_folded=data.last_folded,
        invalidated=bool(data.invalidated),
    )


def answer(decided: Decided) -> dict[str, object]:
    return {
        "hands": [_hand(each) for each in decided.hands],
        "pots": [{"amount": pot.amount, "seats": pot.seats, "winners": _amounts(pot.won)} for pot in decided.pots],
        "uncalled": _amounts(decided.uncalled),
        "commission": decided.commission,
        "paid": {str(seat): amount for seat, amount in sorted(decided.paid.items())},
        "words": decided.words,
    }


def _amounts(by_seat: dict[int, Any]) -> list[dict[str, object]]:
    return [{"seat": seat, "amount": amount} for seat, amount in sorted(by_seat.items())]


def _hand(each: Shown) -> dict[str, object]:
    made = each.high or each.low
    assert made is not None
    said: dict[str, object] = {"seat": each.seat, "hand": made.kind.slug, "cards": _names(made)}
    if each.high is not None and each.low is not None:
        said["low"] = _names(each.low)
    return said


def _names(made: Made) -> list[str]:
    return [_name(card) for card in made.cards]


def _name(card: Card) -> str:
    return JOKER_NAME if card is JOKER else str(card)
