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
    author = git.object.Signature(
        name="Ada", email="ada@example.com", when=datetime.datetime.now(datetime.timezone.utc)
    )
    commit = tree.commit("first", git.CommitOptions(author=author))
    messages = []
    repository.log(git.LogOptions()).for_each(lambda c: messages.append((c.message, c.author.name)))
    assert messages == [("first", "Ada")] and repository.head().hash() == commit
    with pytest.raises(git.RepositoryNotExistsError):
        git.plain_open(str(tmp_path / "nowhere"))


def test_cel():
    import cel

    env = cel.Env(cel.variable("x", cel.int_type))
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
    machine.set("add", lambda a, b: a + b)
    machine.set("parts", lambda: [1, {"a": 2}])
    assert machine.run_string("add(parts()[1].a, parts().length)").export() == 4


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
    with pytest.raises(ValueError, match="missing closing"):
        regexp.Regexp("(")


def test_gotime():
    import gotime

    day = gotime.date(2026, gotime.MARCH, 1, 12, 0, 0, 0, gotime.utc)
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
    with pytest.raises(ValueError, match="can't convert x to decimal"):
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
    assert type(values) is dict and values == {"Age": 25, "Cats": ["a", "b"]} and meta.is_defined("Age")
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

    class Answer(chi.http.ResponseWriter):
        def __init__(self):
            super().__init__()
            self.headers, self.code, self.body = chi.http.Header(), 200, b""

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
        router.serve_http(answer, chi.http.Request(method="GET", url=chi.url.URL(path=path)))
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


def test_zerolog():
    import json

    import zerolog

    out = io.BytesIO()
    log = zerolog.Logger(out)
    log.info().str("name", "Ada").int("n", 3).msg("hello")
    assert log.level(zerolog.WARN_LEVEL).debug() is None  # Go's methods do nothing with a nil event
    assert json.loads(out.getvalue()) == {"level": "info", "name": "Ada", "n": 3, "message": "hello"}


def test_bleve(tmp_path):
    import bleve

    with bleve.new(str(tmp_path / "example.bleve"), bleve.new_index_mapping()) as index:
        index.index("1", {"Name": "bleve indexing is easy"})
        index.index("2", {"Name": "something else"})
        found = index.search(bleve.SearchRequest(bleve.new_match_query("easy")))
        assert found.total == 1 and [hit.id for hit in found.hits] == ["1"]


def test_protobuf():
    import protobuf

    message = protobuf.Struct({"name": "Ada", "n": [1, 2]})
    data = protobuf.marshal(message)
    read = protobuf.Struct({})
    protobuf.unmarshal(data, read)
    assert protobuf.equal(message, read) and read.as_map() == {"name": "Ada", "n": [1, 2]}
    assert protobuf.clone(read) is not read and protobuf.proto.size(read) == len(data)
    assert protobuf.structpb.Struct is protobuf.Struct
    assert protobuf.protojson.marshal(protobuf.structpb.new_string_value("x")) == b'"x"' != protobuf.marshal(read)


def test_otel():
    import otel

    exporter = otel.InMemoryExporter()
    provider = otel.TracerProvider(syncer=exporter)
    tracer = provider.tracer("app")
    _, span = tracer.start("work")
    span.set_name("done")
    span.end()
    assert [span.name for span in exporter.get_spans()] == ["done"]
    ctx, parent = tracer.start("parent", ctx=otel.Context(timeout=datetime.timedelta(seconds=60)))
    _, child = tracer.start("child", ctx=ctx)
    child.end()
    parent.end()
    spans = {span.name: span for span in exporter.get_spans()}
    assert spans["child"].parent.span_id() == spans["parent"].span_context.span_id()


def test_hcl():
    import hcl

    file, problems = hcl.Parser().parse_hcl(b'name = "x"\nport = 8080\n', "app.hcl")
    assert len(problems) == 0
    attributes, _ = file.body.just_attributes()
    value, _ = attributes["name"].expr.value(None)
    assert sorted(attributes) == ["name", "port"] and value.as_string() == "x"


def test_semver():
    import semver

    version = semver.Version("1.2.3-beta.1+b345")
    assert version.major() == 1 and version.prerelease() == "beta.1" and semver.Version("1.3.0") > version
    assert semver.new_constraint(">= 1.2.3").check(semver.Version("1.3"))
    with pytest.raises(semver.InvalidSemVerError):
        semver.Version("x")


def test_fsnotify(tmp_path):
    import fsnotify

    with fsnotify.Watcher() as watcher:
        watcher.add(str(tmp_path))
        (tmp_path / "a.txt").write_text("text")
        event = next(iter(watcher.events))
        assert event.name == str(tmp_path / "a.txt") and event.has(fsnotify.CREATE)


def test_xhtml():
    import xhtml

    document = xhtml.parse(io.BytesIO(b"<p>Links: <a href='foo'>Foo</a>"))
    links = [node for node in document.descendants() if node.type == xhtml.ELEMENT_NODE and node.data == "a"]
    assert [(attribute.key, attribute.val) for attribute in links[0].attr] == [("href", "foo")]


def test_goquery():
    import goquery

    document = goquery.Document.from_reader(io.BytesIO(b"<p class=x>one</p><p class=x>two</p>"))
    texts = []
    document.find(".x").each(lambda i, selection: texts.append((i, selection.text())))
    assert texts == [(0, "one"), (1, "two")]


def test_lua():
    import lua

    with lua.new_state() as state:
        state.do_string("x = 40 + 2")
        assert str(state.get_global("x")) == "42"
        with pytest.raises(lua.ApiError, match="boo") as caught:
            state.do_string("error('boo')")
        assert caught.value.type == lua.API_ERROR_RUN


def test_logrus():
    import logrus

    out = io.BytesIO()
    log = logrus.Logger()
    log.set_output(out)
    log.with_fields({"animal": "walrus"}).info("A walrus appears")
    assert b'msg="A walrus appears" animal=walrus' in out.getvalue()


def test_humanize():
    import humanize

    assert humanize.bytes(82854982) == "83 MB" and humanize.ordinal(193) == "193rd"
    assert humanize.comma(6582491) == "6,582,491"


def test_ini():
    import ini

    config = ini.load(b"mode = fast\n[server]\nport = 9999\n")
    assert str(config.section("").key("mode")) == "fast" and config.section("server").key("port").int() == 9999
    config.section("").key("mode").set_value("slow")
    out = io.BytesIO()
    config.write_to(out)
    assert b"mode = slow" in out.getvalue()


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


def test_jwt():
    import jwt

    text = jwt.new_with_claims(jwt.signing_method_hs256, jwt.MapClaims({"foo": "bar"})).signed_string(b"secret")
    token = jwt.parse(text, lambda token: b"secret", valid_methods=["HS256"])
    assert token.valid and token.claims["foo"] == "bar"
    with pytest.raises(jwt.TokenSignatureInvalidError):
        jwt.parse(text, lambda token: b"wrong")
    claims = jwt.RegisteredClaims()
    text = jwt.new_with_claims(jwt.signing_method_hs256, jwt.RegisteredClaims(issuer="me")).signed_string(b"k")
    assert jwt.parse_with_claims(text, claims, lambda token: b"k").claims is claims and claims.issuer == "me"


def test_mux():
    import mux

    class Answer(mux.http.ResponseWriter):
        def __init__(self):
            super().__init__()
            self.body = b""

        def header(self):
            return mux.http.Header()

        def write(self, data):
            self.body += data
            return len(data)

        def write_header(self, code):
            pass

    router, answer = mux.Router(), Answer()
    router.handle_func("/products/{key}", lambda w, r: w.write(mux.vars(r)["key"].encode())).methods("GET")
    router.serve_http(answer, mux.http.Request(method="GET", url=mux.url.URL(path="/products/phone")))
    assert answer.body == b"phone"


def test_redblack():
    import redblack

    tree = redblack.new_with_int_comparator()
    for key, value in [(2, "b"), (1, "a")]:
        tree.put(key, value)
    assert tree.keys() == [1, 2] and tree.get(1) == "a" and tree.get(3) is None and len(tree) == 2


def test_afero():
    import afero

    files = afero.new_mem_map_fs()
    afero.write_file(files, "/a/b", b"file b", 0o644)
    assert afero.exists(files, "/a/b") and afero.read_file(files, "/a/b") == b"file b"
    with files.open("/a/b") as file:
        assert (file.read(4), file.read(), file.stat().size()) == (b"file", b" b", 6)
    with pytest.raises(FileNotFoundError):
        files.open("/a/c")
    assert afero.FileNotFoundError is FileNotFoundError


def test_pflag():
    import pflag

    flags = pflag.FlagSet("prog", pflag.CONTINUE_ON_ERROR)
    port = flags.int("port", 1234, "help message for port")
    wait = flags.duration_p("wait", "w", datetime.timedelta(seconds=1), "how long")
    assert port.value == 1234
    flags.parse(["--port=77", "-w", "2s", "rest"])
    assert (port.value, wait.value, flags.args()) == (77, datetime.timedelta(seconds=2), ["rest"])
    with pytest.raises(pflag.NotExistError, match="unknown flag: --nope"):
        flags.parse(["--nope"])


def test_gocache():
    import gocache

    cache = gocache.Cache(datetime.timedelta(minutes=5), datetime.timedelta(minutes=10))
    kept = object()
    cache.set("foo", kept, gocache.DEFAULT_EXPIRATION)
    cache.set("baz", 42, gocache.NO_EXPIRATION)
    assert cache.get("foo") is kept and cache.get("nope") is None and cache.increment_int("baz", 2) == 44


def test_gozip():
    import gozip

    archive = io.BytesIO()
    with gozip.Writer(archive) as writer:
        writer.create("a.txt").write(b"hello")
    reader = gozip.Reader(archive, len(archive.getvalue()))
    assert [(file.name, file.open().read()) for file in reader.file] == [("a.txt", b"hello")]


def test_gosql():
    import gosql

    with gosql.open("sqlite", ":memory:") as database:
        database.set_max_open_conns(1)
        database.exec("create table people (id integer primary key, name text)")
        result = database.exec("insert into people (name) values (?), (?)", "Ada", None)
        assert (result.rows_affected(), result.last_insert_id()) == (2, 2)
        assert list(database.query("select * from people")) == [[1, "Ada"], [2, None]]
        name = gosql.AnyRef()
        database.query_row("select name from people where id = ?", 1).scan(name)
        assert name.value == "Ada"
        with pytest.raises(gosql.NoRowsError):
            database.query_row("select name from people where id = 9").scan(name)
