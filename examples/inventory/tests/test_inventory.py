"""The inventory example, used from Python."""

# Requirement: D1

import pytest

inventory = pytest.importorskip("inventory", reason="run `make demo` first")
import selfsame_ffi  # noqa: E402  after the skip


def test_constructor_takes_defaults_and_keywords():
    lamp = inventory.Item("lamp", 30)
    assert (lamp.name, lamp.price, lamp.color) == ("lamp", 30.0, None)
    red = inventory.Item("cup", color=_color("red"))
    assert red.price == 1.0
    assert red.color is _color("red")
    assert inventory.Item(price=2, name="spoon").price == 2.0
    with pytest.raises(ValueError, match="below zero"):
        inventory.Item("debt", -1)
    with pytest.raises(TypeError, match="argument 'name': missing"):
        inventory.Item(price=2)
    with pytest.raises(TypeError, match="unexpected keyword argument 'weight'"):
        inventory.Item("x", weight=3)


def _color(name):
    return inventory.color(name)


# Requirement: D4
def test_containers_are_shared_with_go():
    lamp = inventory.Item("lamp")
    assert lamp.tags is lamp.tags
    lamp.tags.append("light")
    assert list(lamp.tags) == ["light"]
    assert list(inventory.Item("other").tags) == []
    with pytest.raises(TypeError, match=r"inventory.Item.tags: expected List\[str\], got int at \[1\]"):
        lamp.tags = ["a", 1]
    lamp.sizes = {"height": 1, "width": 0.5}
    assert dict(lamp.sizes) == {"height": 1.0, "width": 0.5}
    with pytest.raises(TypeError, match=r'sizes: expected Map\[str, float\], got str at \["height"\]'):
        lamp.sizes = {"height": "tall"}


def test_store_shares_its_items_with_python():
    store = inventory.Store()
    lamp, cup = inventory.Item("lamp", 30), inventory.Item("cup", 4)
    store.add(lamp)
    store.add(cup)
    assert store.items[0] is lamp
    assert store.by_name["cup"] is cup
    assert list(store.cheapest()) == [cup]
    assert list(store.cheapest(n=5)) == [cup, lamp]
    assert store.total(lambda price: price / 2) == 17.0
    with pytest.raises(KeyError, match="cup"):
        store.add(inventory.Item("cup"))
    with pytest.raises(ZeroDivisionError):
        store.total(lambda price: price / 0)


# Requirement: D6
def test_go_error_is_itself_after_python():
    """Go finds its own error again after an exception carried it through Python code."""
    store = inventory.Store()
    for name, price in (("lamp", 30), ("cup", 4), ("air", 0)):
        store.add(inventory.Item(name, price))
    kept = None

    def change(price):
        return price if price > 4 else inventory.no_price()

    def keeps(price):
        nonlocal kept
        try:
            return change(price)
        except RuntimeError as error:
            kept = error
            raise

    def wraps(price):
        try:
            return change(price)
        except RuntimeError as error:
            raise LookupError("in Python") from error

    def again(price):
        raise kept

    assert store.total(change) == store.total(keeps) == store.total(wraps) == 30.0
    assert store.total(again) == 0.0
    own = kept.__tvm_ffi_error__
    assert own.message == "no price" and ", in keeps\n" in own.backtrace and ", in again\n" in own.backtrace
    kept.__traceback__ = kept = None


# Requirement: D6
def test_wrapped_error_of_go_has_the_python_exception_as_cause():
    store = inventory.Store()
    store.add(inventory.Item("lamp", 0))
    with pytest.raises(ZeroDivisionError, match="the price of lamp: ZeroDivisionError: ") as info:
        store.total(lambda price: 1 / price)
    assert type(info.value.__cause__) is ZeroDivisionError and info.value.__cause__.args == ("float division by zero",)


def test_optional_field_takes_none():
    lamp = inventory.Item("lamp")
    assert lamp.rating is None
    lamp.rating = 5
    assert lamp.rating == 5
    lamp.rating = None
    with pytest.raises(TypeError):
        lamp.rating = "very good"


# Requirement: D4
def test_tensors_show_go_memory():
    numpy = pytest.importorskip("numpy")
    lamp = inventory.Item("lamp")
    assert lamp.picture is None
    lamp.draw(2, 3, grey=7)
    assert lamp.picture is lamp.picture
    picture = numpy.from_dlpack(lamp.picture)
    del lamp
    assert picture.tolist() == [[7, 7, 7], [7, 7, 7]]
    assert inventory.mean(selfsame_ffi.from_dlpack(numpy.array([1.0, 2.0, 6.0]))) == 3.0
    with pytest.raises(TypeError, match="float64, got one of float32"):
        inventory.mean(selfsame_ffi.from_dlpack(numpy.zeros(3, dtype="float32")))
    with pytest.raises(ValueError, match="strides"):
        inventory.mean(selfsame_ffi.from_dlpack(numpy.zeros((3, 3))[:, 0]))


# Requirement: A14
def test_enum_members_are_unique():
    red = _color("red")
    assert (red.value, red.rgb) == (1, 0xFF0000)
    assert _color("red") is red
    assert inventory.Color.red is red
    assert (red.name, repr(red)) == ("red", "inventory.Color.red")


def test_repr_is_the_one_written_in_go():
    assert repr(inventory.Item("lamp", 30)) == "<lamp for 30.00>"
