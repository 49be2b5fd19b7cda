"""What wrapped values have is read and set where Go has it, with the same results as by a call into Go."""

# Requirement: D5

import codecs
import gc
import json
import threading

import pytest

FIELDS = ("level", "reach", "on", "tiny", "short", "middle", "long", "whole", "octet", "word", "double", "quad")
FIELDS += ("unsigned", "single", "float", "text", "marks", "lamps", "texts", "counts")


def native(gauge, name):
    """What the native method returns for a property: a call into Go."""
    return vars(type(gauge))[name].fget.function(gauge)


def test_each_kind_of_field_reads_as_its_method_returns_it(cart):
    gauge = cart.Gauge()
    for _ in ("zeros", "extremes"):
        for name in FIELDS[:16]:
            there = native(gauge, name)
            assert getattr(gauge, name) == there and isinstance(there, type(getattr(gauge, name))), name
        gauge.fill()
    assert gauge.quad == 2**64 - 1 and gauge.whole == -(2**63) and gauge.text == "a text of Gö"
    assert gauge.single == pytest.approx(0.1) and gauge.single != 0.1


def test_elements_and_lengths_of_each_kind_are_those_of_the_whole(cart):
    gauge = cart.Gauge()
    gauge.fill()
    for name in FIELDS[16:]:
        view = getattr(gauge, name)
        assert [view[i] for i in range(len(view))] == list(view) == [view[i - len(view)] for i in range(len(view))]
        for wrong in (len(view), -len(view) - 1, 2**62):
            with pytest.raises(IndexError):
                view[wrong]


def test_what_python_sets_is_what_go_has(cart):
    gauge, other = cart.Gauge(), cart.Gauge()
    other.fill()
    for name in FIELDS[:16]:
        setattr(gauge, name, getattr(other, name))
    gauge.marks[:] = list(other.marks)
    gauge.lamps, gauge.texts, gauge.counts = [False, True], ["x", "ä"], [0]
    gauge.lamps[0], gauge.lamps[1], gauge.texts[0], gauge.counts[-1] = True, False, "", 2**64 - 1
    assert gauge.shown() == other.shown()


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("tiny", 128, OverflowError),
        ("octet", -1, OverflowError),
        ("double", 2**32, OverflowError),
        ("quad", 2**64, OverflowError),
        ("long", 2**63, OverflowError),
        ("short", 1.5, TypeError),
        ("float", "1", TypeError),
        ("on", "yes", TypeError),
        ("text", 5, TypeError),
    ],
)
def test_what_a_field_cannot_have_is_refused_as_by_a_call(cart, name, value, error):
    gauge = cart.Gauge()
    before = gauge.shown()
    with pytest.raises((error, ValueError), match=name):
        setattr(gauge, name, value)
    assert gauge.shown() == before


def test_other_numbers_than_pythons_own_are_taken_as_by_a_call(cart):
    numpy = pytest.importorskip("numpy")
    gauge = cart.Gauge()
    gauge.float, gauge.long, gauge.single = 3, numpy.int64(4), numpy.float32(0.5)
    assert (gauge.float, gauge.long, gauge.single) == (3.0, 4, 0.5)
    gauge.counts = [1, 2]
    gauge.counts[numpy.int8(1)] = numpy.uint64(7)
    assert gauge.counts == [1, 7] and gauge.counts[True] == 7


def test_text_that_is_not_utf8_fails_as_a_call_does(cart):
    gauge = cart.Gauge()
    gauge.break_()
    with pytest.raises(Exception) as by_call:
        native(gauge, "text")
    with pytest.raises(by_call.type):
        gauge.text  # noqa: B018


def test_handlers_of_decoding_errors_change_nothing(cart):
    gauge = cart.Gauge()
    gauge.break_()

    def handler(error):
        return f"{gauge.whole}", error.end

    codecs.register_error("strict", handler)
    try:
        for read in (lambda: gauge.text, lambda: native(gauge, "text")):
            with pytest.raises(ValueError, match="UTF-8"):
                read()
    finally:
        codecs.register_error("strict", codecs.strict_errors)


def test_a_collection_while_text_is_read_may_use_the_object(cart):
    gauge, seen = cart.Gauge(), []
    gauge.break_()

    class Dying:
        def __del__(self):
            seen.append(gauge.whole)

    thresholds = gc.get_threshold()
    try:
        for _ in range(50):
            gc.set_threshold(0)
            dying = Dying()
            dying.itself = dying
            del dying
            gc.set_threshold(1)
            with pytest.raises(ValueError, match="UTF-8"):
                gauge.text  # noqa: B018
    finally:
        gc.set_threshold(*thresholds)
    gc.collect()
    assert seen == [0] * 50


@pytest.mark.parametrize("length", [0, 1, 255, 256, 257, 100_000])
def test_texts_of_each_length_are_whole(cart, length):
    gauge = cart.Gauge()
    for letter in ("a", "é", "語", "😀"):
        gauge.text = letter * length
        assert gauge.text == letter * length
        gauge.texts = ["x", letter * length]
        assert gauge.texts[1] == letter * length


def test_a_method_with_the_name_of_a_setter_is_the_librarys(cart):
    knob = cart.Knob()
    knob.set_angle(5)
    assert (knob.angle, knob.turns) == (10, 1)
    knob.turns = 7
    assert knob.turns == 7


def test_later_words_and_items_of_the_metadata_are_passed_over(cart):
    gauge, read = cart.Gauge(), vars(cart.Gauge)["whole"].fget
    said = json.loads(read.metadata)["go_memory"]
    gauge.whole, index = 5, cart.Gauge.__tvm_ffi_type_index__
    try:
        for other in ([*said, "later", 1.5], ["later", None, 7]):
            read.in_go_memory(other, index)
            assert gauge.whole == 5
    finally:
        read.in_go_memory(said, index)
    for wrong in ([], [5], said[:2]):
        with pytest.raises(TypeError):
            read.in_go_memory(wrong, index)
    assert gauge.whole == 5


def test_a_field_waits_for_the_call_of_another_thread_and_not_for_its_own(cart):
    gauge, entered, go_on, seen = cart.Gauge(), threading.Event(), threading.Event(), []
    assert '"short":true' in vars(cart.Gauge)["whole"].fget.metadata  # so the call has the GIL until it must wait

    def within():
        seen.append(gauge.whole)
        entered.set()
        go_on.wait()

    holder = threading.Thread(target=gauge.hold, args=(within,))
    holder.start()
    entered.wait()
    reader = threading.Thread(target=lambda: seen.append(gauge.whole))
    reader.start()
    reader.join(0.05)
    assert seen == [1]  # in the callback; the reader waits
    go_on.set()
    holder.join()
    reader.join()
    assert seen == [1, 2]


def test_threads_that_call_and_read_leave_nobody_waiting(cart):
    gauge = cart.Gauge()

    def call():
        for _ in range(300):
            gauge.hold(lambda: None)

    def read():
        for _ in range(20_000):
            assert gauge.whole % 2 == 0  # between the changes nobody is let in

    threads = [threading.Thread(target=work) for work in (call, read, call, read)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert gauge.whole == 1200


def test_what_is_set_is_set_once_while_other_threads_call(cart):
    gauge, counted = cart.Gauge(), []

    def put():
        for i in range(1, 20_000):
            gauge.whole = i * 10**9

    def count():
        counted.append([gauge.count() for _ in range(10_000)])

    threads = [threading.Thread(target=work) for work in (put, count, count, count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    numbers = [n for some in counted for n in some]
    assert len(set(numbers)) == len(numbers)  # a second set of a number would let the calls count from there again


def test_a_method_of_one_class_does_not_read_the_memory_of_another(cart):
    read = vars(type(cart.Gauge()))["whole"].fget
    for other in (cart.Item(), cart.Gauge().counts):
        with pytest.raises(TypeError):
            read(other)


def test_elements_are_found_where_growing_slices_have_gone(cart):
    box = cart.Cart()
    row, item = box.rows[0], box.items[0]
    for i in range(100):
        box.rows.append([i])
        box.items.append(cart.Item())
    row[0], item.n = 50, 60
    assert (box.rows[0][0], box.items[0].n, row[0], item.n) == (50, 60, 50, 60)
    row.append(7)
    assert box.rows[0] == [50, 2, 7] and row[2] == 7 and len(row) == 3


def test_fields_and_elements_that_are_objects_are_the_ones_that_python_holds(cart):
    box = cart.Cart()
    held = {"home": box.home, "names": box.names, "rows": box.rows, "tags": box.tags, "prices": box.prices}
    for name, value in held.items():
        assert getattr(box, name) is value, name
    for container in (box.items, box.ptrs, box.points, box.rows, box.board):
        element = container[0]
        assert container[0] is element and container[-len(container)] is element
    box.home.x = 4.0
    assert held["home"].x == 4.0 and box.board[0] is not box.board


def test_a_nil_pointer_is_none_and_a_new_one_is_seen(cart):
    box, item = cart.Cart(), cart.Item()
    box.ptrs = [None, item]
    assert box.ptrs[0] is None and box.ptrs[1] is item
    box.ptrs[0] = item
    assert box.ptrs[0] is item


def test_objects_are_found_while_others_come_and_go(cart):
    box = cart.Cart()
    box.items = [cart.Item() for _ in range(600)]
    held = {i: box.items[i] for i in range(600)}
    for i, item in held.items():
        item.n = i
    for step in (2, 3, 5, 7):
        for i in [i for i in held if i % step == 0]:
            del held[i]
        for i, item in held.items():
            assert box.items[i] is item and item.n == i
    for i in range(600):
        assert box.items[i].n == i
