"""A line between a terminal and the running copy that loses requests, loses answers, or is dead; the test says when."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

CHUNK_BYTES = 65_536


class BadLine:
    def __init__(self, port: int) -> None:
        self.house_port = port
        self.answers_to_lose = 0
        self.requests_to_lose = 0
        self.holds_answers = False
        """The house has answered, and the terminal waits."""
        self.answer_held = threading.Event()
        self.is_dead = False
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._door.getsockname()[1])

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def serve(self) -> None:
        while True:
            try:
                near, _ = self._door.accept()
            except OSError:
                return
            threading.Thread(target=self._carry, args=[near], daemon=True).start()

    def close(self) -> None:
        self._door.close()

    def _carry(self, near: socket.socket) -> None:
        if self.is_dead:
            near.close()
            return
        far = socket.create_connection(("127.0.0.1", self.house_port))
        back = threading.Thread(target=self._answers, args=[far, near], daemon=True)
        back.start()
        with far, near:
            while asked := _read(near):
                if self.requests_to_lose:
                    self.requests_to_lose -= 1
                    break
                far.sendall(asked)
            _end(far)
            _end(near)
        back.join()

    def _answers(self, far: socket.socket, near: socket.socket) -> None:
        while said := _read(far):
            if self.holds_answers:
                self.answer_held.set()
                return
            if self.answers_to_lose:
                self.answers_to_lose -= 1
                break
            near.sendall(said)
        _end(near)


def _read(line: socket.socket) -> bytes:
    try:
        return line.recv(CHUNK_BYTES)
    except OSError:
        return b""


def _end(line: socket.socket) -> None:
    try:
        line.shutdown(socket.SHUT_RDWR)
    except OSError:
        return


@contextmanager
def bad_line(port: int) -> Iterator[BadLine]:
    line = BadLine(port)
    threading.Thread(target=line.serve, daemon=True).start()
    try:
        yield line
    finally:
        line.close()
