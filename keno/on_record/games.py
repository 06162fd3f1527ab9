"""The life of games as the log tells it: opened, closed, sealed, drawn and settled, each once and in their order. Pure.

Each draw is computed again (``keno.game_on_record``). What is left of a game that is over is what its tickets are held
against (``game.GameMoney``).
"""

from __future__ import annotations

from typing import Final, TypeAlias

from draws.acts import MasterPromised
from draws.record import DrawsOnRecord
from house.people_on_record import PeopleOnRecord
from keno.acts import (
    BallFellBack,
    DrawDeviceChosen,
    DrawFinished,
    DrawLocked,
    DrawVoided,
    GameClosed,
    GameInvalidated,
    GameOpened,
    GameSettled,
    NumberDrawn,
    TicketCancelled,
    TicketsSealed,
    WagersVoided,
)
from keno.ball_acts import BallCorrected, BallsCounted, BallsReadBack
from keno.game_on_record import RNG, GameOnRecord
from keno.late_on_record import LateOnRecord
from keno.on_record.game import GameMoney
from keno.on_record.values import Values
from kernel.acts import Act
from kernel.export_check import ActOnRecord, Doubt
from kernel.money import Money
from ledger.acts import OccasionSealed, QuestionAsked

OfGame: TypeAlias = (
    GameClosed
    | TicketsSealed
    | DrawLocked
    | NumberDrawn
    | BallsCounted
    | BallCorrected
    | BallsReadBack
    | BallFellBack
    | DrawFinished
    | DrawVoided
    | GameSettled
    | GameInvalidated
)
ACTS: Final[tuple[type[Act], ...]] = (
    GameOpened, GameClosed, TicketsSealed, DrawLocked, BallsCounted, NumberDrawn, BallCorrected, BallsReadBack,
    BallFellBack, DrawFinished, DrawVoided, GameSettled, GameInvalidated, DrawDeviceChosen, TicketCancelled,
    WagersVoided,
)  # fmt: skip


RUN_GAMES: Final = "keno.games.run"
DEVICES: Final = (RNG, "mechanical")
DAMAGED: Final = "ball-damaged"
# What two people of the house and the inspector decide (``keno.stop_draw``); that they did is for the house's check.
BY_INSPECTOR: Final = frozenset({"keno.void-draw", "keno.redraw-device", "keno.invalidate-game"})


class GamesOnRecord:
    def __init__(self, values: Values, people: PeopleOnRecord) -> None:
        self.values, self.people = values, people
        self.record = DrawsOnRecord("keno")
        self.promised_at: dict[str, int] = {}
        self.games: dict[int, GameOnRecord] = {}  # not over
        self.counted: dict[int, str] = {}  # the set that was counted last, by game
        self.damaged: dict[str, int] = {}  # sets of which a ball was damaged, and where the log says so
        self.money: dict[int, GameMoney] = {}  # of every game that was opened
        self.late = LateOnRecord()
        self.chosen: str | None = None  # the device, since the log says so
        self.last = 0  # the game opened last
        self.recomputed = self.void = self.by_balls = 0
        self.decided: list[tuple[int, str, bool]] = []  # by which proposal what was stopped, and if by an inspector

    def act(self, row: ActOnRecord) -> None:
        match row.act:
            case GameOpened() as act:
                self._opened(act, row)
            case DrawDeviceChosen() as act:
                if act.old == act.new or act.old not in ((self.chosen,) if self.chosen else DEVICES):
                    raise Doubt(f"{act.new} is chosen to draw with in place of {act.old}, which did not.")
                self.chosen = act.new
            case TicketCancelled() | WagersVoided() as act:
                self.late.cancelled(act, index=row.index)
            case act:
                assert isinstance(act, OfGame)
                self._of_game(act, row)

    def of_record(self, row: ActOnRecord) -> None:
        """What is said of draws in general; of Keno's, what their games have to say to it."""
        act = row.act
        self.record.take(act)
        match act:
            case MasterPromised(purpose=self.record.purpose):
                if int(act.name) <= self.last:
                    raise Doubt(f"game {act.name} is promised anew though it was on sale.")
                self.promised_at[act.name] = row.index
            case OccasionSealed(purpose=self.record.purpose):
                game = self._game(int(act.occasion), act.kind)
                game.seal(act.root, act.count)
                money = self.money[game.number]
                money.root, money.count = act.root, act.count
            case QuestionAsked(purpose=self.record.purpose):
                game = self._game(int(act.occasion), act.kind)
                game.ask(act.attempt, size=act.size)
                self.late.asked(game.number, size=act.size)

    def _game(self, number: int, kind: str) -> GameOnRecord:
        game = self.games.get(number)
        if game is None:
            raise Doubt(f"game {number} is not open, and yet there is word of it ({kind}).")
        return game

    def _opened(self, act: GameOpened, row: ActOnRecord) -> None:
        if act.game <= self.last:
            raise Doubt(f"game {act.game} is opened twice.")
        if self.last and act.game != self.last + 1:
            raise Doubt(f"game {self.last + 1} is missing: game {act.game} is opened after game {self.last}.")
        promise = self.record.promise(str(act.game))
        if act.commitment != promise.commitment:
            raise Doubt(f"game {act.game} opens under another promise than the one that was made.")
        if act.device not in (promise.promise.device, self.chosen):
            raise Doubt(f"game {act.game} opens with another device than the one that was promised.")
        if row.cosigned is not None and self.promised_at.get(str(act.game), 0) >= row.cosigned:
            raise Doubt(f"game {act.game} opened before the witness had seen its promise.")
        self.games[act.game] = GameOnRecord(act.game, act.device, promise, self.record)
        self.money[act.game] = GameMoney(act.game, day=act.gaming_day.isoformat(), opened_at=row.at)
        self.last = act.game

    def _of_game(self, act: OfGame, row: ActOnRecord) -> None:
        game = self._game(act.game, act.kind)
        money = self.money[game.number]
        match act:
            case GameClosed():
                if game.closed:
                    raise game.doubt("it is closed twice.")
                game.closed, money.closed_at, money.staked = True, row.index, act.jackpot_stakes
            case TicketsSealed():
                game.tell_set(act.ticket_root, act.ticket_count)
            case DrawLocked():
                game.lock(act, index=row.index)
            case NumberDrawn():
                if game.device != RNG:
                    self._may_run(game, row)
                game.number_drawn(act, by=row.actor)
            case BallsCounted() | BallCorrected() | BallsReadBack() | BallFellBack():
                self._of_balls(game, act, row)
            case DrawFinished():
                game.finished(act)
            case DrawVoided():
                self._decided(game, act)
                game.voided(act)
                if act.cause == DAMAGED and act.game in self.counted:
                    self.damaged[self.counted[act.game]] = row.index
                self.late.void(act)
                self.void += 1
            case GameSettled():
                self._settled(game, act, row)
            case GameInvalidated():
                money.refunded = act.refunded.micros
                self._decided(game, act)
                self._over(game, game.invalidated(act), row)

    def _decided(self, game: GameOnRecord, act: DrawVoided | GameInvalidated) -> None:
        if act.proposal is not None:
            self.decided.append((act.proposal, act.subject, game.inspector_decides))

    def end(self) -> None:
        """Everything was read: whoever is said to have stopped a draw did decide it."""
        for proposal, subject, by_inspector in self.decided:
            game = subject.replace("keno-game:", "game ")
            if self.values.effective.get(proposal) != subject:
                raise Doubt(f"{game} was stopped by a decision that nobody made.")
            if by_inspector and self.values.decided_as[proposal] not in BY_INSPECTOR:
                raise Doubt(f"{game} was stopped by the house alone, and its numbers could be known.")

    def _of_balls(
        self, game: GameOnRecord, act: BallsCounted | BallCorrected | BallsReadBack | BallFellBack, row: ActOnRecord
    ) -> None:
        self._may_run(game, row)
        match act:
            case BallsCounted():
                self._whole_set(game, act, row)
            case BallCorrected():
                game.corrected(act, by=row.actor)
            case BallsReadBack():
                game.read_back(act, another=self.people.are_others(row.actor, *game.hands))
            case BallFellBack():
                game.fall_back(act.number, by=row.actor)

    def _whole_set(self, game: GameOnRecord, act: BallsCounted, row: ActOnRecord) -> None:
        """Approved; and where a ball of it was damaged, approved anew since (12.4a)."""
        version = self.values.version("ball-set", act.ball_set, before=row.index)
        game.count_balls(act, approved=version is not None and version.value is not None)
        if version is not None and version.index < self.damaged.get(act.ball_set, -1):
            raise game.doubt(f"it is drawn from the set {act.ball_set}, of which a ball was damaged.")
        self.counted[act.game] = act.ball_set

    def _may_run(self, game: GameOnRecord, row: ActOnRecord) -> None:
        """Whoever counts, enters, corrects or reads back balls runs games (2.1, 12.1)."""
        if not self.people.may(row.actor, RUN_GAMES):
            raise game.doubt(f"its balls are in the hands of {row.actor}, who has no power to run games.")

    def _settled(self, game: GameOnRecord, act: GameSettled, row: ActOnRecord) -> None:
        earlier = min(self.games)
        if earlier < game.number:
            raise Doubt(f"game {earlier} is not settled, and game {game.number} after it is.")
        recomputed = game.settled(act)
        money = self.money[game.number]
        late = self.late.serials(game.number)
        if act.totals.get("tickets") != game.count - len(late):
            raise game.doubt(f"{len(late)} of its {game.count} tickets were cancelled, and yet counted.")
        money.drawn, money.totals, money.device, money.attempt = act.numbers, act.totals, act.device, act.attempt
        money.bonuses = list(self.values.bonuses(game.number, before=row.index))
        self._over(game, recomputed, row)

    def _over(self, game: GameOnRecord, recomputed: int, row: ActOnRecord) -> None:
        self.money[game.number].since = (row.index, row.at)
        self.recomputed += recomputed
        self.by_balls += game.device != RNG
        del self.games[game.number]
        self.counted.pop(game.number, None)

    def booked(self, number: int, kind: str, micros: int, *, day: str) -> None:
        """A transfer of a game. One left over from the day before is of the day on which it is drawn (4.5)."""
        money = self.money.get(number)
        if money is None:
            raise Doubt(f"{Money(micros).said} is booked ({kind}) for game {number}, which was never opened.")
        money.booked[kind] = money.booked.get(kind, 0) + micros
        money.day = max(money.day, day)
