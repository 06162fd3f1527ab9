"""Attempts at a draw: the seed that is promised, kept, used and revealed, and the set of tickets sealed with the first
number (decision 6).

The key is a secret of this installation. A seed that does not open any more (another machine, a lost key) can only be
declared void: the next attempt has a seed of its own.

The set of tickets in a game is one Merkle root. Leaves stand in ticket order, by serial. What decides whether a ticket
is in a game (first_game, plays_to) does not change once the game's first number is recorded, so the root can be
computed again whenever somebody asks for a proof.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from django.db import connection

from chance import seeds
from chance.commitment import commitment, new_seed
from keno.models import Draw, DrawDevice, Game
from kernel import keys
from kernel.merkle import HASH_SIZE, Node, Tree, nodes_of
from kernel.money import Money

_LEAVES = """
    SELECT count(*), coalesce(sum(price_a_game) FILTER (WHERE charged_to >= %(game)s), 0)::bigint,
           coalesce(string_agg(leaf, ''::bytea ORDER BY serial), ''::bytea)
    FROM keno_ticket WHERE first_game <= %(game)s AND plays_to >= %(game)s
"""


def _key() -> bytes:
    return sha256(b"meterhouse/keno-seed-key/1:" + keys.secret("keno-seed-key").encode()).digest()


def make_attempt(*, game: Game, attempt: int, now: datetime) -> Draw:
    """A new attempt with, for a random number generator, a new seed from the operating system and its commitment."""
    draw = Draw(game=game, attempt=attempt, device=game.device, made_at=now)
    if game.device == DrawDevice.RNG:
        seed, occasion = new_seed(), draw.occasion
        draw.commitment = commitment(seed, occasion)
        draw.encrypted_seed = seeds.encrypt(key=_key(), seed=seed, occasion=occasion)
    draw.save(force_insert=True)
    return draw


def seed_of(draw: Draw) -> bytes:
    """The seed of an attempt by random number generator. For drawing, and for revealing it when all is over."""
    assert draw.encrypted_seed is not None
    return seeds.decrypt(key=_key(), encrypted=bytes(draw.encrypted_seed), occasion=draw.occasion)


def as_bytes(value: bytes | memoryview | None) -> bytes | None:
    """A column of bytes, as it comes from the database or from this process."""
    return None if value is None else bytes(value)


def current_attempt(game: Game) -> Draw:
    """The attempt that is not void."""
    return Draw.objects.get(game=game, voided_at=None)


@dataclass(frozen=True, slots=True)
class TicketSet:
    root: bytes
    count: int
    stakes: Money  # what was paid for the game; free games were not (3.1a, 3.1b)


def _leaves(game: int) -> tuple[int, Money, bytes]:
    with connection.cursor() as cursor:
        cursor.execute(_LEAVES, {"game": game})
        count, staked, leaves = cursor.fetchone()
    return count, Money(staked), bytes(leaves)


def ticket_set(game: int) -> TicketSet:
    count, stakes, leaves = _leaves(game)
    tree = Tree()
    tree.extend(leaves)
    return TicketSet(tree.root(), count, stakes)


def tree_of(game: int) -> tuple[int, Node]:
    """The number of entries, and the nodes that proofs of inclusion are made from."""
    count, _, leaves = _leaves(game)
    return count, nodes_of(leaves[at : at + HASH_SIZE] for at in range(0, len(leaves), HASH_SIZE))
