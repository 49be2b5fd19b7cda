"""Programs that load first and fork then: a server with preloaded workers, and the workers of a PyTorch DataLoader.

The second is skipped without torch; `make forks` installs it where it can.
"""

# Requirement: C14

import os
import signal
import socket
import warnings

import fork_areas
import pytest
from selfsame_ffi import get_global_func as g

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")


@pytest.fixture(autouse=True)
def quiet():
    """Without the warning of CPython that a process with threads forks."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        yield


@pytest.fixture(scope="module", autouse=True)
def used(native):
    """The first use of an area makes objects that stay: the wrappers of builtin functions."""
    fork_areas.use_all(fork_areas.Made())


class Server:
    """A master that loads the application, listens, and forks workers that serve until a signal ends them."""

    def __init__(self, workers: int) -> None:
        self.made = fork_areas.Made()
        fork_areas.use_all(self.made)
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.pids = [self.start() for _ in range(workers)]

    def start(self) -> int:
        """Fork a worker, and wait until it says that a signal ends it as it should."""
        ready, say_ready = os.pipe()
        pid = os.fork()
        if pid == 0:
            signal.alarm(300)
            signal.signal(signal.SIGTERM, lambda number, frame: os._exit(3))
            try:
                os.write(say_ready, b"!")
                while True:
                    connection, _ = self.listening.accept()
                    with connection:
                        connection.sendall(self.answer(connection.recv(1000).decode()).encode())
            finally:
                os._exit(1)
        os.close(say_ready)
        with open(ready, "rb") as said:
            assert said.read(1) == b"!", "the worker ended before it served"
        return pid

    def answer(self, request: str) -> str:
        value = self.made.parse(request)
        fork_areas.equality(self.made)
        return f"{os.getpid()} {g('ffi.json.Stringify')(value, None)} {g('ffi.StructuralHash')(value, False, False)}"

    def ask(self, request: str) -> list:
        with socket.create_connection(self.listening.getsockname()) as connection:
            connection.sendall(request.encode())
            return connection.makefile().read().split(" ")

    def stop(self, index: int) -> int:
        os.kill(self.pids[index], signal.SIGTERM)
        return os.waitstatus_to_exitcode(os.waitpid(self.pids[index], 0)[1])


def test_server_with_preloaded_workers(native):
    server = Server(3)
    wanted = server.answer("[1,2]").split(" ")[1:]
    seen = set()
    for round in range(40):
        if round == 20:  # as a server replaces a worker
            assert server.stop(0) == 3
            server.pids[0] = server.start()
        pid, *answer = server.ask("[1,2]")
        assert answer == wanted
        seen.add(int(pid))
    assert seen and os.getpid() not in seen
    assert [server.stop(index) for index in range(3)] == [3, 3, 3]
    server.listening.close()


def test_torch_data_loader(native):
    torch = pytest.importorskip("torch")

    class Data(torch.utils.data.Dataset):
        def __init__(self) -> None:
            self.made = fork_areas.Made()
            fork_areas.use_all(self.made)

        def __len__(self) -> int:
            return 32

        def __getitem__(self, index: int) -> int:
            fork_areas.use_all(self.made)
            parsed = self.made.parse(f"[{index}, 1]")
            return int(parsed[0]) + int(parsed[1])

    loader = torch.utils.data.DataLoader(Data(), batch_size=4, num_workers=2, multiprocessing_context="fork")
    for _ in range(2):
        assert torch.cat(list(loader)).tolist() == list(range(1, 33))
