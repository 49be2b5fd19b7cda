"""Text and bytes: long ones from native code are a str and bytes that keep their native value."""

# Requirement: C3, C8, C11, F1

import copy
import gc
import pickle
import sys
import threading
import types

import pytest
import selfsame_ffi
from selfsame_ffi import Array, Map, core, debug, structural_map

LONG = {"ascii": "a long text", "latin": "ein längerer Text", "wide": "ein längerer Text \U0001f600 \0 mit mehr"}
FAMILIES = [(core.String, str, LONG["wide"]), (core.Bytes, bytes, b"longer \0 bytes")]


def address(value):
    """The address of the native value behind a text."""
    return value._tvm_ffi_cached_object.__chandle__()


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_long_text_behaves_as_a_str(native, text):
    made = native.echo(text)
    assert type(made) is core.String and isinstance(made, str) and isinstance(made, core.PyNativeObject)
    assert made == text and text == made and hash(made) == hash(text) and {text: 1}[made] == 1
    assert repr(made) == repr(text) and str(made) == text and type(str(made)) is str
    assert made + "!" == text + "!" and made[2:5] == text[2:5] and type(made[2:5]) is str and len(made) == len(text)
    assert made.encode() == text.encode() and f"{made}" == text and "".join([made, "x"]) == text + "x"


@pytest.mark.parametrize("size", [*range(8, 40), 255, 4096])
def test_long_bytes_behave_as_bytes(native, size):
    content = bytes(i % 251 for i in range(size))
    made = native.echo(content)
    assert type(made) is core.Bytes and isinstance(made, bytes) and isinstance(made, core.PyNativeObject)
    assert made == content and hash(made) == hash(content) and {content: 1}[made] == 1
    assert made + b"!" == content + b"!" and type(made[1:]) is bytes and bytes(made) == content
    assert memoryview(made) == content and made.hex() == content.hex()
    assert address(native.echo(made)) == address(made)


@pytest.mark.parametrize("size", [8, 9, 15, 16, 17, 4000])
def test_long_text_lives_as_long_as_it_is_used(native, size):
    plain = "".join(chr(32 + i % 95) for i in range(size))
    array = Array([plain, plain[:-1] + "\u00fc"])
    texts = list(array)
    del array
    gc.collect()
    for text, expected in zip(texts, (plain, plain[:-1] + "\u00fc")):
        assert type(text) is core.String and text == expected and hash(text) == hash(expected)
        assert {expected: 1}[text] == 1 and text.encode() == expected.encode() and text[3:] == expected[3:]
        assert text.isascii() == expected.isascii() and sys.getsizeof(text) > size and f"<{text}>" == f"<{expected}>"
        longer = text
        longer += "!"
        assert (longer, text) == (expected + "!", expected)
        attributes = types.SimpleNamespace(**{text: size})
        assert getattr(attributes, expected) == size


@pytest.mark.parametrize("size", [*range(2, 27), 64, 65])
def test_text_is_ascii_or_not_by_each_of_its_characters(native, size):
    for at in range(size):
        for letter in ("a", "\x7f", "\x80", "\u00fc", "\u20ac", "\U0001f600"):
            text = "".join(letter if i == at else chr(97 + i % 26) for i in range(size))
            made = native.echo(text)
            assert made == text and hash(made) == hash(text) and made.isascii() == text.isascii()
            assert made.encode() == text.encode()


def test_short_ones_are_plain(native):
    for value in ("", "short", "1234567", b"", b"1234567"):
        assert type(native.echo(value)) is type(value)


@pytest.mark.parametrize(("cls", "base", "content"), FAMILIES)
def test_native_value_is_kept(native, cls, base, content):
    made = native.echo(content)
    assert address(native.echo(made)) == address(made)
    assert address(selfsame_ffi.convert(lambda given: given)(made)) == address(made)
    assert native.use_count(made) == 1
    array = Array([made])
    assert address(array[0]) == address(made)
    assert structural_map(array, lambda value: value).same_as(array), "an identity callback changes nothing"


@pytest.mark.parametrize(("cls", "base", "content"), FAMILIES)
def test_wrapper_of_the_native_value(native, cls, base, content):
    """It is an object like others, which is text again in native code."""
    made = native.echo(content)
    wrapper = made._tvm_ffi_cached_object
    assert isinstance(wrapper, selfsame_ffi.Object) and made._tvm_ffi_cached_object is wrapper
    assert native.echo(wrapper) == made and address(native.echo(wrapper)) == address(made)
    assert type(repr(Array([made]))) is str
    for copying in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="cannot be"):
            copying(wrapper)


@pytest.mark.parametrize(("cls", "base", "content"), FAMILIES)
def test_made_in_python(native, cls, base, content):
    made = cls(content)
    assert type(made) is cls and made == content
    assert address(native.echo(made)) == address(native.echo(made)) == address(made)
    assert cls(content[:3])._tvm_ffi_cached_object is None
    assert native.echo(cls(content[:3])) == content[:3]

    class Sub(cls):
        pass

    sub = Sub(content)
    sub.attribute = 1
    assert native.echo(sub) == content and type(native.echo(sub)) is cls
    assert isinstance(selfsame_ffi.convert(content), cls) and isinstance(selfsame_ffi.convert(content[:3]), cls)
    assert selfsame_ffi.convert(made) is made


def test_bytearrays_are_converted(native):
    assert type(selfsame_ffi.convert(bytearray(b"abc"))) is core.Bytes
    assert native.echo(bytearray(b"longer bytes")) == b"longer bytes"


@pytest.mark.parametrize(("cls", "base", "content"), FAMILIES)
def test_pickles_are_plain_and_copies_are_shared(native, cls, base, content):
    made = native.echo(content)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(made, protocol))
        assert again == content and type(again) is base
    assert copy.copy(made) is made and copy.deepcopy(made) is made
    assert pickle.loads(pickle.dumps(Array([content, Map({content: content})]))) == [content, {content: content}]


def test_text_that_is_no_text_is_refused(native):
    with pytest.raises(UnicodeDecodeError):
        native.bad_text()
    with pytest.raises(UnicodeEncodeError):
        native.echo(core.String("a lone \ud800 surrogate"))


@pytest.mark.parametrize("size", [1 << 16, 1 << 20])
def test_large_bytes_that_nobody_else_has_are_kept_once(native, size):
    content = bytes(range(256)) * (size // 256)
    before = debug.live_objects().get("ffi.Bytes", 0)
    made = native.echo(content)
    assert type(made) is core.Bytes and made == content
    assert debug.live_objects().get("ffi.Bytes", 0) == before
    assert native.echo(made) == content and address(native.echo(made)) == address(made)
    assert native.use_count(made) == 1


def test_large_bytes_that_others_have_are_the_same_object(native):
    array = Array([bytes(1 << 20)])
    first, second = array[0], array[0]
    assert address(first) == address(second)
    assert native.echo(first) == second and address(native.echo(first)) == address(first)


def test_threads_make_one_native_value(native):
    made = core.String("a long text of many threads")
    found = []
    start = threading.Barrier(8)

    def look():
        start.wait()
        found.append(address(native.echo(made)))

    threads = [threading.Thread(target=look) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 1


def test_nothing_leaks(native):
    def use():
        for cls, _, content in FAMILIES:
            made = native.echo(content)
            native.echo(cls(content))
            _ = made._tvm_ffi_cached_object, list(Array([made, content])), selfsame_ffi.convert(content)
            selfsame_ffi.convert(lambda given: given)(made)
        with pytest.raises(UnicodeDecodeError):
            native.bad_text()

    def live():
        gc.collect()
        counts = debug.live_objects()
        return counts.get("ffi.String", 0), counts.get("ffi.Bytes", 0)

    use()
    before = live()
    for _ in range(20):
        use()
    assert live() == before
