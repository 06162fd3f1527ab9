"""The terminal at a table: boxes, wagers, hands and hits of one round after another.

Like the writer's it has no right and no rule of its own: the browser calls ``/api/v1/`` with the dealer's session.
"""

from __future__ import annotations

from django.http import HttpResponseBase, JsonResponse
from django.utils import timezone

from chance import cards, tiles
from jackpot import queries, steps
from jackpot.attend import coming_by_name
from jackpot.models import Round
from jackpot.pages.round_forms import SUITS
from jackpot.permissions import PLAY
from jackpot.pools import read_meter
from jackpot.rules.policies import Game
from jackpot.start_round import accepted_wagers
from jackpot.tables import find_table
from kernel.refusal import NotFound
from web.page import Visit, page, show
from web.words import money


@page(PLAY)
def table(request: Visit) -> HttpResponseBase:
    """The table is in the address, so that a terminal that is switched on again stands where it stood."""
    tables = queries.tables_in_play()
    wanted = request.GET.get("table", "")
    chosen = next((each for each in tables if each.code == wanted), None)
    if chosen is None:
        if wanted:
            raise NotFound("no-such-table", f"There is no table {wanted} on a jackpot.")
        return show(request, "jackpot/terminal_tables.html", tables=tables)
    rules = read_meter(chosen.link).terms.rules
    return show(
        request,
        "jackpot/terminal.html",
        table=chosen,
        rules=rules,
        boxes=range(1, chosen.boxes + 1),
        ranks=list(reversed(cards.RANKS)),
        suits=SUITS,
        tiles=tiles.TILES,
        in_tiles=rules.game is Game.TILES,
        hand_size=tiles.HAND_SIZE if rules.game is Game.TILES else cards.HAND_SIZE,
        steps=steps.terminal_steps(request.actor),
    )


@page(PLAY, poll=True)
def now(request: Visit, code: str) -> HttpResponseBase:
    """What the terminal shows all the time: the meter, the table's state, the open round, what waits to be paid."""
    found = find_table(code)
    meter = read_meter(found.link)
    open_round = queries.open_round_at(found)
    waiting = queries.hits_waiting_at(found)
    coming = coming_by_name([each.pk for each in waiting])
    return JsonResponse(
        {
            "status": found.status,
            "wager": str(meter.terms.parameters.wager),
            "bonus": str(meter.terms.bonus),
            "levels": {name: str(amount) for name, amount in meter.displayed.items()},
            "round": open_round and _round(open_round),
            "waiting": [
                {"id": each.pk, "box": each.box, "hand": each.hand, "kind": each.kind, "amount": money(each.amount),
                 "status": each.status, "coming": coming.get(each.pk, "")}
                for each in waiting
            ],
            "now": timezone.now(),
        }
    )  # fmt: skip


def _round(found: Round) -> dict[str, object]:
    accepted = [wager | {"amount": str(wager["amount"])} for wager in accepted_wagers(found)]
    return {"round": found.pk, "accepted": accepted, "refused": found.refused, "levels": found.displayed}
