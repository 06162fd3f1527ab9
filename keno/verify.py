"""Keno's part of the offline check of an export: every draw from its promise to its numbers, every ticket in it. Pure.

For each game, in the order of the log: the promise (seen by the witness before the game opened), the set of tickets
sealed after the close, the lock, the question to the witness and what was said, each number, what was void, and the
master revealed at the end. From master and answers all numbers are computed again, those of void attempts too; from the
attached entries the root. A mechanical draw has balls, and asks nobody.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from draws.acts import MasterPromised
from draws.record import KINDS, DrawsOnRecord
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
from keno.game_on_record import DRAWN, POOL, RNG, GameOnRecord
from keno.late_on_record import LateOnRecord
from keno.prize_acts import WinVoided
from kernel.acts import Act
from kernel.export_check import NOTHING_WANTED, ActOnRecord, Doubt, RoomCheck, Wanted
from kernel.merkle import check_inclusion, inclusion_proof, nodes_of, root_of
from kernel.money import Money
from ledger.acts import OccasionSealed, QuestionAsked

ATTACHMENT: Final = "keno.tickets"
_OfDraw: TypeAlias = (
    GameClosed
    | TicketsSealed
    | DrawLocked
    | NumberDrawn
    | BallFellBack
    | DrawFinished
    | DrawVoided
    | GameSettled
    | GameInvalidated
)
_OF_DRAWS: Final = (BallFellBack, DrawDeviceChosen, DrawFinished, DrawLocked, DrawVoided, NumberDrawn)
_OF_GAMES: Final = (GameClosed, GameInvalidated, GameOpened, GameSettled, TicketsSealed)
_OF_TICKETS: Final = (TicketCancelled, WagersVoided, WinVoided)
_READ: Final[dict[str, type[Act]]] = {act.kind: act for act in (*_OF_DRAWS, *_OF_GAMES, *_OF_TICKETS)}
TRANSFERS: Final = frozenset(
    f"keno.{what}"
    for what in (
        *("sale", "change", "cancel", "stakes", "prizes", "refunds", "voided", "payment", "unclaimed", "bonus"),
        *("unclaimed-to-jackpot", "jackpot-begun", "jackpot-contribution", "jackpot-won", "voucher-paid"),
        *("float", "drop", "fill", "over-short", "handed-in"),
        *("prize-void", "jackpot-returned", "bonus-void", "void-refund", "unclaimed-back"),
    )
)
_READ_AS: Final = str.maketrans("OIL", "011", "- ")  # a serial as people type it (particulars.py)


def _count(many: int, noun: str) -> str:
    return f"{many:,} {noun}{'' if many == 1 else 's'}"


class Check(RoomCheck):
    """Reads the acts of games, then the entries; raises Doubt at the first thing that does not fit."""

    name = "Keno"
    acts = frozenset(_READ) | KINDS
    transfers = TRANSFERS
    attachment = ATTACHMENT

    def __init__(self, wanted: Wanted = NOTHING_WANTED) -> None:
        super().__init__(wanted)
        self.index = 0  # of the act that is being read
        self.cosigned: int | None = None
        self.ticket = wanted.ticket.upper().translate(_READ_AS) if wanted.ticket else None
        self.record = DrawsOnRecord("keno")
        self.promised_at: dict[str, int] = {}
        self.games: dict[int, GameOnRecord] = {}
        self.late = LateOnRecord()
        self.chosen: str | None = None  # the device, since the log says so
        self.sealed: dict[int, tuple[bytes, int]] = {}  # of every settled game: root and number of its entries
        self.last = 0
        self.recomputed = self.void = self.by_balls = 0
        self.entries: dict[int, list[tuple[str, bytes, bool]]] = {}  # of the games that the tickets being read play in
        self.read_upto: tuple[int, str] = (0, "")
        self.tickets = self.rooted = 0
        self.wins_voided: set[tuple[str, int]] = set()

    def act(self, row: ActOnRecord) -> None:
        self.index, self.cosigned, act = row.index, row.cosigned, row.act
        if row.kind in KINDS:
            self._of_record(act)
            return
        match act:
            case GameOpened():
                self._opened(act)
            case DrawDeviceChosen():
                self.chosen = act.new
            case TicketCancelled() | WagersVoided():
                self.late.cancelled(act, index=self.index)
            case WinVoided():
                self._win_voided(act)
            case _:
                self._of_game(act, row.kind)

    def _of_record(self, act: Act) -> None:
        """What is said of draws in general; of Keno's, what their games have to say to it."""
        self.record.take(act)
        match act:
            case MasterPromised(purpose=self.record.purpose):
                if int(act.name) in self.games or int(act.name) in self.sealed:
                    raise Doubt(f"game {act.name} is promised anew though it was on sale.")
                self.promised_at[act.name] = self.index
            case OccasionSealed(purpose=self.record.purpose):
                self._game(int(act.occasion), act.kind).seal(act.root, act.count)
            case QuestionAsked(purpose=self.record.purpose):
                game = self._game(int(act.occasion), act.kind)
                game.ask(act.attempt, size=act.size)
                self.late.asked(game.number, size=act.size)

    def _game(self, number: int, kind: str) -> GameOnRecord:
        game = self.games.get(number)
        if game is None:
            raise Doubt(f"game {number} is not open, and yet there is word of it ({kind}).")
        return game

    def _opened(self, act: GameOpened) -> None:
        if act.game in self.games or act.game in self.sealed:
            raise Doubt(f"game {act.game} is opened twice.")
        promise = self.record.promise(str(act.game))
        if act.commitment != promise.commitment:
            raise Doubt(f"game {act.game} opens under another promise than the one that was made.")
        if act.device not in (promise.promise.device, self.chosen):
            raise Doubt(f"game {act.game} opens with another device than the one that was promised.")
        if self.cosigned is not None and self.promised_at.get(str(act.game), 0) >= self.cosigned:
            raise Doubt(f"game {act.game} opened before the witness had seen its promise.")
        self.games[act.game] = GameOnRecord(act.game, act.device, promise, self.record)

    def _of_game(self, act: Act, kind: str) -> None:
        assert isinstance(act, _OfDraw)
        game = self._game(act.game, kind)
        match act:
            case GameClosed():
                game.closed = True
            case TicketsSealed():
                game.same_set(act.ticket_root, act.ticket_count)
            case DrawLocked():
                game.lock(act, index=self.index)
            case NumberDrawn():
                game.number_drawn(act)
            case BallFellBack():
                game.fall_back(act.number)
            case DrawFinished():
                game.finished(act)
            case DrawVoided():
                game.voided(act)
                self.late.void(act)
                self.void += 1
            case GameSettled():
                self._settled(game, act)
            case GameInvalidated():
                self._tally(game, game.invalidated(act))
                del self.games[game.number]

    def _win_voided(self, act: WinVoided) -> None:
        """14.3 after the draw: of a settled game, once, and only what had won: a loser's refund is a free option."""
        if act.game not in self.sealed or not act.won.micros > 0 or (act.ticket, act.game) in self.wins_voided:
            raise Doubt(f"ticket {act.ticket}: its wager in game {act.game} was voided, and had not won there.")
        if act.won < Money.total(act.jackpots.values()) + act.bonus:
            raise Doubt(f"ticket {act.ticket}: more went back to the pools than it had won in game {act.game}.")
        self.wins_voided.add((act.ticket, act.game))

    def _settled(self, game: GameOnRecord, act: GameSettled) -> None:
        recomputed = game.settled(act)
        late = self.late.serials(game.number)
        if "tickets" in act.totals and act.totals["tickets"] != game.count - len(late):
            raise Doubt(f"game {game.number}: {len(late)} of its {game.count} tickets were cancelled, and yet counted.")
        self._tally(game, recomputed)
        assert game.root is not None
        self.sealed[game.number], self.last = (game.root, game.count), max(self.last, game.number)
        del self.games[game.number]

    def _tally(self, game: GameOnRecord, recomputed: int) -> None:
        self.recomputed += recomputed
        self.by_balls += game.device != RNG

    def attached(self, line: Mapping[str, Any]) -> None:
        first = line["first_game"]
        for game in sorted(number for number in self.entries if number < first):
            self._root(game)  # no ticket that begins later plays in it
        for serial, leaf, stands_to, *plays_to in line["tickets"]:
            if (first, serial) <= self.read_upto:
                raise Doubt(f"ticket {serial} is out of order.")
            self.read_upto = (first, serial)
            self.tickets += 1
            plays = plays_to[0] if plays_to else stands_to
            for game in range(first, min(stands_to, self.last) + 1):
                if game in self.sealed:
                    self.entries.setdefault(game, []).append((serial, bytes.fromhex(leaf), game > plays))

    def _root(self, game: int) -> None:
        """The game's ticket root from its entries, in the order of their particulars."""
        root, count = self.sealed.pop(game)
        entries = sorted(self.entries.pop(game, []))
        leaves = [leaf for _, leaf, _ in entries]
        if len(entries) != count or root_of(leaves) != root:
            raise Doubt(f"game {game}: the {len(entries)} tickets attached are not the {count} sealed after its close.")
        if {serial for serial, _, late in entries if late} != self.late.serials(game):
            raise Doubt(f"game {game}: the tickets cancelled after its seal are not the ones that the log names.")
        self.rooted += 1
        serials = [serial for serial, _, _ in entries]
        if self.ticket in serials:
            index = serials.index(self.ticket)
            path = inclusion_proof(index, count, nodes_of(leaves))
            assert check_inclusion(leaves[index], index, count, path, root)
            cancelled = " It was cancelled before the draw, and could not win." if entries[index][2] else ""
            self.shown.append(
                f"Ticket {self.ticket} took part in game {game} as entry {index + 1} of {count}: its hash "
                f"{leaves[index].hex()} and {len(path)} neighbours lead to the sealed root {root.hex()}.{cancelled}"
            )

    def end(self, *, attached: bool) -> list[str]:
        if attached:
            for game in sorted(self.sealed):
                self._root(game)
        self._attend()
        if not (self.recomputed or self.by_balls):
            return []
        said = f"Keno: {_count(self.recomputed, 'draw')} computed again from promised masters and the witness’s answers"
        said += f", {self.by_balls:,} with balls" if self.by_balls else ""
        if self.void:
            said += f"; {_count(self.void, 'attempt')} {'was' if self.void == 1 else 'were'} void and drawn again"
        if attached:
            said += f". {_count(self.tickets, 'ticket')} stand in the sealed roots of {_count(self.rooted, 'game')}"
        if self.late.total:
            said += (
                f"; {self.late.total:,} of the entries were cancelled before the witness was asked, and could not win"
            )
        if self.wins_voided:
            said += f"; {_count(len(self.wins_voided), 'winning wager')} of persons in breach void after the draw"
        return [said + "."]

    def _attend(self) -> None:
        if self.record.unwitnessed:
            self.attention.append(
                f"{_count(self.record.unwitnessed, 'Keno draw')} had no witness: an inspector’s dice or a public round "
                "stand in its place."
            )
        if self.record.restored:
            self.attention.append(f"{_count(self.record.restored, 'master')} of Keno draws came back from escrow.")


__all__ = ["ATTACHMENT", "DRAWN", "POOL", "Check"]
