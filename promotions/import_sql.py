"""What an import does in the database, statement by statement: the waiting rows up to the line %(upto)s."""

from __future__ import annotations

from typing import Final

from promotions import leaves

# The same reference twice: the first line of the file enters, if none has before.
DUPLICATES: Final = """
    WITH twice AS (
        SELECT r.id, row_number() OVER (PARTITION BY r.reference ORDER BY r.line) > 1 AS in_file,
               EXISTS (SELECT FROM promotions_entry e
                       WHERE e.promotion_id = %(promotion)s AND e.reference = r.reference AND NOT e.rejected) AS entered
        FROM promotions_importrow r WHERE r.of_id = %(import)s AND r.error = '' AND r.line <= %(upto)s
    )
    UPDATE promotions_importrow r
    SET error = CASE WHEN twice.entered THEN 'This reference has been entered already.'
                     ELSE 'This reference is in the file twice.' END
    FROM twice WHERE twice.id = r.id AND (twice.in_file OR twice.entered)
"""
BARRED: Final = """
    UPDATE promotions_importrow r SET error = 'The holder of this card cannot take part: ' || b.why || '.'
    FROM unnest(%(who)s::text[], %(why)s::text[]) b (who, why)
    WHERE r.of_id = %(import)s AND r.error = '' AND r.line <= %(upto)s AND r.identity = b.who
"""
OVER_LIMIT: Final = """
    WITH had AS (
        SELECT n.identity, count(*) AS entries FROM promotions_entrant n JOIN promotions_entry e ON e.entrant_id = n.id
        WHERE n.promotion_id = %(promotion)s AND e.withdrawn_at IS NULL
        AND n.identity IN (SELECT identity FROM promotions_importrow
                           WHERE of_id = %(import)s AND error = '' AND line <= %(upto)s)
        GROUP BY n.identity
    ), over AS (
        SELECT r.id, row_number() OVER (PARTITION BY r.identity ORDER BY r.line) + coalesce(had.entries, 0) AS nth
        FROM promotions_importrow r LEFT JOIN had USING (identity)
        WHERE r.of_id = %(import)s AND r.error = '' AND r.line <= %(upto)s
    )
    UPDATE promotions_importrow r
    SET error = 'This person has entered ' || %(limit)s::int || ' times, as often as the terms allow.'
    FROM over WHERE over.id = r.id AND over.nth > %(limit)s::int
"""
REFUSED: Final = "SELECT count(*) FROM promotions_importrow WHERE of_id = %(import)s AND error <> ''"
UPTO: Final = """
    SELECT max(line) FROM (
        SELECT line FROM promotions_importrow WHERE of_id = %(import)s AND error = '' ORDER BY line LIMIT %(most)s
    ) batch
"""

_BATCH: Final = """
    SELECT * FROM promotions_importrow WHERE of_id = %(import)s AND error = '' AND line <= %(upto)s ORDER BY line
"""
# In this order; the last one empties the waiting table of what has been entered.
ENTER: Final = (
    # In the order of its index, which is then written from one end to the other.
    """INSERT INTO promotions_entrant (promotion_id, identity)
       SELECT DISTINCT %(promotion)s::bigint, identity FROM promotions_importrow
       WHERE of_id = %(import)s AND error = '' AND line <= %(upto)s ORDER BY identity ON CONFLICT DO NOTHING""",
    f"""INSERT INTO promotions_person (entrant_id, name, address, telephone, email)
        SELECT DISTINCT ON (n.id) n.id, r.name, r.address, r.telephone, r.email FROM ({_BATCH}) r
        JOIN promotions_entrant n ON n.promotion_id = %(promotion)s AND n.identity = r.identity
        WHERE r.name <> '' ORDER BY n.id, r.line DESC
        ON CONFLICT (entrant_id) DO UPDATE SET name = excluded.name, address = excluded.address,
            telephone = excluded.telephone, email = excluded.email""",  # noqa: S608
    f"""WITH r AS (
            SELECT nextval('promotions_entry_id_seq') AS number, b.* FROM ({_BATCH}) b
        ), e AS MATERIALIZED (
            SELECT r.number, r.identity, r.reference, r.wagered, n.id AS entrant, gen_random_uuid()::text AS salt
            FROM r JOIN promotions_entrant n ON n.promotion_id = %(promotion)s AND n.identity = r.identity
        )
        INSERT INTO promotions_entry (id, promotion_id, entrant_id, source, reference, entered_at, entered_by, wagered,
                                      salt, leaf, withdrawn_why, of_import_id)
        SELECT e.number, %(promotion)s, e.entrant, 'csv', e.reference, %(now)s, %(by)s, e.wagered, e.salt::uuid,
               {leaves.SQL}, '', %(import)s
        FROM e""",  # noqa: S608
    "DELETE FROM promotions_importrow WHERE of_id = %(import)s AND error = '' AND line <= %(upto)s",
)
# Of refused rows the line and the reason stay; of a stopped import's other rows nothing.
FORGET: Final = (
    "DELETE FROM promotions_importrow WHERE of_id = %(import)s AND error = ''",
    """UPDATE promotions_importrow
       SET identity = '', name = '', address = '', telephone = '', email = '', wagered = NULL
       WHERE of_id = %(import)s AND identity <> ''""",
)
