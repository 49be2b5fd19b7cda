"""The live view of a process: selfsame_ffi.debug.serve, and `selfsame-ffi top`, which looks at it."""

# Requirement: G5

import errno
import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import origins
import pytest
from selfsame_ffi import debug
from selfsame_ffi._debug import top as _top


@pytest.fixture
def served(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    with debug.serve() as server:
        yield tmp_path / f"selfsame-ffi-{os.getuid()}" / str(os.getpid()), server


def request(place, content):
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(place / "socket"))
        client.sendall(content + b"\n")
        return json.loads(client.makefile().readline())


def token_of(place):
    return json.dumps({"token": (place / "token").read_text()}).encode()


def looked(place):
    """Whether a right request gets a snapshot."""
    return "ffi.Function" in {row["type_key"] for row in request(place, token_of(place))["classes"]}


def test_view_needs_its_token(native, served):
    place, _ = served
    assert place.stat().st_mode & 0o777 == 0o700 and (place / "token").stat().st_mode & 0o777 == 0o600
    for wrong in (b"{}", b'{"token": "x"}', b'{"token": 1}', b"[]"):
        assert request(place, wrong) == {"error": "the token is wrong"}
    right = json.dumps({"token": (place / "token").read_text()}).encode()
    assert "ffi.Function" in {row["type_key"] for row in request(place, right)["classes"]}


def test_closed_view_leaves_no_files(native, served):
    place, server = served
    server.close()
    server.close()
    assert not place.exists()


def test_folder_of_another_user_is_refused(native, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    (tmp_path / f"selfsame-ffi-{os.getuid()}").mkdir(mode=0o755)
    with pytest.raises(PermissionError, match="serve: expected .* to be a folder that only this user can enter"):
        debug.serve()


def test_a_link_is_no_folder(native, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    (tmp_path / f"selfsame-ffi-{os.getuid()}").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(PermissionError, match=f"only this user can enter, got a link of user {os.getuid()}"):
        debug.serve()
    assert list((tmp_path / "elsewhere").iterdir()) == []


DEEP = [b"[" * 4095, b'{"a":' * 800, b'{"token":' * 450, b"[{" * 2000]
ODD = [
    b"",
    b"null",
    b"5",
    b'"text"',
    b"[1]",
    b"{}",
    b'{"token": null}',
    b'{"token": ["x"]}',
    b'{"token": "\\ud800"}',
    b"\xff\xfe",
    b"\x00",
    b"1e999",
    b"9" * 4000,
    b'{"token": ' + b"9" * 4000 + b"}",
    b"NaN",
]


@pytest.mark.parametrize("content", [*DEEP, *ODD], ids=range(len(DEEP + ODD)))
def test_no_request_ends_the_view(native, served, content):
    place, server = served
    assert request(place, content) == {"error": "the token is wrong"}
    assert server._thread.is_alive() and looked(place)


def test_a_request_longer_than_the_limit_is_refused(native, served):
    place, _ = served
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(place / "socket"))
        client.sendall(b"a" * _top._LIMIT)  # no end of line
        assert json.loads(client.makefile().readline()) == {"error": "the token is wrong"}
    assert looked(place)


def test_slow_clients_block_nobody(native, served):
    place, _ = served
    slow = []
    for _ in range(_top._CLIENTS + 5):
        client = socket.socket(socket.AF_UNIX)
        client.connect(str(place / "socket"))
        client.sendall(b"{")  # and no more
        slow.append(client)
        assert looked(place)
    assert slow[0].recv(1) == b""  # the oldest were ended
    for client in slow:
        client.close()


def test_a_client_that_does_not_read_blocks_nobody(native, served, monkeypatch):
    place, _ = served
    monkeypatch.setattr(_top.Server, "_snapshot", staticmethod(lambda: {"classes": ["x" * 10_000_000]}))
    deaf = socket.socket(socket.AF_UNIX)
    deaf.connect(str(place / "socket"))
    deaf.sendall(token_of(place) + b"\n")
    assert deaf.recv(1) == b"{"  # the answer has begun
    assert request(place, b"{}") == {"error": "the token is wrong"}
    deaf.close()


def test_a_client_that_goes_away_ends_nothing(native, served):
    place, server = served
    for content in (b"", b"{", token_of(place) + b"\n"):
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(place / "socket"))
            client.sendall(content)
    assert looked(place) and server._thread.is_alive()


def test_a_snapshot_that_fails_is_an_error(native, served, monkeypatch):
    place, _ = served

    def fail():
        raise RecursionError("too deep")

    monkeypatch.setattr("selfsame_ffi._debug.snapshot.take", fail)
    assert request(place, token_of(place)) == {"error": "the snapshot failed: RecursionError('too deep')"}


def test_a_path_that_is_too_long_is_an_error_and_leaves_nothing(native, tmp_path, monkeypatch):
    base = tmp_path / ("long" * 30)
    base.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(base))
    with pytest.raises(OSError, match=r"serve: the path of the socket has \d+ bytes, expected at most 107") as caught:
        debug.serve()
    assert caught.value.errno == errno.ENAMETOOLONG
    assert list((base / f"selfsame-ffi-{os.getuid()}").iterdir()) == []


def test_the_longest_path_is_served(native, tmp_path, monkeypatch):
    end = len(f"/selfsame-ffi-{os.getuid()}/{os.getpid()}/socket")
    short = Path("/tmp") / str(os.getpid()).ljust(_top._PATH - end - len("/tmp/"), "p")
    if len(str(short)) > 255:
        pytest.skip("the name would be too long")
    short.mkdir()
    try:
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(short))
        with debug.serve() as server:
            assert len(str(server._place / "socket")) == _top._PATH and looked(server._place)
        (short / f"selfsame-ffi-{os.getuid()}").rmdir()
    finally:
        short.rmdir()


def test_a_view_that_cannot_begin_leaves_nothing(native, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))

    class Unbound(socket.socket):
        def listen(self, *backlog):
            raise OSError("no")

    monkeypatch.setattr(_top.socket, "socket", Unbound)
    with pytest.raises(OSError, match="no"):
        debug.serve()
    assert list((tmp_path / f"selfsame-ffi-{os.getuid()}").iterdir()) == []


def tool():
    try:
        return str(origins.tool())
    except origins.Unavailable as reason:
        pytest.skip(str(reason))


HOSTILE = r"""
import json, os, socket, sys
base, secret, mode = sys.argv[1:]
if os.getuid() == 0:
    os.setgid(65534); os.setuid(65534)
folder = f"{base}/selfsame-ffi-{sys.stdin.readline().strip()}"
place = folder + "/4711"
os.makedirs(place)
os.chmod(folder, int(mode, 8)); os.chmod(place, int(mode, 8))
os.symlink(secret, place + "/token")
server = socket.socket(socket.AF_UNIX)
server.bind(place + "/socket"); os.chmod(place + "/socket", 0o777); server.listen(1)
print("ready", flush=True)
if not sys.stdin.readline():  # the test says when the tool has ended
    pass
server.setblocking(False)
try:
    connection, _ = server.accept()
    print("GOT", connection.recv(4096))
except BlockingIOError:
    print("nobody came")
"""


@pytest.mark.parametrize("mode", ["755", "777", "700"])
def test_the_tool_trusts_no_folder_of_others(native, tmp_path, mode):
    if os.getuid() != 0 and mode == "700":
        pytest.skip("a folder of this user with these rights is trusted")
    top = tool()
    base, secret = tmp_path / "shared", tmp_path / "secret"
    base.mkdir()
    base.chmod(0o1777)
    for parent in (tmp_path, *list(tmp_path.parents)[:2]):
        parent.chmod(parent.stat().st_mode | 0o055)  # the other user comes as far as `base`
    secret.write_text("PRIVATE")
    secret.chmod(0o600)
    program = [sys.executable, "-c", HOSTILE, str(base), str(secret), mode]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        other.stdin.write(f"{os.getuid()}\n")
        other.stdin.flush()
        assert other.stdout.readline() == "ready\n"
        environment = {key: value for key, value in os.environ.items() if key != "XDG_RUNTIME_DIR"}
        environment["TMPDIR"] = str(base)
        done = subprocess.run(
            [top, "top", "4711", "--once"], env=environment, capture_output=True, text=True, timeout=1800, check=False
        )
        other.stdin.write("\n")
        other.stdin.flush()
        said = other.stdout.read()
    assert done.returncode == 1 and done.stdout == ""
    assert "to be a folder that only this user can enter" in done.stderr
    assert said == "nobody came\n"


def test_the_tool_follows_no_link_in_the_users_own_folder(native, served, tmp_path):
    place, _ = served
    (tmp_path / "secret").write_text("PRIVATE")
    (place / "token").unlink()
    (place / "token").symlink_to(tmp_path / "secret")
    done = subprocess.run([tool(), "top", str(os.getpid())], capture_output=True, text=True, timeout=1800, check=False)
    assert done.returncode == 1 and "token: expected a file that only this user can read" in done.stderr


def test_the_tool_shows_control_characters_as_text(native, served, monkeypatch):
    evil = "x\x1b]0;owned\x07\x1b[31mred\x9b2J\u202egnp\n\r"
    answer = {
        "format": "selfsame.snapshot/1",
        "classes": [{"type_key": evil, "count": 1, "bytes": 2}],
        "totals": {evil: 1},
    }
    monkeypatch.setattr(_top.Server, "_snapshot", staticmethod(lambda: answer))
    for flags in ([], ["--json"]):
        done = subprocess.run([tool(), "top", str(os.getpid()), *flags], capture_output=True, timeout=1800, check=True)
        text = done.stdout.decode()
        assert "owned" in text and not any(ord(sign) < 32 and sign != "\n" or sign in "\x7f\x9b\u202e" for sign in text)
    assert json.loads(done.stdout) == answer
    monkeypatch.setattr(_top.Server, "_snapshot", staticmethod(lambda: {"error": evil}))
    done = subprocess.run([tool(), "top", str(os.getpid())], capture_output=True, timeout=1800, check=False)
    assert b"owned" in done.stderr and b"\x1b" not in done.stderr and "\u202e".encode() not in done.stderr


def test_the_tool_reads_a_bounded_answer(native, served, monkeypatch):
    monkeypatch.setattr(_top.Server, "_snapshot", staticmethod(lambda: {"classes": "x" * (65 << 20)}))
    done = subprocess.run([tool(), "top", str(os.getpid())], capture_output=True, text=True, timeout=1800, check=False)
    assert done.returncode == 1 and f"expected an answer of at most {64 << 20} bytes" in done.stderr


def test_command_line_tool_shows_the_view(native, served):
    top = tool()
    table = subprocess.run([top, "top", str(os.getpid())], capture_output=True, text=True, timeout=1800, check=False)
    assert table.returncode == 0 and "ffi.Function" in table.stdout and "\x1b" not in table.stdout, table.stderr
    assert max(map(len, table.stdout.splitlines())) <= 80
    data = subprocess.run([top, "top", "--json", str(os.getpid())], capture_output=True, timeout=1800, check=True)
    assert json.loads(data.stdout)["format"] == "selfsame.snapshot/1"
    missing = subprocess.run([top, "top", "4194304"], capture_output=True, text=True, timeout=1800, check=False)
    assert missing.returncode == 1 and "there is no process 4194304" in missing.stderr
    without = subprocess.run([top, "top", str(os.getppid())], capture_output=True, text=True, timeout=1800, check=False)
    assert without.returncode == 1 and "call selfsame_ffi.debug.serve() in it" in without.stderr
