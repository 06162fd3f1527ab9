"""What the boards show, as one plain document, and how an event changes it. ``board.js`` does the same in the browser.

An event says how things are now, never "one more": applied twice it changes nothing the second time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from jackpot import acts as jackpot
from jackpot.hit_acts import HitClaimed, HitDenied, HitPaid, HitVerified
from jackpot.round_acts import HitShared
from keno import acts as keno
from keno.ball_acts import BallCorrected
from keno.resettle_acts import GameResettled
from promotions.acts.draws import ResultPublished
from signage.events import CHECKPOINT, METER, Data

GAMES_SHOWN: Final = 20  # enough for those that wait while a device stands still
RESULTS_SHOWN: Final = 5

Board = dict[str, Any]


def empty() -> Board:
    return {"keno": {"games": []}, "jackpots": [], "promotions": [], "checkpoint": None}


def apply(board: Board, kind: str, data: Data) -> None:
    change = _CHANGES.get(kind)
    if change is not None:
        change(board, data)


def _game(board: Board, data: Data) -> dict[str, Any]:
    games = board["keno"]["games"]
    found = next((game for game in games if game["number"] == data["game"]), None)
    if found is None:
        found = {"number": data["game"], "status": "open", "attempt": 1, "drawn": []}
        games.append(found)
        games.sort(key=lambda game: game["number"])
        del games[:-GAMES_SHOWN]
    return found


def _opened(board: Board, data: Data) -> None:
    game = _game(board, data)
    parts = ("opens_at", "closes_at", "device", "commitment")
    game.update({"status": "open", **{name: data.get(name) for name in parts}})


def _moved(board: Board, data: Data) -> None:
    _game(board, data)["closes_at"] = data["new"]


def _closed(board: Board, data: Data) -> None:
    _game(board, data)["status"] = "closed"


def _tickets_sealed(board: Board, data: Data) -> None:
    """The set of tickets is the same whatever attempts follow."""
    parts = {name: data[name] for name in ("ticket_root", "ticket_count")}
    _game(board, data).update({"status": "sealed", **parts})


def _locked(board: Board, data: Data) -> None:
    """The draw has begun: the witness is asked."""
    _game(board, data).update(attempt=data["attempt"], waits=False)


def _waits(board: Board, data: Data) -> None:
    _game(board, data)["waits"] = True


def _ball(board: Board, data: Data) -> None:
    game = _game(board, data)
    game.update(status="drawing", attempt=data["attempt"], waits=False)
    game["drawn"] = [*game["drawn"][: data["place"] - 1], data["number"]]


def _fell_back(board: Board, data: Data) -> None:
    game = _game(board, data)
    game["drawn"] = [number for number in game["drawn"] if number != data["number"]]


def _corrected(board: Board, data: Data) -> None:
    game = _game(board, data)
    game["drawn"] = [data["new"] if number == data["old"] else number for number in game["drawn"]]


def _drawn(board: Board, data: Data) -> None:
    parts = {name: data.get(name) for name in ("attempt", "ticket_root", "ticket_count")}
    _game(board, data).update({"status": "drawn", "drawn": list(data["numbers"]), **parts})


def _settled(board: Board, data: Data) -> None:
    parts = {name: data.get(name) for name in ("attempt", "commitment", "ticket_root", "ticket_count", "seed")}
    _game(board, data).update({"status": "settled", "drawn": list(data["numbers"]), **parts, **_winners(data)})
    _jackpots_won(board, data)


def _winners(data: Data) -> dict[str, Any]:
    return {name: data.get(name) for name in ("winners", "prizes", "biggest")}


def _jackpots_won(board: Board, data: Data) -> None:
    for spots, won in (data.get("jackpots") or {}).items():
        _link(board, f"KENO-{spots}")["last_win"] = {
            "hit": f"game-{data['game']}",
            "table": f"Keno game {data['game']}",
            "hand": f"{spots} of {spots}",
            "amount": won["amount"],
            "status": "won",
            "at": data["at"],
        }


def _resettled(board: Board, data: Data) -> None:
    """Its balls had been recorded wrongly. A game that is not shown any more does not come back for it."""
    for game in board["keno"]["games"]:
        if game["number"] == data["game"]:
            game.update(drawn=list(data["numbers"]), recorded=list(data["recorded"]), **_winners(data))
    for link in board["jackpots"]:
        if link["last_win"] and link["last_win"]["hit"] == f"game-{data['game']}":
            link["last_win"] = None
    _jackpots_won(board, data)


def _voided(board: Board, data: Data) -> None:
    game = _game(board, data)
    void = {"attempt": data["attempt"], "cause": data.get("cause"), "numbers": data.get("would_be") or data["numbers"]}
    voids = [each for each in game.get("voids", []) if each["attempt"] != data["attempt"]]
    status = "sealed" if game.get("ticket_root") else "closed"
    game.update(status=status, attempt=data["attempt"] + 1, drawn=[], waits=False, voids=[*voids, void])
    game["device"] = data.get("device", game.get("device"))


def _invalidated(board: Board, data: Data) -> None:
    _game(board, data)["status"] = "invalidated"


def _link(board: Board, code: str) -> dict[str, Any]:
    found = next((link for link in board["jackpots"] if link["code"] == code), None)
    if found is None:
        found = {"code": code, "title": code, "displayed": None, "tables": [], "last_win": None, "pending": []}
        board["jackpots"].append(found)
        board["jackpots"].sort(key=lambda link: link["code"])
    return found


def _link_opened(board: Board, data: Data) -> None:
    _link(board, data["code"])["title"] = data["title"]


def _retired(board: Board, data: Data) -> None:
    board["jackpots"][:] = [link for link in board["jackpots"] if link["code"] != data["code"]]


def _meter(board: Board, data: Data) -> None:
    _link(board, data["link"])["displayed"] = data["displayed"]


def _checkpoint(board: Board, data: Data) -> None:
    board["checkpoint"] = data["note"]


def _joined(board: Board, data: Data) -> None:
    tables = _link(board, data["link"])["tables"]
    if all(table["code"] != data["table"] for table in tables):
        tables.append({"code": data["table"], "status": "open", "link_down": False})
        tables.sort(key=lambda table: table["code"])


def _table_moved(board: Board, data: Data) -> None:
    """A table plays for another link now."""
    for link in board["jackpots"]:
        if link["code"] != data["link"]:
            link["tables"] = [table for table in link["tables"] if table["code"] != data["table"]]
    _joined(board, data)


def _table(status: str) -> Callable[[Board, Data], None]:
    def change(board: Board, data: Data) -> None:
        for link in board["jackpots"]:
            for table in link["tables"]:
                if table["code"] == data["table"]:
                    table["status"] = status
                    table["link_down"] = bool(data.get("link_down"))

    return change


def _hit(board: Board, data: Data) -> None:
    """A prize out of the pool; what the house pays by itself is no jackpot win."""
    if data.get("from_pool") in {None, "0.00"}:
        return
    link = _link(board, data["link"])
    win: dict[str, Any] = {name: data.get(name) for name in ("hit", "table", "hand", "amount", "status", "at")}
    known = [*link["pending"], *([link["last_win"]] if link["last_win"] else [])]
    win["at"] = next((other["at"] for other in known if other["hit"] == win["hit"]), win["at"])  # when it was won
    link["pending"] = [other for other in link["pending"] if other["hit"] != win["hit"]]
    if win["status"] == "denied":
        if link["last_win"] and link["last_win"]["hit"] == win["hit"]:
            link["last_win"] = None
        return
    if win["status"] != "paid":
        link["pending"].append(win)
        link["pending"].sort(key=lambda other: other["hit"])
    last = link["last_win"]
    if last is None or not isinstance(last["hit"], int) or last["hit"] <= win["hit"]:
        link["last_win"] = win


def _bounded(board: Board, data: Data) -> None:
    """By what a jackpot must be hit."""
    link = _link(board, data["code"])
    if data.get("level"):
        link.setdefault("must_hit_by_levels", {})[data["level"]] = data["ceiling"]
    else:
        link["must_hit_by"] = data["ceiling"]
    link.setdefault("undecided", False)


def _undecided(board: Board, data: Data) -> None:
    _link(board, data["code"])["undecided"] = True


def _decided(board: Board, data: Data) -> None:
    link = _link(board, data["code"])
    link["undecided"] = data["waiting"] > 0
    if data["falls"]:
        link["last_fall"] = {"number": data["number"], **data["falls"][-1]}


def _result(board: Board, data: Data) -> None:
    results = [result for result in board["promotions"] if result.get("promotion") != data.get("promotion")]
    board["promotions"] = [*results, dict(data)][-RESULTS_SHOWN:]


_CHANGES: Final[Mapping[str, Callable[[Board, Data], None]]] = {
    keno.GameOpened.kind: _opened,
    keno.GameMoved.kind: _moved,
    keno.GameClosed.kind: _closed,
    keno.TicketsSealed.kind: _tickets_sealed,
    keno.DrawLocked.kind: _locked,
    keno.DrawWaits.kind: _waits,
    keno.NumberDrawn.kind: _ball,
    keno.BallFellBack.kind: _fell_back,
    BallCorrected.kind: _corrected,
    keno.DrawFinished.kind: _drawn,
    keno.GameSettled.kind: _settled,
    GameResettled.kind: _resettled,
    keno.DrawVoided.kind: _voided,
    keno.GameInvalidated.kind: _invalidated,
    jackpot.LinkOpened.kind: _link_opened,
    jackpot.LinkRetired.kind: _retired,
    METER: _meter,
    CHECKPOINT: _checkpoint,
    jackpot.TableJoined.kind: _joined,
    jackpot.TableMoved.kind: _table_moved,
    jackpot.TableOpened.kind: _table("open"),
    jackpot.TableClosed.kind: _table("closed"),
    jackpot.TableSuspended.kind: _table("suspended"),
    HitClaimed.kind: _hit,
    HitShared.kind: _hit,
    HitVerified.kind: _hit,
    HitPaid.kind: _hit,
    HitDenied.kind: _hit,
    jackpot.MeterBounded.kind: _bounded,
    jackpot.MeterUndecided.kind: _undecided,
    jackpot.MovementDecided.kind: _decided,
    ResultPublished.kind: _result,
}
