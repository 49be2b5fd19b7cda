"""Command lines and languages: a small job with each library that wrap.sh wraps, what its README shows first."""

import datetime

import pytest


def test_cobra():
    import cobra

    ran = []
    times, name = cobra.IntSliceRef(), cobra.StringRef()
    root = cobra.Command(use="app", short="An app.")
    echo = cobra.Command(use="echo [words]", run=lambda command, words: ran.append(words))
    echo.flags().int_slice_var(times, "times", [], "how often")
    echo.flags().string_var(name, "name", "nobody", "who")
    root.add_command(echo)
    root.set_args(["echo", "--times", "1,2", "--name", "Ada", "a", "b"])
    root.execute()
    assert (ran, times.value, name.value) == ([["a", "b"]], [1, 2], "Ada")


def test_pflag():
    import pflag

    flags = pflag.FlagSet("prog", pflag.CONTINUE_ON_ERROR)
    port = flags.int("port", 1234, "help message for port")
    wait = flags.duration_p("wait", "w", datetime.timedelta(seconds=1), "how long")
    assert port.value == 1234
    flags.parse(["--port=77", "-w", "2s", "rest"])
    assert (port.value, wait.value, flags.args()) == (77, datetime.timedelta(seconds=2), ["rest"])
    with pytest.raises(pflag.NotExistError, match="unknown flag: --nope"):
        flags.parse(["--nope"])


def test_cel():
    import cel

    env = cel.Env(cel.variable("x", cel.int_type))
    tree, issues = env.compile("x * 2 + 1")
    assert issues is None
    value, _ = env.program(tree).eval({"x": 20})
    assert value.value() == 41


def test_goja():
    import goja

    machine = goja.Runtime()
    machine.set("x", 41)
    assert machine.run_string("x + 1").export() == 42
    with pytest.raises(goja.Exception, match="boo"):
        machine.run_string("throw new Error('boo')")
    machine.set("add", lambda a, b: a + b)
    machine.set("parts", lambda: [1, {"a": 2}])
    assert machine.run_string("add(parts()[1].a, parts().length)").export() == 4


def test_lua():
    import lua

    with lua.new_state() as state:
        state.do_string("x = 40 + 2")
        assert str(state.get_global("x")) == "42"
        with pytest.raises(lua.ApiError, match="boo") as caught:
            state.do_string("error('boo')")
        assert caught.value.type == lua.API_ERROR_RUN
