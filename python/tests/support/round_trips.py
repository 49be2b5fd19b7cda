"""Functions that copy a value in depth, by name: pickle and deepcopy."""

from __future__ import annotations

import copy
import pickle
from typing import Any, Callable

PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)


def pickled(value: Any, protocol: int = pickle.HIGHEST_PROTOCOL) -> Any:
    """A copy by the default pickler."""
    return pickle.loads(pickle.dumps(value, protocol))


def by_python_pickle(value: Any) -> Any:
    """A copy by the pickler and unpickler of the standard library that are written in Python."""
    return pickle._loads(pickle._dumps(value, 4))


ROUND_TRIPS: dict[str, Callable[[Any], Any]] = {
    f"pickle {p}": (lambda value, p=p: pickled(value, p)) for p in (0, 2, pickle.HIGHEST_PROTOCOL)
}
ROUND_TRIPS["pickle in Python"] = by_python_pickle
ROUND_TRIPS["deepcopy"] = copy.deepcopy
