# Run once, before anything else: what the options of Start say, and what fits a Go program. GIVEN has the options.
import importlib
import sys

given = globals()["GIVEN"]
sys.argv = given["argv"]
sys.path[:0] = given["path"]
for stream in (sys.stdout, sys.stderr):
    if hasattr(stream, "reconfigure"):  # so that lines of Python and Go stand in their order, and none is lost
        stream.reconfigure(line_buffering=True)
try:
    importlib.import_module("selfsame_ffi")
except ModuleNotFoundError as error:
    if error.name != "selfsame_ffi":
        raise
    raise ModuleNotFoundError(
        f"the Python at {sys.executable} has no package selfsame_ffi; "
        f"run `{sys.executable} -m pip install selfsame-ffi`"
    ) from None
if sys.version_info < (3, 14):  # a forked child would have no Go
    import multiprocessing

    multiprocessing.set_start_method("spawn")
