"""Workflows of GitHub, and the one that `selfsame-ffi new` writes: whose code they run, with which rights."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = ROOT / "cmd/selfsame-ffi/internal/scaffold/files/ci.yml.tmpl"
WORKFLOWS = [*sorted((ROOT / ".github/workflows").glob("*.yml")), TEMPLATE]

#: An action by its commit, with the release that it is, or a workflow of this repository.
_PINNED = re.compile(r"[\w.-]+/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|\./\.github/workflows/[\w.-]+")


def text_of(path: Path) -> str:
    """The workflow; of the template, that for a package on a published release."""
    return re.sub(r"<<if .*?<<end>>", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)


def jobs_of(text: str) -> dict[str, str]:
    """The text of each job, by its name."""
    parts = re.split(r"^  ([\w-]+):\n", text.partition("\njobs:\n")[2], flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_pinned_and_keep_no_credentials(path):
    text = text_of(path)
    used = [line.partition("uses: ")[2].strip() for line in text.splitlines() if "uses: " in line]
    assert used
    assert [each for each in used if not _PINNED.fullmatch(each)] == []
    checkouts = re.findall(r"uses: actions/checkout@.*\n +with:\n((?: {10}.*\n)+)", text)
    assert len(checkouts) == text.count("uses: actions/checkout@")
    assert all("persist-credentials: false\n" in options for options in checkouts)


def test_one_commit_for_each_action():
    commits: dict[str, set[str]] = {}
    for path in WORKFLOWS:
        for name, commit in re.findall(r"uses: ([\w.-]+/[\w.-]+)@(.*)", text_of(path)):
            commits.setdefault(name, set()).add(commit)
    assert {name: found for name, found in commits.items() if len(found) > 1} == {}


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_what_may_write_runs_no_code_of_others(path):
    text = text_of(path)
    assert re.search(r"^permissions:( \{\}\n|\n  contents: read\n)", text, flags=re.MULTILINE), (
        "no permissions for all jobs"
    )
    for name, job in jobs_of(text).items():
        if ": write" not in job and "secrets." not in job:
            continue
        uses = re.findall(r"uses: ([^@\s]+)", job)
        assert uses == ["actions/download-artifact"], f"{name} may write and uses {uses}"
        pinned = re.sub(r"pipx run uv==\d+\.\d+\.\d+ publish", "uv-publish", job)  # what the template sends to PyPI
        runs = re.findall(r"run: (?:cd \w+ && )?(\S+)", pinned)
        assert set(runs) <= {"gh", "sha256sum", "uv-publish"}, f"{name} may write and runs {runs}"


def test_the_draft_has_checksums_and_the_bill():
    jobs = jobs_of(text_of(ROOT / ".github/workflows/release.yml"))
    steps = re.findall(r'STEPS="([^"]*)"', jobs["files"])[0].split()
    assert {"bill", "signature"} <= set(steps)
    created = re.findall(r"gh release create .*", jobs["draft"])[0]
    for part in ("--draft", "--verify-tag", "*.whl", "*.tar.gz", "*.cdx.json", "SHA256SUMS", "NOTES.md"):
        assert part in created


def test_zizmor_finds_nothing_high(tmp_path):
    """`make check` runs it with all findings from medium on, where it is installed."""
    zizmor = shutil.which("zizmor", path=str(Path(sys.executable).parent)) or shutil.which("zizmor")
    if zizmor is None:
        pytest.skip("zizmor is not installed")
    folder = tmp_path / ".github" / "workflows"
    folder.mkdir(parents=True)
    for path in WORKFLOWS:
        (folder / path.name.replace(".tmpl", "")).write_text(text_of(path), encoding="utf-8")
    command = [zizmor, "--offline", "--no-progress", "--min-severity", "medium", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
