"""The runtime's builtin functions: ``_ffi_api.Name`` is the global function ``ffi.Name``."""

from . import registry as _registry

_registry.init_ffi_api("ffi", __name__)
