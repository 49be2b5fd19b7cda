"""Distributions of PyPI and artifacts of Maven, downloaded and unpacked."""

from __future__ import annotations

import shutil
import tarfile
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

from scripts.tools.commands import progress, run
from scripts.tools.environments import pip


def for_platform(platform: str, python: str = "3.13") -> list[str]:
    """Return pip's options for wheels of another platform."""
    return ["--only-binary", ":all:", "--platform", platform, "--python-version", python, "--implementation", "cp"]


def download(folder: Path, *wanted: str, options: Sequence[str] = ("--no-deps",)) -> list[Path]:
    """Download distributions into a new folder, and return them."""
    shutil.rmtree(folder, ignore_errors=True)
    progress(f"downloading {', '.join(wanted)}")
    pip("download", *options, "-d", folder, *wanted)
    return sorted(path for path in folder.iterdir() if path.is_file())


def source_distribution(folder: Path, name: str, version: str) -> Path:
    """Return the unpacked source distribution of a release, in `folder`; downloaded once. Nothing of it is built."""
    unpacked = folder / f"{name.replace('-', '_')}-{version}"
    if not (unpacked / "PKG-INFO").is_file():
        options = ["--no-deps", "--no-binary", name]
        (archive,) = download(folder / "download", f"{name}=={version}", options=options)
        with tarfile.open(archive) as tar:
            tar.extractall(folder)  # noqa: S202  the archive is pip's, checked by it
    return unpacked


def unpack(wheel: Path, folder: Path, only: Callable[[str], bool] = bool) -> None:
    """Unpack a wheel, with the modes of its files; only those whose names `only` takes."""
    with zipfile.ZipFile(wheel) as archive:
        for info in archive.infolist():
            if only(info.filename):
                path = Path(archive.extract(info, folder))
                if info.external_attr >> 16 & 0o111:
                    path.chmod(0o755)


def artifact(name: str, folder: Path) -> Path:
    """Return the jar of an artifact of Maven, GROUP:NAME:VERSION:jar:CLASSIFIER, which is fetched into a folder."""
    progress(f"fetching {name}")
    run("mvn", "-q", "dependency:get", "-Dtransitive=false", f"-Dartifact={name}", hint="is Maven installed?")
    copy = ["-q", "dependency:copy", f"-Dartifact={name}", f"-DoutputDirectory={folder}"]
    run("mvn", *copy, "-Dmdep.useBaseVersion=true")
    _, stem, _, _, classifier = name.split(":")
    (jar,) = folder.glob(f"{stem}-*-{classifier}.jar")
    return jar
