"""What the programs of scripts/ share: commands that fail, packages that are made once, tables."""

import os
import sys
import zipfile

import pytest

from scripts.tools import debian, environments, tables
from scripts.tools.commands import Failed, run, timed, tracked
from scripts.tools.downloads import unpack

FAILS = "import sys; print('said'); print('why', file=sys.stderr); sys.exit(3)"


def test_a_command_that_fails_says_what_it_said():
    with pytest.raises(Failed, match="ended with status 3") as failed:
        run(sys.executable, "-c", FAILS, hint="try again")
    assert str(failed.value).endswith("said\nwhy\n  try again")


def test_a_failure_ends_a_program_that_does_not_catch_it():
    program = f"from scripts.tools.commands import run\nrun({sys.executable!r}, '-c', {FAILS!r})\nprint('went on')"
    told = run(sys.executable, "-c", program, ok=(1,), errors=True)
    assert "ended with status 3" in told and "went on" not in told and "Traceback" not in told


def test_output_is_without_errors_unless_they_are_wanted():
    assert run(sys.executable, "-c", FAILS, ok=(3,)) == "said\n"
    assert sorted(run(sys.executable, "-c", FAILS, ok=(3,), errors=True).split()) == ["said", "why"]
    assert "why" in timed(sys.executable, "-c", FAILS, fails=True)
    with pytest.raises(Failed, match="ended with status 0"):
        timed(sys.executable, "-c", "pass", fails=True)


@pytest.fixture
def installed(monkeypatch):
    """What pip is asked for, instead of pip."""
    asked = []
    monkeypatch.setattr(environments, "pip", lambda *arguments, **_: asked.append(arguments[-1]))
    return asked


def test_packages_are_installed_once_and_again_when_others_are_wanted(installed, tmp_path):
    requirements = tmp_path / "wanted.txt"
    requirements.write_text("# a comment\none==1\n\ntwo\n")
    for _ in range(2):
        environments.packages(tmp_path / "folder", requirements, "three")
    assert installed == ["three"]
    (tmp_path / "folder" / "old").touch()
    environments.packages(tmp_path / "folder", str(requirements))
    assert installed == ["three", "two"] and not (tmp_path / "folder" / "old").exists()


def test_packages_that_could_not_be_installed_are_tried_again(monkeypatch, installed, tmp_path):
    def fails(*_, **__):
        raise Failed("no index")

    with monkeypatch.context() as patched:
        patched.setattr(environments, "pip", fails)
        with pytest.raises(Failed):
            environments.packages(tmp_path / "folder", "one")
    environments.packages(tmp_path / "folder", "one")
    assert installed == ["one"]


def test_only_packages_of_missing_programs_are_installed(monkeypatch, tmp_path):
    asked = []

    def install(*packages):
        asked.extend(packages)
        for name in packages:
            (tmp_path / name).touch(0o755)

    monkeypatch.setattr(debian, "install", install)
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "there").touch(0o755)
    debian.need({"other|there": "there-package", "gone": "gone"})
    assert asked == ["gone"]
    with pytest.raises(Failed, match="absent-package"):
        debian.need({"absent": "absent-package"})


def test_unpacked_programs_can_run(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.whl", "w") as wheel:
        for name, mode in (("program", 0o755), ("data", 0o644), ("other", 0o644)):
            wheel.writestr(zipfile.ZipInfo(name), name)
            wheel.infolist()[-1].external_attr = mode << 16
    unpack(tmp_path / "a.whl", tmp_path / "out", lambda name: name != "other")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["data", "program"]
    assert os.access(tmp_path / "out" / "program", os.X_OK) and not os.access(tmp_path / "out" / "data", os.X_OK)


def test_tables():
    assert tables.text([("a", "1"), ("long", "22")]) == "a     1\nlong  22"
    assert tables.text([("a", "1"), ("long", "22")], right=True) == "a      1\nlong  22"
    assert tables.markdown(["x", "n"], [["a", "1"]], numbers=True) == "| x | n |\n|---|---:|\n| a | 1 |\n"
    assert tables.between("head<old>tail", "<", ">", "new") == "head<new>tail"
    with pytest.raises(ValueError, match="expected the marks"):
        tables.between("head", "<", ">", "new")


def test_tracked_files_are_there():
    names = tracked("scripts/tools")
    assert "scripts/tools/commands.py" in names and names == sorted(set(names))
