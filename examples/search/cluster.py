"""Indices built on Dask workers, one for each shard of the documents, and queried together.

An index holds open files and Go memory, so it stays on its worker, as a Dask actor. Documents go there, hits come back.
"""

from __future__ import annotations

import heapq
import zlib
from typing import TYPE_CHECKING, Any

import search

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dask.distributed import Client


class Sharded:
    """A full-text index whose documents are spread over the workers of a cluster."""

    def __init__(self, client: Client) -> None:
        workers = list(client.scheduler_info(n_workers=-1)["workers"])
        made = [client.submit(search.Index, workers=[worker], actor=True, pure=False) for worker in workers]
        self._shards: list[Any] = client.gather(made)

    def add(self, documents: Iterable[tuple[str, dict[str, Any]]]) -> int:
        """Add the documents, each to one shard; all shards index at the same time."""
        parts: list[list[tuple[str, dict[str, Any]]]] = [[] for _ in self._shards]
        for id, document in documents:
            parts[zlib.crc32(id.encode()) % len(parts)].append((id, document))
        return sum(done.result() for done in [shard.add(part) for shard, part in zip(self._shards, parts)])

    def search(self, query: str, limit: int = 10) -> list[search.Hit]:
        """The best hits of all shards, the best first. Each shard counts words by itself, so scores differ a little."""
        found = [done.result() for done in [shard.search(query, limit) for shard in self._shards]]
        return heapq.nsmallest(limit, (hit for hits in found for hit in hits), key=lambda hit: -hit.score)

    def __len__(self) -> int:
        return sum(done.result() for done in [shard.__len__() for shard in self._shards])


if __name__ == "__main__":
    from dask.distributed import Client, LocalCluster

    with LocalCluster(n_workers=3, threads_per_worker=1) as cluster, Client(cluster) as client:
        index = Sharded(client)
        index.add((str(n), {"text": f"{n} bottles of {('beer', 'milk', 'tea')[n % 3]}"}) for n in range(10_000))
        print(len(index), "documents on", len(cluster.workers), "workers")
        for hit in index.search("+text:77 milk", 3):
            print(f"{hit.score:.2f}", hit.fields["text"])
