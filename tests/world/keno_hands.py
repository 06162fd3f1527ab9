"""Falsifications of who had the balls, and of a tournament's scores."""

from __future__ import annotations

from keno.acts import DrawVoided
from tests.world.falsified import Draft, Row
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


def _balls(draft: Draft) -> list[Row]:
    return [each for each in draft.acts("keno.ball") if each["subject"] == f"keno-game:{BALLS}"]


def void_by_one_after_the_last_ball(draft: Draft) -> None:
    """He has seen who won, and says that the device had not worked."""
    drawn = _balls(draft)
    data = {
        "game": BALLS, "attempt": 1, "cause": "malfunction", "reason": "It stuck.", "device": "mechanical",
        "numbers": [each["data"]["number"] for each in drawn],
    }  # fmt: skip
    draft.add_after(drawn[-1], kind=DrawVoided.kind, data=data)


def read_back_by_who_took_one_back(draft: Draft) -> None:
    drawn = _balls(draft)
    numbers = [each["data"]["number"] for each in drawn]
    read = {"game": BALLS, "attempt": 1, "numbers": numbers}
    draft.add_after(drawn[-1], kind="keno.balls-read-back", data=read, actor="staff:mona")
    draft.add_after(drawn[0])
    back = {"game": BALLS, "attempt": 1, "number": numbers[0]}
    draft.add_after(drawn[0], kind="keno.ball-fell-back", data=back, actor="staff:mona")
