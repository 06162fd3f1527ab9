"""Keno's part of the offline check of an export: every draw from its promise to its numbers, every ticket in it. Pure.

For each game, in the order of the log: the commitment published when it opened (or when the attempt before was declared
void), the ticket root that was sealed with the first number, each number, and the seed revealed at the end. From seed
and root the numbers are computed again; from the attached entries the root. A mechanical draw has balls and no seed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from chance.commitment import Occasion, commitment
from chance.select import numbers
from keno.acts import (
    BallFellBack,
    DrawFinished,
    DrawVoided,
    GameInvalidated,
    GameOpened,
    GameSettled,
    NumberDrawn,
)
from kernel.export_check import Doubt
from kernel.merkle import check_inclusion, inclusion_proof, nodes_of, root_of

ATTACHMENT: Final = "keno.tickets"
POOL: Final = 80
DRAWN: Final = 20
_RNG: Final = "rng"
_OfDraw: TypeAlias = NumberDrawn | BallFellBack | DrawFinished | DrawVoided | GameSettled | GameInvalidated
_READ: Final[dict[str, type[GameOpened | _OfDraw]]] = {
    act.kind: act
    for act in (GameOpened, NumberDrawn, BallFellBack, DrawFinished, DrawVoided, GameSettled, GameInvalidated)
}
_READ_AS: Final = str.maketrans("OIL", "011", "- ")  # a serial as people type it (particulars.py)


@dataclass(slots=True)
class _Game:
    """What the log has said about a game that is not over."""

    number: int
    device: str
    promised: bytes | None  # the commitment of the standing attempt
    attempt: int = 1
    root: bytes | None = None
    count: int = 0
    drawn: list[int] = field(default_factory=list)

    def seal(self, root: bytes, count: int) -> None:
        if self.root is not None and (self.root, self.count) != (root, count):
            raise Doubt(f"game {self.number}: its tickets are not the ones that were sealed with the first number.")
        self.root, self.count = root, count

    def same(self, **at_the_end: int | tuple[int, ...] | bytes | None) -> None:
        """What is said at the end is what was said before."""
        said = {"attempt": self.attempt, "numbers": tuple(self.drawn), "commitment": self.promised}
        for name, value in at_the_end.items():
            if value != said[name]:
                noun = "ones" if name == "numbers" else "one"
                raise Doubt(f"game {self.number}: the {name} at the end and the {noun} on record before differ.")

    def recompute(self, seed: bytes) -> None:
        """That the seed is the promised one, and gives exactly these numbers."""
        occasion = Occasion(purpose="keno", game=str(self.number), attempt=self.attempt)
        if commitment(seed, occasion) != self.promised:
            raise Doubt(
                f"game {self.number}, attempt {self.attempt}: the seed revealed is not the one that was promised."
            )
        if not self.drawn:
            return
        if self.root is None:
            raise Doubt(f"game {self.number}: numbers were drawn, and no set of tickets was sealed.")
        given = numbers(
            seed=seed,
            occasion=occasion,
            ticket_root=self.root,
            ticket_count=self.count,
            pool=POOL,
            count=len(self.drawn),
        )
        for place, (ours, theirs) in enumerate(zip(given, self.drawn, strict=True), start=1):
            if ours != theirs:
                raise Doubt(
                    f"game {self.number}, attempt {self.attempt}: seed and tickets give {ours} as number {place}, "
                    f"and {theirs} is on record."
                )


def _count(many: int, noun: str) -> str:
    return f"{many:,} {noun}{'' if many == 1 else 's'}"


class Check:
    """Reads the acts of games, then the entries; raises Doubt at the first thing that does not fit."""

    attachment = ATTACHMENT

    def __init__(self, *, ticket: str | None = None) -> None:
        self.kinds = frozenset(_READ)
        self.wanted = ticket.upper().translate(_READ_AS) if ticket else None
        self.games: dict[int, _Game] = {}
        self.sealed: dict[int, tuple[bytes, int]] = {}  # of every settled game: root and number of its entries
        self.last = 0
        self.recomputed = self.void = self.by_balls = self.unknown = 0
        self.entries: dict[int, list[tuple[str, bytes]]] = {}  # of the games that the tickets being read play in
        self.read_upto: tuple[int, str] = (0, "")
        self.tickets = self.rooted = 0
        self.shown: list[str] = []

    def act(self, kind: str, data: dict[str, object]) -> None:
        try:
            act = _READ[kind].read(data)
        except ValueError as unreadable:
            raise Doubt(f"an act is not written as it should be: {unreadable}.") from unreadable
        if isinstance(act, GameOpened):
            if act.game in self.games or act.game in self.sealed:
                raise Doubt(f"game {act.game} is opened twice.")
            self.games[act.game] = _Game(act.game, act.device, act.commitment)
            return
        game = self.games.get(act.game)
        if game is None:
            raise Doubt(f"game {act.game} is not open, and yet there is word of it ({kind}).")
        self._of_draw(game, act)

    def _of_draw(self, game: _Game, act: _OfDraw) -> None:
        match act:
            case NumberDrawn():
                self._number(game, act)
            case BallFellBack():
                if game.device == _RNG or act.number not in game.drawn:
                    raise Doubt(f"game {game.number}: a ball fell back that was not drawn.")
                game.drawn.remove(act.number)
            case DrawFinished():
                self._finished(game, act)
            case DrawVoided():
                self._voided(game, act)
            case GameSettled():
                self._settled(game, act)
            case GameInvalidated():
                game.same(numbers=act.numbers)
                self._revealed(game, act.seed)
                del self.games[game.number]

    def _number(self, game: _Game, act: NumberDrawn) -> None:
        if act.attempt != game.attempt or act.place != len(game.drawn) + 1:
            raise Doubt(f"game {game.number}: number {len(game.drawn) + 1} should be here, and another is.")
        if act.ticket_root is not None and act.ticket_count is not None:
            game.seal(act.ticket_root, act.ticket_count)
        game.drawn.append(act.number)

    def _finished(self, game: _Game, act: DrawFinished) -> None:
        game.seal(act.ticket_root, act.ticket_count)
        game.same(attempt=act.attempt, numbers=act.numbers)
        if len(set(game.drawn)) != DRAWN or not all(1 <= number <= POOL for number in game.drawn):
            raise Doubt(f"game {game.number}: a draw has {DRAWN} different numbers from 1 to {POOL}.")

    def _voided(self, game: _Game, act: DrawVoided) -> None:
        self._revealed(game, act.seed)
        game.same(attempt=act.attempt, numbers=act.numbers)
        self.void += 1
        self.games[game.number] = _Game(game.number, act.device, act.commitment, attempt=game.attempt + 1)

    def _settled(self, game: _Game, act: GameSettled) -> None:
        game.seal(act.ticket_root, act.ticket_count)
        game.same(attempt=act.attempt, numbers=act.numbers, commitment=act.commitment)
        if len(game.drawn) != DRAWN or (game.device == _RNG and act.seed is None):
            raise Doubt(f"game {game.number} was settled without {DRAWN} numbers or without its seed.")
        self._revealed(game, act.seed)
        assert game.root is not None
        self.sealed[game.number], self.last = (game.root, game.count), max(self.last, game.number)
        del self.games[game.number]

    def _revealed(self, game: _Game, seed: bytes | None) -> None:
        if game.device != _RNG:
            self.by_balls += 1
        elif seed is None:
            self.unknown += 1  # lost with its key, which makes an attempt void
        else:
            game.recompute(seed)
            self.recomputed += 1

    def attached(self, line: dict[str, Any]) -> None:
        first = line["first_game"]
        for game in sorted(number for number in self.entries if number < first):
            self._root(game)  # no ticket that begins later plays in it
        for serial, leaf, plays_to in line["tickets"]:
            if (first, serial) <= self.read_upto:
                raise Doubt(f"ticket {serial} is out of order.")
            self.read_upto = (first, serial)
            self.tickets += 1
            entry = (serial, bytes.fromhex(leaf))
            for game in range(first, min(plays_to, self.last) + 1):
                if game in self.sealed:
                    self.entries.setdefault(game, []).append(entry)

    def _root(self, game: int) -> None:
        """The game's ticket root from its entries, in the order of their particulars."""
        root, count = self.sealed.pop(game)
        entries = sorted(self.entries.pop(game, []))
        leaves = [leaf for _, leaf in entries]
        if len(entries) != count or root_of(leaves) != root:
            raise Doubt(
                f"game {game}: the {len(entries)} tickets attached are not the {count} sealed with its first number."
            )
        self.rooted += 1
        serials = [serial for serial, _ in entries]
        if self.wanted in serials:
            index = serials.index(self.wanted)
            path = inclusion_proof(index, count, nodes_of(leaves))
            assert check_inclusion(leaves[index], index, count, path, root)
            self.shown.append(
                f"Ticket {self.wanted} took part in game {game} as entry {index + 1} of {count}: its hash "
                f"{leaves[index].hex()} and {len(path)} neighbours lead to the sealed root {root.hex()}."
            )

    def end(self, *, attached: bool) -> list[str]:
        if attached:
            for game in sorted(self.sealed):
                self._root(game)
        if not (self.recomputed or self.by_balls or self.unknown):
            return []
        said = f"Keno: {_count(self.recomputed, 'draw')} computed again from the promised seeds"
        said += f", {self.by_balls:,} with balls" if self.by_balls else ""
        said += f", {self.unknown:,} void with a seed that is lost" if self.unknown else ""
        if self.void:
            said += f"; {_count(self.void, 'attempt')} {'was' if self.void == 1 else 'were'} void and drawn again"
        if attached:
            said += f". {_count(self.tickets, 'ticket')} stand in the sealed roots of {_count(self.rooted, 'game')}"
        return [said + "."]
