"""Servers and what they report: a small job with each library that wrap.sh wraps, what its README shows first."""

import datetime
import io

import pytest


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


def test_logrus():
    import logrus

    out = io.BytesIO()
    log = logrus.Logger()
    log.set_output(out)
    log.with_fields({"animal": "walrus"}).info("A walrus appears")
    assert b'msg="A walrus appears" animal=walrus' in out.getvalue()


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
