"""Imports the C core before everything else, and says what to do where that fails."""

from __future__ import annotations

from .advice import core_advice

try:
    from .. import _core

    _core.start  # noqa: B018  the folder with the sources of the core is a package too, without anything in it
except (ImportError, AttributeError) as error:
    cause = error if isinstance(error, ImportError) else ImportError("selfsame_ffi: the C core was not built")
    if hint := core_advice(cause):
        raise ImportError(f"{cause}{hint}") from error
    raise
