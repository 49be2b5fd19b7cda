"""Values and collections: a small job with each library that wrap.sh wraps, what its README shows first."""

import pytest


def test_roaring():
    import roaring

    bitmap = roaring.Bitmap(1, 2, 3)
    bitmap.add(7)
    assert 7 in bitmap and len(bitmap | roaring.Bitmap(9)) == 5 and list(bitmap) == [1, 2, 3, 7]
    other = roaring.Bitmap()
    other.unmarshal_binary(bitmap.to_bytes())
    assert other == bitmap and str(other) == "{1,2,3,7}"


def test_mat():
    import mat

    class Counting(mat.Matrix):
        def dims(self):
            return 2, 2

        def at(self, i, j):
            return 10.0 * i + j

        def t(self):
            raise NotImplementedError

    a, product = mat.Dense(2, 2, [1, 2, 3, 4]), mat.Dense(2, 2, [0, 0, 0, 0])
    product.mul(a, a.t())
    assert [product.at(i, j) for i in range(2) for j in range(2)] == [5, 11, 11, 25]
    product.mul(a, Counting())
    assert product.at(1, 1) == 47
    with pytest.raises(RuntimeError, match="dimension mismatch"):
        product.mul(a, mat.Dense(3, 3, [0] * 9))


def test_gotime():
    import gotime

    day = gotime.date(2026, gotime.MARCH, 1, 12, 0, 0, 0, gotime.utc)
    assert str(day.month()) == "March" and day.weekday() == gotime.SUNDAY
    later = day.add(gotime.HOUR)
    assert later.after(day) and later.sub(day) == gotime.HOUR and str(later.sub(day)) == "1h0m0s"
    with pytest.raises(gotime.ParseError):
        gotime.parse("2006-01-02", "x")


def test_godecimal():
    import godecimal

    price, fee = godecimal.new_from_string("136.02"), godecimal.new_from_string(".035")
    total = price.mul(godecimal.new_from_int(3)).mul(fee.add(godecimal.new_from_float(1)))
    assert str(total) == "422.3421" and total > price and price == godecimal.new_from_string("136.020")
    with pytest.raises(ValueError, match="can't convert x to decimal"):
        godecimal.new_from_string("x")


def test_gouuid():
    import gouuid

    text = "f47ac10b-58cc-0372-8567-0e02b2c3d479"
    parsed = gouuid.parse(text)
    assert str(parsed) == text and parsed == gouuid.must_parse(text) and {parsed: 1}[gouuid.parse(text)] == 1
    assert bytes(parsed).hex() == text.replace("-", "") and gouuid.UUID() != gouuid.UUID()


def test_lru():
    import lru

    evicted = []
    cache = lru.new_with_evict(2, lambda key, value: evicted.append((key, value)))
    for key, value in [("a", 1), (2, [True]), ("c", {"x": 1})]:
        cache.add(key, value)
    assert evicted == [("a", 1)] and cache.get("c") == {"x": 1} and cache.get("a") is None and len(cache) == 2


def test_lo():
    import lo

    assert lo.uniq(["Samuel", "John", "Samuel"]) == ["Samuel", "John"]
    assert lo.filter([1, 2, 3, 4], lambda x, i: x % 2 == 0) == [2, 4]
    assert lo.group_by([0, 1, 2, 3], lambda i: i % 2) == {0: [0, 2], 1: [1, 3]}


def test_redblack():
    import redblack

    tree = redblack.new_with_int_comparator()
    for key, value in [(2, "b"), (1, "a")]:
        tree.put(key, value)
    assert tree.keys() == [1, 2] and tree.get(1) == "a" and tree.get(3) is None and len(tree) == 2
