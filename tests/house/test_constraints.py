"""What the database itself refuses, whoever asks and however."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

pytestmark = pytest.mark.django_db

DAY = "INSERT INTO house_gamingday (date, opens_at, closes_at, closed_early_reason, closed_early_notice) VALUES "
DEVICE = (
    "INSERT INTO house_device (code, name, kind, profile, status, place, opens_own_shift, registered_at, revoked_at)"
    " VALUES "
)
PROPOSAL = (
    "INSERT INTO house_proposal (kind, subject, condition, why, status, proposed_by, proposed_at, decided_by,"
    " decided_at, comment, effective_at, effective_from, outcome, authority) VALUES "
)
INCIDENT = (
    "INSERT INTO house_incident (kind, clause, what, happened_at, subject, reported_by, reported_at, status, closed_by,"
    " closed_at, outcome) VALUES "
)
STAFF = (
    "INSERT INTO house_staff (password, username, name, is_active, must_change_password, is_demo, signs_in, hired_at)"
    " VALUES "
)
HASH = "'" + "0" * 64 + "'"


def run(sql: str) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql)


@pytest.mark.parametrize(
    ("sql", "constraint"),
    [
        (
            "INSERT INTO house_venue (id, code, name, time_zone, player_cards_required, limit_cooling_off_hours)"
            " VALUES (2, 'TWO', 'Second', 'Australia/Sydney', false, 168)",
            "house_venue_one_row",
        ),
        ("INSERT INTO house_openinghours VALUES (7, '10:00', '04:00')", "house_openinghours_weekday"),
        ("UPDATE house_openinghours SET closes = NULL", "house_openinghours_both_or_closed"),
        (DAY + "('2026-11-16', '2026-11-16 10:00Z', '2026-11-16 10:00Z', '', '')", "house_gamingday_opens_first"),
        (
            DAY + "('2026-11-16', '2026-11-16 10:00Z', '2026-11-17 04:00Z', '', ''),"
            "('2026-11-17', '2026-11-17 03:59Z', '2026-11-18 04:00Z', '', '')",
            "house_gamingday_no_overlap",
        ),
        (
            DAY + "('2026-11-16', '2026-11-16 10:00Z', '2026-11-17 04:00Z', '', ''),"
            "('2026-11-16', '2026-11-18 10:00Z', '2026-11-19 04:00Z', '', '')",
            "house_gamingday_date",
        ),
        (STAFF + "('', 'Anna', 'Anna', true, false, false, true, now())", "house_staff_username_plain"),
        (STAFF + "('', 'anna', 'Anna', true, false, false, false, now())", "house_staff_signs_in"),
        (
            "INSERT INTO house_grant (role_id, permission_id) VALUES ('administrator', 'staff.manage')",
            "house_grant_once",
        ),
        (DEVICE + "('X-1', 'x', 'toaster', 'writer', 'active', '', false, now(), NULL)", "house_device_kind_known"),
        (DEVICE + "('X-1', 'x', 'service', 'manager', 'active', '', false, now(), NULL)", "house_device_held"),
        (DEVICE + "('X-1', 'x', 'display', 'writer', 'lost', '', false, now(), NULL)", "house_device_"),
        (DEVICE + "('X-1', 'x', 'display', 'writer', 'revoked', '', false, now(), NULL)", "house_device_revoked_when"),
        (
            PROPOSAL
            + "('k', 's', '', 'why', 'approved', 'staff:a', now(), 'staff:a', now(), '', NULL, NULL, '', 'house')",
            "house_proposal_two_people",
        ),
        (
            PROPOSAL + "('k', 's', '', 'why', 'approved', 'staff:a', now(), NULL, NULL, '', NULL, NULL, '', 'house')",
            "house_proposal_decided_by_status",
        ),
        (
            PROPOSAL
            + "('k', 's', '', 'why', 'proposed', 'staff:a', now(), 'staff:b', now(), '', NULL, NULL, '', 'house')",
            "house_proposal_decided_by_status",
        ),
        (
            PROPOSAL
            + "('k', 's', '', 'why', 'effective', 'staff:a', now(), 'staff:b', now(), '', NULL, NULL, '', 'house')",
            "house_proposal_effective_when",
        ),
        (
            PROPOSAL + "('k', 's', '', 'why', 'waiting', 'staff:a', now(), NULL, NULL, '', NULL, NULL, '', 'house')",
            "house_proposal_",
        ),
        (
            PROPOSAL
            + "('k', 's', 'when-won', 'why', 'proposed', 'staff:a', now(), NULL, NULL, '', NULL, now(), '', 'house')",
            "house_proposal_one_moment",
        ),
        (
            PROPOSAL + "('k', 's', '', '', 'proposed', 'staff:a', now(), NULL, NULL, '', NULL, NULL, '', 'house')",
            "house_proposal_says_why",
        ),
        (
            INCIDENT + "('other', '', 'x', now(), '', 'staff:a', now(), 'closed', NULL, NULL, '')",
            "house_incident_closed_when",
        ),
        (
            INCIDENT + "('other', '', '', now(), '', 'staff:a', now(), 'open', NULL, NULL, '')",
            "house_incident_says_what",
        ),
    ],
)
def test_the_database_refuses(sql: str, constraint: str) -> None:
    with pytest.raises(IntegrityError, match=constraint):
        run(sql)


def test_one_day_may_open_when_another_closes() -> None:
    run(
        DAY + "('2026-11-16', '2026-11-16 10:00Z', '2026-11-17 04:00Z', '', ''),"
        "('2026-11-17', '2026-11-17 04:00Z', '2026-11-18 04:00Z', '', '')"
    )


@pytest.mark.parametrize("early", ["'2026-11-16 09:59Z'", "'2026-11-17 04:00Z'"])
def test_an_early_close_lies_inside_its_day(early: str) -> None:
    run(DAY + "('2026-11-16', '2026-11-16 10:00Z', '2026-11-17 04:00Z', '', '')")
    with pytest.raises(IntegrityError, match="house_gamingday_early_is_early"):
        run(f"UPDATE house_gamingday SET closed_early_at = {early}, closed_early_by = 'staff:a'")
    with pytest.raises(IntegrityError, match="house_gamingday_early_by_somebody"):
        run("UPDATE house_gamingday SET closed_early_at = '2026-11-16 12:00Z'")


def test_a_token_is_stored_only_as_a_hash() -> None:
    run(DEVICE + "('W-1', 'x', 'display', 'writer', 'active', '', false, now(), NULL)")
    for table, columns in (
        ("house_devicetoken", "hash, prefix, created_at, device_id, expires_at, is_replaced"),
        ("house_provisioningcode", "hash, expires_at, created_at, device_id"),
    ):
        second = "'abc'" if "prefix" in columns else "now()"
        more = ", now(), false" if "prefix" in columns else ""
        good = f"INSERT INTO {table} ({columns}) SELECT {HASH}, {second}, now(), id{more} FROM house_device"
        run(good)
        with pytest.raises(IntegrityError, match=f"{table}_hash"):  # unique
            run(good)
        with pytest.raises(IntegrityError, match=f"{table}_hashed"):
            run(good.replace(HASH, "'mh_abc_secret'"))


@pytest.mark.parametrize("table", ["house_proposal", "house_incident", "house_noticeattempt"])
def test_what_is_on_record_stays_on_record(table: str) -> None:
    run(PROPOSAL + "('k', 's', '', 'why', 'proposed', 'staff:a', now(), NULL, NULL, '', NULL, NULL, '', 'house')")
    run(INCIDENT + "('other', '', 'x', now(), '', 'staff:a', now(), 'open', NULL, NULL, '')")
    run("INSERT INTO house_notice (incident_id, \"to\", deadline) SELECT id, 'patron', '' FROM house_incident")
    run(
        "INSERT INTO house_noticeattempt (notice_id, at, by, how, reached, reference, notes)"
        " SELECT id, now(), 'staff:a', 'telephone', true, '', '' FROM house_notice"
    )
    with pytest.raises(DatabaseError, match=r"Cannot (update or )?delete|permission denied"):
        run(f"DELETE FROM {table}")
    if table == "house_noticeattempt":
        with pytest.raises(DatabaseError, match=r"Cannot update|permission denied"):
            run("UPDATE house_noticeattempt SET how = 'letter'")
