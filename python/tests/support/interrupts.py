"""Ctrl-C for the main thread, sent by another one."""

from __future__ import annotations

import signal
import sys
import threading


def interrupt_main_thread() -> None:
    """Send SIGINT. Windows has no signals for threads: it runs handlers of Ctrl-C on a thread of its own."""
    ident = threading.main_thread().ident
    if sys.platform == "win32" or ident is None:
        signal.raise_signal(signal.SIGINT)
    else:
        signal.pthread_kill(ident, signal.SIGINT)
