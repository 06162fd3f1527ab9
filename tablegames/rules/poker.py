"""A hand of poker against the dealer, settled: Lunar Poker in three countries, Caribbean Stud, Canberra Poker.

The order is the table's own: super wagers and the instant payout on the first five cards; fold or draw; then the
dealer's hand, ace-king or higher or not; then the comparison, and a second combination.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from chance.cards import Card
from chance.hands import Category, rank
from kernel.money import ZERO, Money
from kernel.refusal import Refusal
from tablegames.rules import owed
from tablegames.rules import poker_reading as reading
from tablegames.rules.combinations import best_hand, five_of, name_of, super_combination, two_best
from tablegames.rules.odds import Cell
from tablegames.rules.owed import Owed, Payment, Result, Settlement
from tablegames.rules.poker_games import Effect, PokerGame
from tablegames.rules.poker_reading import ANTE, BET, DEALER, DRAW_FEE, FORCE_FEE, SUPER, Cards, Choices
from tablegames.rules.terms import Terms, only


@dataclass(frozen=True, slots=True)
class _Hand:
    """One box in one round, as it was entered."""

    game: PokerGame
    terms: Terms
    wagers: Mapping[str, Money]
    choices: Choices

    def in_play(self, wager: str) -> Money:
        """What counts of a wager: up to the sign's maximum, and of a bet up to twice the ante."""
        amount = self.wagers[wager]
        if wager == BET:
            return min(amount, 2 * self.in_play(ANTE))
        limit = self.terms.limits.get(wager.partition(":")[0])
        return amount if limit is None or limit.maximum is None else min(amount, limit.maximum)

    def with_excess(self, line: Owed) -> Owed:
        excess = self.wagers[line.wager] - self.in_play(line.wager)
        if not excess:
            return line
        corrected = line.wager == BET and "bet-corrected" in self.game.clauses
        return owed.with_excess(line, excess, clause=self.game.clause("bet-corrected" if corrected else "maximum"))

    def pay(self, cell: Cell, wager: str, what: str = "") -> Payment:
        capped = wager.partition(":")[0] in self.game.capped
        return owed.payment(
            cell,
            self.in_play(wager),
            what=what,
            maximum=self.terms.maximum_payout if capped else None,
            cap=self.game.clause("cap") if capped else "",
        )

    def wins(self, wager: str, payments: Sequence[Payment], about: str, why: str) -> Owed:
        return owed.wins(wager, self.in_play(wager), payments, clause=self.game.clause(about), why=why)

    def loses(self, wager: str, about: str, why: str) -> Owed:
        return owed.loses(wager, self.in_play(wager), clause=self.game.clause(about), why=why)

    def stands_off(self, wager: str, about: str, why: str) -> Owed:
        return owed.stands_off(wager, self.in_play(wager), clause=self.game.clause(about), why=why)


def check_terms(game: PokerGame, terms: Terms) -> None:
    """Terms that may be put on this game's sign."""
    allowed = [name for name, tables in (("super", game.supers), ("instant", game.instant)) if tables]
    allowed += ["maximum_payout"] if game.capped else []
    only(terms, *allowed, game=game.title, wagers=(ANTE, SUPER) if game.lunar else (ANTE,))
    for what in allowed:
        if what != "maximum_payout":
            reading.chosen(game, terms, what)


def settle(
    game: PokerGame,
    *,
    terms: Terms,
    wagers: Mapping[str, Money],
    cards: Mapping[str, Sequence[str]],
    choices: Mapping[str, object],
) -> Settlement:
    """What every wager of one box is owed."""
    check_terms(game, terms)
    reading.read_wagers(game, terms, wagers)
    hand = _Hand(game, terms, wagers, reading.read_choices(game, wagers, choices))
    boxes = [name[6:] for name in wagers if name.startswith(f"{SUPER}:")]
    if hand.choices.irregularity is not None:
        return _irregular(hand, _settled_before(hand, cards, boxes))
    read = reading.read_cards(game, hand.choices, cards, boxes=boxes)
    _check_bet(hand)
    over = _round_is_over(hand, read)
    fees = _fees(hand, over=over)
    lines = [*_supers(hand, read), *([_instant_ante(hand, read)] if over else _main(hand, read))]
    order = [*wagers, DRAW_FEE, FORCE_FEE]
    return Settlement(
        game=game.code,
        owed=tuple(sorted([*map(hand.with_excess, lines), *fees], key=lambda line: order.index(line.wager))),
        notes=tuple(_notes(hand, read)),
    )


def _check_bet(hand: _Hand) -> None:
    game, choices, wagers = hand.game, hand.choices, hand.wagers
    if choices.play == reading.FOLD:
        if BET in wagers and "bet-returned" not in game.clauses:
            raise Refusal(
                "bet-with-a-fold", "Who folds makes no bet.", clause=game.clause("bet-missing"), field="wagers.bet"
            )
        return
    if BET not in wagers:
        raise Refusal("bet-missing", "Who plays on makes a bet.", clause=game.clause("bet-missing"), field="wagers.bet")
    twice = 2 * hand.in_play(ANTE)
    # Twice an ante that is above the sign's maximum was placed by the rule; only the maximum of it is in play.
    if wagers[BET] not in (twice, 2 * wagers[ANTE]) and not game.corrects_bet:
        raise Refusal(
            "bet-not-twice-the-ante",
            f"The bet is exactly twice the ante: {twice}, not {wagers[BET]}.",
            clause=game.clause("bet-amount"),
            field="wagers.bet",
        )


def _round_is_over(hand: _Hand, cards: Cards) -> bool:
    """Whether an instant payout ended the round: declared at once, or found late with the house electing to pay."""
    if not _dealt_instant(hand.game, cards):
        return False
    choices = hand.choices
    if choices.elected:
        if BET in hand.wagers:
            raise _over(hand)
        return True
    if not choices.declared:
        return False
    if BET in hand.wagers or choices.draw != reading.NO_DRAW:
        raise _over(hand)
    return True


def _over(hand: _Hand) -> Refusal:
    return Refusal(
        "round-is-over",
        "With the instant payout the round was over: no draw and no bet. Where it was not declared, say so.",
        clause=hand.game.clause("over"),
        field="choices.declared",
    )


def _dealt_instant(game: PokerGame, cards: Cards) -> bool:
    return bool(game.instant) and rank(cards.player).category >= Category.STRAIGHT_FLUSH


def _supers(hand: _Hand, cards: Cards) -> Iterator[Owed]:
    """On the first five cards of whichever hand it was made on; the highest of its table."""
    game, choices = hand.game, hand.choices
    for wager in hand.wagers:
        kind, _, where = wager.partition(":")
        if kind != SUPER or (not where and not cards.player):
            continue
        table = reading.chosen(game, hand.terms, "super")
        five = cards.dealer if where == DEALER else cards.boxes[where] if where else cards.player
        assert five is not None
        found = super_combination(five_of(five), table.names)
        if found is None:
            yield hand.loses(wager, "super-loses", "The first five cards hold none of the combinations.")
        elif where or choices.declared or (choices.elected and "super-elected" in game.clauses):
            elected = not where and not choices.declared
            cell = table[found]
            about = "super-elected" if elected else "super-loses"
            yield hand.wins(wager, [hand.pay(cell, wager)], about, f"{_words(found)}.")
        else:
            yield hand.loses(wager, "undeclared", f"{_words(found)}, not declared in time.")


def _instant_ante(hand: _Hand, cards: Cards) -> Owed:
    """The ante at the instant odds, whether or not the dealer qualifies."""
    dealt = rank(cards.player).category.slug
    cell = reading.chosen(hand.game, hand.terms, "instant")[dealt]
    return owed.wins(
        ANTE,
        hand.in_play(ANTE),
        [hand.pay(cell, ANTE)],
        clause=hand.game.clause("instant-elected") if hand.choices.elected else cell.clause,
        why=f"{_words(dealt)} in the first five cards.",
    )


def _main(hand: _Hand, cards: Cards) -> Iterator[Owed]:
    """The ante and the bet."""
    if hand.choices.play == reading.FOLD:
        yield hand.loses(ANTE, "fold", "The player folded.")
        if BET in hand.wagers:
            yield owed.stands_off(
                BET, hand.in_play(BET), clause=hand.game.clause("bet-returned"), why="Folded: the bet goes back."
            )
    elif hand.choices.play == reading.CONCEDE:
        yield from (hand.loses(wager, "concede", "The player conceded.") for wager in (ANTE, BET))
    else:
        yield from _against_the_dealer(hand, cards)


def _against_the_dealer(hand: _Hand, cards: Cards) -> Iterator[Owed]:
    game = hand.game
    assert cards.dealer is not None
    dealer, mine = rank(cards.dealer), best_hand(cards.final)
    # Not declared, and then no draw: the ante is still paid at the instant odds (nsw-lp:9.4.4, 9.5.2.1, vu-lp:5.5).
    instant = _dealt_instant(game, cards) and hand.choices.draw == reading.NO_DRAW
    if hand.choices.force:
        if dealer.ace_king_or_higher:
            raise Refusal(
                "dealer-qualifies",
                "The dealer has ace-king or higher: there is nothing to force.",
                clause=game.clause("force"),
                field="choices.force",
            )
        assert cards.forced is not None
        dealer = rank(cards.forced)
        if not dealer.ace_king_or_higher:
            why = "Forced, and the dealer still does not qualify."
            yield _instant_ante(hand, cards) if instant else hand.stands_off(ANTE, "force-fails", why)
            yield hand.stands_off(BET, "force-fails", why)
            return
    if not dealer.ace_king_or_higher:
        cell = next(cell for category, cell in game.ante if mine.category >= category)
        why = "The dealer does not have ace-king or higher."
        paid = hand.wins(ANTE, [hand.pay(cell, ANTE)], "not-qualified", why)
        yield _instant_ante(hand, cards) if instant else paid
        yield hand.stands_off(BET, "not-qualified-bet", why)
    elif mine > dealer:
        if instant:
            yield _instant_ante(hand, cards)
        elif game.ante_wins is None:
            yield hand.stands_off(ANTE, "ante-goes-back", "The hand wins: the ante is neither paid nor taken.")
        else:
            yield hand.wins(ANTE, [hand.pay(game.ante_wins, ANTE)], "ante-wins", "Higher than the dealer’s hand.")
        yield _winning_bet(hand, cards)
    else:
        about, settle_as = ("loses", hand.loses) if mine < dealer else ("stands-off", hand.stands_off)
        why = "Lower than the dealer’s hand." if mine < dealer else "Equal to the dealer’s hand."
        yield _instant_ante(hand, cards) if instant else settle_as(ANTE, f"ante-{about}", why)
        yield settle_as(BET, f"bet-{about}", why)


def _winning_bet(hand: _Hand, cards: Cards) -> Owed:
    game = hand.game
    if not game.lunar:
        return hand.wins(
            BET,
            [hand.pay(game.bet[name_of(rank(cards.final))], BET)],
            "bet-wins",
            "Higher than the dealer’s hand.",
        )
    first, second = two_best(cards.final)
    assert first is not None  # it beat at least ace-king
    payments = [hand.pay(game.bet[first.name], BET)]
    why = "Higher than the dealer’s hand."
    if second is not None:
        # Each is a payment of its own, and the maximum payout is asked of each.
        cell = game.bet[second.name]
        payments.append(hand.pay(Cell(cell.what, cell.odds, game.clause("second")), BET, f"second: {second.name}"))
        why += " A second combination is paid too."
    return hand.wins(BET, payments, "bet-wins", why)


def _fees(hand: _Hand, *, over: bool) -> Iterator[Owed]:
    """Equal to the ante, and the house's; a draw that the house undid to pay an instant hand is given back."""
    game, ante = hand.game, hand.in_play(ANTE)
    drew = hand.choices.draw != reading.NO_DRAW
    for wager, taken, about in ((DRAW_FEE, drew, "fee"), (FORCE_FEE, hand.choices.force, "force")):
        given = hand.wagers.get(wager)
        if not taken:
            if given is not None:
                raise Refusal("fee-not-due", "Nothing was bought with this fee.", field=f"wagers.{wager}")
            continue
        # As much as an ante above the sign's maximum was paid by the rule, too; only the maximum of it counts.
        if given is not None and given not in (ante, hand.wagers[ANTE]):
            raise Refusal(
                "fee-not-the-ante",
                f"The fee is as much as the ante: {ante}.",
                clause=game.clause(about),
                field=f"wagers.{wager}",
            )
        if over:
            line = owed.void(wager, ante, clause=game.clause("instant-elected"), why="The draw was undone.")
        else:
            line = Owed(
                wager=wager, stake=ante, result=Result.FEE, clause=game.clause(about), why="Paid for the option."
            )
        excess = ZERO if given is None else given - ante
        yield owed.with_excess(line, excess, clause=game.clause("maximum")) if excess else line


def _settled_before(hand: _Hand, cards: Mapping[str, Sequence[str]], boxes: Sequence[str]) -> Mapping[str, Owed]:
    """What an irregularity leaves standing (nsw-lp:12.15): the interim settlement of the own super wager, and the super
    wagers on other hands, which nothing happened to."""
    game, choices = hand.game, hand.choices
    if choices.irregularity not in game.interim_stands:
        return {}
    read = reading.read_interim(game, choices, cards, boxes=boxes)
    lines = {line.wager: hand.with_excess(line) for line in _supers(hand, read)}
    if choices.interim == reading.TAKEN:
        taken = hand.loses(SUPER, "undeclared", "It was taken before, and that stands.")
        lines[SUPER] = hand.with_excess(taken)
    return lines


def _irregular(hand: _Hand, standing: Mapping[str, Owed]) -> Settlement:
    """Something went wrong, and the rules say what becomes of the wagers. The cards do not matter."""
    assert hand.choices.irregularity is not None
    effect, number = hand.game.irregularities[hand.choices.irregularity]
    clause, why = f"{hand.game.document}:{number}", f"{_words(hand.choices.irregularity)}."
    lines = []
    for wager, stake in hand.wagers.items():
        if wager in standing:
            lines.append(standing[wager])
        elif effect is Effect.VOID or (effect is Effect.ANTE_WINS and wager == BET):
            lines.append(owed.void(wager, stake, clause=clause, why=why))
        elif effect is Effect.ANTE_WINS:
            line = owed.wins(
                wager, hand.in_play(wager), [hand.pay(hand.game.ante[-1][1], wager)], clause=clause, why=why
            )
            lines.append(hand.with_excess(line))
        elif effect is Effect.FOLDED and wager == BET:
            lines.append(owed.stands_off(wager, stake, clause=clause, why=why))
        else:
            lines.append(owed.loses(wager, stake, clause=clause, why=why))
    return Settlement(game=hand.game.code, owed=tuple(lines), notes=(why,))


def _notes(hand: _Hand, cards: Cards) -> Iterator[str]:
    yield f"Player: {_words(name_of(best_hand(cards.final)))} ({_written(cards.final)})."
    if cards.dealer is not None:
        dealt = rank(cards.dealer)
        plays = "qualifies" if dealt.ace_king_or_higher else "does not qualify"
        yield f"Dealer: {_words(name_of(dealt))} ({_written(cards.dealer)}), {plays}."
    if cards.forced is not None:
        dealt = rank(cards.forced)
        yield f"Forced: {_words(name_of(dealt))} ({_written(cards.forced)})."


def _written(cards: Sequence[Card]) -> str:
    return " ".join(map(str, cards))


def _words(name: str) -> str:
    return name.replace("-", " ").capitalize()
