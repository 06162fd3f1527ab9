"""The bytes of a row: what is hashed into a seal and written to an export, made by the database in one place.

A row's text is JSON with its fields in a fixed order; what a row does not have is left out. The hash of exactly these
bytes is the leaf of the tree, so an export can be checked with nothing but SHA-256. Changing a single character here
would contradict every seal made before: a new shape needs a new ``type``.
"""

from __future__ import annotations

from typing import Final

_AT: Final = """to_char({0}.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')"""
_DAY: Final = "to_char({0}.day, 'YYYY-MM-DD')"

_TRANSFER: Final = f"""concat(
    '{{"type":"transfer","id":', t.id, ',"tx":', t.tx, ',"at":"', {_AT.format("t")}, '","day":"', {_DAY.format("t")},
    '","kind":', to_json(t.kind), ',"reference":', to_json(t.reference),
    ',"debit":', to_json(d.code), ',"credit":', to_json(c.code), ',"micros":', t.amount,
    ',"actor":', to_json(t.actor), ',"reverses":' || t.reverses_id,
    ',"memo":' || t.memo::text, '}}')"""
_ACT: Final = f"""concat(
    '{{"type":"act","id":', a.id, ',"tx":', a.tx, ',"at":"', {_AT.format("a")}, '","day":"', {_DAY.format("a")},
    '","kind":', to_json(a.kind), ',"subject":', to_json(a.subject), ',"actor":', to_json(a.actor),
    ',"data":', a.data::text, '}}')"""


def _log(column: str) -> str:
    """Rows with %(since)s <= tx < %(upto)s as (tx, id, column), where the column is made of the row's text."""
    return f"""
        SELECT t.tx, t.id, {column.format(_TRANSFER)}
        FROM ledger_transfer t
        JOIN ledger_account d ON d.id = t.debit_id
        JOIN ledger_account c ON c.id = t.credit_id
        WHERE t.tx >= %(since)s AND t.tx < %(upto)s
        UNION ALL
        SELECT a.tx, a.id, {column.format(_ACT)}
        FROM ledger_act a
        WHERE a.tx >= %(since)s AND a.tx < %(upto)s
    """  # noqa: S608  # assembled from constants above


ROWS: Final = _log("{0} AS row")
# Hashed as they are read: sorting a million hashes is far cheaper than sorting a million texts.
LEAVES: Final = _log(r"sha256('\x00'::bytea || convert_to({0}, 'UTF8')) AS leaf")
