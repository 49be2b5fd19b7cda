"""A small job with each library that scripts/wrap/wrap.sh wraps: what its README shows first."""

import datetime
import io

import pytest


def test_roaring():
    import roaring

    bitmap = roaring.Bitmap(1, 2, 3)
    bitmap.add(7)
    assert 7 in bitmap and len(bitmap | roaring.Bitmap(9)) == 5 and list(bitmap) == [1, 2, 3, 7]
    other = roaring.Bitmap()
    other.unmarshal_binary(bitmap.to_bytes())
    assert other == bitmap and str(other) == "{1,2,3,7}"


def test_excelize(tmp_path):
    import excelize

    book = excelize.File()
    style = book.new_style(excelize.Style(font=excelize.Font(bold=True)))
    book.set_cell_value("Sheet1", "A1", 12.5)
    book.set_cell_value("Sheet1", "B1", "tea")
    book.set_cell_style("Sheet1", "A1", "A1", style)
    book.save_as(str(tmp_path / "book.xlsx"))
    with excelize.open_file(str(tmp_path / "book.xlsx")) as read:
        assert [list(row) for row in read.get_rows("Sheet1")] == [["12.5", "tea"]]
        with pytest.raises(excelize.ErrSheetNotExist, match="nope"):
            read.get_cell_value("nope", "A1")


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


def test_git(tmp_path):
    import git

    repository = git.plain_init(str(tmp_path), False)
    assert repository.storer is repository.storer
    (tmp_path / "a.txt").write_text("text")
    tree = repository.worktree()
    tree.add("a.txt")
    author = git.Signature(name="Ada", email="ada@example.com", when=datetime.datetime.now(datetime.timezone.utc))
    commit = tree.commit("first", git.CommitOptions(author=author))
    messages = []
    repository.log(git.LogOptions()).for_each(lambda c: messages.append((c.message, c.author.name)))
    assert messages == [("first", "Ada")] and repository.head().hash() == commit
    with pytest.raises(git.RepositoryNotExistsError):
        git.plain_open(str(tmp_path / "nowhere"))


def test_cel():
    import cel

    env = cel.Env(cel.variable("x", cel.int_type()))
    tree, issues = env.compile("x * 2 + 1")
    assert issues is None
    value, _ = env.program(tree).eval({"x": 20})
    assert value.value() == 41


def test_goja():
    import goja

    machine = goja.Runtime()
    machine.set("x", 41)
    assert machine.run_string("x + 1").export() == 42
    with pytest.raises(goja.Exception, match="boo"):
        machine.run_string("throw new Error('boo')")


def test_yaml():
    import yaml

    text = yaml.marshal({"a": [1, 2]})
    assert text == b"a:\n    - 1\n    - 2\n"
    node = yaml.Node()
    yaml.unmarshal(text, node)
    assert node.kind == yaml.DOCUMENT_NODE and node.content[0].content[0].value == "a"


def test_url():
    import url

    address = url.parse("https://user:pw@example.com:8080/a?x=1&y=2")
    assert (address.host, address.port(), address.query().get("x")) == ("example.com:8080", "8080", "1")
    assert address.user is address.user and str(address.user) == "user:pw"
    address.host = "example.org"
    assert str(address) == "https://user:pw@example.org/a?x=1&y=2"
    with pytest.raises(url.EscapeError):
        url.query_unescape("%zz")


def test_regexp():
    import regexp

    pattern = regexp.Regexp(r"(\w)(\d+)")
    assert pattern.match_string("a12") and pattern.find_string_submatch("x a12") == ["a12", "a", "12"]
    assert pattern.replace_all_string_func("a1 b2", lambda s: s.upper()) == "A1 B2"
    with pytest.raises(RuntimeError, match="missing closing"):
        regexp.Regexp("(")


def test_gotime():
    import gotime

    day = gotime.date(2026, gotime.MARCH, 1, 12, 0, 0, 0, gotime.utc())
    assert str(day.month()) == "March" and day.weekday() == gotime.SUNDAY
    later = day.add(gotime.HOUR)
    assert later.after(day) and later.sub(day) == gotime.HOUR and str(later.sub(day)) == "1h0m0s"
    with pytest.raises(gotime.ParseError):
        gotime.parse("2006-01-02", "x")


def test_gjson():
    import gjson

    text = '{"name": {"first": "Janet", "last": "Prichard"}, "age": 47, "pets": ["Tom", "Rex"]}'
    last = gjson.get(text, "name.last")
    assert str(last) == "Prichard" and last.type == gjson.STRING
    assert [str(pet) for pet in gjson.get(text, "pets").array()] == ["Tom", "Rex"]
    assert gjson.parse(text).value()["age"] == 47 and not gjson.valid("{")


def test_godecimal():
    import godecimal

    price, fee = godecimal.new_from_string("136.02"), godecimal.new_from_string(".035")
    total = price.mul(godecimal.new_from_int(3)).mul(fee.add(godecimal.new_from_float(1)))
    assert str(total) == "422.3421" and total > price and price == godecimal.new_from_string("136.020")
    with pytest.raises(RuntimeError, match="can't convert x to decimal"):
        godecimal.new_from_string("x")


def test_gouuid():
    import gouuid

    text = "f47ac10b-58cc-0372-8567-0e02b2c3d479"
    parsed = gouuid.parse(text)
    assert str(parsed) == text and parsed == gouuid.must_parse(text) and {parsed: 1}[gouuid.parse(text)] == 1
    assert bytes(parsed).hex() == text.replace("-", "") and gouuid.UUID() != gouuid.UUID()


def test_gotoml():
    import gotoml

    meta, values = gotoml.decode("Age = 25\nCats = ['a', 'b']")
    assert values["Age"] == 25 and list(values["Cats"]) == ["a", "b"] and meta.is_defined("Age")
    assert gotoml.unmarshal(gotoml.marshal({"a": {"b": 1}})) == {"a": {"b": 1}}
    with pytest.raises(gotoml.ParseError) as caught:
        gotoml.decode("a = ")
    assert gotoml.parse_error_of(caught.value).position.line == 1


def test_goldmark():
    import goldmark

    out = io.BytesIO()
    goldmark.convert(b"# Hello\n\n*world*", out)
    assert out.getvalue() == b"<h1>Hello</h1>\n<p><em>world</em></p>\n"


def test_bbolt(tmp_path):
    import bbolt

    def write(tx):
        tx.create_bucket(b"MyBucket").put(b"answer", b"42")

    def read(tx):
        bucket, found = tx.bucket(b"MyBucket"), {}
        bucket.for_each(lambda key, value: found.update({key: value}))
        assert bucket.get(b"answer") == b"42" and found == {b"answer": b"42"}

    with bbolt.open(str(tmp_path / "my.db"), 0o600, None) as db:
        db.update(write)
        db.view(read)
        with pytest.raises(bbolt.TxNotWritableError):
            db.view(write)


def test_chi():
    import chi

    class Answer(chi.ResponseWriter):
        def __init__(self):
            super().__init__()
            self.headers, self.code, self.body = chi.Header(), 200, b""

        def header(self):
            return self.headers

        def write(self, data):
            self.body += data
            return len(data)

        def write_header(self, code):
            self.code = code

    router = chi.new_router()
    router.get("/hello/{name}", lambda w, r: w.write(f"{r.url.path}: {chi.url_param(r, 'name')}".encode()))
    for path, code, body in [("/hello/bob", 200, b"/hello/bob: bob"), ("/nowhere", 404, b"404 page not found\n")]:
        answer = Answer()
        router.serve_http(answer, chi.Request(method="GET", url=chi.URL(path=path)))
        assert (answer.code, answer.body) == (code, body)


def test_cobra():
    import cobra

    ran = []
    times, name = cobra.IntSliceRef(), cobra.StringRef()
    root = cobra.Command(use="app", short="An app.")
    echo = cobra.Command(use="echo [words]", run=lambda command, words: ran.append(words))
    echo.flags().int_slice_var(times, "times", [], "how often")
    echo.flags().string_var(name, "name", "nobody", "who")
    root.add_command(echo)
    root.set_args(["echo", "--times", "1,2", "--name", "Ada", "a", "b"])
    root.execute()
    assert (ran, times.value, name.value) == ([["a", "b"]], [1, 2], "Ada")


def test_prometheus():
    import prometheus

    registry = prometheus.Registry()
    hits = prometheus.new_counter(prometheus.CounterOpts(name="hits", help="Hits."))
    registry.must_register(hits)
    hits.add(2)

    class Mine(prometheus.Collector):
        def describe(self, ch):
            ch(mine)

        def collect(self, ch):
            ch(prometheus.must_new_const_metric(mine, prometheus.GAUGE_VALUE, 7.5))

    mine = prometheus.Desc("mine", "Mine.", [], {})
    registry.must_register(Mine())
    families = {family.get_name(): family for family in registry.gather()}
    assert families["hits"].get_metric()[0].get_counter().get_value() == 2
    assert families["mine"].get_metric()[0].get_gauge().get_value() == 7.5
    metrics = []
    hits.collect(metrics.append)
    assert len(metrics) == 1
    with pytest.raises(prometheus.AlreadyRegisteredError):
        registry.register(hits)
