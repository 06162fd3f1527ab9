"""Servers of somebody else, where DATABASE_URL and REDIS_URL name them: whether they answer, said in a sentence."""

from __future__ import annotations

import os
import re

import psycopg
import redis

from config.environment import Trouble


def check() -> None:
    check_database()
    url = os.environ.get("REDIS_URL")
    if not url:
        return
    try:
        with redis.Redis.from_url(url, socket_connect_timeout=5, socket_timeout=5) as client:
            client.ping()
    except (redis.RedisError, ValueError, OSError) as error:
        raise Trouble(f"REDIS_URL ({_without_password(url)}) does not answer: {_first_line(error)}") from None


def check_database() -> None:
    url = os.environ.get("DATABASE_URL")
    if not url:
        return
    if not url.startswith(("postgres://", "postgresql://")):
        raise Trouble("DATABASE_URL must read postgresql://user:password@host:port/database.")
    try:
        psycopg.connect(url, connect_timeout=5).close()
    except psycopg.Error as error:
        raise Trouble(f"DATABASE_URL ({_without_password(url)}) does not answer: {_first_line(error)}") from None


def _without_password(url: str) -> str:
    return re.sub(r"(://[^/:@]*):[^@/]*@", r"\1:…@", url)


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".") + "."
