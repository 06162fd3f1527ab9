"""The witness forgets: the operator of a witness beside its house puts back its folder of before the question.

What stops it: the house shows the last answer it has with every question, and anybody may show the witness a signature
of its own; one that it does not remember stops it for ever. Not stopped: root on both machines, who also silences
everybody that has seen the first answer. That is why a real house's witness stands on the inspector's machine.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from ledger import witnesses
from ledger.acts import OccasionSealed
from ledger.ask import ask
from ledger.log import write_act
from ledger.seal import SEALER
from tests.attacks.insider import House
from tests.attacks.operator import GAME, Operator, drawn


def restored(operator: Operator, tmp_path: Path) -> None:
    """Its folder of before the question is put back."""
    operator.witness.restart(tmp_path / "before")


def kept(operator: Operator, tmp_path: Path) -> None:
    drawn("1")
    shutil.copytree(operator.witness.folder, tmp_path / "before")
    shutil.copy(operator.witness.logs, tmp_path / "before-logs")


def test_asked_by_the_house_it_stops(operator: Operator, house: House, tmp_path: Path) -> None:
    kept(operator, tmp_path)
    drawn()
    restored(operator, tmp_path)
    write_act(OccasionSealed(**GAME | {"occasion": "48214"}, root=bytes(32), count=1), by=SEALER)
    with house.unchanged(but={"witness.asked"}):
        assert ask(**GAME | {"occasion": "48214"}, attempt=1) is None
    assert witnesses.state().trouble == "stopped"
    assert "answer 2, which it does not remember" in operator.witness.memory.state.stopped
    assert operator.witnessed[0] == 1


def test_shown_a_published_answer_by_anybody_it_stops(operator: Operator, house: House, tmp_path: Path) -> None:
    kept(operator, tmp_path)
    drawn()
    published = operator.witness.memory.links(since=2, limit=1)[0].as_json()  # as GET /answers gave it to everybody
    restored(operator, tmp_path)
    history = operator.history()
    act = history.seal("48213", root=bytes([7]) * 32)
    assert operator.post("/seen", {"link": published})[0] == 503
    status, said = operator.ask(history.request(history.question(act), old=operator.witnessed[1]))
    assert (status, said["code"]) == (503, "stopped")


def test_shown_a_head_it_cosigned_it_stops(operator: Operator, house: House, tmp_path: Path) -> None:
    """The head is on boards and tickets: a checkpoint that anybody kept is enough."""
    kept(operator, tmp_path)
    drawn()
    checkpoint = str(house.stranger().get("/log/checkpoint").ok())
    restored(operator, tmp_path)
    assert operator.post("/seen", {"checkpoint": checkpoint})[0] == 503
    assert operator.witness.memory.state.stopped
    operator.witness.restart()
    assert operator.witness.memory.state.stopped  # for ever
