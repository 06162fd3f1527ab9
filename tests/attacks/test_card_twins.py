"""A supervisor registers `lm-1` beside `LM-1`, to give a player with a loss limit a second life:
one number is one card."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from house.models import Player, PlayerCard
from tests.attacks.cards import register
from tests.attacks.insider import House


def test_no_second_card_of_one_number(house: House) -> None:
    supervisor, _ = register(house, "LM-1")
    other = supervisor.post("players/", {"name": "Lou", "card": "LM-2"}).ok(201)["number"]
    twins = ("lm-1", "Lm-1", " lm-1", "lm\N{NON-BREAKING HYPHEN}1", "\N{FULLWIDTH LATIN SMALL LETTER L}m-1")
    for twin in twins:
        with house.unchanged():
            assert supervisor.post("players/", {"name": "Mo", "card": twin}).refused("card-taken")
            assert supervisor.post(f"players/{other}/cards", {"card": twin}).refused("card-taken")
    assert PlayerCard.objects.filter(number__iexact="lm-1").count() == 1


def test_not_even_past_the_verbs(house: House) -> None:
    register(house, "LM-1")
    player = Player.objects.get()
    for number in ("lm-1", "LM 1", "LM\N{EN DASH}1", "", "-1"):
        with pytest.raises(IntegrityError), transaction.atomic():
            PlayerCard.objects.create(number=number, player=player, issued_at=player.registered_at)


def test_a_player_is_found_however_his_card_is_written(house: House) -> None:
    supervisor, player = register(house, "lm-1")
    for asked in ("LM-1", "lm-1", "%20lm-1"):
        assert [each["number"] for each in supervisor.get(f"players/?card={asked}").ok()["results"]] == [player]
    assert supervisor.post("cards/lm-1/cancel", {"reason": "lost"}).ok()["number"] == "LM-1"
