"""TypeSchema: its forms, and what values its conversions take."""

import ctypes
import gc
from fractions import Fraction
from typing import Any, Callable, Optional, Union

import pytest
import selfsame_ffi
from selfsame_ffi.core import CAny, TypeSchema
from values import class_from_native


def schema(annotation):
    return TypeSchema.from_annotation(annotation)


@pytest.mark.parametrize(
    "annotation, text",
    [
        (int, "int"),
        (None, "None"),
        (Any, "Any"),
        (list[int], "List[int]"),
        (tuple[int, ...], "Array[int]"),
        (tuple[int, str], "tuple[int, str]"),
        (tuple[()], "tuple[()]"),
        (dict[str, list[float]], "Dict[str, List[float]]"),
        (Optional[int], "int | None"),
        (Union[int, str, None], "int | str | None"),
        (Callable[[int], str], "Callable[[int], str]"),
        (Callable[..., int], "Callable[..., int]"),
        (selfsame_ffi.Map[str, int], "Map[str, int]"),
        (ctypes.c_void_p, "ctypes.c_void_p"),
    ],
)
def test_annotation_and_text(annotation, text):
    assert repr(schema(annotation)) == text
    assert TypeSchema.from_json_obj(schema(annotation).to_json()) == schema(annotation)


def test_both_json_forms_of_a_function():
    old = {"type": "ffi.Function", "args": [{"type": "int"}, {"type": "ffi.String"}]}
    new = {"type": "ffi.Function", "named_args": {"return": [{"type": "int"}], "params": [{"type": "ffi.String"}]}}
    assert TypeSchema.from_json_obj(old) == TypeSchema.from_json_obj(new)
    assert repr(TypeSchema.from_json_obj(new)) == "Callable[[str], int]"


def test_kept_key_and_fallback():
    big = TypeSchema.from_json_obj({"type": "ffi.BigInt"})
    assert big.origin == "int" and big.to_json() == {"type": "ffi.BigInt"}
    named = TypeSchema.from_json_obj({"type": "no.such.type", "fallback": {"type": "ffi.Array"}})
    assert repr(named) == "Array[Any]" and named.to_json()["type"] == "no.such.type"


@pytest.mark.parametrize("annotation", [set[int], "int", 3, dict[str], type])
def test_annotation_without_a_native_type(annotation):
    with pytest.raises(TypeError):
        schema(annotation)


@pytest.mark.parametrize(
    "annotation, value, converted",
    [
        (int, True, 1),
        (int, -(2**63), -(2**63)),
        (float, 3, 3.0),
        (float, Fraction(1, 2), 0.5),
        (bool, 2, True),
        (bytes, bytearray(b"ab"), b"ab"),
        (Optional[int], None, None),
        (Union[int, str], "a", "a"),
        (Any, "a", "a"),
    ],
)
def test_scalar(annotation, value, converted):
    result = schema(annotation).convert(value)
    assert isinstance(result, CAny)
    assert result.to_py() == converted and type(result.to_py()) is class_from_native(converted)
    schema(annotation).check_value(value)


@pytest.mark.parametrize(
    "annotation, value, message",
    [
        (int, "1", "expected int, got str"),
        (int, 2**63, "out of int64 range"),
        (int, 1.0, "expected int, got float"),
        (float, "x", "expected float, got str"),
        (str, b"x", "expected str, got bytes"),
        (type(None), 0, "expected None, got int"),
        (list[int], [1, "x"], r"element \[1\]: expected int, got str"),
        (dict[str, list[int]], {"k": [1, None]}, r"value for key 'k': element \[1\]: expected int, got None"),
        (dict[str, int], {1: 1}, "key 1: expected str, got int"),
        (tuple[int, str], (1,), "expected tuple of length 2, got tuple of length 1"),
        (Union[int, str], 1.5, r"expected int \| str, got float"),
        (selfsame_ffi.Array[int], 3, "expected Array, got int"),
        (Callable, 3, "expected Callable, got int"),
    ],
)
def test_mismatch_says_what_and_where(annotation, value, message):
    with pytest.raises(TypeError, match=message):
        schema(annotation).convert(value)
    with pytest.raises(TypeError, match="type check failed for .*" + message):
        schema(annotation).check_value(value)


def test_containers_become_the_schema_s_container():
    made = schema(list[float]).convert((1, 2)).to_py()
    assert isinstance(made, selfsame_ffi.List) and list(made) == [1.0, 2.0]
    assert all(type(item) is float for item in made)
    assert isinstance(schema(tuple[int, ...]).convert([1]).to_py(), selfsame_ffi.Array)
    nested = schema(dict[str, tuple[int, ...]]).convert({"a": [1, 2]}).to_py()
    assert isinstance(nested, selfsame_ffi.Dict) and nested["a"] == selfsame_ffi.Array([1, 2])


def test_container_that_fits_is_passed_on():
    array = selfsame_ffi.Array([1, 2])
    assert schema(selfsame_ffi.Array[int]).convert(array).to_py() is array
    assert schema(selfsame_ffi.Array).convert(array).to_py() is array
    table = selfsame_ffi.Map({"a": 1})
    assert schema(selfsame_ffi.Map[str, int]).convert(table).to_py() is table
    other = schema(selfsame_ffi.Array[float]).convert(array).to_py()
    assert other is not array and [type(item) for item in other] == [float, float]


def test_protocol_that_never_ends():
    class Again:
        def __tvm_ffi_value__(self):
            return Again()

    class Itself:
        def __tvm_ffi_value__(self):
            return self

    with pytest.raises(TypeError, match="cycle"):
        schema(int).check_value(Again())
    with pytest.raises(TypeError, match="expected int, got .*Itself"):
        schema(int).check_value(Itself())


def test_error_that_is_no_mismatch_is_raised():
    class Stop:
        def __tvm_ffi_value__(self):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        schema(int).check_value(Stop())


def test_list_that_changes_during_its_conversion():
    values = []

    class Clears:
        def __tvm_ffi_int__(self):
            values.clear()
            return 7

    values[:] = [1, Clears(), 3]
    assert list(schema(list[int]).convert(values).to_py()) == [1, 7, 3]


def test_failed_conversion_releases_what_it_converted():
    payload = [selfsame_ffi.Array([i]) for i in range(3)]
    with pytest.raises(TypeError):
        schema(list[selfsame_ffi.Array]).convert([*payload, 1])
    gc.collect()
    assert [list(array) for array in payload] == [[0], [1], [2]]


def test_unknown_origin():
    with pytest.raises(TypeError, match="unknown TypeSchema origin"):
        TypeSchema("no.such.type").check_value(1)


def test_subtypes():
    assert schema(selfsame_ffi.Array).is_subtype_of(selfsame_ffi.Object)
    assert schema(selfsame_ffi.Array).is_subtype_of(selfsame_ffi.Array)
    assert not schema(selfsame_ffi.Array).is_subtype_of(selfsame_ffi.List)
    assert not schema(int).is_subtype_of(selfsame_ffi.Object)
