"""Workers, beats and a web server as forks of one process that has imported everything: each is up at once.

A line on standard input, ``worker NAME``, ``beat NAME``, ``sealer FOLDER`` or ``web PORT``, forks one and answers with
its process id. They are the programs of config/run.py in all that matters here: Celery's own worker and beat with the
same options, and the WSGI application. The end of standard input kills them all.
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Callable

# config/run.py has four children a worker; two of three workers are enough to step on each other's feet.
WORKER = "--quiet worker --concurrency 2 --without-gossip --without-mingle --loglevel WARNING -n"
BEAT = "--quiet beat --scheduler celery.beat:Scheduler --max-interval 1 --loglevel WARNING"


def worker(name: str) -> None:
    from config.celery import app

    app.worker_main([*WORKER.split(), f"{name}@live"])


def beat(name: str) -> None:
    from config.celery import app

    app.start(BEAT.split())


def web(port: str) -> None:
    from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler

    from config.wsgi import application

    class Quiet(WSGIRequestHandler):
        def log_message(self, format: str, *args: object) -> None: ...

    server = ThreadedWSGIServer(("127.0.0.1", int(port)), Quiet)
    server.set_app(application)
    server.serve_forever()


def sealer(data: str) -> None:
    """As the role that may seal, in the database of this folder."""
    import threading
    from pathlib import Path

    from django.conf import settings
    from django.db import connection

    from config.services import addresses
    from ledger.sealer import run

    own = addresses.django_database(addresses.embedded_database_url(Path(data), addresses.SEALER))
    connection.settings_dict.update({name: own[name] for name in ("USER", "PASSWORD")})
    settings.SEALS = True
    run(threading.Event())


PROGRAMS: dict[str, Callable[[str], None]] = {"worker": worker, "beat": beat, "web": web, "sealer": sealer}


def fork(program: str, argument: str) -> int:
    child = os.fork()
    if child:
        return child
    os.setsid()  # a group of its own, so that its children die with it
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # standard output is for the answers
    try:
        PROGRAMS[program](argument)
    except BaseException:
        traceback.print_exc()
    os._exit(1)  # never back into the loop of whoever forked us


def main() -> None:
    import django

    django.setup()
    import celery.apps.beat
    import celery.apps.worker
    import celery.bin.celery  # noqa: F401  what a fork need not import again

    import config.urls  # noqa: F401
    from config.celery import app

    app.loader.import_default_modules()
    children: list[int] = []
    for line in sys.stdin:
        children.append(fork(*line.split()))
        sys.stdout.write(f"{children[-1]}\n")
        sys.stdout.flush()
    for child in children:
        os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main()
