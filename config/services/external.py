"""Servers of somebody else, where DATABASE_URL and REDIS_URL name them: whether they answer, said in a sentence."""

from __future__ import annotations

import os
from urllib.parse import urlsplit

import psycopg
import redis

from kernel.environment import Trouble
from kernel.masking import masked

_DATABASE = ("DATABASE_URL", "DATABASE_OWNER_URL", "DATABASE_SEALER_URL")


def check() -> None:
    check_database()
    url = os.environ.get("REDIS_URL")
    if not url:
        return
    try:
        with redis.Redis.from_url(url, socket_connect_timeout=5, socket_timeout=5) as client:
            client.ping()
    except (redis.RedisError, ValueError, OSError) as error:
        raise Trouble(f"REDIS_URL ({masked(url)}) does not answer: {_first_line(error)}") from None


def check_database() -> None:
    if not os.environ.get("DATABASE_URL"):
        return
    named = [variable for variable in _DATABASE if os.environ.get(variable)]
    for variable in named:
        _check_address(variable, os.environ[variable])
    if "DATABASE_OWNER_URL" in named and len({urlsplit(os.environ[each]).username for each in named}) < len(_DATABASE):
        raise Trouble(
            "DATABASE_OWNER_URL, DATABASE_URL and DATABASE_SEALER_URL name three roles of the database, the owner, the "
            "one that runs and the one that seals: docs/separation.md says how to make them."
        )


def _check_address(variable: str, url: str) -> None:
    if not url.startswith(("postgres://", "postgresql://")):
        raise Trouble(f"{variable} must read postgresql://user:password@host:port/database.")
    try:
        psycopg.connect(url, connect_timeout=5).close()
    except psycopg.Error as error:
        raise Trouble(f"{variable} ({masked(url)}) does not answer: {_first_line(error)}") from None


def _first_line(error: Exception) -> str:
    return masked(str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".") + "."
