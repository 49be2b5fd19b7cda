"""The metadata of the published package, for importlib.metadata, while this package stands in its place."""

from __future__ import annotations

import re
from importlib.metadata import Distribution, DistributionFinder, MetadataPathFinder
from pathlib import Path
from typing import TYPE_CHECKING

from . import published

if TYPE_CHECKING:
    import os

_METADATA = (
    f"Metadata-Version: 2.1\nName: {published.DISTRIBUTION}\nVersion: {published.__version__}\n"
    "Summary: selfsame-ffi in the place of this package\nRequires-Python: >=3.9\n"
)


def normalized(name: str) -> str:
    """Return the name of a distribution as PyPI compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


class PublishedDistribution(Distribution):
    """What importlib.metadata says of apache-tvm-ffi: its name and the version that this package stands in for.

    Its files are those of the published package, where that is installed.
    """

    def __init__(self) -> None:
        context = DistributionFinder.Context(name=published.DISTRIBUTION)
        self._installed = next(iter(MetadataPathFinder.find_distributions(context)), None)

    def read_text(self, filename: str) -> str | None:
        """Return the text of a file of the metadata, None if there is no such file."""
        if filename == "METADATA":
            return _METADATA
        return None if self._installed is None else self._installed.read_text(filename)

    def locate_file(self, path: str | os.PathLike[str]) -> Path:
        """Return where a file of the distribution lies, or would lie: beside this package."""
        return (
            Path(__file__).parent.parent / path
            if self._installed is None
            else Path(str(self._installed.locate_file(path)))
        )
