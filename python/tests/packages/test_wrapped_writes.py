"""Go funcs that write through an argument: the caller's list, dict, buffer or object has what they wrote."""

# Requirement: D17

import array
import dataclasses

import pytest


def test_a_list_gets_the_elements_back(scribe):
    numbers, words = [1.5, 2.0], ["a", "é"]
    assert scribe.double(numbers) is None and numbers == [3.0, 4.0]
    scribe.shout(words)
    assert words == ["A", "É"]


def test_what_does_not_change_stays_the_same_object(scribe):
    box, other = scribe.Box(2), scribe.Box(1)
    boxes = [box, other]
    scribe.sort_boxes(boxes)
    assert boxes[0] is other and boxes[1] is box

    class Number(int):
        pass

    same = Number(0)
    numbers = [same, 3]
    scribe.double(numbers)
    assert numbers[0] is same and numbers == [0, 6]


def test_memory_is_written_in_place(scribe):
    buffer = bytearray(4)
    scribe.fill(memoryview(buffer)[1:3], 7)
    assert buffer == b"\0\7\7\0"
    numbers = array.array("d", [1, 2])
    scribe.double(numbers)
    assert numbers.tolist() == [2, 4]
    codes = array.array("B", [1, 2])
    scribe.fill(codes, 9)
    assert codes.tolist() == [9, 9]


def test_arrays_of_numpy_are_written_whatever_their_type_and_layout(scribe):
    numpy = pytest.importorskip("numpy")
    numbers = numpy.arange(6.0)
    scribe.double(numbers)
    scribe.double(numbers[::2])
    assert numbers.tolist() == [0, 2, 8, 6, 16, 10]
    small = numpy.array([1, 2], dtype="float32")
    scribe.double(small)
    assert small.tolist() == [2, 4]
    with pytest.raises(RuntimeError, match="failed behind the loop"):
        scribe.double_and_fail(whole := numpy.array([3, 4], dtype="int16"))
    assert whole.tolist() == [6, 8]
    grid = numpy.arange(4.0).reshape(2, 2)
    scribe.transpose(grid)
    assert grid.tolist() == [[0, 2], [1, 3]]
    numbers.flags.writeable = False
    with pytest.raises(TypeError, match="read-only"):
        scribe.double(numbers)


@pytest.mark.parametrize("value", [(1.0, 2.0), range(2), {1.0}])
def test_what_cannot_change_is_refused_before_the_call(scribe, value):
    with pytest.raises(TypeError, match="double: argument 'xs'.*" + type(value).__name__):
        scribe.double(value)


def test_bytes_are_refused_where_the_func_writes_and_taken_where_it_reads(scribe):
    for value in (b"abc", memoryview(b"abc")):
        with pytest.raises(TypeError, match="fill: argument 'buf'.*(as a bytearray|read-only)"):
            scribe.fill(value, 1)
    assert scribe.checksum(b"\1\2") == scribe.checksum(bytearray(b"\1\2")) == 3


def test_a_list_gets_the_elements_back_when_the_func_fails_or_panics(scribe):
    numbers = [1, 2]
    with pytest.raises(RuntimeError, match="failed behind the loop"):
        scribe.double_and_fail(numbers)
    with pytest.raises(RuntimeError, match="no further"):
        scribe.double_and_panic(numbers)
    assert numbers == [4, 4]


def test_lists_in_lists_stay_the_same_lists(scribe):
    first, second = [3, 0], [1, 2]
    rows = [first, second]
    scribe.sort_rows(rows)
    assert rows[0] is second and rows[1] is first
    grid = [row, _] = [[1.0, 2.0], [3.0, 4.0]]
    scribe.transpose(grid)
    assert grid == [[1.0, 3.0], [2.0, 4.0]] and grid[0] is row
    both = [(1.0, 2.0), [3.0, 4.0]]
    scribe.transpose(both)
    assert both == [[1.0, 3.0], [2.0, 4.0]]


def test_shards_are_filled_and_made(scribe):
    last = bytearray(4)
    shards = [b"\1\2\3\4", None, last]
    scribe.mend(shards)
    assert shards[:2] == [b"\1\2\3\4", b"made"] and shards[2] is last
    assert last == bytes(a ^ b for a, b in zip(shards[0], shards[1]))


def test_a_dict_gets_its_entries_back_and_loses_those_that_went(scribe):
    counts = {"a": 1, "gone": 2}
    scribe.count(counts, ["a", "b", "b"])
    assert counts == {"a": 2, "b": 2} and list(counts) == ["a", "b"]
    assert scribe.total(counts) == 4
    tags = {"first": (kept := ["x"]), "more": ["y"]}
    scribe.tag(tags, "more", "z")
    assert tags == {"first": ["z"], "more": ["y", "z"]} and tags["first"] is kept
    odd = {0, 2, 10}
    scribe.keep(odd, 4)
    assert odd == {1, 3, 10}


def test_a_pointer_to_a_number_or_a_text_is_a_ref(scribe):
    number = scribe.IntRef(5)
    assert scribe.halve(number) is False and number.value == 2
    total = scribe.Int64Ref(1)
    scribe.bump(total, 4)
    assert total.value == 5
    name = scribe.StringRef("Ada")
    scribe.greet(name)
    assert name.value == "Hello Ada"
    assert scribe.limit(3) == 3 and scribe.limit(None) == -1


def test_a_struct_by_value_gets_its_fields(scribe):
    settings = scribe.Settings("", [1], 2)
    scribe.complete(settings)
    assert settings == scribe.Settings("anonymous", [1, 80], 2)
    other = scribe.Settings("b", [], 0)
    both = [settings, other]
    scribe.complete_all(both)
    assert both[0] is other and both[1] is settings
    assert (settings.class_, other.class_) == (1, 2) and dataclasses.is_dataclass(settings)


def test_a_method_writes(scribe):
    buffer = bytearray(4)
    scribe.Box(258).into(buffer)
    assert buffer == b"\2\1\0\0"
    with pytest.raises(TypeError, match="into: argument 'buf'"):
        scribe.Box(1).into(bytes(4))


def test_of_a_method_that_nobody_knows_what_changed_tells(scribe):
    cipher, to = scribe.new_cipher(1), bytearray(2)
    cipher.encrypt(to, b"ab")
    assert to == b"`c"
    with pytest.raises(TypeError, match="dst"):
        cipher.encrypt(b"  ", b"ab")
    cipher.scramble(to)
    assert to == b"ab"
    with pytest.raises(TypeError, match="scramble: argument 'data': the func wrote into it"):
        cipher.scramble(b"ab")
    assert scribe.new_cipher(0).scramble(b"ab") is None


def test_what_a_func_keeps_is_a_copy_that_comes_back_once(scribe):
    store, numbers = scribe.Store(), [1, 2]
    store.keep(numbers)
    assert numbers == [-1, 2]
    store.change()
    assert numbers == [-1, 2]
    buffer = array.array("q", [1, 2])
    store.keep(buffer)
    store.change()
    assert buffer.tolist() == [-1, 2]
    scribe.remember(("a", "b"))


def test_a_callback_with_an_index_finds_what_was_written(scribe):
    numbers, seen = [1, 2, 3], []
    scribe.visit(numbers, lambda i: seen.append(numbers[i]))
    assert seen == numbers == [2, 3, 4]


def test_funcs_that_append_take_bytes_and_leave_them(scribe):
    assert scribe.append_number(b"a", 1) == b"a1"
    numbers = [1, 2, 3]
    assert scribe.drop_first(numbers) == [2, 3] and numbers == [2, 3, 0]
    with pytest.raises(TypeError, match="cannot change"):
        scribe.drop_first((1, 2, 3))


def test_generic_funcs_write(scribe):
    things = [one, two] = [object(), "b"]
    scribe.swap(things)
    assert things[0] == two and things[1] is one


def test_what_is_passed_by_keyword_is_written_too(scribe):
    numbers = [1.0]
    scribe.double(xs=numbers)
    assert numbers == [2.0]


def test_callbacks_change_what_go_gives_them(scribe):
    def change(steps, depths, names, grid):
        steps[0].name = "b"
        depths.sort()
        names["new"] = True
        del names["old"]
        grid[1][0] = "z"
        assert (depths, grid) == ([1, 2, 3], [["x"], ["z"]])
        with pytest.raises(TypeError, match="only Go can give this slice another length"):
            depths.append(4)

    assert scribe.walked(change) == "[{b 1}] [1 2 3] map[new:true] [[x] [z]]"


def test_callbacks_change_structs_behind_pointers(scribe):
    def change(step):
        step.depth = 3

    assert scribe.stepped(change, scribe.called("end"), scribe.deeper(2)) == "end 5"
    assert scribe.stepped(scribe.deeper(2)) == "start 2"
    step = scribe.Step("own")
    scribe.deeper(7)(step)
    assert step.depth == 7


def test_a_method_of_python_changes_what_go_gives_it(scribe):
    class Mine(scribe.Filler):
        def fill(self, numbers, into):
            numbers[1] = 2.5
            into.name = "filled"

    assert scribe.filled(Mine()) == "[0 2.5]filled"


def test_a_struct_behind_a_pointer_of_a_field_is_one_object(scribe):
    marks = scribe.Marks()
    assert marks.first is marks.first and marks.all[0] is marks.all[0]
    marks.first.n, marks.all[0].n, marks.by_name["a"].n = 10, 20, 40
    assert marks.sum() == 73


def test_type_checkers_know_what_callbacks_get(scribe):
    steps, rest = (
        "change: Callable[[GoSequence[Step], GoSequence[int], ",
        "GoMapping[str, bool], GoSequence[GoSequence[str]]]",
    )
    assert steps + rest in scribe.__doc__


def test_an_object_of_a_type_that_is_not_exported_has_its_methods(scribe):
    data, order = bytearray(3), scribe.order_of(2)
    scribe.second.put(data, 7)
    order.put(data, 9)
    assert data == b"\0\7\x09" and scribe.shift_of(order) == 2
