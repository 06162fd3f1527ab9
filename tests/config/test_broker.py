"""What a worker finds in its queue and cannot read is dropped and said; what comes after it is done."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
import redis
import structlog
from django.conf import settings
from kombu import Connection, Message, Queue

import config.celery  # noqa: F401  which makes every redis:// ours
from config.broker import is_message
from tests.world.faults import POISON

NAME = "poisoned-by-a-test"
WITHOUT_PROPERTIES = b'{"body": "W10=", "headers": {}}'
NUMBERS = (b"17", b"null", b"[1, 2]", b'{"properties": 1}', b"\xff\xfe", b'{"properties": {}, "body": ""}')


@pytest.fixture
def queue() -> Iterator[redis.Redis]:
    with redis.Redis.from_url(settings.REDIS_URL) as line:
        yield line
        line.delete(NAME)


def test_what_is_no_message_is_dropped_and_the_next_one_is_done(queue: redis.Redis) -> None:
    got: list[object] = []

    def take(body: object, message: Message) -> None:
        got.append(body)
        message.ack()

    with Connection(settings.CELERY_BROKER_URL) as line, structlog.testing.capture_logs() as said:
        producer = line.Producer(serializer="json")
        unreadable = (POISON[0], WITHOUT_PROPERTIES, *NUMBERS)
        queue.lpush(NAME, *unreadable)
        producer.publish({"game": 7}, routing_key=NAME, declare=[Queue(NAME)])
        consumer = line.Consumer([Queue(NAME)], accept=["json"])
        consumer.register_callback(take)
        with consumer:
            for _ in range(len(unreadable) + 1):
                line.drain_events(timeout=5)
    assert got == [{"game": 7}]
    dropped = [each for each in said if each["event"] == "message dropped"]
    assert len(dropped) == len(unreadable)
    assert "W10=" not in json.dumps(dropped)
    assert queue.llen(NAME) == 0


def test_what_a_message_has() -> None:
    assert is_message({"body": "", "properties": {"delivery_tag": "1", "delivery_info": {}}})
    assert not is_message({"body": "", "properties": {"delivery_tag": "1"}})
    assert not is_message(None)
