"""Files, archives and databases: a small job with each library that wrap.sh wraps, what its README shows first."""

import datetime
import io

import pytest


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
        with pytest.raises(excelize.SheetNotExistError, match="nope"):
            read.get_cell_value("nope", "A1")


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


def test_bleve(tmp_path):
    import bleve

    with bleve.new(str(tmp_path / "example.bleve"), bleve.new_index_mapping()) as index:
        index.index("1", {"Name": "bleve indexing is easy"})
        index.index("2", {"Name": "something else"})
        found = index.search(bleve.SearchRequest(bleve.new_match_query("easy")))
        assert found.total == 1 and [hit.id for hit in found.hits] == ["1"]


def test_fsnotify(tmp_path):
    import fsnotify

    with fsnotify.Watcher() as watcher:
        watcher.add(str(tmp_path))
        (tmp_path / "a.txt").write_text("text")
        event = next(iter(watcher.events))
        assert event.name == str(tmp_path / "a.txt") and event.has(fsnotify.CREATE)


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
