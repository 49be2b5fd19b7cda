"""The engines: Dask distributed and Ray, each with two fresh worker processes on this machine."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest


def _import(name: str) -> Any:
    """A package, or a skip with the reason why pip could not install it."""
    folder = Path(os.environ["SELFSAME_CLUSTERS"])
    if not (folder / name / ".requirements").exists():
        pytest.skip(f"{name} does not install here: {(folder / f'{name}.log').read_text()[-300:]}")
    return __import__(name)


class Dask:
    """Runs functions on the workers of a Dask cluster."""

    def __init__(self, client: Any) -> None:
        self.client = client

    def run(self, function: Any, *args: Any) -> Any:
        return self.client.submit(function, *args, pure=False).result(timeout=300)


class Ray:
    """Runs functions on Ray's workers."""

    def __init__(self, ray: Any) -> None:
        self.ray = ray
        self._call = ray.remote(lambda function, args: function(*args))

    def run(self, function: Any, *args: Any) -> Any:
        return self.ray.get(self._call.remote(function, args), timeout=300)


@pytest.fixture(scope="session")
def dask_client() -> Any:
    distributed = _import("distributed")
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        yield client


@pytest.fixture(scope="session")
def ray() -> Any:
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    package = _import("ray")
    package.init(num_cpus=2, include_dashboard=False, object_store_memory=200_000_000, log_to_driver=False)
    yield package
    package.shutdown()


@pytest.fixture(scope="session", params=["dask", "ray"])
def engine(request: pytest.FixtureRequest) -> Dask | Ray:
    if request.param == "dask":
        return Dask(request.getfixturevalue("dask_client"))
    return Ray(request.getfixturevalue("ray"))
