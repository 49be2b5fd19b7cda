"""Folders and files made where other users may write: the package trusts none that others made or can change."""

# Requirement: G5

import importlib.util
import json
import os
import sys
from pathlib import Path

import pytest
import selfsame_ffi
import selfsame_ffi_develop
from selfsame_ffi._load.own_folder import own_folder
from selfsame_ffi.cpp import extension
from selfsame_ffi.utils import FileLock

ROOT = os.getuid() == 0


@pytest.mark.parametrize("secret", [True, False])
def test_a_new_folder_is_the_users_alone(tmp_path, secret):
    before = os.umask(0)
    try:
        made = own_folder(tmp_path / "new", "f", secret=secret)
    finally:
        os.umask(before)
    assert made.stat().st_mode & 0o777 == 0o700
    assert own_folder(tmp_path / "new", "f", secret=secret) == made


@pytest.mark.parametrize(
    ("mode", "secret", "open_to_all"),
    [(0o755, False, True), (0o755, True, False), (0o775, False, False), (0o757, False, False), (0o701, True, False)],
)
def test_rights_of_others_are_refused(tmp_path, mode, secret, open_to_all):
    folder = tmp_path / "found"
    folder.mkdir()
    folder.chmod(mode)
    if open_to_all:
        assert own_folder(folder, "f", secret=secret) == folder
        return
    with pytest.raises(
        PermissionError, match=rf"f: expected .*found to be a folder .*rights {mode:03o}; run chmod go-"
    ):
        own_folder(folder, "f", secret=secret)


def test_links_and_files_are_no_folders(tmp_path):
    (tmp_path / "target").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "target")
    with pytest.raises(PermissionError, match="got a link of user"):
        own_folder(tmp_path / "link", "f", secret=True)
    assert own_folder(tmp_path / "link", "f", secret=False)  # the user's own link to the user's own folder
    (tmp_path / "file").touch()
    with pytest.raises(FileExistsError):
        own_folder(tmp_path / "file", "f", secret=False)


@pytest.mark.skipif(not ROOT, reason="only root makes files of another user")
@pytest.mark.parametrize("secret", [True, False])
def test_folders_and_links_of_others_are_refused(tmp_path, secret):
    (tmp_path / "other").mkdir(mode=0o700)
    os.chown(tmp_path / "other", 65534, 65534)
    with pytest.raises(PermissionError, match="got one of user 65534"):
        own_folder(tmp_path / "other", "f", secret=secret)
    (tmp_path / "mine").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / "mine")
    os.chown(tmp_path / "link", 65534, 65534, follow_symlinks=False)
    with pytest.raises(PermissionError, match="got a link of user 65534"):
        own_folder(tmp_path / "link", "f", secret=secret)


def test_the_cache_of_libraries_is_checked(tmp_path, monkeypatch):
    monkeypatch.setenv("TVM_FFI_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache").chmod(0o777)
    with pytest.raises(
        PermissionError, match="cpp.build: expected .*cache to be a folder that only this user can write"
    ):
        extension._folder("name", None, "content")
    (tmp_path / "cache").chmod(0o755)
    folder = extension._folder("name", None, "content")
    folder.chmod(0o777)
    with pytest.raises(PermissionError, match="cpp.build: expected .*name_"):
        extension._folder("name", None, "content")


def test_the_lock_of_tests_is_in_a_folder_of_the_user(tmp_path, monkeypatch):
    # The file alone: the package loads a library of classes.
    file = Path(selfsame_ffi.__file__).parent / "testing" / "_locking.py"
    spec = importlib.util.spec_from_file_location("selfsame_ffi.testing._locking", file)
    locking = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(locking)
    monkeypatch.delenv("TVM_FFI_TEST_LOCK_DIR", raising=False)
    monkeypatch.setattr(locking.tempfile, "gettempdir", lambda: str(tmp_path))
    path = locking._lock_path()
    assert path.parent.stat().st_mode & 0o777 == 0o700
    path.parent.rmdir()
    (tmp_path / "victim").mkdir()
    path.parent.symlink_to(tmp_path / "victim")
    with pytest.raises(PermissionError, match="run_with_gpu_lock: expected"):
        locking._lock_path()


def test_a_lock_is_no_link(tmp_path):
    (tmp_path / "lock").symlink_to(tmp_path / "victim")
    with pytest.raises(PermissionError, match="FileLock: argument 'lock_file_path': expected a file, got the link"):
        FileLock(str(tmp_path / "lock")).acquire()
    assert not (tmp_path / "victim").exists()


STAMP = {
    "command": [sys.executable, "-c", "raise SystemExit(3)"],
    "folders": [],
    "suffixes": [],
    "files": [],
    "state": {},
}


def test_a_stamp_that_others_can_write_is_not_run(tmp_path):
    stamp = tmp_path / "p.json"
    stamp.write_text(json.dumps({**STAMP, "state": {"changed": [1, 2]}}))
    stamp.chmod(0o666)
    with pytest.raises(
        ImportError, match="p cannot be built again: expected .*p.json to be a file that only this user"
    ):
        selfsame_ffi_develop._refresh("p", str(stamp))
    stamp.chmod(0o644)
    with pytest.raises(ImportError, match="p has changed and cannot be built"):  # the command of the stamp ran
        selfsame_ffi_develop._refresh("p", str(stamp))
    (tmp_path / "link.json").symlink_to(stamp)
    with pytest.raises(ImportError, match="p cannot be built again"):
        selfsame_ffi_develop._refresh("p", str(tmp_path / "link.json"))


def test_the_lock_of_a_stamp_overwrites_no_file(tmp_path):
    stamp, victim = tmp_path / "p.json", tmp_path / "victim"
    stamp.write_text(json.dumps({**STAMP, "state": {"changed": [1, 2]}}))
    victim.write_text("kept")
    (tmp_path / "p.json.lock").symlink_to(victim)
    with pytest.raises(ImportError, match="p cannot be built again"):
        selfsame_ffi_develop._refresh("p", str(stamp))
    assert victim.read_text() == "kept"
