"""The terms of a link: what is approved, as data, and read back into the types the rules speak.

    {"rules": {…}, "wager": "2.50", "bonus": "250.00",
     "levels": [{"name": "prize", "increment_rate": 7000, "seed": "50000.00", "ceiling": null}],
     "reserve_rate": 1000, "reimbursement_rate": 0, "retained_rate": 2000, "contribution_limit": null,
     "rounds_per_minute_limit": null}

Rates are basis points of the wager and are the whole of it together (nsw-csp:11.6).

The versions are rows of their own (``models.Terms``) and not approved values of the house: every round, batch and hit
refers by foreign key to the terms it was played under, and those have to be terms of its own link. They are read
through the shape below like every approved value.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from house.approvals import Record, Shape
from jackpot.models import Link, Terms
from jackpot.rules import gazetted, mathematics, must_hit_by
from jackpot.rules.link_terms import LinkTerms, authority, write
from jackpot.rules.policies import (
    Contributes,
    Folded,
    Game,
    Kind,
    MeasuredOn,
    RuleSet,
    Sharing,
    from_data,
)
from jackpot.rules.pool import Level, Parameters
from kernel.money import Money
from kernel.prepared import execute
from kernel.refusal import NotFound, Refusal
from web.fields import BasisPoints, Choice, MoneyField, StrictSerializer, Text, TrueOrFalse, WholeNumber

__all__ = ["CODES", "SHAPE", "LinkTerms", "LinkTermsValue", "authority", "check", "in_force", "of", "read", "write"]


def _clause() -> Text:
    return Text(required=False, allow_null=True, max_length=64)


class HandPrizeValue(StrictSerializer):
    """What a hand wins: a fixed amount, or a percentage of a level with an amount it is at least."""

    hand = Text(max_length=64)
    kind = Choice(choices=[*Kind])
    fixed = MoneyField(required=False, allow_negative=True)
    percent = BasisPoints(required=False, help_text="Basis points of the level.")
    at_least = MoneyField(required=False, allow_negative=True)
    level = Text(required=False, max_length=32)
    clause = _clause()


class RuleSetValue(StrictSerializer):
    """The rules of a link. Made by ``policies.from_data``, with which a stranger reads them from an export too."""

    code = Text(max_length=64)
    title = Text(max_length=200)
    game = Choice(choices=[*Game])
    contributes = Choice(choices=[*Contributes])
    measured_on = Choice(choices=[*MeasuredOn])
    sharing = Choice(choices=[*Sharing])
    folded = Choice(choices=[*Folded])
    pays_bonus = TrueOrFalse(help_text="Whether every other wagering box gets the bonus when a percentage is won.")
    topped_up = TrueOrFalse(help_text="Whether the displayed amount is kept at its seed at once.")
    prizes = HandPrizeValue(many=True, help_text="Percentage prizes stand in the order in which they are paid.")
    void_hand_clause = _clause()
    foreign_piece_clause = _clause()
    one_wager_clause = _clause()
    bonus_clause = _clause()
    ante_clause = _clause()
    one_hand_clause = _clause()
    denomination_clause = _clause()
    other_player_clause = _clause()
    box_players_clause = _clause()
    house_clause = _clause()
    declared_clause = _clause()

    def to_internal_value(self, data: Any) -> RuleSet:
        super().to_internal_value(data)
        return from_data(data)


class LevelValue(Record):
    """One prize pool of a link."""

    name = Text(max_length=32)
    increment_rate = BasisPoints(help_text="Basis points of the wager.")
    seed = MoneyField(allow_negative=True)
    ceiling = MoneyField(allow_negative=True, allow_null=True)
    makes = Level


def _made(*, rules: RuleSet, bonus: Money, levels: list[Level], **parameters: Any) -> LinkTerms:
    if bonus and not rules.pays_bonus:
        raise Refusal("terms-invalid", f"{rules.title} pays no bonus.", field="bonus")
    return LinkTerms(rules=rules, parameters=Parameters(levels=tuple(levels), **parameters), bonus=bonus)


class LinkTermsValue(Record):
    """The terms of a link. The rates are the whole of a wager together."""

    rules = RuleSetValue()
    wager = MoneyField(allow_negative=True)
    bonus = MoneyField(help_text="To every other wagering box when a percentage prize is won.")
    levels = LevelValue(many=True)
    reserve_rate = BasisPoints(help_text="Basis points of the wager.")
    reimbursement_rate = BasisPoints(help_text="Basis points of the wager.")
    retained_rate = BasisPoints(help_text="Basis points of the wager.")
    contribution_limit = MoneyField(
        allow_negative=True, allow_null=True, help_text="The most that one message may bring in."
    )
    rounds_per_minute_limit = WholeNumber(
        required=False, allow_null=True, help_text="Of a table: what its boxes cannot play in the time is held."
    )
    makes = _made


CODES: Final = {"rules": "rule-set-invalid"}
SHAPE: Final = Shape[LinkTerms](LinkTermsValue(), write=write, unreadable="terms-invalid", codes=CODES, where="")


def read(data: object) -> LinkTerms:
    """Read terms that a person wrote or ``write`` stored. What cannot be read is refused in words."""
    return SHAPE.read(data)


def check(terms: LinkTerms) -> None:
    """Terms that may be approved: the link can keep what it promises (decision 13)."""
    if set(terms.levels) != set(terms.rules.levels):
        raise Refusal(
            "level-missing", f"{terms.rules.title}: give the terms of {', '.join(terms.rules.levels)}.", field="levels"
        )
    gazetted.check(terms.rules, terms.parameters)
    if terms.rules.game is Game.MYSTERY:
        must_hit_by.check(terms.rules, terms.parameters)
    mathematics.check(terms.rules, terms.parameters)


def in_force(link: Link, *, at: datetime | None = None) -> Terms:
    """The version in force now, or at an earlier moment. Before its first there was only the first."""
    versions = Terms.objects.filter(link=link)
    found = versions.order_by("-version").first()
    if found is not None and at is not None and found.effective_at > at:
        found = versions.filter(effective_at__lte=at).order_by("-version").first() or versions.get(version=1)
    if found is None:
        raise NotFound("no-such-link", f"{link.code} is not a link of tables.")
    return found


def newest(links: Sequence[Link]) -> dict[int, LinkTerms]:
    """The newest terms of these links, by their numbers."""
    found = {
        link: _known.get((version, at)) or of(Terms.objects.get(pk=version))
        for link, version, at in execute(_NEWEST, {"links": [link.pk for link in links]})
    }
    for link in links:
        if link.pk not in found:
            raise NotFound("no-such-link", f"{link.code} is not a link of tables.")
    return found


_NEWEST: Final = """
    SELECT DISTINCT ON (link_id) link_id, id, effective_at FROM jackpot_terms WHERE link_id = ANY(%(links)s)
    ORDER BY link_id, version DESC
"""
_known: dict[tuple[int, datetime], LinkTerms] = {}


def of(version: Terms) -> LinkTerms:
    """The terms of a stored version, read once a process: a version never changes."""
    key = version.pk, version.effective_at
    if key not in _known:
        _known[key] = read(version.data)
    return _known[key]
