"""Full-text indices on the workers of a cluster: each stays on its worker, documents and hits travel."""

# Requirement: H1

from __future__ import annotations

from typing import Any

import cluster
import search
import travellers

STONES = ["jade", "basalt", "pumice", "flint", "opal"]


def document(n: int) -> tuple[str, dict[str, Any]]:
    return str(n), {"stone": STONES[n % 5], "text": f"a {STONES[n % 5]} that weighs {n} grams"}


def test_shards_on_dask_workers_are_queried_together(dask_client: Any) -> None:
    sharded = cluster.Sharded(dask_client)
    assert sharded.add(document(n) for n in range(3000)) == 3000
    assert len(sharded) == 3000
    with search.Index() as whole:
        whole.add(document(n) for n in range(3000))
        for query in ("weighs 777", "+stone:opal +text:1234", "+text:2222"):
            hits = sharded.search(query, 5)
            assert [type(hit) for hit in hits] == [search.Hit] * len(hits)
            assert hits[0].id == whole.search(query, 1)[0].id if whole.search(query, 1) else hits == []
        assert {hit.id for hit in sharded.search("+stone:jade", 1000)} == {str(n) for n in range(0, 3000, 5)}


def test_shards_in_ray_actors(ray: Any) -> None:
    actor = ray.remote(travellers.Shard)
    shards = [actor.remote() for _ in range(2)]
    documents = dict(document(n) for n in range(200))
    halves = [{id: d for id, d in documents.items() if int(id) % 2 == part} for part in (0, 1)]
    assert ray.get([shard.add.remote(half) for shard, half in zip(shards, halves)]) == [100, 100]
    found = [hit.id for hits in ray.get([shard.search.remote("+text:77") for shard in shards]) for hit in hits]
    assert found == ["77"]
