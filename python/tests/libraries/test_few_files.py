"""An import that would leave Go without files is refused, since Go would end the process."""

# Requirements: C17, I6, I12

import subprocess
import sys

import pytest


@pytest.mark.skipif(sys.platform != "linux", reason="checked on Linux only")
def test_import_without_files_is_refused():
    program = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (64, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
files = []
try:
    while True:
        files.append(os.open("/dev/null", os.O_RDONLY))
except OSError:
    pass
for file in files[-3:]:
    os.close(file)
try:
    import selfsame_ffi
except ImportError as error:
    print(error)
for file in files[:-3]:
    os.close(file)
for name in [name for name in sys.modules if name.startswith("selfsame_ffi")]:
    del sys.modules[name]
import selfsame_ffi
print(len(selfsame_ffi.Array([1])))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0, done.stderr
    refusal, length = done.stdout.splitlines()
    assert "can open 3 more files" in refusal and "RLIMIT_NOFILE" in refusal and length == "1"
