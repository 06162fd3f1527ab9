"""Keno in the frame and on the home page: the game on sale, balls to confirm, claims and orders that wait."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.urls import reverse
from django.utils import timezone

from house.permissions import AS_INSPECTOR
from jackpot.queries import MetersOf
from keno import jackpots
from keno.pages import today
from keno.pages.tickets import serial_in
from keno.permissions import PAY_CLAIM, RUN_GAMES, SEE, SEE_ALL, SELL, TOURNAMENT
from keno.queries import counter, games, tickets
from keno.tournaments import KENO, find_tournament
from kernel.actors import Actor
from kernel.refusal import NotFound
from tournaments.queries import to_be_ranked
from tournaments.steps import TournamentStatus
from web import charts, frame, sections, words

COURSE_GAMES: Final = 24
CLAIMS_SHOWN: Final = 20


def _balls(actor: Actor) -> list[frame.Item]:
    if not actor.may(RUN_GAMES):
        return []
    return [
        frame.Item(
            icon="balls",
            tone="is-attention",
            sentence=f"Read the twenty balls of game {words.game(draw.game_id)} back",
            state="Needs a second person",
            second="the draw waits",
            url=reverse("console:keno-control"),
            action="Open",
        )
        for draw in games.draws_to_confirm()
        if actor.identity not in draw.entered_by
    ]


def _waits(actor: Actor) -> list[frame.Item]:
    """Games that wait for the witness: whoever runs games knows why, and the inspector can help."""
    if not (actor.may(RUN_GAMES) or actor.may(AS_INSPECTOR)):
        return []
    return [
        frame.Item(
            icon="wait",
            tone="is-attention",
            sentence=f"Game {words.game(draw.game_id)} waits for the witness, which does not answer",
            state="Asked again, unchanged",
            second="sales of the next game go on",
            url=reverse("console:keno-control"),
            action="Open",
        )
        for draw in games.games_that_wait()
    ]


def _claims(actor: Actor) -> list[frame.Item]:
    if not actor.may(PAY_CLAIM):
        return []
    return [
        frame.Item(
            icon="claim",
            tone="is-attention",
            sentence=f"Pay claim {claim.pk}, {words.money(claim.amount)}, by cheque",
            state="Approved",
            second=f"made {words.moment(claim.made_at)}",
            url=f"{reverse('console:keno-claims')}?state=approved",
            action="Pay",
        )
        for claim in counter.claims_to_pay()[:CLAIMS_SHOWN]
    ]


def _orders_count(actor: Actor) -> int:
    """Runner orders that this person could issue as tickets."""
    return counter.orders_waiting().count() if actor.may(SELL) else 0


def _orders(actor: Actor) -> list[frame.Item]:
    waiting = _orders_count(actor)
    oldest = counter.orders_waiting().first() if waiting else None
    if oldest is None:
        return []
    return [
        frame.Item(
            icon="list",
            tone="is-attention",
            sentence=f"Issue {words.count(waiting, 'runner order')}",
            state="In no game yet",
            second=f"the oldest taken {words.moment(oldest.taken_at)}",
            url=f"{reverse('console:keno-orders')}?state=waiting",
            action="Issue",
        )
    ]


def _tournaments(actor: Actor) -> list[frame.Item]:
    """Tournaments whose games are over and whose entries are not ranked yet."""
    if not actor.may(TOURNAMENT):
        return []
    return [
        frame.Item(
            icon="hits",
            tone="is-attention",
            sentence=f"Finish {each.terms.name} and rank its {words.count(each.money.entries, 'entry', 'entries')}",
            state="Played",
            second=f"{words.money(each.money.prizes)} in prizes",
            url=reverse("console:keno-tournament", args=[each.code]),
            action="Finish",
        )
        for each in map(find_tournament, to_be_ranked(KENO))
        if each.status == TournamentStatus.PLAYED
    ]


def _waiting(actor: Actor) -> list[frame.Item]:
    return [*_waits(actor), *_balls(actor), *_claims(actor), *_orders(actor), *_tournaments(actor)]


def _status() -> list[frame.Line]:
    """The game on sale."""
    game = games.open_game()
    if game is None:
        waiting = games.games_not_seen()
        if waiting is None:
            return []
        said = f"Game {words.game(waiting.number)} opens as soon as the witness has seen the promise of its draw."
        return [frame.Line(said, "is-attention", "wait")]
    left = int((game.closes_at - timezone.now()).total_seconds())
    if left <= 0:
        return [frame.Line(f"Game {words.game(game.number)} is closing.", "is-attention", "wait")]
    return [frame.Line(f"Game {words.game(game.number)} open, closes in", "is-good", "live", seconds=left)]


def _figures(_: Actor) -> Mapping[str, object] | None:
    try:
        game = games.current_game()
    except NotFound:
        return None
    until = game.closes_at if game.status == "open" else game.opens_at
    tickets, turnover = games.tickets_and_turnover(game.number)
    sold = [float((each.totals or {}).get("stakes", "0")) for each in reversed(games.latest_settled(COURSE_GAMES))]
    last, drawn = games.last_drawn() or (None, [])
    return {
        "game": game,
        "seconds": max(0, int((until - timezone.now()).total_seconds())),
        "tickets": tickets,
        "turnover": turnover,
        "course": charts.sparkline(sold, label=f"Turnover of the last {len(sold)} games"),
        "last": last,
        "drawn": sorted(drawn),
    }


def _find_ticket(actor: Actor, query: str) -> list[frame.Found]:
    if not actor.may(SEE) or (ticket := tickets.ticket_called(serial_in(query))) is None:
        return []
    url = reverse("console:keno-ticket", args=[ticket.serial])
    return [frame.Found("ticket", f"Ticket {words.in_fours(ticket.serial)}", words.moment(ticket.sold_at), url)]


def _find_voucher(actor: Actor, query: str) -> list[frame.Found]:
    if not actor.may(SEE_ALL) or (found := tickets.voucher_called(serial_in(query))) is None:
        return []
    url = reverse("console:keno-voucher", args=[found.code])
    return [frame.Found("ticket", f"Voucher {words.in_fours(found.code)}", words.moment(found.issued_at), url)]


def _find_game(actor: Actor, query: str) -> list[frame.Found]:
    if not (actor.may(SEE) and frame.is_number(query)) or (game := games.game_numbered(int(query))) is None:
        return []
    url = reverse("console:keno-game", args=[game.number])
    return [frame.Found("balls", f"Game {query}", words.label(game.status), url)]


OFFERS: Final = (
    frame.NavigationGroup(
        20,
        sections.KENO,
        (
            frame.NavigationEntry(
                "Writer terminal",
                "keno-terminal",
                "keys",
                help="Sell, check, pay and cancel Keno tickets. Open your shift with the float you were given. Choose "
                "spots, stake and quick pick, then print: three keys for the commonest sale. What to hand over or "
                "back stays on the screen until the next key.",
                clauses=(
                    "act-keno:4.1",
                    "act-keno:10.1",
                ),
            ),
            frame.NavigationEntry(
                "Game control",
                "keno-control",
                "live",
                help="Run the games: close one early, choose how numbers are drawn, enter and read back balls. Each "
                "step is allowed only when the rules allow it. A draw that waits says why.",
                clauses=(
                    "act-keno:7.1",
                    "act-keno:7.2",
                ),
            ),
            frame.NavigationEntry(
                "Games",
                "keno-games",
                "balls",
                help="Every game with its numbers, turnover and prizes. Open one to see its draw, its proof and its "
                "largest prizes.",
                clauses=("act-keno:7.1",),
            ),
            frame.NavigationEntry(
                "Tickets",
                "keno-tickets",
                "ticket",
                help="Tickets by serial, day or shift. Scan a ticket on any page to open it. A serial alone pays "
                "nothing: that takes the paper and its security code.",
                clauses=("act-keno:4.3",),
            ),
            frame.NavigationEntry(
                "Orders",
                "keno-orders",
                "list",
                _orders_count,
                "to be issued",
                help="Wagers that runners have taken and that are not tickets yet. Issue them before the game closes, "
                "or withdraw them and give the money back.",
                clauses=("act-keno:4.4",),
            ),
            frame.NavigationEntry(
                "Shifts",
                "keno-shifts",
                "drawer",
                help="Writers’ shifts: float, sales, payments, and the count at the end. A difference is on record "
                "with who counted.",
            ),
            frame.NavigationEntry(
                "Claims",
                "keno-claims",
                "claim",
                help="Prizes claimed without the ticket, or after twelve months. A claim is taken on a form, approved "
                "by another person, and paid by cheque.",
                clauses=("act-keno:11.1",),
            ),
            frame.NavigationEntry(
                "Schedules",
                "keno-schedules",
                "odds",
                help="What every ticket pays, with its exact return and odds.",
                clauses=("act-keno:8.1",),
            ),
            frame.NavigationEntry(
                "Catalogue",
                "keno-catalogues",
                "list",
                help="Set bets, bonuses, promotional vouchers and the other things that have to be approved before "
                "they are sold.",
                clauses=("act-keno:4.7e",),
            ),
        ),
    ),
    frame.NavigationGroup(
        21,
        sections.REPORTS,
        (
            frame.NavigationEntry(
                "Keno reports",
                "keno-reports",
                "chart",
                help="Keno’s figures by game, day and month: turnover, prizes, win and hold. Choose days or use a "
                "preset; compare with the days before. Every report downloads as CSV or PDF.",
            ),
        ),
    ),
    frame.NavigationGroup(
        65,
        sections.VENUE,
        (
            frame.NavigationEntry(
                "Usual tickets",
                "keno-favourites",
                "players",
                help="A player’s usual tickets, kept under the card, so that they are sold again with one touch.",
            ),
        ),
    ),
    frame.NavigationGroup(
        66,
        sections.PROMOTIONS,
        (
            frame.NavigationEntry(
                "Keno tournaments",
                "keno-tournaments",
                "hits",
                help="Keno tournaments: entries, games that count, ranking and prizes.",
            ),
        ),
    ),
    frame.Waiting(30, _waiting),
    frame.FirstStep(
        40,
        "Keno",
        "Look at how games are run: how often they close, how fast they are drawn.",
        "keno-settings-games",
        games.has_games,
    ),
    frame.FirstStep(60, "First sale", "Sell a ticket at the writer terminal.", "keno-terminal", tickets.has_tickets),
    frame.TourStep(
        10,
        "staff:writer",
        "Open your drawer",
        "The terminal asks how much you have counted: Enter, for $500.00.",
        "keno-terminal",
        lambda: counter.has_shifts(writer="staff:writer"),
    ),
    frame.TourStep(
        20,
        "staff:writer",
        "Sell a ticket in four keys",
        "6, F2, Q, Enter: six numbers picked, two dollars, sold.",
        "keno-terminal",
        lambda: tickets.has_tickets(writer="staff:writer"),
    ),
    frame.StatusLines(10, _status),
    frame.HomeFigures(5, "keno/today.html", today.figures),
    frame.HomeFigures(10, "keno/home.html", _figures),
    frame.Landing(10, "keno-terminal", SELL, unless=SEE_ALL),
    frame.SearchIn(10, _find_ticket, "Tickets", exact=True),
    frame.SearchIn(11, _find_voucher, "Tickets", exact=True),
    frame.SearchIn(20, _find_game, "Keno games"),
    frame.Action("Take a claim form", "keno-new-claim", "claim"),
    frame.Action("Take a runner’s order", "keno-take-order", "list"),
    frame.Action("Look at what the house could pay", "keno-exposure", "odds"),
    frame.Action("Change how games are run", "keno-settings-games", "balls"),
    frame.Scanned("keno-scanned", SEE),
    MetersOf("Keno", jackpots.displayed_by_code, begun_kind=jackpots.BEGUN),
)
