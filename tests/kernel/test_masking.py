from __future__ import annotations

import logging.config
import subprocess
import sys

import pytest

from kernel import masking
from kernel.environment import ROOT
from kernel.masking import masked
from web import logs

SECRET = "s3cr3t"
CASES = (
    "postgresql://meter:s3cr3t@10.0.0.7:5432/house does not answer",
    "postgresql://meter:s3cr3t/with@both@10.0.0.7/house",
    'unexpected character "p" in URI: "postgresql://meter:s3cr3t@10.0.0.7:port/house"',
    "postgresql:///house?user=meter&password=s3cr3t&sslmode=require",
    "host=10.0.0.7 user=meter password='s3cr3t with spaces' dbname=house",
    "redis://:s3cr3t@10.0.0.7/0 and amqp://guest:s3cr3t@10.0.0.8//",
    '{"username": "anna", "password": "s3cr3t"}',
    "{'security_code': 's3cr3t', 'method': 'cash'}",
    "Authorization: Bearer s3cr3t",
    "BEARER s3cr3t",
    "the token mh_0123abcd_s3cr3t is unknown",
    "sessionid in Cookie: s3cr3t",
    'null value in column "actor"\nDETAIL:  Failing row contains (1, null, s3cr3t\nand s3cr3t).',
    'duplicate key value\nDETAIL:  Key (hash)=(s3cr3t) already exists.\nCONTEXT:  COPY t, line 1: "s3cr3t"',
    'invalid input syntax for type integer: "s3cr3t: "quoted""\nLINE 1: SELECT \'s3cr3t\'',
    repr(ValueError("invalid input syntax for type integer: \"s3cr3t\"\nLINE 1: SELECT 's3cr3t'\n  ^")),
)


@pytest.mark.parametrize("text", CASES)
def test_a_secret_is_left_out_and_the_rest_stays(text: str) -> None:
    assert "s3cr3t" not in masked(text)
    assert masked(text)[:4] == text[:4]


def test_what_is_no_secret_stays() -> None:
    for text in (
        "Ticket 7K2MX0Q4RT9B is paid: $50.00 at 21:04.",
        "http://127.0.0.1:8000/ serves; write to anna@example.org",
        "User name or password is wrong.",
        "code wrong-code, field plays[0].stake",
    ):
        assert masked(text) == text


def test_this_installations_own_are_left_out_wherever_they_turn_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://meter:a%20long%2Fone@db/house")
    monkeypatch.setenv("SECRET_KEY", "f9s8d7f9s8d7f")
    masking.own_secrets.cache_clear()
    try:
        said = masked("tried a long/one, a%20long%2Fone and f9s8d7f9s8d7f")
        assert said == "tried (not logged), (not logged) and (not logged)"
    finally:
        masking.own_secrets.cache_clear()


PROGRAM = """
import threading
from kernel.masking import mask_uncaught
mask_uncaught()
def fail(password):
    raise ValueError(f"postgresql://meter:{password}@db/house is away")
thread = threading.Thread(target=fail, args=["s3cr3t"])
thread.start(); thread.join()
fail("s3cr3t")
"""


def test_an_error_that_nobody_catches_is_told_without_them() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], check=False, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.count("ValueError: postgresql://meter:(not logged)@db/house is away") == 2
    assert "s3cr3t" not in done.stdout + done.stderr


def _fails(password: str) -> None:
    code = f"{password}-code"
    assert code
    raise RuntimeError("broken")


@pytest.mark.parametrize("terminal", [True, False])
def test_no_log_line_shows_what_the_variables_held(terminal: bool) -> None:
    made = logging.config.DictConfigurator(logs.settings(terminal=terminal))
    formatter = made.configure_formatter(logs.settings(terminal=terminal)["formatters"]["line"])
    try:
        _fails(SECRET)
    except RuntimeError:
        record = logging.LogRecord("x", logging.ERROR, "", 0, "failed with %s", (f"password={SECRET}",), sys.exc_info())
    said = formatter.format(record)
    assert "RuntimeError: broken" in said
    assert "_fails" in said
    assert "s3cr3t" not in said
