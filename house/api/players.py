"""Calls about players: cards, exclusions and breaks, limits, wagers at tables, declared chips."""

from __future__ import annotations

from django.db.models import QuerySet
from rest_framework import serializers

from house.api.cash import IdentityIn, identity_of
from house.models import DeclarationKind, Player, PlayerCard, Restriction, RestrictionKind, Scope
from house.permissions import (
    DEPOSIT_OF_PLAYERS,
    LIMIT_PLAYERS,
    MANAGE_PLAYERS,
    NAME_PLAYERS,
    RESTRICT_PLAYERS,
    VIEW_PLAYERS,
    WAGER_OF_PLAYERS,
)
from house.players import age, cards, declare, limits, play, restrict, statement
from house.queries import all_players, player_numbered, player_with_card, players_with_card
from house.rules.limits import Kind, Period
from kernel.actors import Actor
from kernel.money import Money
from web.fields import (
    Choice,
    DayField,
    InstantField,
    MoneyField,
    Nothing,
    PersonalText,
    StrictSerializer,
    Text,
    TrueOrFalse,
    WholeNumber,
    shown,
)
from web.view import HouseView, Paging, listing, read, verb

METHODS = ("cash", "debit-card", "eftpos", "bank-transfer")


class CardOut(StrictSerializer):
    number = Text()
    issued_at = InstantField()
    cancelled_at = InstantField(allow_null=True)


class RestrictionOut(StrictSerializer):
    id = WholeNumber()
    kind = Choice(choices=RestrictionKind.values)
    scope = Choice(choices=Scope.values)
    clause = Text(allow_blank=True)
    reason = Text()
    from_at = InstantField()
    until = InstantField(allow_null=True)
    breach_since = InstantField(
        allow_null=True, help_text="Since when the employee policy bound him, if found out later."
    )
    made_by = Text()
    confirmed_at = InstantField(allow_null=True, help_text="By a second person; null: nobody has yet.")
    confirmed_by = Text(allow_null=True)
    lifting_said_by = Text(allow_null=True, help_text="Who said first that it is to be lifted.")
    lifted_at = InstantField(allow_null=True)
    lifted_by = Text(allow_null=True)


class LimitOut(StrictSerializer):
    kind = Choice(choices=[each.value for each in Kind])
    period = Choice(choices=[each.value for each in Period])
    amount = MoneyField(allow_null=True, help_text="In force now; null: none yet, or none any more.")
    used = MoneyField(allow_negative=True, help_text="Net loss, or deposits, of the present period.")
    first = DayField(help_text="First day of the present period.")
    last = DayField()
    next_amount = MoneyField(allow_null=True)
    next_from = InstantField(allow_null=True, help_text="A higher limit that is cooling off, and from when it counts.")


class PlayerOut(StrictSerializer):
    number = Text()
    name = PersonalText(power=NAME_PLAYERS)
    registered_at = InstantField()
    cards = CardOut(many=True)


class PlayerDetailOut(PlayerOut):
    birth_on_record = TrueOrFalse(help_text="Whether a date of birth is on record.")
    limits = LimitOut(many=True)
    restrictions = RestrictionOut(many=True)
    example = shown(
        {
            "number": "P-4KZ7QW2MXA",
            "name": "Pat Morgan",
            "registered_at": "2026-11-16T21:04:00+11:00",
            "birth_on_record": True,
            "limits": [],
            "restrictions": [],
            "cards": [{"number": "C-1001", "issued_at": "2026-11-16T21:04:00+11:00", "cancelled_at": None}],
        }
    )


class PlayersAsked(Paging):
    card = Text(required=False, max_length=32, help_text="Only the player with this card.")


class PlayerIn(StrictSerializer):
    name = Text(max_length=120)
    card = Text(max_length=32)
    example = shown({"name": "Pat Morgan", "card": "C-1001"})


class CardIn(StrictSerializer):
    card = Text(max_length=32)
    example = shown({"card": "C-1002"})


class BirthIn(StrictSerializer):
    born = DayField(help_text="As a document shows it. It is kept with the player and not shown again.")
    example = shown({"born": "1984-02-29"})


class CancelIn(StrictSerializer):
    reason = Text(max_length=200)
    example = shown({"reason": "Lost by the player."})


class RestrictionIn(StrictSerializer):
    kind = Choice(choices=RestrictionKind.values)
    reason = Text(max_length=1000)
    until = InstantField(required=False, help_text="Left out: until it is lifted. A break needs its end.")
    scope = Choice(choices=Scope.values, default=Scope.CASINO)
    breach_since = InstantField(
        required=False, help_text="Of the employee policy, found out later: nothing is paid on wagers since then."
    )
    example = shown({"kind": "exclusion", "reason": "Asked for by the player.", "scope": "casino"})


class LimitIn(StrictSerializer):
    kind = Choice(choices=[each.value for each in Kind])
    period = Choice(choices=[each.value for each in Period])
    amount = MoneyField(allow_null=True, help_text="null: no limit any more.")
    example = shown({"kind": "loss", "period": "week", "amount": "500.00"})


class WagerIn(StrictSerializer):
    name = Text(max_length=40, help_text="ante, bet, jackpot, …")
    amount = MoneyField(allow_zero=False)


class WagersIn(StrictSerializer):
    table = Text(max_length=32)
    wagers = WagerIn(many=True, allow_empty=False, help_text="In the order of placing.")
    example = shown({"table": "CSP-01", "wagers": [{"name": "ante", "amount": "50.00"}]})


class PlacedOut(StrictSerializer):
    name = Text()
    amount = MoneyField()
    stands = MoneyField(help_text="What of it is valid.")
    returned = MoneyField(help_text="What goes back: it lies above the loss limit.")


class WagersOut(StrictSerializer):
    wagers = PlacedOut(many=True)
    valid = TrueOrFalse(help_text="Whether all of it stands.")
    clause = Text(allow_null=True)


class ReturnIn(StrictSerializer):
    table = Text(max_length=32)
    amount = MoneyField(allow_zero=False, help_text="Stakes and winnings together.")
    example = shown({"table": "CSP-01", "amount": "120.00"})


class ChipsIn(StrictSerializer):
    table = Text(max_length=32)
    kind = Choice(choices=DeclarationKind.values)
    amount = MoneyField()
    example = shown({"table": "CSP-01", "kind": "bought", "amount": "200.00"})


class DepositIn(StrictSerializer):
    amount = MoneyField(allow_zero=False)
    method = Choice(choices=METHODS)
    identity = IdentityIn(required=False, help_text="Who the player is, from the approved limit in cash on.")
    example = shown({"amount": "100.00", "method": "eftpos"})


class DepositOut(StrictSerializer):
    amount = MoneyField()
    room = MoneyField(allow_null=True, help_text="What may still be deposited today; null: no limit.")


def _detail(number: str) -> dict[str, object]:
    player = player_numbered(number)
    return {
        "number": player.number,
        "name": player.name,
        "registered_at": player.registered_at,
        "cards": player.cards.all(),
        "birth_on_record": player.born is not None,
        "limits": limits.limit_statuses(player),
        "restrictions": player.restrictions.all(),
    }


def _limits(card: str) -> dict[str, object]:
    return {"limits": limits.limit_statuses(player_with_card(card))}


class LimitsOut(StrictSerializer):
    limits = LimitOut(many=True)


class Players(HouseView):
    @listing(permission=VIEW_PLAYERS, gives=PlayerOut, asks=PlayersAsked)
    def get(self, by: Actor, asked: PlayersAsked) -> QuerySet[Player]:
        """Players and their cards."""
        return players_with_card(asked.card) if asked.card is not None else all_players()

    @verb(permission=MANAGE_PLAYERS, takes=PlayerIn, gives=PlayerDetailOut, status=201)
    def post(self, by: Actor, data: PlayerIn) -> dict[str, object]:
        """Register a player with a card."""
        return _detail(cards.register_player(name=data.name, card=data.card, by=by).number)


class OnePlayer(HouseView):
    @read(permission=VIEW_PLAYERS, gives=PlayerDetailOut)
    def get(self, by: Actor, asked: Nothing, *, number: str) -> dict[str, object]:
        """One player: cards, limits, restrictions."""
        return _detail(number)


class Birth(HouseView):
    @verb(permission=MANAGE_PLAYERS, takes=BirthIn, gives=PlayerDetailOut)
    def post(self, by: Actor, data: BirthIn, *, number: str) -> dict[str, object]:
        """Record a player's date of birth, or confirm it.

        Another date than on record takes another person; the same one from another person confirms it. Who is not of
        age may not play until he is.
        """
        age.record_birth(player_number=number, born=data.born, by=by)
        return _detail(number)


class Cards(HouseView):
    @verb(permission=MANAGE_PLAYERS, takes=CardIn, gives=PlayerDetailOut, status=201)
    def post(self, by: Actor, data: CardIn, *, number: str) -> dict[str, object]:
        """Issue another card. The ones before it are cancelled."""
        cards.issue_card(player_number=number, card=data.card, by=by)
        return _detail(number)


class Cancel(HouseView):
    @verb(permission=MANAGE_PLAYERS, takes=CancelIn, gives=CardOut)
    def post(self, by: Actor, data: CancelIn, *, card: str) -> PlayerCard:
        """Cancel a card."""
        return cards.cancel_card(card=card, reason=data.reason, by=by)


class Restrictions(HouseView):
    @verb(permission=RESTRICT_PLAYERS, takes=RestrictionIn, gives=RestrictionOut, status=201)
    def post(self, by: Actor, data: RestrictionIn, *, number: str) -> Restriction:
        """Exclude a player, apply the employee policy, or send the player on a break."""
        return restrict.restrict(
            player_number=number,
            kind=data.kind,
            reason=data.reason,
            until=data.until,
            scope=data.scope,
            breach_since=data.breach_since,
            by=by,
        )


class Confirm(HouseView):
    @verb(permission=RESTRICT_PLAYERS, gives=RestrictionOut)
    def post(self, by: Actor, data: Nothing, *, id: int) -> Restriction:
        """Confirm a restriction as the second person: what the player had entered before is left out of draws, too."""
        return restrict.confirm(restriction_id=id, by=by)


class Lift(HouseView):
    @verb(permission=RESTRICT_PLAYERS, gives=RestrictionOut)
    def post(self, by: Actor, data: Nothing, *, id: int) -> Restriction:
        """Lift a restriction: it is lifted once a second person has said so, too. Neither is who made it."""
        return restrict.lift(restriction_id=id, by=by)


class Limits(HouseView):
    @verb(permission=LIMIT_PLAYERS, takes=LimitIn, gives=LimitsOut, status=201)
    def post(self, by: Actor, data: LimitIn, *, number: str) -> dict[str, object]:
        """Set, lower, raise or remove a limit, as the player asks.

        Lower counts at once; higher, or none, after the venue's cooling-off period.
        """
        limits.set_limit(player_number=number, kind=data.kind, period=data.period, amount=data.amount, by=by)
        return {"limits": limits.limit_statuses(player_numbered(number))}


class Wagers(HouseView):
    @verb(permission=WAGER_OF_PLAYERS, takes=WagersIn, gives=WagersOut, status=201)
    def post(self, by: Actor, data: WagersIn, *, card: str) -> dict[str, object]:
        """A round's wagers at a table: what stands of each under the loss limit.

        What lies above it goes back in reverse order of placing (nsw-csp:14.21).
        """
        pairs = [(each.name, each.amount) for each in data.wagers]
        placed = play.place_wagers(card=card, table=data.table, wagers=pairs, by=by)
        valid = not any(each.returned for each in placed)
        return {"wagers": placed, "valid": valid, "clause": None if valid else "nsw-csp:14.21"}


class AccountOut(StrictSerializer):
    period = Choice(choices=list(Period))
    first = DayField()
    last = DayField()
    deposited = MoneyField()
    wagered = MoneyField()
    came_back = MoneyField()
    by_chips = MoneyField(allow_negative=True, help_text="Of declared chips, beyond the wagers that were seen.")
    lost = MoneyField(allow_negative=True, help_text="Below zero: won.")


class StatementOut(StrictSerializer):
    sentences = serializers.ListField(child=Text(), help_text="As the player is told it.")
    accounts = AccountOut(many=True)


class Statement(HouseView):
    @read(permission=VIEW_PLAYERS, gives=StatementOut)
    def get(self, by: Actor, asked: Nothing, *, number: str) -> dict[str, object]:
        """A player's statement in words, and what went in and came back by period."""
        player = player_numbered(number)
        return {"sentences": statement.in_words(player), "accounts": statement.accounts(player)}


class Returns(HouseView):
    @verb(permission=WAGER_OF_PLAYERS, takes=ReturnIn, gives=LimitsOut, status=201)
    def post(self, by: Actor, data: ReturnIn, *, card: str) -> dict[str, object]:
        """What a round at a table gave back: it makes room under the limit again."""
        play.record_return(card=card, table=data.table, amount=data.amount, by=by)
        return _limits(card)


class Chips(HouseView):
    @verb(permission=WAGER_OF_PLAYERS, takes=ChipsIn, gives=LimitsOut, status=201)
    def post(self, by: Actor, data: ChipsIn, *, card: str) -> dict[str, object]:
        """Chips bought, brought or taken away, as the player declares them (nsw-csp:16.2)."""
        declare.declare_chips(card=card, table=data.table, kind=data.kind, amount=data.amount, by=by)
        return _limits(card)


class Deposits(HouseView):
    @verb(permission=DEPOSIT_OF_PLAYERS, takes=DepositIn, gives=DepositOut, status=201)
    def post(self, by: Actor, data: DepositIn, *, card: str) -> dict[str, object]:
        """Keep a deposit from outside against the deposit limit of the calendar day."""
        amount: Money = data.amount
        left = play.deposit(card=card, amount=amount, method=data.method, identity=identity_of(data.identity), by=by)
        return {"amount": amount, "room": left}
