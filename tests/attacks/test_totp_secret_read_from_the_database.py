"""Somebody with the database's password reads the secrets of the second steps to make codes himself, or copies his own
secret over a manager's and signs in with the code of his own telephone."""

from __future__ import annotations

import base64

from django.db import connection
from django_otp.oath import totp

from house import demo
from house.models import SecondStep
from tests.attacks.insider import House, Person


def test_the_tables_give_no_secret_away(house: House) -> None:
    secret = SecondStep.objects.get(user__username="manager").bin_key
    written = {secret.hex(), secret.hex().upper(), base64.b32encode(secret).decode(), base64.b64encode(secret).decode()}
    with connection.cursor() as cursor:
        cursor.execute("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")
        for (table,) in cursor.fetchall():
            cursor.execute(f"SELECT coalesce(string_agg(t::text, ' '), '') FROM \"{table}\" t")
            content = cursor.fetchone()[0]
            assert not any(each in content for each in written), table


def test_a_secret_copied_to_another_person_makes_no_code(house: House) -> None:
    own = SecondStep.objects.get(user__username="writer")
    SecondStep.objects.filter(user__username="manager").update(encrypted_key=own.encrypted_key, last_t=-1)
    writer = Person(house.server)
    password = demo.password()
    with house.unchanged(but=["staff.sign-in-failed"]):
        assert writer.post("/sign-in/", {"username": "manager", "password": password}).status == 302
        answer = writer.post("/sign-in/second-step/", {"code": f"{totp(own.bin_key):06d}"})
        assert answer.status == 401
        assert writer.get("/staff/").status == 302
