"""What is kept of a hashed list: it spares the draw the hashing, and lets nothing through that hashing would not."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from chance.draw_proof import check_entry, holds
from draws.models import Commitment
from house.models import Incident
from kernel import keys
from kernel.merkle import root_of
from ledger.models import Question
from promotions import tree
from promotions.draw import draw_promotion
from promotions.imports import begin_import, confirm_import, go_on
from promotions.models import Draw, Entry, EntryList, Pick, Promotion, SealedTiles
from promotions.run import close
from promotions.seal import entry_proof, seal
from promotions.tree import ListTree
from tests.plugins.worlds import kept
from tests.world import promotion_draws as world
from tests.world.players import on_record
from tests.world.promotion_draws import failed, oracle_faults, promised, published, unguarded
from tests.world.promotions import manager, prize, root_again, running
from tests.world.second_party import AtHand

pytestmark = pytest.mark.django_db

ENTRIES = 700  # two tiles and a rest


def _sealed() -> Promotion:
    world.open_day()
    promotion = running(prizes=[prize(quantity=9)])
    on_record(f"C-{n}" for n in range(ENTRIES))
    lines = ["reference,card\n", *(f"R-{n},C-{n}\n" for n in range(ENTRIES))]
    made = go_on(begin_import(code="SPRING", name="many.csv", lines=lines, by=manager()).pk)
    confirm_import(import_id=made.pk, by=manager("ben"))
    close(code="SPRING", now=promotion.closes_at)
    seal(code="SPRING", now=promotion.closes_at)
    return Promotion.objects.get()


promotion = kept(_sealed)


def draw_it(promotion: Promotion) -> Draw:
    return draw_promotion(code="SPRING", by=world.supervisor(), now=promotion.draw_at)


def leaves_now() -> list[bytes]:
    return [
        bytes(leaf) for leaf in Entry.objects.filter(withdrawn_at=None).order_by("id").values_list("leaf", flat=True)
    ]


def drawn_soundly(promotion: Promotion) -> None:
    """It is drawn, and a stranger who noted the promise can check it."""
    noted = promised()
    draw_it(promotion)
    assert Promotion.objects.get().status == "drawn"
    assert failed(published(), noted) == []
    assert oracle_faults(published(), noted) == []


def not_drawn(promotion: Promotion) -> str:
    """Postponed with the inspector's notice, and nothing drawn; answers why."""
    assert draw_it(promotion).drawn_at is None
    after = Promotion.objects.get()
    assert (after.status, after.resumes_as) == ("postponed", "sealed")
    assert not Question.objects.exists()  # nobody was asked about it
    nothing_drawn()
    return after.over_reason


def nothing_drawn() -> None:
    assert not Pick.objects.exists()
    assert Commitment.objects.get().master is None
    assert Incident.objects.filter(kind="promotion-compromised-2025").count() == 1


def asked_and_not_drawn(promotion: Promotion) -> str:
    """The witness was asked: nobody stops the attempt, nothing is drawn, one incident says why."""
    for _ in range(2):
        assert draw_it(promotion).drawn_at is None
    assert Promotion.objects.get().status == "drawing"
    nothing_drawn()
    return Incident.objects.get(kind="promotion-compromised-2025").what


@pytest.fixture
def hashings(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many lists are hashed from here on."""
    counted: list[int] = []
    hashing = tree.hash_list

    def count(packed: Any) -> tree.Hashed:
        hashed = hashing(packed)
        counted.append(hashed.count)
        return hashed

    monkeypatch.setattr(tree, "hash_list", count)
    return counted


def test_a_list_that_is_the_sealed_one_is_not_hashed_again(promotion: Promotion, hashings: list[int]) -> None:
    kept = SealedTiles.objects.get()
    leaves = leaves_now()
    assert bytes(kept.tiles) == root_of(leaves[:256]) + root_of(leaves[256:512])
    drawn_soundly(promotion)
    assert hashings == []


def test_every_node_comes_from_the_tiles_as_from_the_leaves(promotion: Promotion) -> None:
    found, leaves = ListTree(EntryList.objects.get()), leaves_now()
    for level in range(ENTRIES.bit_length()):
        for index in range(ENTRIES >> level):
            assert found.node(level, index) == root_of(leaves[index << level : (index + 1) << level])
    places = [1, 256, 257, 512, 513, ENTRIES]
    assert [found.entries(places)[place].leaf for place in places] == [leaves[place - 1] for place in places]


def test_a_player_proves_his_entry_from_the_tiles(promotion: Promotion, hashings: list[int]) -> None:
    draw_it(promotion)
    entries, proof = Entry.objects.order_by("id"), published()["proof"]
    for index in (0, 255, 256, ENTRIES - 1):
        assert holds(check_entry(entry_proof(code="SPRING", number=entries[index].pk), proof))
    assert hashings == []


KEPT_CRIMES = {
    "a tile": "UPDATE promotions_sealedtiles SET tiles = overlay(tiles PLACING sha256(tiles) FROM 1 FOR 32)",
    "no tiles": "UPDATE promotions_sealedtiles SET tiles = ''",
    "more tiles": "UPDATE promotions_sealedtiles SET tiles = tiles || sha256(tiles)",
    "the mark": "UPDATE promotions_sealedtiles SET mark = sha256(mark)",
    "an empty mark": "UPDATE promotions_sealedtiles SET mark = ''",
    "the row": "DELETE FROM promotions_sealedtiles",
}


@pytest.mark.parametrize("crime", KEPT_CRIMES.values(), ids=KEPT_CRIMES)
def test_whoever_touches_what_is_kept_makes_the_draw_hash_the_list_itself(
    promotion: Promotion, crime: Any, hashings: list[int]
) -> None:
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(crime)
    unguarded(crime)
    drawn_soundly(promotion)
    assert hashings == [ENTRIES]


def test_so_does_another_key(promotion: Promotion, monkeypatch: pytest.MonkeyPatch, hashings: list[int]) -> None:
    secret = keys.secret
    monkeypatch.setattr(keys, "secret", lambda name: "another" if name == "promotion-list-key" else secret(name))
    drawn_soundly(promotion)
    assert hashings == [ENTRIES]


CHANGE = "UPDATE promotions_entry SET leaf = sha256(leaf) WHERE id = (SELECT min(id) FROM promotions_entry)"
LIST_CRIMES = {
    "changed": CHANGE,
    "two swapped": """UPDATE promotions_entry e SET leaf = o.leaf FROM promotions_entry o
                      WHERE (e.reference, o.reference) IN (('R-1', 'R-2'), ('R-2', 'R-1'))""",
    "withdrawn": """UPDATE promotions_entry SET withdrawn_at = now(), withdrawn_by = 'x', withdrawn_why = 'x'
                    WHERE reference = 'R-1'""",
    "added": """INSERT INTO promotions_entry (promotion_id, entrant_id, source, reference, entered_at, entered_by, salt,
                                              leaf, withdrawn_why)
                SELECT promotion_id, entrant_id, source, 'insider', entered_at, entered_by, salt, leaf, withdrawn_why
                FROM promotions_entry ORDER BY id LIMIT 1""",
    "taken away": "DELETE FROM promotions_entry WHERE reference = 'R-699'",
}


@pytest.mark.parametrize("crime", LIST_CRIMES.values(), ids=LIST_CRIMES)
@pytest.mark.parametrize("keeps", ["as sealed", "made to fit", "gone"])
def test_another_list_does_not_pass_for_the_sealed_one(promotion: Promotion, crime: Any, keeps: str) -> None:
    unguarded(crime)
    if keeps == "made to fit":  # everything right, but for the key, which the database does not have
        leaves = leaves_now()
        kept = b"".join(root_of(leaves[at : at + 256]) for at in (0, 256))
        mark = sha256(bytes(EntryList.objects.get().root) + sha256(b"".join(leaves)).digest() + kept).digest()
        unguarded("UPDATE promotions_sealedtiles SET tiles = %s, mark = %s", kept, mark)
    elif keeps == "gone":
        unguarded("DELETE FROM promotions_sealedtiles")
    assert "do not give the root of the 700 that were sealed as list 1" in not_drawn(promotion)


def test_nor_does_one_whose_root_was_changed_with_it(promotion: Promotion) -> None:
    """List, root, tiles: all made to fit each other. The log holds the root as it was published."""
    unguarded(CHANGE)
    unguarded("UPDATE promotions_entrylist SET root = %s", root_again(promotion))
    assert not_drawn(promotion).startswith("The root on record of list 1 is not the one that was published.")


def test_nor_one_that_was_never_published(promotion: Promotion) -> None:
    unguarded("DELETE FROM ledger_act WHERE kind = 'promotion.entries-sealed'")
    assert "not the one that was published" in not_drawn(promotion)


ROW_CRIMES = {
    "another's": "UPDATE promotions_entry SET entrant_id = (SELECT max(entrant_id) FROM promotions_entry)",
    "another salt": "UPDATE promotions_entry SET salt = gen_random_uuid()",
    "no salt": "UPDATE promotions_entry SET salt = NULL",
    "renamed": "UPDATE promotions_entrant SET identity = identity || 'X'",
    "nobody's": "UPDATE promotions_entrant SET identity = NULL",
}


@pytest.mark.parametrize("crime", ROW_CRIMES.values(), ids=ROW_CRIMES)
def test_a_drawn_entry_is_of_whom_it_was_sealed_for(promotion: Promotion, crime: Any) -> None:
    """The leaves as sealed, the root right: and yet the prize would go to somebody else."""
    unguarded(crime)
    assert "is another on record than was sealed in list 1." in asked_and_not_drawn(promotion)


AFTER_ASKING = {**LIST_CRIMES, "list and root": f"{CHANGE}; UPDATE promotions_entrylist SET root = sha256(root)"}


@pytest.mark.parametrize("crime", AFTER_ASKING.values(), ids=AFTER_ASKING)
def test_a_list_touched_while_the_witness_is_asked_is_not_drawn_from(
    promotion: Promotion, crime: Any, second_party: AtHand
) -> None:
    """And when the rows are as they were, it is drawn, by the answer that was given."""
    noted, second_party.away = promised(), True
    assert draw_it(promotion).begun_at is not None
    before = transaction.savepoint()
    unguarded(crime)
    second_party.away = False
    why = asked_and_not_drawn(promotion)
    assert "do not give the root" in why or "is not the one that was asked about" in why
    transaction.savepoint_rollback(before)
    draw_it(promotion)
    assert Promotion.objects.get().status == "drawn"
    assert failed(published(), noted) == []
