"""Before a sale: what its game could pay out at most with it, and the house's limits to that (``keno.rules.exposure``).

The limits are those in force when the game opened, so that a sale reads them with the game itself. The sum of a game
begins with the tickets that were sold for games before it and play on; each sale adds its own in its own transaction.
"""

from __future__ import annotations

from django.db import connection

from house.incidents import open_incident
from house.models import Incident, IncidentStatus
from keno import approved
from keno.incident_kinds import EXPOSURE
from keno.locks import OnSale
from keno.models import Game, GameLimits
from kernel.actors import Actor
from kernel.money import Money

_BROUGHT_ALONG = """
    SELECT coalesce(sum(could_pay), 0)::bigint, coalesce(sum(could_pay_minors), 0)::bigint,
           coalesce(sum(could_pay_held), 0)::bigint
    FROM keno_ticket WHERE plays_to >= %(game)s AND first_game < %(game)s
"""


def begin(game: Game) -> None:
    """A game opens: its limits, and what it begins with. No game is on sale in this moment, so nothing is missed."""
    amounts = approved.amounts()
    with connection.cursor() as cursor:
        cursor.execute(_BROUGHT_ALONG, {"game": game.number})
        most, minors, held = map(Money, cursor.fetchone())
    GameLimits.objects.create(
        game=game,
        way_limit=amounts[approved.MOST_A_WAY],
        ticket_limit=amounts[approved.MOST_A_TICKET],
        game_limit=amounts[approved.MOST_A_GAME],
        most=most,
        minors=minors,
        held=held,
    )


def alarm(on_sale: OnSale, by: Actor) -> None:
    """A sale was refused for it: an incident, once a game, until somebody has looked at it."""
    subject = f"keno-exposure:{on_sale.game}"
    if on_sale.limits and not Incident.objects.filter(kind=EXPOSURE, subject=subject, status=IncidentStatus.OPEN):
        what = (
            f"A sale for game {on_sale.game} was refused: what the game could pay out has come to the limit of "
            f"${on_sale.limits.game_limit}."
        )
        open_incident(kind=EXPOSURE, what=what, by=by, subject=subject, caused_by=())
