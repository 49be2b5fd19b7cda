"""a.x is a.x, for every field, container element and global function."""

# Requirement: C1

import selfsame_ffi


def test_field_with_a_getter_has_identity(native):
    node = native.Node(native.Leaf(3))
    assert node.x is node.x
    assert type(node.x) is native.Leaf


def test_plain_field_has_identity(native):
    plain = native.Plain()
    plain.x = native.Leaf(3)
    assert plain.x is plain.x
    assert type(plain.x) is native.Leaf


def test_any_field_has_identity(native):
    plain = native.Plain()
    plain.any = native.Leaf(1)
    assert plain.any is plain.any
    node = native.Node(None)
    node.any = plain
    assert node.any is node.any is plain


def test_two_fields_with_one_native_give_one_wrapper(native):
    node = native.Node(native.Leaf(3))
    assert node.x is node.fixed


def test_chained_fields_have_identity(native):
    root = native.Node(native.Node(native.Node(native.Leaf(3))))
    assert root.x.x.x is root.x.x.x
    assert root.x.x is root.x.x
    middle = root.x
    assert middle.x is root.x.x


def test_array_elements_have_identity(native):
    leaf = native.Leaf(1)
    array = selfsame_ffi.Array([leaf, native.Leaf(2), [leaf]])
    assert array[0] is leaf
    assert array[1] is array[1]
    assert array[2] is array[2]
    assert array[2][0] is leaf
    assert list(array)[0] is leaf


def test_array_in_a_field_has_identity(native):
    node = native.Node(None)
    node.items = [native.Leaf(1), native.Leaf(2)]
    assert node.items is node.items
    assert node.items[1] is node.items[1]


def test_global_function_has_identity():
    one = selfsame_ffi.get_global_func("sst.echo")
    assert one is selfsame_ffi.get_global_func("sst.echo")
    assert selfsame_ffi.debug.tie(one)["state"] == "Active"


def test_object_without_a_deleter_has_identity(native):
    assert native.static_node() is native.static_object
    assert native.echo(native.static_object) is native.static_object
    assert type(native.static_object).__name__ == "Static"
