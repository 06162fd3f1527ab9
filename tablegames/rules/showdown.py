"""A showdown of the poker room (act-pk:12–14, 16.8): pots, who wins which, odd dollars by the buck, commission. Pure.

A folded player's money stays in. What nobody called goes back and is in no pot (14.2b). Who tapped out shares only the
pots that he reached (13.2). Equal hands share in whole dollars, and what cannot be divided goes to the one of them who
sits at the buck or nearest to it clockwise (12.2). The commission comes out of the main pot first.

Left open, and decided here: what folded players put in beyond every hand that is left goes with the last pot; the odd
dollar of a pot that is halved goes to the high hand; where no hand has the right number of cards, whoever folded last
wins everything, and has to be named unless he is the only one who folded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from chance.cards import Card, read_card
from kernel.money import ZERO, Money
from kernel.refusal import Refusal
from tablegames.rules.showdown_hands import COMMUNAL_LAST, JOKER, LOWEST, ROOM, Deck, Game, Made, best, is_eight_low

SOURCE: Final = "act-pk"
JOKER_NAME: Final = "JK"
FREE_UP_TO: Final = Money.dollars(19)  # 14.2(a)
COMMISSION_PERCENT: Final = 5
SEATS: Final = range(1, 24)
DOLLAR: Final = Money.dollars(1)


class Win(StrEnum):
    HIGH = "high"
    LOW = "low"
    HIGH_LOW = "high-low"
    HIGH_LOW_8 = "high-low-8"


@dataclass(frozen=True, slots=True)
class Player:
    seat: int
    bet: Money
    cards: tuple[str, ...] = ()
    folded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """What was seen: *bet* is all that a player put in during the round."""

    game: str
    players: Sequence[Player]
    buck: int
    board: Sequence[str] = ()
    deck: int = 52
    joker: bool = False
    ace_low: bool = True
    win: Win = Win.HIGH
    only_blinds: bool = False
    commission_maximum: Money | None = None
    invalidated: bool = False
    """The house invalidated the round: what was put in goes back (18.4, 18.5)."""
    last_folded: int | None = None
    """Who folded last before the showdown: asked where no hand has the right number of cards (16.8)."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A hand that is in the showdown: *high* or *low* is None where the game is not for it, or it does not qualify."""

    seat: int
    high: Made | None
    low: Made | None


@dataclass(slots=True)
class Pot:
    amount: Money
    seats: list[int]
    won: dict[int, Money] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    hands: list[Shown]
    pots: list[Pot]
    uncalled: dict[int, Money]
    commission: Money
    paid: dict[int, Money]
    words: list[str]
    """What was decided and by which clause, for the people at the table."""


def decide(played: Round) -> Decided:
    """Who gets what of a round that is over."""
    game, deck = _read_game(played)
    cards, board = _read_cards(played, game, deck)
    if played.invalidated:
        return _all_back(played)
    active = [player for player in played.players if not player.folded]
    words: list[str] = []
    hands = _hands(played, game, deck, active=active, cards=cards, board=board, words=words)
    seats = {shown.seat for shown in hands} or {_wins_unshown(played, active, words)}
    put_in = {player.seat: player.bet for player in played.players}
    uncalled = _uncalled(put_in)
    for seat, amount in uncalled.items():
        put_in[seat] -= amount
        words.append(f"${amount} of seat {seat} was called by nobody and goes back ({SOURCE}:14.2b).")
    pots = _pots(put_in, seats)
    commission = _commission(played, pots, hands, put_in, words)
    left = commission
    for number, pot in enumerate(pots, start=1):
        taken = min(left, pot.amount)
        left -= taken
        words += [f"Pot {number}, {said}" for said in _share(pot, pot.amount - taken, hands, buck=played.buck)]
    paid: dict[int, Money] = {}
    for pot in pots:
        for seat, amount in pot.won.items():
            paid[seat] = paid.get(seat, ZERO) + amount
    return Decided(hands=hands, pots=pots, uncalled=uncalled, commission=commission, paid=paid, words=words)


def _all_back(played: Round) -> Decided:
    """Never forfeited, whoever had folded; no commission on a round that does not count."""
    return Decided(
        hands=[],
        pots=[],
        uncalled={player.seat: player.bet for player in played.players if player.bet},
        commission=ZERO,
        paid={},
        words=[f"The round was invalidated: what each player put in goes back to him ({SOURCE}:18.5)."],
    )


# What is entered


def _refuse(code: str, words: str, field_: str, clause: str | None = None) -> Refusal:
    return Refusal(code, words, clause=None if clause is None else f"{SOURCE}:{clause}", field=field_)


def _read_game(played: Round) -> tuple[Game, Deck]:
    game = ROOM.get(played.game)
    if game is None:
        raise _refuse("no-such-game", f"The poker room has {', '.join(ROOM)}.", "game", "4.2a")
    if played.deck not in LOWEST:
        raise _refuse("no-such-deck", f"A deck has {', '.join(map(str, LOWEST))} cards.", "deck", "2.2")
    if played.win not in tuple(Win):
        raise _refuse("no-such-win", f"It is won by {', '.join(Win)}.", "win", "3.5")
    seats = [player.seat for player in played.players]
    if len(seats) < 2 or len(set(seats)) != len(seats) or any(seat not in SEATS for seat in seats):
        raise _refuse("seats-wrong", "Two or more players sit at seats of their own, from 1 on.", "players", "15.2")
    if played.buck not in SEATS:
        raise _refuse("buck-wrong", "The buck is at a seat of the table.", "buck", "8.3")
    if all(player.folded for player in played.players):
        raise _refuse("nobody-left", "Everybody has folded: the last one to fold wins the pot.", "players", "16.8")
    for at, player in enumerate(played.players):
        if player.bet < ZERO or not player.bet.whole_cents:
            raise _refuse("bet-wrong", "A bet is an amount in whole cents.", f"players[{at}].bet", "4.5")
        if not player.folded and not player.bet:
            said = f"Seat {player.seat} put nothing in: who does not call has folded."
            raise _refuse("nothing-put-in", said, f"players[{at}].bet", "9.2")
    return game, Deck(played.deck, played.ace_low)


def _read_cards(played: Round, game: Game, deck: Deck) -> tuple[dict[int, list[Card]], list[Card]]:
    """Every card of the deck once; of folded hands, too, where they are entered."""
    seen: set[Card] = set()

    def read(names: Sequence[str], where: str, *, dealt_again: bool = False) -> list[Card]:
        found: list[Card] = []
        for at, name in enumerate(names):
            card = JOKER if name == JOKER_NAME else read_card(name, clause=f"{SOURCE}:2.2", field=f"{where}[{at}]")
            if card not in deck or (card is JOKER and not played.joker):
                said = f"{name} is not in this deck of {played.deck} cards{' and a joker' * played.joker}."
                raise _refuse("card-not-in-deck", said, f"{where}[{at}]", "2.3" if card is JOKER else "2.2")
            if card in found or (card in seen and not dealt_again):
                raise _refuse("card-twice", f"{name} is there twice.", f"{where}[{at}]", "2.2")
            found.append(card)
        if not dealt_again:
            seen.update(found)
        return found

    most = game.board or (1 if game.code in COMMUNAL_LAST else 0)
    if len(played.board) > most:
        raise _refuse("board-wrong", f"{game.code} has at most {most} communal cards.", "board", "3.2")
    board = read(played.board, "board")
    cards = {}
    for at, player in enumerate(played.players):
        # At Draw Poker what a folded player threw away may have been dealt again (appendix G, 2.7).
        again = player.folded and game.code == "draw"
        cards[player.seat] = read(player.cards, f"players[{at}].cards", dealt_again=again)
    return cards, board


def _hands(
    played: Round,
    game: Game,
    deck: Deck,
    *,
    active: Sequence[Player],
    cards: Mapping[int, Sequence[Card]],
    board: Sequence[Card],
    words: list[str],
) -> list[Shown]:
    """Of those in the showdown; where one is left alone nobody shows anything (9.3a, 11.4a)."""
    if len(active) == 1:
        return []
    if game.board and len(board) != game.board:
        raise _refuse("board-wrong", f"At the showdown {game.code} has {game.board} communal cards.", "board", "3.2")
    own = game.own - (0 if game.board else len(board))
    right = []
    for player in active:
        if len(cards[player.seat]) == own:
            right.append(player.seat)
        else:
            said = f"{len(cards[player.seat])} cards instead of {own}"
            words.append(f"Seat {player.seat} has {said}: folded, and the money stays in ({SOURCE}:16.8).")
    return [_shown(seat, game, deck, own=cards[seat], board=board, win=played.win) for seat in right]


def _wins_unshown(played: Round, active: Sequence[Player], words: list[str]) -> int:
    """Who wins although nobody shows a hand: the only one left (9.3a, 11.4a), or who folded last (16.8)."""
    if len(active) == 1:
        words.append(f"Seat {active[0].seat} is alone in the game and wins ({SOURCE}:11.4a).")
        return active[0].seat
    folded = [player.seat for player in played.players if player.folded and player.bet]
    last = folded[0] if len(folded) == 1 and played.last_folded is None else played.last_folded
    if last not in folded:
        said = "say who folded last, for he wins." if folded else "and nobody folded before. The house decides."
        raise _refuse(
            "nobody-holds-a-hand",
            f"No hand has the right number of cards: {said}",
            "last_folded",
            "16.8" if folded else "18.6",
        )
    words.append(f"No hand has the right number of cards: seat {last} folded last and wins ({SOURCE}:16.8).")
    return last


def _shown(seat: int, game: Game, deck: Deck, *, own: Sequence[Card], board: Sequence[Card], win: Win) -> Shown:
    high = best(game, own, board, deck) if win is not Win.LOW else None
    low = best(game, own, board, deck, wants_low=True) if win is not Win.HIGH else None
    if win is Win.HIGH_LOW_8 and low is not None and not is_eight_low(low):
        low = None
    return Shown(seat, high, low)


# Pots


def _uncalled(put_in: Mapping[int, Money]) -> dict[int, Money]:
    """What one player put in beyond everybody else."""
    first, second = sorted(put_in.values(), reverse=True)[:2]
    seat = next(seat for seat, bet in put_in.items() if bet == first)
    return {seat: first - second} if first > second else {}


def _pots(put_in: Mapping[int, Money], seats: set[int]) -> list[Pot]:
    """One for each amount at which somebody in the showdown has no more in."""
    levels = sorted({put_in[seat] for seat in seats if put_in[seat]})
    pots, below = [], ZERO
    for level in levels:
        amount = Money.total(min(bet, level) - min(bet, below) for bet in put_in.values())
        pots.append(Pot(amount, sorted(seat for seat in seats if put_in[seat] >= level)))
        below = level
    beyond = Money.total(max(bet - below, ZERO) for bet in put_in.values())
    if beyond and pots:
        pots[-1].amount += beyond
    elif beyond:
        pots.append(Pot(beyond, sorted(seats)))
    return pots


def _commission(
    played: Round, pots: Sequence[Pot], hands: Sequence[Shown], put_in: Mapping[int, Money], words: list[str]
) -> Money:
    total = Money.total(pot.amount for pot in pots)
    why = ""
    if total <= FREE_UP_TO:
        why = f"the pots are ${total} together ({SOURCE}:14.2a)"
    elif played.only_blinds:
        why = f"only antes and blinds are in ({SOURCE}:14.2d)"
    elif _all_equal(hands, put_in):
        why = f"all who put in hold equal hands ({SOURCE}:14.2c)"
    if why:
        words.append(f"No commission: {why}.")
        return ZERO
    taken = Money(total.micros * COMMISSION_PERCENT // 100 // DOLLAR.micros * DOLLAR.micros)
    if played.commission_maximum is not None:
        taken = min(taken, played.commission_maximum)
    words.append(f"Commission ${taken}, of ${total} in the pots ({SOURCE}:14.2a).")
    return taken


def _all_equal(hands: Sequence[Shown], put_in: Mapping[int, Money]) -> bool:
    """14.2(c): two or more with equal hands, and nobody else has put anything in."""
    contributed = {seat for seat, bet in put_in.items() if bet}
    if len(hands) < 2 or contributed != {shown.seat for shown in hands}:
        return False
    made = {(shown.high and shown.high.strength, shown.low and shown.low.strength) for shown in hands}
    return len(made) == 1


def _share(pot: Pot, amount: Money, hands: Sequence[Shown], *, buck: int) -> list[str]:
    """Who wins what of it, in words too: the high half, the low half, or all of it by one of them."""
    mine = [shown for shown in hands if shown.seat in pot.seats]
    if not mine:
        _divide(pot, amount, pot.seats, buck)
        return []
    highs = [shown for shown in mine if shown.high is not None]
    lows = [shown for shown in mine if shown.low is not None]
    high_part, low_part = amount, ZERO
    if not highs:
        high_part, low_part = ZERO, amount
    elif lows:
        low_part = Money(amount.micros // 2 // DOLLAR.micros * DOLLAR.micros)
        high_part = amount - low_part
    words = []
    for part, among, is_low in ((high_part, highs, False), (low_part, lows, True)):
        if not part:
            continue
        winners = _winners(among, is_low=is_low)
        _divide(pot, part, winners, buck)
        who, clause = ", ".join(f"seat {seat}" for seat in winners), "12.2" if winners[1:] else "12.1"
        words.append(f"${part} for the {'low' if is_low else 'high'} hand: {who} ({SOURCE}:{clause}).")
    return words


def _winners(among: Sequence[Shown], *, is_low: bool) -> list[int]:
    made = {shown.seat: shown.low if is_low else shown.high for shown in among}
    strengths = {seat: hand.strength for seat, hand in made.items() if hand is not None}
    first = (min if is_low else max)(strengths.values())
    return sorted(seat for seat, strength in strengths.items() if strength == first)


def _divide(pot: Pot, amount: Money, winners: Sequence[int], buck: int) -> None:
    """12.2: in units of a dollar; the rest to the winner at the buck, or nearest to it clockwise."""
    each = Money(amount.micros // len(winners) // DOLLAR.micros * DOLLAR.micros)
    nearest = min(winners, key=lambda seat: (seat < buck, seat))
    for seat in winners:
        won = each if seat != nearest else amount - Money(each.micros * (len(winners) - 1))
        if won:
            pot.won[seat] = pot.won.get(seat, ZERO) + won
