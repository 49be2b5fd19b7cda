"""A small job with each library that scripts/wrap/wrap.sh wraps: what its README shows first."""

import datetime

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
