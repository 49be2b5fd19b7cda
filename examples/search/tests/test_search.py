"""The example search, used from Python: `make examples-real` builds it."""

import asyncio
import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest

search = pytest.importorskip("search", reason="run `make examples-real`, which builds the package")
import selfsame_ffi  # noqa: E402  after the skip

STONES = {
    "1": {"name": "jade", "text": "a green stone, hard and heavy", "places": ["China", "Mexico"]},
    "2": {"name": "basalt", "text": "a dark stone from a volcano", "places": ["Iceland"]},
    "3": {"name": "pumice", "text": "a light stone from a volcano, which swims", "origin": {"depth": 3.5}},
}


@pytest.fixture
def index():
    with search.Index() as made:
        made.add(STONES.items())
        yield made


def test_hits_are_typed_and_sorted(index):
    hits = index.search("volcano stone")
    assert type(hits) is list and [type(hit) for hit in hits] == [search.Hit] * 3
    assert {hit.id for hit in hits[:2]} == {"2", "3"} and hits[2].id == "1"
    assert hits[0].score >= hits[1].score > hits[2].score > 0
    (hit,) = index.search("name:pumice")
    assert dict(hit.fields) == {"name": "pumice", "text": STONES["3"]["text"], "origin.depth": 3.5}
    assert [hit.id for hit in index.search("places:mexico")] == ["1"]
    assert len(index.search("stone", limit=2)) == 2 and index.search("granite") == []


def test_wrong_queries_and_documents(index):
    with pytest.raises(ValueError):
        index.search('"half a phrase')
    with pytest.raises(TypeError, match="argument 'query': expected str, got int"):
        index.search(3)
    with pytest.raises(TypeError):
        index.add([("4", "no dict")])
    with pytest.raises(ZeroDivisionError):
        index.add((str(n), {"n": 1 // n}) for n in (1, 0))
    assert len(index) == 3


def test_documents_come_from_any_iterable(index):
    assert index.add((f"n{n}", {"text": f"number {n}"}) for n in range(2500)) == 2500
    assert len(index) == 2503
    assert [hit.fields["text"] for hit in index.search("+text:2222")] == ["number 2222"]
    index.delete("n2222")
    assert index.search("+text:2222") == [] and len(index) == 2502


def test_a_folder_is_opened_again_when_the_index_is_gone(tmp_path):
    path = str(tmp_path / "stones")
    index = search.Index(path)
    index.add(STONES.items())
    assert index.path == path
    del index  # OnDrop closes the files
    selfsame_ffi.collect()
    with search.Index(path) as again:
        assert [hit.id for hit in again.search("swims")] == ["3"]
    with pytest.raises(ValueError, match="not set"):
        again.search("swims")
    with pytest.raises(OSError):
        search.Index("/proc/no such folder/index")


def test_threads_and_tasks_share_an_index(index):
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda text: index.search(text)[0].id, ["green", "dark", "light"] * 20))
    assert found == ["1", "2", "3"] * 20

    async def main():
        return await asyncio.gather(*[selfsame_ffi.aio(index.search)(text) for text in ("green", "dark")])

    assert [hits[0].id for hits in asyncio.run(main())] == ["1", "2"]


def test_an_index_stays_where_it_is_and_hits_travel(index):
    with pytest.raises(TypeError, match="search.Index: objects cannot be pickled"):
        pickle.dumps(index)
    hits = index.search("volcano")
    assert [hit.id for hit in pickle.loads(pickle.dumps(hits))] == [hit.id for hit in hits]
