"""Calls about players' usual tickets, by their card. The card is in the body: an address is written down too often."""

from __future__ import annotations

from rest_framework import serializers

from keno.api.forms import TicketIn, request_of
from keno.favourites import NAME_CHARACTERS_LIMIT, Offered, favourites_of, forget_favourite, keep_favourite
from keno.models import Favourite
from keno.permissions import FAVOURITES
from kernel.actors import Actor
from web.fields import AnyField, MoneyField, PersonalText, StrictSerializer, Text, WholeNumber, blank, shown
from web.view import HouseView, verb


class PlayerCardIn(StrictSerializer):
    card = Text(max_length=64, help_text="The player’s own, as typed or scanned.")
    example = shown({"card": "C-1"})


class FavouriteIn(TicketIn):
    card = Text(max_length=64, help_text="The player’s own, as typed or scanned.")
    name = Text(max_length=NAME_CHARACTERS_LIMIT, help_text="As he calls it; one of the same name is replaced.")
    example = shown({"card": "C-1", "name": "Fridays", "numbers": [4, 8, 15], "stake": "2.00"})

    def get_fields(self) -> dict[str, AnyField]:
        fields = super().get_fields()
        return {name: field for name, field in fields.items() if name not in {"tender", "rest", "player"}}


class FavouriteOut(StrictSerializer):
    id = WholeNumber()
    name = PersonalText(power=FAVOURITES, masked=blank)
    request = serializers.DictField()
    example = shown({"id": 5, "name": "Fridays", "request": {"numbers": [4, 8, 15], "stake": "2.00", "games": 1}})


class OfferedOut(StrictSerializer):
    id = WholeNumber(source="favourite.id")
    name = PersonalText(power=FAVOURITES, masked=blank, source="favourite.name")
    request = serializers.DictField(source="favourite.request")
    price = MoneyField(allow_null=True, help_text="As it would be sold now.")
    refused = Text(allow_blank=True, help_text="Why it cannot be sold now.")


class FavouritesOut(StrictSerializer):
    results = OfferedOut(many=True)
    example = shown(
        {
            "results": [
                {
                    "id": 5,
                    "name": "Fridays",
                    "request": {"numbers": [4, 8, 15], "stake": "2.00", "games": 1},
                    "price": "2.00",
                    "refused": "",
                }
            ]
        }
    )


class ForgottenOut(StrictSerializer):
    forgotten = WholeNumber()
    example = shown({"forgotten": 5})


class Favourites(HouseView):
    @verb(permission=FAVOURITES, takes=FavouriteIn, gives=FavouriteOut, status=201, needs_key=False)
    def post(self, by: Actor, data: FavouriteIn) -> Favourite:
        """Keep a player's usual ticket under his card."""
        return keep_favourite(card=data.card, name=data.name, request=request_of(data), by=by)


class LookUpFavourites(HouseView):
    @verb(permission=FAVOURITES, takes=PlayerCardIn, gives=FavouritesOut, needs_key=False)
    def post(self, by: Actor, data: PlayerCardIn) -> dict[str, list[Offered]]:
        """A player's usual tickets, each with its price now. Changes nothing."""
        return {"results": favourites_of(card=data.card, by=by)}


class ForgetFavourite(HouseView):
    @verb(permission=FAVOURITES, takes=PlayerCardIn, gives=ForgottenOut, needs_key=False)
    def post(self, by: Actor, data: PlayerCardIn, *, number: int) -> dict[str, object]:
        """Forget one of them."""
        forget_favourite(card=data.card, number=number, by=by)
        return {"forgotten": number}
