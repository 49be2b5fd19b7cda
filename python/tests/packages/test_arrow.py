"""Slices and iterators of Go's structs as columns of Arrow, and columns of others as slices of structs."""

# Requirement: D10

import copy
import ctypes
import gc
import pickle
from types import SimpleNamespace

import pytest
import selfsame_ffi


class Table:
    """An object of another library: nothing but a stream of Arrow."""

    def __init__(self, rows):
        self.rows = rows

    def __arrow_c_stream__(self, requested_schema=None):
        return self.rows.__arrow_c_stream__(requested_schema)


class Array:
    """An object of another library: nothing but an array of Arrow."""

    def __init__(self, rows):
        self.rows = rows

    def __arrow_c_array__(self, requested_schema=None):
        return self.rows.__arrow_c_array__(requested_schema)


def test_rows_of_every_kind_there_and_back(cart):
    for rows in (cart.quotes(70), cart.quotes(0)):
        assert cart.echo_quotes(Table(rows)) == rows
    assert cart.echo_quotes(Array(cart.quotes(70))) == cart.quotes(70)


def test_rows_are_a_list_in_all_but_their_type(cart):
    rows = cart.quotes(3)
    assert isinstance(rows, selfsame_ffi.GoRows)
    assert len(rows) == 3 and rows and not cart.quotes(0)
    assert rows[1].symbol == "é1" and rows[-1] is rows[2] and [row.id for row in rows] == [0, 1, 2]
    assert type(rows[1:]) is list and rows[::2] == [rows[0], rows[2]]
    assert rows == cart.quotes(3) and rows == list(rows) and list(rows) == rows and rows != cart.quotes(2)
    assert rows[0] in rows and rows.index(rows[2]) == 2 and repr(rows) == repr(list(rows))
    assert rows + [1] == [*rows, 1] and [1] + rows == [1, *rows] and rows * 2 == [*rows, *rows]
    for copied in (copy.copy(rows), copy.deepcopy(rows), pickle.loads(pickle.dumps(rows)), rows.copy()):
        assert type(copied) is list and copied == rows
    rows.sort(key=lambda row: -row.id)
    rows.append(rows.pop(0))
    del rows[0]
    rows += []
    assert [row.id for row in rows] == [0, 2] and len(rows) == 2
    assert [row.id for row in cart.echo_quotes(rows)] == [0, 2]
    with pytest.raises(TypeError):
        hash(rows)


def test_columns_have_what_happened_to_the_list(cart):
    rows = cart.quotes(3)
    rows[1].symbol = "other"
    rows.pop()
    assert [row.symbol for row in cart.echo_quotes(Table(rows))] == ["é0", "other"]


def test_a_nil_pointer_is_null_and_no_time_is(cart):
    made = cart.echo_quotes(Table(cart.quotes(2)))
    assert made[0].note is None and made[0].worst is None and made[1].note == "note 1" and made[1].worst.size == 1
    quote = cart.quotes(1)[0]
    quote.at = cart.Quote().at
    assert cart.echo_quotes(Table(cart.echo_quotes([quote])))[0].at == quote.at


def test_each_call_gives_new_capsules(cart):
    rows = cart.quotes(5)
    first, second = rows.__arrow_c_stream__(), rows.__arrow_c_stream__()
    assert first is not second

    given = SimpleNamespace(__arrow_c_stream__=lambda: first)
    assert cart.echo_quotes(given) == rows
    with pytest.raises(ValueError, match="read already"):
        cart.echo_quotes(given)
    del second
    assert cart.echo_quotes(Table(rows)) == rows


def test_memory_is_free_when_a_capsule_is_dropped(cart):
    class Info(ctypes.Structure):
        _fields_ = [
            (name, ctypes.c_size_t) for name in "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks a b".split()
        ]

    mallinfo = getattr(ctypes.CDLL(None), "mallinfo2", None)
    if mallinfo is None:
        pytest.skip("the C library does not count what malloc has given")
    mallinfo.restype = Info

    def used():
        info = mallinfo()
        return info.hblkhd + info.uordblks

    rows = cart.ticks(100_000)  # 3 MB of columns
    before = used()
    for _ in range(10):
        schema, array = rows.__arrow_c_array__()
        del schema, array
        array, schema = rows.__arrow_c_array__()[::-1]
        del array, schema
        cart.sum_ticks(Array(rows))
        cart.sum_ticks(Table(rows))
        rows.__arrow_c_stream__(), rows.__arrow_c_schema__()
    gc.collect()
    assert used() - before < 6_000_000


def test_an_iterator_gives_its_rows_once(cart):
    assert cart.echo_quotes(Table(cart.each_quote(70_000)))[69_999] == cart.quotes(70_000)[69_999]
    assert cart.echo_quotes(Table(cart.each_quote(0))) == []
    rows = cart.each_quote(3)
    assert cart.echo_quotes(Table(rows)) == cart.quotes(3) and list(rows) == []
    with pytest.raises(RuntimeError, match="was begun, and gives its rows once"):
        cart.echo_quotes(Table(rows))
    stream = cart.each_quote(3).__arrow_c_stream__()
    assert cart.echo_quotes(SimpleNamespace(__arrow_c_stream__=lambda: stream)) == cart.quotes(3)
    begun = cart.each_quote(3)
    assert next(begun).id == 0
    with pytest.raises(RuntimeError, match="was begun"):
        cart.echo_quotes(Table(begun))
    assert [row.id for row in begun] == [1, 2]
    with cart.each_quote(3) as closed:
        closed.__arrow_c_stream__()
    assert not hasattr(closed, "__arrow_c_array__")


def test_an_iterator_that_fails_fails_the_stream(cart):
    with pytest.raises(RuntimeError, match="the market is closed"):
        cart.echo_quotes(Table(cart.some_quotes(3)))


def test_a_field_with_structs_has_columns(cart):
    ledger = cart.Ledger(3)
    other = cart.Ledger(0)
    other.trades = Table(ledger.trades)
    assert [(t.id, t.name) for t in other.trades] == [(0, "t0"), (1, "t1"), (2, "t2")]
    ledger.trades[1].name = "changed"
    other.refs = Array(ledger.trades)
    assert [t.name for t in other.refs] == ["t0", "changed", "t2"]
    other.trades = Table(ledger.refs)
    assert [t.id for t in other.trades] == [0, -1, -2]


def test_what_has_no_form_is_refused_by_name(cart):
    hooks = cart.Ledger(0).hooks
    with pytest.raises(TypeError, match=r"cart\.Hook\.Run: func\(\) has no form in Arrow"):
        hooks.__arrow_c_array__()
    names = cart.Cart().names
    assert not hasattr(names, "__arrow_c_stream__") and not hasattr(names, "__arrow_c_array__")
    with pytest.raises(ValueError, match="column 'name': the text of row 1 is not UTF-8"):
        cart.bad_texts().__arrow_c_array__()


def test_columns_that_do_not_fit_are_refused_by_name(cart):
    with pytest.raises(TypeError, match=r"cart\.sum_ticks: argument 'ticks': expected a column 'price' of float64"):
        cart.sum_ticks(Table(cart.Ledger(1).trades))
    with pytest.raises(TypeError, match=r"cart\.sum_ticks: argument 'ticks': "):
        cart.sum_ticks(5)


# ---- with the libraries, where they are installed ----


def test_pyarrow_reads_and_gives_tables(cart):
    pa = pytest.importorskip("pyarrow")
    rows = cart.quotes(5)
    table = pa.table(rows)
    table.validate(full=True)
    types = {field.name: str(field.type) for field in table.schema}
    assert types == {
        "id": "int64", "small": "uint8", "symbol": "string", "price": "double", "ratio": "float", "open": "bool",
        "side": "int64", "at": "timestamp[ns, tz=UTC]", "took": "duration[ns]", "data": "binary", "note": "string",
        "best": "struct<price: double not null, size: int32>", "worst": "struct<price: double, size: int32>",
        "levels": "list<item: struct<price: double not null, size: int32> not null>",
        "lots": "list<item: int32 not null>",
        "hash": "fixed_size_binary[4]", "pair": "fixed_size_list<item: double not null>[2]",
    }  # fmt: skip
    assert table["note"].to_pylist() == [None, "note 1", None, "note 3", None]
    assert [len(levels) for levels in table["levels"].to_pylist()] == [0, 1, 2, 0, 1]
    assert pa.array(rows).type.num_fields == len(types) and pa.RecordBatchReader.from_stream(rows).read_all() == table
    assert cart.echo_quotes(table) == rows
    assert cart.echo_quotes(table.slice(1, 3)) == rows[1:4]
    assert cart.echo_quotes(pa.concat_tables([table.slice(3), table.slice(0, 2)])) == rows[3:] + rows[:2]
    assert cart.echo_quotes(table.to_batches()[0].slice(2)) == rows[2:]
    assert pa.table(cart.each_quote(5)) == table and pa.table(cart.Ledger(2).trades).num_rows == 2


def test_columns_of_other_types_are_converted(cart):
    pa = pytest.importorskip("pyarrow")
    at = pa.array([0, None], pa.timestamp("ms", "Europe/Berlin"))
    columns = {"id": pa.array([1, 2], pa.int8()), "price": pa.array([1, 2], pa.uint16()), "at": at}
    for names in (
        pa.array(["a", "b"]), pa.array(["a", "b"], pa.large_string()), pa.array(["a", "b"], pa.string_view()),
        pa.array(["a", "b"]).dictionary_encode(), pa.array(["-" * 20, "b"], pa.string_view()),
    ):  # fmt: skip
        (one,) = cart.echo_ticks(pa.table({**columns, "Name": names, "extra": [1, 2]}).slice(0, 1))
        assert (one.id, one.price, one.name) == (1, 1.0, names[0].as_py()) and one.at.timestamp() == 0
    good = {**columns, "name": ["a", "b"]}
    for name, wrong, what in (
        ("id", ["a", "b"], "expected int64, got string"), ("id", [1.5, 2], "expected int64, got float64"),
        ("name", [1, 2], "expected string, got int64"), ("name", ["a", None], "row 1 is null, expected string"),
        ("id", pa.array([2**64 - 1, 0], pa.uint64()), "does not fit in int64"),
        ("at", pa.array([0, 1], pa.timestamp("us")), r"expected timestamp, got timestamp without a time zone"),
    ):  # fmt: skip
        with pytest.raises((TypeError, ValueError, OverflowError), match=rf"argument 'ticks': .*'{name}'.*{what}"):
            cart.sum_ticks(pa.table({**good, name: wrong}))
    with pytest.raises(TypeError, match="expected an Arrow table or an array of structs, got int64"):
        cart.sum_ticks(pa.chunked_array([[1, 2]]))


def test_decimals_are_numbers(cart):
    pa = pytest.importorskip("pyarrow")
    from decimal import Decimal

    at = pa.array([0], pa.timestamp("ns", "UTC"))
    narrow = (pa.decimal32(9, 0), pa.decimal64(18, 0)) if hasattr(pa, "decimal32") else ()
    for whole in (*narrow, pa.decimal128(38, 0), pa.decimal256(70, 0)):
        for number in (0, 1, -1, 123_456_789, -123_456_789):
            columns = {"id": pa.array([Decimal(number)], whole), "name": ["a"], "price": [1.0], "at": at}
            assert cart.echo_ticks(pa.table(columns))[0].id == number
    for number in (2**63 - 1, -(2**63)):
        columns["id"] = pa.array([Decimal(number)], pa.decimal128(38, 0))
        assert cart.echo_ticks(pa.table(columns))[0].id == number
    for number in (2**63, -(2**63) - 1, 10**30):
        columns["id"] = pa.array([Decimal(number)], pa.decimal128(38, 0))
        with pytest.raises(OverflowError, match=f"'id': {number} in row 0 does not fit in int64"):
            cart.echo_ticks(pa.table(columns))
    columns["id"] = pa.array([Decimal("1.5")], pa.decimal128(10, 1))
    with pytest.raises(TypeError, match="column 'id': expected int64, got decimal"):
        cart.echo_ticks(pa.table(columns))
    columns["id"] = [1]
    for text in ("-0.1", "12345678901234567890.123456789", "0.3"):
        columns["price"] = pa.array([Decimal(text)], pa.decimal128(38, 9))
        assert cart.echo_ticks(pa.table(columns))[0].price == float(text)


def test_polars_reads_and_gives_frames(cart):
    pl = pytest.importorskip("polars")
    rows = cart.quotes(5)
    frame = pl.DataFrame(rows)
    assert frame["symbol"].to_list() == ["é0", "é1", "é2", "é3", "é4"]
    assert pl.from_arrow(rows).struct.unnest().equals(frame)  # a Series of structs
    assert frame["at"].dtype == pl.Datetime("ns", "UTC")
    ticks = cart.ticks(5)
    frame = pl.DataFrame(ticks)
    assert cart.echo_ticks(frame) == ticks and cart.echo_ticks(frame.filter(pl.col("id") > 2)) == ticks[3:]
    assert cart.echo_ticks(frame.with_columns(pl.col("name").cast(pl.Categorical))) == ticks
    assert pl.DataFrame(cart.each_quote(5)).height == 5


def test_pandas_reads_and_gives_frames(cart):
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    ticks = cart.ticks(5)
    frame = pd.DataFrame.from_arrow(ticks)
    assert list(frame["id"]) == [0, 1, 2, 3, 4] and str(frame["at"].dtype) == "datetime64[ns, UTC]"
    assert cart.echo_ticks(frame) == ticks and cart.echo_ticks(frame[frame["id"] > 2]) == ticks[3:]
    assert list(pd.DataFrame(ticks)["name"]) == [tick.name for tick in ticks]


def test_duckdb_reads_and_gives_tables(cart):
    duckdb = pytest.importorskip("duckdb")
    ticks = cart.ticks(1000)
    assert duckdb.sql("select sum(price) from ticks").fetchall() == [(cart.sum_ticks(ticks),)]
    assert cart.sum_ticks(duckdb.sql("select * from ticks where id >= 10")) == cart.sum_ticks(cart.ticks(1000)[10:])
    columns = 'sum(id) as id, min(name) as name, max("at") as "at", sum(price) as price'
    (sums,) = cart.echo_ticks(duckdb.sql(f"select {columns} from ticks"))
    assert sums.id == sum(range(1000))  # a sum of whole numbers is decimal128(38, 0)


# ---- a package that was written for Python ----


def test_a_written_package_returns_and_takes_tables(go):
    for made in (go.samples(5), go.plain_samples(5), go.samples_and_count(5)[0]):
        assert isinstance(made, selfsame_ffi.GoRows) and go.sum_samples(Table(made)) == 10
        assert [row.class_ for row in made] == [None, 1, None, 3, None] and go.sum_samples(made) == 10
    assert go.sum_samples(Table(go.each_sample(5))) == 10 and [row.value for row in go.each_sample(2)] == [0, 1]


def test_what_the_func_goes_on_with_does_not_change_the_rows(go):
    before = go.kept_samples()
    go.change_kept_samples()
    assert [(row.name, row.class_) for row in before] == [("s", None), ("s", 1), ("s", None)]
    assert go.kept_samples()[0].name == "changed"
