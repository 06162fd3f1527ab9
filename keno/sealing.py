"""The set of tickets in a game, as one Merkle root: sealed with the first number, provable ever after (decision 6).

Leaves stand in ticket order, by serial. What decides whether a ticket is in a game (first_game, plays_to) does not
change once the game's first number is recorded, so the root can be computed again whenever somebody asks for a proof.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection

from ledger.merkle import HASH_SIZE, Node, Tree, nodes_of
from ledger.money import Money

_LEAVES = """
    SELECT count(*), coalesce(sum(a_game) FILTER (WHERE charged_to >= %(game)s), 0)::bigint,
           coalesce(string_agg(leaf, ''::bytea ORDER BY serial), ''::bytea)
    FROM keno_ticket WHERE first_game <= %(game)s AND plays_to >= %(game)s
"""


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
