"""The example rules, used from Python: `make examples-real` builds it."""

import asyncio
import itertools
import pickle

import pytest

rules = pytest.importorskip("rules", reason="run `make examples-real`, which builds the package")
import selfsame_ffi  # noqa: E402  after the skip

ORDER = {"amount": 120, "lines": [{"sku": "a", "price": 70.0}, {"sku": "b", "price": 50.0}], "customer": {"vip": False}}


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("amount > 100 and not customer.vip", True),
        ("sum(lines, .price) / len(lines)", 60.0),
        ("map(filter(lines, .price < 60), .sku)", ["b"]),
        ('{"total": amount, "first": lines[0]}', {"total": 120, "first": ORDER["lines"][0]}),
        ("nothing ?? 'default'", "default"),
        ("missing", None),
    ],
)
def test_values_are_plain_python_values(source, value):
    result = rules.Rule(source).eval(ORDER)
    assert result == value and type(result) is type(value)


def test_rules_call_python():
    seen = []

    def in_stock(sku, count=1):
        seen.append(sku)
        return {"a": 3}.get(sku, 0) >= count

    rule = rules.Rule("all(lines, in_stock(.sku, 2))", functions={"in_stock": in_stock})
    assert rule.eval(ORDER) is False and seen == ["a", "b"]
    assert list(rule.calls) == ["in_stock"] and rule.source == "all(lines, in_stock(.sku, 2))"
    del ORDER["lines"][1:]
    assert rule.eval(ORDER) is True


def test_errors_of_callbacks_reach_the_caller():
    class Unknown(Exception):
        """Raised by a callback."""

    def look_up(sku):
        raise Unknown(sku)

    rule = rules.Rule("look_up(sku)", {"look_up": look_up})
    with pytest.raises(RuntimeError, match=r"Unknown: x1 \(1:1\)") as caught:  # expr says where in the rule
        rule.eval({"sku": "x1"})
    assert type(caught.value.__cause__) is Unknown


def test_wrong_rules_are_refused():
    with pytest.raises(ValueError, match="unexpected token"):
        rules.Rule("amount >")
    with pytest.raises(RuntimeError, match="invalid operation"):
        rules.Rule("amount + name").eval({"amount": 1, "name": "x"})
    with pytest.raises(TypeError, match="argument 'functions': expected dict"):
        rules.Rule("f()", {"f": 3})


def test_matching_takes_any_rows():
    rule = rules.Rule("n % 3 == 0")
    assert list(rule.matching([{"n": n} for n in range(7)])) == [0, 3, 6]
    assert list(rule.matching({"n": n} for n in range(7))) == [0, 3, 6]
    assert list(rule.matching([])) == []
    with pytest.raises(ZeroDivisionError):
        rule.matching({"n": 1 // (2 - n)} for n in itertools.count())


def test_rules_without_functions_are_pickled():
    rule, data = rules.Rule("n + 1"), [rules.Rule("n * 2")] * 2
    assert pickle.loads(pickle.dumps(rule)).eval({"n": 1}) == 2
    first, second = pickle.loads(pickle.dumps(data))
    assert first is second and first.eval({"n": 4}) == 8
    with pytest.raises(TypeError, match="calls Python functions"):
        pickle.dumps(rules.Rule("f()", {"f": lambda: 1}))


def test_evaluation_in_asyncio():
    async def main():
        rule = rules.Rule("n * n")
        return await asyncio.gather(*[selfsame_ffi.aio(rule.eval)({"n": n}) for n in range(20)])

    assert asyncio.run(main()) == [n * n for n in range(20)]
