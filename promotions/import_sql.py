"""What an import does in the database, statement by statement: a file is judged and entered as a whole, not row by row.

The rows lie in a table of the transaction's own while this is done. Whoever cannot enter leaves it, with the reason.
"""

from __future__ import annotations

from typing import Final

from promotions import leaves, players

WAITING: Final = (
    "DROP TABLE IF EXISTS pg_temp.promotions_waiting, pg_temp.promotions_whose",
    """CREATE TEMPORARY TABLE promotions_waiting (
           line integer, given text, reference text, error text, wagered bigint,
           name text, address text, telephone text, email text
       ) ON COMMIT DROP""",
)
COPY: Final = "COPY promotions_waiting FROM STDIN"
ANALYZE: Final = "ANALYZE promotions_waiting (given, reference)"
ANALYZE_ENTRIES: Final = "SELECT promotions_analyze_entries()"

# Refused by a step before.
REFUSED_BEFORE: Final = """
    DELETE FROM promotions_waiting w USING promotions_importrow r WHERE r.of_id = %(import)s AND r.line = w.line
"""
# The player behind each card, asked once; whoever gave no card is who he says. No identity: a card that is nobody's.
# In the order of the file, so that its entrants stand together, and so do their entries.
WHOSE: Final = (
    f"""CREATE TEMPORARY TABLE promotions_whose ON COMMIT DROP AS
        SELECT g.given, g.first, CASE WHEN g.given LIKE 'card:%%' THEN c.identity ELSE g.given END AS identity
        FROM (SELECT given, min(line) AS first FROM promotions_waiting GROUP BY given) g
        LEFT JOIN ({players.CARDS}) c ON c.card = substr(g.given, 6) AND g.given LIKE 'card:%%'""",  # noqa: S608  only our own text is put together
    "ANALYZE promotions_whose",
)


def _refuse(why: str, which: str) -> str:
    return f"""
        WITH refused AS (
            DELETE FROM promotions_waiting w {which} RETURNING w.line, w.reference, {why} AS error
        )
        INSERT INTO promotions_importrow (of_id, line, reference, error)
        SELECT %(import)s, line, reference, error FROM refused
    """  # noqa: S608


UNREADABLE: Final = _refuse("w.error", "WHERE w.error IS NOT NULL")
UNKNOWN: Final = _refuse("%(unknown)s", "USING promotions_whose n WHERE n.given = w.given AND n.identity IS NULL")
BARRED: Final = _refuse(
    "'The holder of this card cannot take part: ' || b.why || '.'",
    """USING promotions_whose n JOIN unnest(%(who)s::text[], %(why)s::text[]) b (who, why) ON b.who = n.identity
       WHERE n.given = w.given""",
)
# The same reference twice: the first line of the file enters, if none has before.
ENTERED: Final = _refuse(
    "'This reference has been entered already.'",
    """USING promotions_entry e
       WHERE e.promotion_id = %(promotion)s AND e.reference = w.reference AND NOT e.rejected""",
)
TWICE: Final = _refuse(
    """CASE WHEN EXISTS (SELECT FROM promotions_entry e
                         WHERE e.promotion_id = %(promotion)s AND e.reference = w.reference AND NOT e.rejected)
            THEN 'This reference has been entered already.' ELSE 'This reference is in the file twice.' END""",
    """USING (
           SELECT reference, min(line) AS first FROM promotions_waiting GROUP BY reference HAVING count(*) > 1
       ) t WHERE t.reference = w.reference AND w.line > t.first""",
)
OVER_LIMIT: Final = _refuse(
    "'This person has entered ' || %(limit)s::int || ' times, as often as the terms allow.'",
    """USING (
           SELECT r.line, row_number() OVER (PARTITION BY identity ORDER BY r.line) + had AS nth
           FROM (
               SELECT n.identity, coalesce(had.entries, 0) AS had
               FROM promotions_waiting r JOIN promotions_whose n USING (given) LEFT JOIN (
                   SELECT x.identity, count(*) AS entries
                   FROM promotions_entrant x JOIN promotions_entry e ON e.entrant_id = x.id
                   WHERE x.promotion_id = %(promotion)s AND e.withdrawn_at IS NULL
                   AND x.identity IN (SELECT identity FROM promotions_whose) GROUP BY x.identity
               ) had USING (identity)
               GROUP BY n.identity, had.entries HAVING count(*) + coalesce(had.entries, 0) > %(limit)s::int
           ) many JOIN promotions_whose n USING (identity) JOIN promotions_waiting r USING (given)
       ) over WHERE over.line = w.line AND over.nth > %(limit)s::int""",
)
# Nobody becomes an entrant by a row that was refused.
NOBODYS: Final = """
    DELETE FROM promotions_whose n WHERE NOT EXISTS (SELECT FROM promotions_waiting w WHERE w.given = n.given)
"""

# Nobody else makes an entrant meanwhile, so that no row looks twice whether
# he is there, as ON CONFLICT would.
ENTRANTS: Final = """
INSERT INTO promotions_entrant (promotion_id, identity)
       SELECT %(promotion)s::bigint, o.identity FROM promotions_whose o
       WHERE NOT EXISTS (SELECT FROM promotions_entrant n
                         WHERE n.promotion_id = %(promotion)s AND n.identity = o.identity)
       GROUP BY o.identity ORDER BY min(o.first)
"""
# The last one is the entries.
ENTRIES: Final = (
    """INSERT INTO promotions_person (entrant_id, name, address, telephone, email)
       SELECT DISTINCT ON (n.id) n.id, r.name, r.address, r.telephone, r.email
       FROM promotions_waiting r JOIN promotions_whose o USING (given)
       JOIN promotions_entrant n ON n.promotion_id = %(promotion)s AND n.identity = o.identity
       WHERE r.name <> '' ORDER BY n.id, r.line DESC
       ON CONFLICT (entrant_id) DO UPDATE SET name = excluded.name, address = excluded.address,
           telephone = excluded.telephone, email = excluded.email""",
    # Numbered in the order of the file, once: a join may read what it joins several times.
    f"""WITH r AS MATERIALIZED (
            SELECT nextval('promotions_entry_id_seq') AS number, given, reference, wagered
            FROM (SELECT * FROM promotions_waiting ORDER BY line) w
        )
        INSERT INTO promotions_entry (id, promotion_id, entrant_id, source, reference, entered_at, entered_by, wagered,
                                      salt, leaf, withdrawn_why, of_import_id)
        SELECT e.number, %(promotion)s, e.entrant, 'csv', e.reference, %(now)s, %(by)s, e.wagered, e.salt,
               {leaves.SQL}, '', %(import)s
        FROM (
            SELECT r.number, r.reference, r.wagered, n.id AS entrant, n.identity, gen_random_uuid() AS salt
            FROM r JOIN promotions_whose o USING (given)
            JOIN promotions_entrant n ON n.promotion_id = %(promotion)s AND n.identity = o.identity
        ) e""",  # noqa: S608
)
