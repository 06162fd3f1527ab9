"""Everything from nothing, under one roof: ``python -m config.run``, which is what ``make run`` calls.

Starts PostgreSQL, Redis, the witness, sealer, worker, streams, web and beat in this order and stops them in the reverse
one. What is in the way of a start is said in one sentence, with exit code 1.
"""

from __future__ import annotations

import sys

if sys.version_info < (3, 11):  # noqa: UP036  the point is to say so before an import fails
    sys.exit("Meterhouse needs Python 3.11 or newer.")

import errno
import http.client
import os
import signal
import socket
import time
from pathlib import Path

from config import beacon, nodes, practice, separation
from config import keys as house_keys
from config.nodes import Share
from config.services import addresses, embedded, external
from config.services.lock import FolderLock
from config.services.postgres import Postgres
from config.services.private import make_private
from config.services.redis import Redis
from config.services.witness import OwnWitness
from config.supervisor import Program, Supervisor
from config.terminal import Terminal
from kernel import environment, keys
from kernel.environment import Trouble
from kernel.masking import mask_uncaught, masked

BESIDE = "127.0.0.1"  # where the house speaks to itself
TOLD_EVERY_SECONDS = 30.0


def main() -> int:
    environment.keep_to_ourselves()
    mask_uncaught()
    data = environment.data_folder()
    try:
        terminal = Terminal(log=data / "log" / "house.log")
    except Trouble as trouble:
        sys.exit(str(trouble))
    supervisor = Supervisor(terminal)
    lock = FolderLock(data, what="make run", serves=True)
    supervisor.listen()
    try:
        mine = nodes.share()
        port, streams_port = environment.web_port(), environment.streams_port()
        environment.host()
        # Asked for later; said now where they cannot be read.
        environment.demo_opens(), environment.demo_days(), environment.slow_seconds(), environment.streams_per_address()
        environment.witness_url(), environment.keno_promised_ahead()
        beacon.beacon_rule()
        lock.take_within(3.0)
        make_private(data)
        practice.keep_apart(data)
        embedded.end_killed_run(data)
        if not mine.only_witness:
            house_keys.ensure(mine.programs or keys.PROGRAMS)
        if mine.serves(keys.WEB) or mine.witness:
            _check_free(port, "PORT")
        if streams_port is None:
            streams_port = _free_port_near(port, 10_000)
        elif mine.serves(keys.STREAMS):
            _check_free(streams_port, "STREAMS_PORT")
        _start(supervisor, data, mine, port=port, streams_port=streams_port)
        if mine.programs or mine.witness:
            supervisor.watch()
    except Trouble as trouble:
        if supervisor.parts:
            terminal.say(str(trouble))
        else:
            sys.stderr.write(f"{masked(str(trouble))}\n")
        return 1
    finally:
        if supervisor.parts:
            lock.say_stopping()
            terminal.say("Stopping. Ctrl-C again hurries.")
            supervisor.stop()
            terminal.say("Everything has stopped.")
        lock.release()
        terminal.close()
    return 0


def _start(supervisor: Supervisor, data: Path, mine: Share, *, port: int, streams_port: int) -> None:
    terminal, started = supervisor.terminal, time.monotonic()
    for service in _services(data, mine, port=port):
        supervisor.start(service)
        supervisor.logs.append(service.log)
        terminal.say(f"{service.name} is up.")
        if supervisor.stopping.is_set():
            return

    inherited = {name: value for name, value in os.environ.items() if name not in addresses.PRIVILEGED} | {
        embedded.MARK: str(data),
        "PORT": str(port),
        "PRACTICE": "1" if environment.practice() else "0",
        "STREAMS_PORT": str(streams_port),
        "PYTHONUNBUFFERED": "1",
    }
    if mine.only_witness:
        terminal.say(f"The witness is ready: http://{environment.host()}:{port}/ Ctrl-C stops it.")
        return

    def program(name: str, *command: str, patience: float, role: str = addresses.RUNTIME) -> Program:
        line = [sys.executable, *command]
        environment = keys.for_program(name, inherited) | addresses.environment_of(role)
        # Celery asked nicely waits for a broker that is gone with us; its tasks bear being killed at any point.
        last = signal.SIGKILL if "celery" in command else signal.SIGTERM
        identity = separation.identity(name) if name in keys.PROGRAMS else None
        if identity is not None:
            environment["HOME"] = str(data)  # the one of whoever starts us is closed to others
        return Program(
            name,
            line,
            environment=environment,
            terminal=terminal,
            patience=patience,
            last_signal=last,
            identity=identity,
        )

    migrates = ("-m", "config.prepare", *(() if mine.prepares else ("--node",)))
    as_whom = addresses.OWNER if mine.prepares else addresses.RUNTIME
    prepare = program("prepare", *migrates, patience=10, role=as_whom)
    prepare.start()
    outcome = prepare.wait(unless=supervisor.stopping)
    if outcome is None:
        return
    if outcome != 0:
        raise Trouble("The database could not be prepared; the lines above say why.")
    separation.arrange(data)
    if why := separation.why_off():
        terminal.say(f"Separation is off: {why}. Web and workers could read the sealing key.")
    for name, patience, command in _programs(port=port, streams_port=streams_port):
        if not mine.serves(name):
            continue
        role = addresses.SEALER if name == keys.SEALER else addresses.RUNTIME
        supervisor.start(program(name, *command, patience=patience, role=role))
    if mine.only_prepares:
        terminal.say("The database is prepared.")
    elif _answering(supervisor, mine, port=port, streams_port=streams_port):
        took = f"{time.monotonic() - started:.1f} s"
        terminal.say(f"Meterhouse is ready after {took}: {_what_runs(mine, port=port)} Ctrl-C stops it.")


def _services(data: Path, mine: Share, *, port: int) -> list[Postgres | Redis | OwnWitness]:
    """What stands under the programs on this node, once it is arranged."""
    if mine.only_witness:
        return [OwnWitness(data, port=port, host=environment.host(), beside_house=False)]
    external.check()
    separation.arrange(data)
    beside = [OwnWitness(data, port=_free_port_near(port, 20_000))] if not environment.witness_url() else []
    return [*embedded.wanted(data), *beside]


def _programs(*, port: int, streams_port: int) -> list[tuple[str, float, list[str]]]:
    """In the order they start: name, seconds it gets to finish when stopped, what to call."""
    processes = max(2, min(os.cpu_count() or 2, 4))
    # Celery advises against root, and against users without a name, which it takes for root.
    quiet = ("-W", "ignore:You're running the worker with superuser", "-W", "ignore:An entry for the specified gid")
    celery = *quiet, "-m", "celery", "-A", "config.celery", "--quiet"
    worker = "worker --concurrency 4 --without-gossip --without-mingle --without-heartbeat --loglevel WARNING"
    # Beat keeps no calendar (decision 8): its scheduler holds the ticks in memory, with no file to spoil.
    beat = "beat --scheduler config.beat:Scheduler --max-interval 1 --loglevel WARNING"
    host = environment.host()
    streams = f"config.streams --host {host} --port {streams_port}"
    web = f"config.web config.wsgi:application --host {host} --port {port} --workers {processes}"
    return [
        ("sealer", 5, ["-m", "config.sealer"]),
        ("worker", 60, [*celery, *worker.split()]),
        ("streams", 5, ["-m", *streams.split()]),
        ("web", 10, ["-m", *web.split()]),
        ("beat", 5, [*celery, *beat.split()]),
    ]


def _what_runs(mine: Share, *, port: int) -> str:
    if not mine.serves(keys.WEB):
        return f"{', '.join(sorted(mine.programs))}."
    return f"http://{environment.host()}:{port}/ {_how_to_sign_in()}"


def _how_to_sign_in() -> str:
    if environment.demo():
        return "Sign in as one of the demo people; the sign-in page shows their passwords."
    return "Sign in with your name, password and second step."


def _answering(supervisor: Supervisor, mine: Share, *, port: int, streams_port: int) -> bool:
    """Whether all of it answers now; False where somebody asked to stop meanwhile. A slow machine is given its time:
    who waits is told, and nothing ends."""
    told_at = time.monotonic()
    while not supervisor.stopping.wait(0.1):
        for part in supervisor.parts:
            if not part.running:
                raise Trouble(f"{part.name} ended while starting ({part.ended}); the lines above say why.")
        web = not mine.serves(keys.WEB) or _web_answers(port)
        if web and (not mine.serves(keys.STREAMS) or _accepts(streams_port)):
            return True
        if time.monotonic() - told_at > TOLD_EVERY_SECONDS:
            told_at = time.monotonic()
            supervisor.terminal.say(f"Still starting: there is no answer on port {port if not web else streams_port}.")
    return False


def _own_address() -> str:
    """Where this machine finds what it serves."""
    served = environment.host()
    return {"0.0.0.0": BESIDE, "::": "::1"}.get(served, served)  # noqa: S104  a question, and no answer to everybody


def _web_answers(port: int) -> bool:
    connection = http.client.HTTPConnection(_own_address(), port, timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _accepts(port: int) -> bool:
    try:
        socket.create_connection((_own_address(), port), timeout=1).close()
    except OSError:
        return False
    return True


def _check_free(port: int, variable: str) -> None:
    what = {"PORT": "the web server", "STREAMS_PORT": "the event streams"}[variable]
    host = environment.host()
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except PermissionError:
            reason = f"Port {port} is reserved by the system"
        except OSError as error:
            if error.errno == errno.EADDRNOTAVAIL:
                raise Trouble(f"HOST={host} is no address of this machine.") from None
            reason = f"Port {port} is taken by another program"
        else:
            return
    raise Trouble(
        f"{reason}: choose another for {what} with {variable}={port + 10 if port < 65000 else 8010} make run."
    )


def _free_port_near(port: int, away: int) -> int:
    """For what has no port of its own: the same every time while it is free, and not a likely PORT of a second copy, as
    PORT + 1 would be."""
    for candidate in (port + away if port + away < 60_000 else port - away, 0):
        with socket.socket() as probe:
            try:
                probe.bind((BESIDE, candidate))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise Trouble("The system has no free port.")


if __name__ == "__main__":
    sys.exit(main())
