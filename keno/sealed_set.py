"""A game's sealed set of tickets as a tree: its root, and the way from a ticket up to it (decisions 16 and 33).

Leaves stand in ticket order, by serial. Whoever seals the set hashes every leaf, and keeps the leaves and the hashes of
their tiles. A proof then reads the tile of its ticket, the last tile and the hashes of the others, and leads up to the
root: cheap at a million tickets, and whatever was written to the database since, a leaf that was not sealed leads to
no sealed root. Where what was kept does not lead there, or is from before it was kept, the tickets are hashed again.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from django.db import connection

from keno.models import SealedTickets, Ticket
from kernel.merkle import HASH_SIZE, TILE_LEVEL, Node, Tree, check_inclusion, inclusion_proof, nodes_of
from kernel.money import Money

_TILE: Final = 1 << TILE_LEVEL

_SET = """
    SELECT count(*), coalesce(sum(price_a_game) FILTER (WHERE charged_to >= %(game)s), 0)::bigint,
           coalesce(string_agg(leaf, ''::bytea ORDER BY serial), ''::bytea),
           coalesce(string_agg(serial, ' ' ORDER BY serial) FILTER (WHERE place %% %(tile)s = 1), '')
    FROM (
        SELECT *, row_number() OVER (ORDER BY serial) AS place
        FROM (
            SELECT serial, leaf, price_a_game, charged_to FROM keno_ticket
            WHERE first_game <= %(game)s AND plays_to >= %(game)s
            UNION ALL
            SELECT serial, leaf, price_a_game, charged_to FROM keno_ticket
            JOIN keno_latecancellation late ON late.ticket_id = keno_ticket.id
            WHERE late.game_id = %(game)s
        ) tickets
    ) sealed
"""
_KEPT = "SELECT octet_length(leaves), tiles, firsts FROM keno_sealedtickets WHERE game_id = %s"
_KEPT_TILE = "SELECT substring(leaves FROM %s FOR %s) FROM keno_sealedtickets WHERE game_id = %s"


@dataclass(frozen=True, slots=True)
class TicketSet:
    """The set as the rows of the tickets give it now."""

    root: bytes
    count: int
    stakes: Money  # what was paid for the game; free games were not (3.1a, 3.1b)
    leaves: bytes
    tiles: bytes
    firsts: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where a ticket stands in the set, from 0, of how many, and the nodes around it."""

    index: int
    count: int
    node: Node

    def path(self) -> list[bytes]:
        return inclusion_proof(self.index, self.count, self.node)


def ticket_set(game: int) -> TicketSet:
    with connection.cursor() as cursor:
        cursor.execute(_SET, {"game": game, "tile": _TILE})
        count, staked, leaves, firsts = cursor.fetchone()
    root, tiles = hash_leaves(bytes(leaves))
    return TicketSet(root, count, Money(staked), bytes(leaves), tiles, firsts)


def hash_leaves(packed: bytes) -> tuple[bytes, bytes]:
    """The root over leaf hashes, and the hashes of the tiles that they fill."""
    tiles = bytearray()

    def keep(level: int, _: int, digest: bytes) -> None:
        if level == TILE_LEVEL:
            tiles.extend(digest)

    tree = Tree(keep=keep)
    tree.extend(packed)
    return tree.root(), bytes(tiles)


def keep_set(game: int, sealed: TicketSet) -> None:
    """In the transaction that seals it."""
    SealedTickets.objects.create(game_id=game, leaves=sealed.leaves, tiles=sealed.tiles, firsts=sealed.firsts)


def place_of(ticket: Ticket, *, game: int, root: bytes) -> Place | None:
    """Where the ticket's leaf stands in the set with this root. None: it does not."""
    leaf = bytes(ticket.leaf)
    for find in (_place_kept, _place_in_rows):
        place = find(ticket, game)
        if place is not None and check_inclusion(leaf, place.index, place.count, place.path(), root):
            return place
    return None


def _place_kept(ticket: Ticket, game: int) -> Place | None:
    with connection.cursor() as cursor:
        cursor.execute(_KEPT, [game])
        found = cursor.fetchone()
    if found is None:
        return None
    size, tiles, firsts = found
    kept = _Kept(game, size // HASH_SIZE, _hashes(tiles), firsts.split(" "))
    index = kept.index_of(ticket) if kept.is_complete else None
    return None if index is None else Place(index, kept.count, kept.node)


def _place_in_rows(ticket: Ticket, game: int) -> Place | None:
    leaves = _hashes(ticket_set(game).leaves)
    leaf = bytes(ticket.leaf)
    return Place(leaves.index(leaf), len(leaves), nodes_of(leaves)) if leaf in leaves else None


class _Kept:
    """What was kept of a set, of which tiles are read as they are needed."""

    def __init__(self, game: int, count: int, tiles: list[bytes], firsts: list[str]) -> None:
        self.game, self.count, self.tiles, self.firsts = game, count, tiles, firsts
        self._leaves: dict[int, list[bytes]] = {}
        self._within: dict[int, Node] = {}

    @property
    def is_complete(self) -> bool:
        """As many tiles as its leaves make, each with its first serial, so that no step of a proof is missing."""
        return self.count > 0 and (len(self.tiles), len(self.firsts)) == (
            self.count // _TILE,
            -(-self.count // _TILE),
        )

    def index_of(self, ticket: Ticket) -> int | None:
        tile, leaf = bisect_right(self.firsts, ticket.serial) - 1, bytes(ticket.leaf)
        if tile < 0 or leaf not in self._of(tile):
            return None
        return tile * _TILE + self._of(tile).index(leaf)

    def node(self, level: int, index: int) -> bytes:
        if level >= TILE_LEVEL:
            return self._above(level - TILE_LEVEL, index)
        tile, place = divmod(index, _TILE >> level)
        if tile not in self._within:
            self._within[tile] = nodes_of(self._of(tile))
        return self._within[tile](level, place)

    @cached_property
    def _above(self) -> Node:
        return nodes_of(self.tiles)

    def _of(self, tile: int) -> list[bytes]:
        if tile not in self._leaves:
            size = _TILE * HASH_SIZE
            with connection.cursor() as cursor:
                cursor.execute(_KEPT_TILE, [tile * size + 1, size, self.game])
                self._leaves[tile] = _hashes(cursor.fetchone()[0])
        return self._leaves[tile]


def _hashes(packed: bytes) -> list[bytes]:
    whole = bytes(packed)
    return [whole[at : at + HASH_SIZE] for at in range(0, len(whole), HASH_SIZE)]
