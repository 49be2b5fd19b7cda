"""What wrapped packages say of wrong arguments: the function, the argument, what it takes, what came, what to do."""

# Requirement: D5

import re

import numpy
import pytest

# A call, and in the lines below it how its error begins.
CASES = """
Errand(numpy.zeros(2))
    TypeError: shelf.Errand: argument 'distance': expected int, got numpy.ndarray
run_all(None, numpy.zeros(2))
    TypeError: shelf.run_all: argument 'errands'[0]: expected shelf.Errand, got numpy.ndarray
run_all(None, (1, 2))
    TypeError: shelf.run_all: argument 'errands'[0]: expected shelf.Errand, got tuple; put * in front of it to
    pass its elements
run_all(None, shelf.Errand)
    TypeError: shelf.run_all: argument 'errands'[0]: expected shelf.Errand, got the class shelf.Errand
Errand(distanc=1)
    TypeError: shelf.Errand: got an unexpected keyword argument 'distanc'; it takes 'distance' and 'stops';
    did you mean 'distance'?
Lamp(wats=1)
    TypeError: shelf.Lamp: got an unexpected keyword argument 'wats'; it takes 'names', 'red' and 'watts'; did
    you mean 'watts'?
run_all(None, errands=1)
    TypeError: shelf.run_all: got an unexpected keyword argument 'errands'; it takes 'r'
run_all(lambda e: '')
    TypeError: shelf.run_all: argument 'r': expected shelf.Runner, got function; derive a class from
    shelf.Runner that defines run, and pass an object of it, or pass shelf.RunnerFunc(function)
run_all(3)
    TypeError: shelf.run_all: argument 'r': expected shelf.Runner, got int; derive a class from shelf.Runner
    that defines run, and pass an object of it
put_all(print)
    TypeError: shelf.put_all: argument 's': expected shelf.Store, got builtin_function_or_method; derive a
    class from shelf.Store that defines best, put and titles, and pass an object of it
run_all(None, shelf.Errand(1))
    RuntimeError: shelf.run_all: argument 'r': None was passed, and Go uses what it stands for (Go panic:
pack(b'', [1, 'a'], len)
    TypeError: shelf.pack: argument 'parts': expected list[int], got str at [1]
pack(b'', [1, numpy.zeros(2)], len)
    TypeError: shelf.pack: argument 'parts': expected list[int], got numpy.ndarray at [1]
pack(b'', [1, 2**15], len)
    OverflowError: shelf.pack: argument 'parts'[1]: Integer value 32768 does not fit in int16 (-32768 to
    32767)
pack('', [], len)
    TypeError: shelf.pack: argument 'letter': expected bytes, got str; encode it, as with .encode()
pack(b'', [], lambda n: 'x')
    TypeError: shelf.pack: argument 'seal': its result: expected bool, got str
pack(b'', [], 1)
    TypeError: shelf.pack: argument 'seal': expected a callable or None, got int
pack(b'', [])
    TypeError: shelf.pack: argument 'seal': missing
pack(b'', [], len, 1)
    TypeError: shelf.pack: expected 3 arguments, got 4
Errand(2**15)
    OverflowError: shelf.Errand: argument 'distance': Integer value 32768 does not fit in int16 (-32768 to
    32767)
Clerk().serve(None)
    TypeError: shelf.Clerk.serve: argument 'begun': expected a value, got None
paint('door', shelf.PaintOptions(), coats=1)
    TypeError: shelf.paint: argument 'o': expected either it or keyword arguments for its fields
Press('log', 1)
    TypeError: shelf.Press: argument 'to': expected a binary file to write or None, got str; open the file
    that it names in binary mode
type_of_reader('log')
    TypeError: shelf.type_of_reader: argument 'r': expected a binary file to read or None, got str;
"""


def cases():
    for call, said in re.findall(r"^(\S.*)\n((?:    .*\n)+)", CASES, re.MULTILINE):
        yield pytest.param(call, " ".join(said.split()), id=call)


@pytest.mark.parametrize(("call", "said"), list(cases()))
def test_a_wrong_argument_is_named_with_what_it_takes(shelf, call, said):
    with pytest.raises((TypeError, OverflowError, RuntimeError)) as raised:
        eval(f"shelf.{call}", {"shelf": shelf, "numpy": numpy})
    assert f"{raised.typename}: {raised.value}".startswith(said)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("distance", "far", "shelf.Errand.distance: expected int, got str"),
        ("distance", 2**15, "shelf.Errand.distance: Integer value 32768 does not fit in int16 (-32768 to 32767)"),
        ("stops", ["home", 3], "shelf.Errand.stops: expected list[str], got int at [1]"),
        ("stops", numpy.zeros(2), "shelf.Errand.stops: expected list[str], got numpy.ndarray"),
        ("stops", 3, "shelf.Errand.stops: expected list[str], got int"),
    ],
)
def test_a_wrong_value_of_a_property_is_told_of_the_property(shelf, name, value, message):
    errand = shelf.Errand(1)
    with pytest.raises((TypeError, OverflowError)) as raised:
        setattr(errand, name, value)
    assert str(raised.value) == message
