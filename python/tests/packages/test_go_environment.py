"""The environment that Go code of a package sees, which Go copies when it starts."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Go on Windows has no copy of the environment")

HEAD = """
import os, sys
os.environ["SELFSAME_TEST_AT_INIT"] = "set in Python"
del os.environ["SELFSAME_TEST_GONE"]
import signatures
"""


def run(go_packages, body):
    path = os.pathsep.join([str(go_packages), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = os.environ | {"PYTHONPATH": path, "SELFSAME_TEST_GONE": "1", "SELFSAME_TEST_KEPT": "a=b"}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", HEAD + body],
        env=environment,
        capture_output=True,
        text=True,
        timeout=1800,
    )
    assert (done.returncode, done.stdout) == (0, "passed\n"), done.stdout + done.stderr


def test_go_sees_what_python_has_set_before_the_import(go_packages):
    run(
        go_packages,
        """
assert signatures.environment_at_init() == ("set in Python", True)
assert signatures.environment("SELFSAME_TEST_GONE") == ("", False)
assert signatures.environment("SELFSAME_TEST_KEPT") == ("a=b", True)
assert signatures.number_of_variables() == len(os.environ)
print("passed")
""",
    )


def test_go_sees_what_python_sets_later(go_packages):
    run(
        go_packages,
        """
os.environ["SELFSAME_TEST_LATER"] = "Grüße"
assert signatures.environment("SELFSAME_TEST_LATER") == ("Grüße", True)
os.environ["SELFSAME_TEST_LATER"] = ""
assert signatures.environment("SELFSAME_TEST_LATER") == ("", True)
os.putenv("SELFSAME_TEST_PUT", "1")
assert signatures.environment("SELFSAME_TEST_PUT") == ("1", True)
os.unsetenv("SELFSAME_TEST_PUT")
assert signatures.environment("SELFSAME_TEST_PUT") == ("", False)
before = dict(os.environ)
os.environ.clear()
assert signatures.number_of_variables() == 0
os.environ.update(before)
assert signatures.number_of_variables() == len(os.environ) == len(before)
for name, value in (("a=b", "1"), ("a\\0", "1"), ("a", "\\0"), (1, 2)):
    try:
        os.putenv(name, value)
    except (ValueError, TypeError, OSError):
        pass
    else:
        raise AssertionError(f"{name!r} was taken")
assert signatures.number_of_variables() == len(before)
print("passed")
""",
    )


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_go_in_a_forked_child_sees_what_the_child_sets(go_packages):
    run(
        go_packages,
        """
signatures.number_of_variables()
os.environ["SELFSAME_TEST_PARENT"] = "1"
child = os.fork()
if child == 0:
    os.environ["SELFSAME_TEST_CHILD"] = "before Go"
    del os.environ["SELFSAME_TEST_KEPT"]
    assert signatures.environment("SELFSAME_TEST_CHILD") == ("before Go", True)
    assert signatures.environment("SELFSAME_TEST_PARENT") == ("1", True)
    assert signatures.environment("SELFSAME_TEST_KEPT") == ("", False)
    os.environ["SELFSAME_TEST_CHILD"] = "while Go runs"
    assert signatures.environment("SELFSAME_TEST_CHILD") == ("while Go runs", True)
    os._exit(0)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
assert signatures.environment("SELFSAME_TEST_CHILD") == ("", False)
print("passed")
""",
    )
