"""A wrapped library with errors of types of its own, values that Go's == does not compare, and catalogs."""

# Requirement: D5

import copy
import enum
import io
import json
import pickle
import threading
from collections.abc import Mapping

import pytest
import selfsame_ffi
from selfsame_ffi.core import TypeSchema

numpy = pytest.importorskip("numpy")


def test_code_that_asks_a_func_for_its_types_calls_a_function_that_declares_them(atlas):
    done = []

    def note(number: int, text: str) -> None:
        done.append((number, text))

    def fail() -> None:
        raise KeyError("late")

    schedule = atlas.Schedule()
    schedule.add(note, 1, "a")
    with pytest.raises(RuntimeError, match="argument 1"):
        schedule.add(note, 1, 2)
    with pytest.raises(RuntimeError, match="for 1 arguments"):
        schedule.add(note, 1)
    schedule.run()
    assert done == [(1, "a")]
    schedule.add(fail)
    with pytest.raises(KeyError, match="late"):
        schedule.run()


@pytest.mark.parametrize("outer", ["during", "during_call"])
def test_a_callback_calls_methods_with_a_context_of_the_object_that_called_it(atlas, outer):
    schedule, other = atlas.Schedule(), atlas.Schedule()
    counts = []
    call = getattr(schedule, outer)

    def inner():
        counts.append(schedule.count())
        schedule.during(lambda: counts.append(schedule.count()))
        schedule.during_call(lambda: other.during_call(lambda: counts.append((schedule.count(), other.count()))))

    call(inner)
    assert counts == [0, 0, (0, 0)]
    threads = [threading.Thread(target=call, args=(inner,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(counts) == 15


def test_an_error_of_a_type_of_its_own_is_raised(atlas):
    assert atlas.length(1, 2) == 3 and atlas.check(1) is None
    with pytest.raises(atlas.RouteError, match="leg 1 is blocked") as caught:
        atlas.length(1, -2)
    assert atlas.route_error_of(caught.value).leg() == 1
    with pytest.raises(atlas.RouteError, match="leg 0 is blocked"):
        atlas.check(-1)
    with pytest.raises(atlas.FerryError) as caught:
        atlas.cross("", str.upper)
    assert caught.value.harbour == "Emden"
    assert atlas.last_ferry_error("Oslo").harbour == "Oslo"


def test_a_callback_raises_an_error_of_a_type_of_its_own(atlas):
    assert atlas.cross("box", str.upper) == "BOX"

    def full(load):
        try:
            return atlas.cross("", full)
        except atlas.FerryError as error:
            raise error

    with pytest.raises(atlas.FerryError, match="no ferry in Emden"):
        atlas.cross("box", full)
    with pytest.raises(ZeroDivisionError):
        atlas.cross("box", lambda load: 1 / 0)

    class Small(atlas.Ferry):
        def carry(self, load):
            return load[0] if len(load) < 4 else full(load)

    assert atlas.board(Small(), "box") == "b" and atlas.board(Small(), "boxes") == "stays in Emden"


def test_values_that_go_does_not_compare_are_equal_part_by_part(atlas):
    metre = atlas.unit_of("metre", "m")
    assert metre == atlas.unit_of("metre", "m") and metre != atlas.unit_of("metre", "meter") and metre != 5
    assert {metre: 1}[atlas.unit_of("metre", "m")] == 1
    assert copy.deepcopy(metre) == metre == pickle.loads(pickle.dumps(metre))


def test_an_array_is_made_of_its_elements_and_is_a_key(atlas):
    point = atlas.Point(1, 2.5)
    assert point == atlas.Point([1.0, 2.5]) == atlas.Point(numpy.array([1, 2.5])) and list(point) == [1.0, 2.5]
    assert {point: 1}[atlas.Point((1, 2.5))] == 1
    for wrong in ((1,), (1, 2, 3), ("a", 1), ([1, 2, 3],)):
        with pytest.raises(TypeError):
            atlas.Point(*wrong)
    path = atlas.Path(numpy.array([[1.0, 2.5], [3.0, 4.0]]))
    assert path == [point, [3, 4]] and path.length() == 2 == len(atlas.Path([[1, 2], (3, 4)]))


def test_members_of_an_enum_lack_the_first_word_of_its_name(atlas):
    assert [member.name for member in atlas.TravelMode] == ["ON_FOOT", "BY_BIKE"]
    assert atlas.TRAVEL_BY_BIKE is atlas.TravelMode.BY_BIKE is atlas.TravelMode.ON_FOOT.opposite()


def test_an_instance_of_a_generic_type_has_the_name_that_the_library_gives_it(atlas):
    feature = atlas.Feature([1, 2])
    feature.tags.append("hut")
    feature.has["height"] = 3
    assert feature.describe() == "hut" and feature.has == {"height": 3} and feature.at == atlas.Point(1, 2)
    assert type(feature).__name__ == "Feature" and "FeatureOfProperties" not in dir(atlas)
    assert copy.deepcopy(feature).tags == ["hut"]


def test_nil_is_an_argument_where_the_func_asks_for_it(atlas):
    assert atlas.mean([1, 3], None) == 2 and atlas.mean(numpy.array([1.0, 3]), numpy.array([3.0, 1])) == 1.5
    assert atlas.mean(weights=[1, 0], xs=[5, 7]) == 5
    assert atlas.labelled(None) == -1 and atlas.labelled({}) == 0 and atlas.labelled({"a": 1}) == 1
    with pytest.raises(TypeError, match="argument 'xs'"):
        atlas.mean(None, None)
    with pytest.raises(TypeError, match=r"argument 'weights': expected list\[float\] or None, got int"):
        atlas.mean([1], 5)
    assert "weights: _typing.Iterable[float] | None" in open(atlas.__file__, encoding="utf-8").read()


def test_what_a_struct_within_the_func_writes_comes_back(atlas):
    keys, moved = [3.0, 1.0, 2.0], [7.0, 8.0, 9.0]
    atlas.sort_with(keys, moved)
    assert keys == [1.0, 2.0, 3.0] and moved == [8.0, 9.0, 7.0]


def test_the_fields_of_a_dataclass_are_lists_and_dicts(atlas):
    leg = atlas.Leg("north")
    leg.stops.append("Oslo")
    leg.costs["ferry"] = 2.5
    assert atlas.stops([leg, {"name": "south", "stops": ["Emden", "Leer"]}]) == 3 and leg == atlas.Leg(
        "north", ["Oslo"], {"ferry": 2.5}
    )
    assert atlas.Leg.__annotations__["stops"] == "list[str]"


def test_a_callback_fills_the_memory_that_go_reads(atlas):
    parts = [b"hello", b", ", b"world"]

    def read(p):
        assert len(p) == 5 and memoryview(p).nbytes == 5
        part = parts.pop(0) if parts else b""
        p[: len(part)] = part
        return len(part)

    assert atlas.scan(read) == "hello, world"
    with pytest.raises(OSError, match="broken"):
        atlas.scan(lambda p: (_ for _ in ()).throw(OSError("broken")))
    taken = []
    assert atlas.copy("abc", lambda p: taken.append(p) or len(p)) == 3 and taken == [b"abc"]

    class Barrel(atlas.Tank):
        def fill(self, p):
            memoryview(p)[:2] = b"ab"
            return 2

    assert atlas.filled(Barrel()) == "ab"
    assert "read: Callable[[GoNumbers[int]], int]" in atlas.scan.__doc__ or "GoNumbers" in open(atlas.__file__).read()


def test_a_copy_is_made_of_the_fields_where_a_method_panics(atlas):
    cipher = atlas.Cipher(key="k")
    assert copy.copy(cipher).key == "k"


def test_values_by_name_are_a_dict(atlas):
    settings = atlas.Settings()
    settings["b"] = None
    settings["a"] = [1]
    assert settings["b"] is None and "b" in settings and "c" not in settings and list(settings) == ["a", "b"]
    with pytest.raises(KeyError, match="c"):
        settings["c"]


def test_a_linked_list_of_keys_is_a_mapping_in_its_order(atlas):
    log = atlas.Log()
    log["b"], log["a"], log["b"] = 1, 2, 3
    assert isinstance(log, Mapping) and list(log) == ["b", "a"] and dict(log) == {"b": 3, "a": 2}
    assert list(log.items()) == [("b", 3), ("a", 2)] and log.oldest().key == "b"


def test_the_items_of_a_heap_are_a_loop_and_the_document_of_a_provider_is_none(atlas):
    heap = atlas.Heap()
    heap.add(3)
    heap.add(1)
    assert list(heap) == [1, 3] and "dict[str, Any]" in atlas.Heap.items.__doc__

    class Mine(atlas.Provider):
        def read(self):
            return {"a": 1}

    assert atlas.load(Mine()) == {"a": 1} and not hasattr(atlas.Provider, "__iter__")


def test_what_is_released_is_for_with(atlas):
    with atlas.Heap().walk() as cursor:
        assert cursor.held()
    assert not cursor.held()


def test_a_file_that_a_func_returns_is_the_file_that_it_got(atlas):
    file = io.BytesIO()
    assert atlas.headed(file, "head") is file and file.getvalue() == b"head"


def test_a_list_is_no_key(atlas):
    with pytest.raises(TypeError, match="a list is no key, nor is a tuple"):
        atlas.counted([[1], (1,)])
    assert atlas.counted(["a", "b", "a"]) == 2


def test_a_member_of_an_enum_of_python_comes_back_as_it_is(atlas):
    class Colour(enum.Enum):
        RED = 1

    settings = atlas.Settings()
    settings["colour"] = Colour.RED
    assert settings["colour"] is Colour.RED


def test_a_value_with_a_float_is_one(atlas):
    distance = atlas.distance_of(2.5, atlas.unit_of("metre"))
    assert float(distance) == 2.5 and str(distance) == "2.5 metre"


def test_a_rune_is_a_text_of_one_character(atlas):
    assert atlas.pad("x", "-", 2) == "--x" == atlas.pad("x", ord("-"), 2) and atlas.pad("x", "é", 1) == "éx"
    table = atlas.Table(separator="|")
    assert table.joined(atlas.Row(["a", 1])) == table.joined(["a", 1]) == "a|1" == table.joined(atlas.Row("a", 1))
    table.separator = ","
    assert table.separator == ord(",") and table.joined(("a", None)) == "a,<nil>"
    for wrong, error in (("ab", ValueError), ("", ValueError), (1.5, TypeError)):
        with pytest.raises(error, match="argument 'with_': expected"):
            atlas.pad("x", wrong, 1)


def test_a_constructor_takes_the_exported_fields_as_keywords(atlas):
    assert atlas.Sheet("a,b;c").cells() == ["a", "b;c"] and atlas.Sheet("a,b;c", comma=";").cells() == ["a,b", "c"]
    with pytest.raises(TypeError):
        atlas.Sheet("a", ";")


def test_a_func_type_that_stands_in_no_signature_tells_what_a_function_is(atlas):
    assert atlas.painted(atlas.Painter(lambda cell: f"{cell.column}{cell.text}"), "a", "b") == ["0a", "1b"]
    assert atlas.painted(atlas.CaptionPainter(lambda cell, caption: caption + cell.text), "a") == ["captiona"]
    assert atlas.Painter(lambda cell: cell.text)(atlas.Cell(1, "x")) == "x"
    with pytest.raises(RuntimeError, match="paints nothing"):
        atlas.painted(lambda cell: cell.text, "a")


def test_a_class_of_two_interfaces_is_both(atlas):
    class Barge(atlas.Ferry, atlas.Tank):
        def carry(self, load):
            return load.upper()

        def fill(self, p):
            p[:2] = b"ab"
            return 2

    class Cargo(atlas.Heap, atlas.Tank):
        def fill(self, p):
            p[:1] = b"c"
            return len(self.items())

    barge, cargo = Barge(), Cargo()
    cargo.add(5)
    assert atlas.board(barge, "box") == "BOX" and atlas.filled(barge) == "ab"
    assert atlas.filled(cargo) == "c" and len(cargo.items()) == 1

    class Boat(atlas.Ferry):
        def fill(self, p): ...

    with pytest.raises(TypeError, match="expected atlas.Tank"):
        atlas.filled(Boat())


def test_a_func_type_that_follows_from_another_parameter(atlas):
    assert atlas.twice(lambda text: text + "!", "a") == "a!!"
    seen = []
    atlas.begin(seen.append, 5)
    assert seen == [5]


def test_a_value_that_came_as_an_interface_is_copied_by_the_rules_of_its_type(atlas, again):
    shape = atlas.outline("house", "roof", "door")
    assert type(shape) is atlas.Shape and shape.describe() == "house(roof() door())"
    for copied in (again(shape), copy.copy(shape)):
        assert copied.describe() == shape.describe() and copied is not shape
        copied.rename("hut")
        assert copied.describe() == "hut(roof() door())" and shape.describe().startswith("house")
    with pytest.raises(TypeError, match=r"atlas\.lamp.* can be closed"):
        again(atlas.lit("lamp"))
    kept = atlas.outline("kept")
    kept.rename("again")
    stored = pickle.dumps(kept)
    assert pickle.loads(stored).describe() == "again()"
    with pytest.raises(ValueError, match="has not met it: hold a value of it"):
        pickle.loads(stored.replace(b"atlas.drawn", b"atlas.ghost"))


def test_an_object_whose_class_implements_an_interface_is_copied_with_its_state(atlas, again):
    thing = HARBOUR.of(atlas)(["a"])
    copied = again(thing)
    copied.loads.append("b")
    assert thing.loads == ["a"] and atlas.board(copied, "x") == "a,b,x" and atlas.board(thing, "x") == "a,x"
    assert copy.copy(thing).loads is thing.loads


class HARBOUR:
    """The class of a test, which pickles find by its name here."""

    @classmethod
    def of(cls, atlas):
        class Barge(atlas.Ferry):
            def __init__(self, loads):
                self.loads = loads

            def carry(self, load):
                return ",".join([*self.loads, load])

        Barge.__qualname__ = "HARBOUR.Barge"
        cls.Barge = Barge
        return Barge


def test_keys_that_go_has_as_arrays_are_tuples(atlas):
    assert atlas.named({(1, 2): "hut", (3, 4): ""}) == {(1, 2): 3, (3, 4): 0}
    raster = atlas.Raster()
    raster.names[1, 2] = "hut"
    raster.names.update({(3, 4): "inn"})
    assert raster.names == {(1, 2): "hut", (3, 4): "inn"} and sorted(raster.names) == [(1, 2), (3, 4)]
    assert dict(raster.names)[3, 4] == "inn" and (1, 2) in raster.names and raster.names.pop((1, 2)) == "hut"
    raster.names = {(5, 6): "bar"}
    assert repr(raster.names) == "{(5, 6): 'bar'}"
    with pytest.raises(TypeError):
        raster.names[1, 2, 3] = "x"


def test_keys_that_go_has_as_structs_are_dataclasses(atlas):
    assert atlas.marked({atlas.Spot(1, 2): "x"}) == {atlas.Spot(2, 1): "x"}
    raster = atlas.Raster()
    raster.marks[atlas.Spot(1, 2)] = "x"
    raster.taken.add(atlas.Spot(3, 4))
    assert raster.marks == {atlas.Spot(1, 2): "x"} and raster.taken == {atlas.Spot(3, 4)}
    assert raster.marks[atlas.Spot(1, 2)] == "x" and atlas.Spot(3, 4) in raster.taken
    with pytest.raises(TypeError, match="unhashable"):
        hash(atlas.Cell(1, "a"))


def test_an_error_type_is_named_as_an_error_variable_is(atlas):
    with pytest.raises(atlas.HarbourUnknownError, match="nobody knows Oslo") as caught:
        atlas.enter("Oslo")
    assert (
        isinstance(caught.value, LookupError)
        and str(atlas.harbour_unknown_error_of(caught.value)) == "nobody knows Oslo"
    )
    assert not hasattr(atlas, "ErrHarbourUnknown")


def test_a_copy_of_a_value_shares_what_nobody_may_have_twice(atlas):
    pen = atlas.pen_of(3)
    copied = copy.copy(pen)
    assert copied is not pen and type(copied) is atlas.Pen and copied.width() == 3
    assert pen.drawn() == 2 and copied.drawn() == 3
    with pytest.raises(TypeError, match="locks it"):
        copy.deepcopy(pen)


def test_a_key_that_go_has_as_a_struct_may_be_a_tuple(atlas):
    assert atlas.marked({(1, 2): "x"}) == {atlas.Spot(2, 1): "x"}
    raster = atlas.Raster()
    raster.marks[1, 2] = "x"
    raster.taken.update({(3, 4), atlas.Spot(5, 6)})
    assert raster.marks == {atlas.Spot(1, 2): "x"} and raster.marks[1, 2] == "x" and (1, 3) not in raster.marks
    assert (3, 4) in raster.taken and raster.taken == {atlas.Spot(3, 4), atlas.Spot(5, 6)}
    edge = atlas.Edge(from_=atlas.Spot(1, 1), to=atlas.Spot(2, 2), name="a")
    raster.edges[(1, 1), (2, 2), "a"] = 2.5
    raster.edges[edge] += 1
    assert raster.edges == {edge: 3.5} and raster.edges.pop(((1, 1), (2, 2), "a")) == 3.5 and not raster.edges
    assert atlas.longest({edge, ((1, 1), (4, 4), "b")}).name == "b"
    for wrong in ((1,), (1, 2, 3), (1, "a"), 5):
        with pytest.raises(TypeError):
            raster.marks[wrong] = "x"
        with pytest.raises(TypeError, match="as a key" if wrong != 5 else "got int"):
            atlas.marked({wrong: "x"})


def test_a_deep_copy_shares_funcs_as_those_of_python_do(atlas):
    pressed = []
    button = atlas.Button("a", lambda label: pressed.append(label) or label + "!")
    assert button.press() == "a!"
    for copied in (copy.deepcopy(button), copy.copy(button), copy.deepcopy([button])[0]):
        copied.label = "b"
        assert copied is not button and copied.press() == "b!" and copied.history() == "a b"
    assert button.history() == "a" and pressed == ["a", "b", "b", "b"]
    assert copy.deepcopy(atlas.loud("c")).press() == "C"
    panel = atlas.Panel()
    panel.buttons = [button, button]
    copied = copy.deepcopy(panel)
    assert copied.buttons[0] is copied.buttons[1] is not button and copied.buttons[0].history() == "a"
    with pytest.raises(TypeError, match="it holds a func"):
        pickle.dumps(button)
    panel.close()
    with pytest.raises(TypeError, match="cannot copy or pickle"):
        copy.deepcopy(panel)


def test_must_takes_the_value_alone_as_an_error_is_raised_before(atlas):
    assert atlas.must_be(atlas.cross("box", str.upper)) == "BOX" and atlas.must_be(5, None) == 5
    with pytest.raises(atlas.FerryError, match="no ferry in Emden"):
        atlas.must_be(atlas.cross("", str.upper))
    with pytest.raises(ValueError, match="wrong"):
        atlas.must_be(5, ValueError("wrong"))


def test_schemas_of_all_funcs_and_methods_are_types(atlas):
    """Stub generators and selfsame-ffi inspect read them."""
    said = [selfsame_ffi.get_global_func_metadata(name) for name in selfsame_ffi.registry.list_global_func_names()]
    for key in map(str, selfsame_ffi.get_registered_type_keys()):
        if key.startswith("atlas."):
            methods = selfsame_ffi._core.type_info(selfsame_ffi._core.type_key_to_index(key))["methods"]
            said += [json.loads(metadata) for _name, _doc, metadata, *_ in methods if metadata]
    texts = [metadata["type_schema"] for metadata in said if metadata and "type_schema" in metadata]
    assert len(texts) > 100
    for text in texts:
        assert TypeSchema.from_json_str(text).origin == "Callable", text
