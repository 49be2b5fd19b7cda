#!/bin/sh
# The wheel of nanoarrow for free-threaded CPython switches the GIL on in the whole process when it is imported.
#
# Versions: nanoarrow 0.9.0, CPython 3.14 free-threaded, with numpy 2.5.5, pyarrow 26.0.1, greenlet 3.5.6 beside
#
# Expected: a wheel with the tag cp314t was built for running without the GIL, as those of the others are.
#
# Seen: `import nanoarrow` enables the GIL, with a RuntimeWarning only; the tag says that the binary fits, not that it is
# declared safe. All threads of the process run one at a time from there on.
. "$(dirname "$0")/parts/begin.sh"
environment 3.14t nanoarrow==0.9.0 numpy==2.5.5 pyarrow==26.0.1 greenlet==3.5.6 apache-tvm-ffi==0.1.15.post2
for name in numpy pyarrow greenlet tvm_ffi nanoarrow; do
  NAME=$name "$python" -W ignore - <<'P'
import importlib
import os
import sys

from seen import end, seen

before = sys._is_gil_enabled()
importlib.import_module(os.environ["NAME"])
wanted = (False, os.environ["NAME"] == "nanoarrow")
seen(f"GIL before and after the import of {os.environ['NAME']}", (before, sys._is_gil_enabled()), wanted)
end()
P
done
ls venv/lib/*/site-packages/nanoarrow/ | grep -c 'cpython-314t.*\.so'
