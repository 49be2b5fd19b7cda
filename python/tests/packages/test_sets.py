"""Sets: several Go packages become Python packages of their own, with one library and so one Go runtime."""

# Requirement: G1

from __future__ import annotations

import subprocess
import sys
import textwrap
import zipfile
from pathlib import Path

import origins
import pytest
from repository import FIXTURES, ROOT

PACKAGE = """
package part{n}

import "github.com/selfsame-ffi/selfsame"

type Part struct {{
	selfsame.Object
	Number int `ffi:"rw"`
}}

var PartClass = selfsame.MustRegister[Part]("part{n}.Part",
	selfsame.Init(func(p *Part, number int) {{ p.Number = number }}))

func init() {{ selfsame.MustRegisterFunc("part{n}.number", func() int {{ return {n} }}) }}
"""


def built(*arguments: object) -> None:
    """Runs the tool; a test is skipped where it cannot be built."""
    try:
        tool = origins.tool()
    except origins.Unavailable as reason:
        pytest.skip(str(reason))
    done = subprocess.run([str(tool), *map(str, arguments)], cwd=ROOT, capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0, done.stderr


def run(folder: Path, program: str) -> list[str]:
    program = f"import sys\nsys.path.insert(0, {str(folder)!r})\n" + textwrap.dedent(program)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.fixture(scope="module")
def adoption(tmp_path_factory):
    folder = tmp_path_factory.mktemp("adoption")
    sources = (FIXTURES / "adoption" / name for name in ("accounts", "rates", "money"))
    built("build", "--set", "bank", *sources, "-o", folder)
    return folder


def test_packages_of_a_set_share_their_go(adoption):
    said = run(
        adoption,
        """
        import accounts
        assert "money" in sys.modules and "rates" not in sys.modules
        import money, rates
        mine, other = accounts.make(3), rates.make(4)
        assert type(mine) is type(other) is money.Amount and rates.Box(amount=mine).amount is mine
        assert (accounts.cents(other), rates.cents(mine)) == (4, 3) and accounts.credit() is money.Kind.credit
        assert list(rates.origin(mine)) == ["accounts"], "a Go value goes from one to the other"
        assert not hasattr(accounts, "Amount") and accounts.Box.__annotations__["amount"] == "_money.Amount | None"
        with open("/proc/self/maps") as file:
            print(len({line.split()[-1] for line in file if sys.path[0] in line}))
        import bank
        print(bank.__doc__)
        """,
    )
    assert said == ["1", *"The Python packages accounts, rates, money, which share one library of Go code.".split()]


def test_twenty_packages_take_the_memory_and_the_threads_of_one(tmp_path):
    module = tmp_path / "module"
    module.mkdir()
    (module / "go.mod").write_text(
        "module example.com/parts\n\ngo 1.24.0\n\nrequire github.com/selfsame-ffi/selfsame v0.0.0\n\n"
        f"replace github.com/selfsame-ffi/selfsame => {ROOT}\n"
    )
    (module / "VERSION").write_text("1.2.0\n")
    for n in range(20):
        (module / f"part{n}").mkdir()
        (module / f"part{n}" / "part.go").write_text(PACKAGE.format(n=n))
    parts = [module / f"part{n}" for n in range(20)]
    built("build", "--wheel", "--set", "parts", *parts, "-o", tmp_path / "dist")
    (wheel,) = (tmp_path / "dist").glob("parts-1.2.0-*.whl")
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    grown, threads = run(
        tmp_path / "site",
        """
        import importlib
        import selfsame_ffi

        def status():
            with open("/proc/self/status") as file:
                fields = dict(line.split(":", 1) for line in file)
            return int(fields["VmRSS"].split()[0]) / 1024, int(fields["Threads"])

        before, _ = status()
        for n in range(20):
            part = importlib.import_module(f"part{n}")
            assert part.number() == n and part.Part(n).number == n and part.__version__ == "1.2.0"
        after, threads = status()
        print(after - before, threads)
        """,
    )
    assert float(grown) <= 60
    # Eight to ten on an idle machine. On a busy one Go starts another each time when a call from C is long in coming
    # back, so the bound is what twenty runtimes of Go would never keep: each has three of its own from the start.
    assert int(threads) < 30


@pytest.fixture(scope="module")
def wrapped(tmp_path_factory):
    """Two wrapped packages of modules of their own, both with classes for the types of a third package."""
    folder = tmp_path_factory.mktemp("wrapped")
    for name in ("walks", "rides"):
        source = FIXTURES / "sets" / name
        built("wrap", source, "--replace", ROOT, "--dir", folder / name, "--write-only")
    built("build", "--set", "trips", folder / "walks", folder / "rides", "-o", folder / "build")
    return folder / "build"


@pytest.mark.parametrize("order", ["import walks, rides", "import rides, walks"])
def test_wrapped_packages_of_a_set_have_one_class_for_a_type_of_a_third(wrapped, order):
    run(
        wrapped,
        f"""
        {order}
        assert walks.places.Place is rides.places.Place and walks.places.Kind is rides.places.Kind
        gate = walks.start()
        top = rides.top(gate)
        assert type(gate) is type(top) is walks.places.Place and (top.name, top.floor) == ("gate", 9)
        assert walks.Walk(**{{"from_": gate}}).steps(top) == 90
        top.rise()
        assert rides.same(top, top) and not rides.same(top, gate) and top.above(1).floor == 11
        assert walks.usual() == rides.places.Kind(1) and walks.usual().paid() and rides.is_work(walks.usual())

        class Guide(rides.places.Guide):
            def way(self, to):
                return to.name

        assert walks.ask(Guide(), gate) == "on foot: gate" and rides.ask(Guide(), top) == "by lift: gate"
        """,
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--set", "money", "money"], "two Python packages would have the name money"),
        (["--set", "bank", "--name", "x", "money"], "leave --name out"),
        (["--set", "bank", "--runtime", "tvm-ffi", "money"], "expected --runtime selfsame"),
        (["--set", "json", "money"], "would hide the module of that name"),
    ],
)
def test_what_cannot_be_a_set_is_refused(tmp_path, arguments, said):
    folder = FIXTURES / "adoption"
    with pytest.raises(AssertionError, match=said):
        built("build", *arguments[:-1], folder / arguments[-1], "-o", tmp_path)
