"""The web server stops whenever it is told to."""

from __future__ import annotations

from config.web import Server


def test_it_is_told_to_stop_in_the_moment_in_which_it_begins_to_wait() -> None:
    server = Server("config.wsgi:application", interface="wsgi")
    with server.main_loop_interrupt._cond:  # what the main thread holds then, which is the one that hears signals
        server.signal_handler_interrupt()
        server.signal_handler_interrupt()
    assert server.main_loop_interrupt.wait(60)
    assert server.interrupt_signal
