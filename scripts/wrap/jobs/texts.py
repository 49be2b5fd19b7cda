"""Texts and their formats: a small job with each library that wrap.sh wraps, what its README shows first."""

import io

import pytest


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


def test_gjson():
    import gjson

    text = '{"name": {"first": "Janet", "last": "Prichard"}, "age": 47, "pets": ["Tom", "Rex"]}'
    last = gjson.get(text, "name.last")
    assert str(last) == "Prichard" and last.type == gjson.STRING
    assert [str(pet) for pet in gjson.get(text, "pets").array()] == ["Tom", "Rex"]
    assert gjson.parse(text).value()["age"] == 47 and not gjson.valid("{")


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


def test_ini():
    import ini

    config = ini.load(b"mode = fast\n[server]\nport = 9999\n")
    assert str(config.section("").key("mode")) == "fast" and config.section("server").key("port").int() == 9999
    config.section("").key("mode").set_value("slow")
    out = io.BytesIO()
    config.write_to(out)
    assert b"mode = slow" in out.getvalue()


def test_humanize():
    import humanize

    assert humanize.bytes(82854982) == "83 MB" and humanize.ordinal(193) == "193rd"
    assert humanize.comma(6582491) == "6,582,491"
