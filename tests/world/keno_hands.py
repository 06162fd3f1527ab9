"""Falsifications of who had the balls, and of a tournament's scores."""

from __future__ import annotations

from tests.world.falsified import Draft
from tests.world.keno_changes import BALLS, of_game


def entered_by_a_writer(draft: Draft) -> None:
    next(each for each in draft.acts("keno.ball") if each["subject"] == f"keno-game:{BALLS}")["actor"] = "device:W-1"


def counted_by_nobody_here(draft: Draft) -> None:
    draft.act("keno.balls-counted")["actor"] = "staff:mallory"


def score_raised(draft: Draft) -> None:
    """And everything that follows from it: the loser of a tournament is its winner."""
    scored, finished = draft.act("tournament.scored"), draft.act("tournament.finished")
    first, second = sorted(scored["data"]["scores"], key=int)
    scores = scored["data"]["scores"]
    scores[first], scores[second] = scores[second], scores[first]
    places = finished["data"]["places"]
    places[0]["entry"], places[1]["entry"] = places[1]["entry"], places[0]["entry"]
    draft.transfer("keno.tournament-prize")["reference"] = second


def refunded_after_the_close(draft: Draft) -> None:
    """He takes his fee back once he has seen that he loses."""
    settled = of_game(draft, "keno.settled", BALLS)
    for each in (draft.act("tournament.refunded"), draft.transfer("keno.tournament-refund")):
        draft.move_after(each, settled)


def other_numbers_marked(draft: Draft) -> None:
    draft.act("tournament.entered", 1)["data"]["numbers"] = [3, 4, 42]


def entered_after_the_close(draft: Draft) -> None:
    """He waits for the balls, and the forger says that he had entered before the tournament was scored."""
    late = draft.act("tournament.entered", 1)
    fee = next(
        each for each in draft.transfers("keno.tournament-entry") if each["reference"] == str(late["data"]["entry"])
    )
    settled = of_game(draft, "keno.settled", BALLS)
    draft.move_after(late, settled)
    draft.move_after(fee, settled)
