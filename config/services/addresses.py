"""The addresses of database, cache and broker: the environment's, else the embedded ones'."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path
from urllib.parse import quote

from config.environment import data_folder

POSTGRES_USER = "meterhouse"
POSTGRES_DATABASE = "meterhouse"


def socket_folder(data: Path) -> Path:
    """In the data folder where a unix socket's path fits (107 bytes), else a folder of its own in the temporary one."""
    inside = data / "sockets"
    if len(str(inside)) < 80:
        return inside
    return Path(tempfile.gettempdir()) / f"meterhouse-{hashlib.sha256(str(data).encode()).hexdigest()[:12]}"


def database_url() -> str:
    return os.environ.get("DATABASE_URL") or embedded_database_url(data_folder())


def embedded_database_url(data: Path) -> str:
    return f"postgresql://{POSTGRES_USER}@{quote(str(socket_folder(data)), safe='')}/{POSTGRES_DATABASE}"


def redis_socket(data: Path) -> Path:
    return socket_folder(data) / "redis.sock"


def redis_url() -> str:
    return os.environ.get("REDIS_URL") or embedded_redis_url(data_folder())


def embedded_redis_url(data: Path) -> str:
    return f"unix://{redis_socket(data)}?db=0"


def broker_url() -> str:
    explicit = os.environ.get("CELERY_BROKER_URL") or os.environ.get("REDIS_URL")
    return explicit or f"redis+socket://{redis_socket(data_folder())}?virtual_host=0"
