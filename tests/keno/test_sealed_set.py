"""A ticket proven to be in a sealed set of any size, by what was kept of it: a tile or two, and others' hashes."""

from __future__ import annotations

from hashlib import sha256

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from keno.attempts import seal_tickets
from keno.close import close_game
from keno.models import SealedTickets, Ticket
from keno.sealed_set import TicketSet, hash_leaves, keep_set, place_of, ticket_set
from kernel.merkle import check_inclusion, root_of
from kernel.money import ZERO
from tests.world.keno_games import OPENS, SUE, open_first_game, put_ticket

pytestmark = pytest.mark.django_db


def leaf_of(number: int) -> bytes:
    return sha256(b"%d" % number).digest()


def ticket_numbered(number: int) -> Ticket:
    return Ticket(serial=f"{number * 7:012d}", leaf=leaf_of(number))


def kept(count: int) -> bytes:
    """A set of so many tickets, kept for game 1; its root."""
    tickets = [ticket_numbered(number) for number in range(count)]
    leaves = b"".join(map(leaf_of, range(count)))
    root, tiles = hash_leaves(leaves)
    assert root == root_of(map(leaf_of, range(count)))
    keep_set(1, TicketSet(root, count, ZERO, leaves, tiles, " ".join(each.serial for each in tickets[::256])))
    return root


@pytest.mark.parametrize("count", [1, 2, 255, 256, 257, 512, 700])
def test_every_ticket_leads_to_the_root_and_nobody_else(count: int) -> None:
    open_first_game()
    root = kept(count)
    for number in {0, 1, 254, 255, 256, 511, 512, count - 2, count - 1} & set(range(count)):
        place = place_of(ticket_numbered(number), game=1, root=root)
        assert place is not None
        assert (place.index, place.count) == (number, count)
        assert check_inclusion(leaf_of(number), number, count, place.path(), root)
        other = Ticket(serial=ticket_numbered(number).serial, leaf=bytes(32))
        assert place_of(other, game=1, root=root) is None
        assert place_of(ticket_numbered(number), game=1, root=bytes(32)) is None
    assert place_of(Ticket(serial="ZZZZ", leaf=bytes(32)), game=1, root=root) is None


def test_a_proof_reads_two_tiles_at_most_however_many_there_are() -> None:
    open_first_game()
    root = kept(5 * 256 + 3)
    with CaptureQueriesContext(connection) as asked:
        assert place_of(ticket_numbered(700), game=1, root=root) is not None
    assert [query["sql"].count("substring(leaves") for query in asked] == [0, 1, 1]
    assert not any("keno_ticket " in query["sql"] for query in asked)


def test_what_is_kept_is_what_was_sealed_and_stays() -> None:
    open_first_game()
    tickets = [put_ticket(first_game=1, groups=[[1, 2, n]], plays=[(3, 100)]) for n in (40, 41, 42)]
    close_game(number=1, by=SUE, now=OPENS)
    sealed = seal_tickets(number=1, by=SUE, now=OPENS)
    row = SealedTickets.objects.get(game=1)
    assert bytes(row.leaves) == b"".join(bytes(ticket.leaf) for ticket in sorted(tickets, key=lambda each: each.serial))
    assert (bytes(row.tiles), row.firsts) == (b"", min(ticket.serial for ticket in tickets))
    assert ticket_set(1).root == bytes(sealed.ticket_root or b"")
    for change in ({"leaves": b""}, {"tiles": bytes(32)}, {"firsts": ""}):
        with pytest.raises(DatabaseError), transaction.atomic():
            SealedTickets.objects.update(**change)
    with pytest.raises(DatabaseError), transaction.atomic():
        row.delete()
