from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from house import demo
from house.models import GamingDay, Staff
from tests.world.demo import ROLES


def test_it_is_built_once_and_says_who_can_sign_in(db: None) -> None:
    first, second = io.StringIO(), io.StringIO()
    call_command("demo", stdout=first)
    people, days = list(Staff.objects.values()), list(GamingDay.objects.values())
    call_command("demo", stdout=second)
    assert (list(Staff.objects.values()), list(GamingDay.objects.values())) == (people, days)
    assert first.getvalue() == second.getvalue()
    for role in ROLES:
        assert f"{role} " in first.getvalue()
    assert first.getvalue().count(demo.password()) == len(ROLES)


def test_it_is_refused_in_a_sentence_while_the_demo_is_off(db: None, settings: Any) -> None:
    settings.DEMO = False
    with pytest.raises(CommandError, match="The demo setting is off"):
        call_command("demo")
    assert not Staff.objects.exists()
