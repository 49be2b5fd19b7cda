"""Objects as results of Go: a new one may have the memory of one that has died, and nothing else of it."""

# Requirements: C8, D5

from __future__ import annotations

import threading


def titled(shelf, title):
    return shelf.Book.from_text(f"{title}/novel")


def test_a_new_object_has_a_value_of_its_own(shelf):
    """Where a dead one was, and beside objects that live."""
    kept = [titled(shelf, "kept")]
    for i in range(100):
        kept.append(titled(shelf, f"title {i}"))
        if i % 3 == 0:
            del kept[-1]
    assert [book.title for book in kept] == ["kept"] + [f"title {i}" for i in range(100) if i % 3]
    assert len(set(map(id, kept))) == len(kept)


def test_a_native_weak_reference_keeps_the_memory(shelf, native):
    """Other code still counts on it: a new object gets other memory, and the reference stays dead."""
    dead = titled(shelf, "dead")
    native.weak_set(dead)
    del dead
    books = [titled(shelf, f"title {i}") for i in range(3)]
    assert native.weak_get() is None
    native.weak_clear()
    assert [book.title for book in books] == ["title 0", "title 1", "title 2"]


def test_objects_of_two_classes_die_in_turn(shelf):
    for i in range(100):
        assert titled(shelf, f"title {i}").title == f"title {i}"
        engine = shelf.Engine()
        assert engine.put("wheel") == 1
        assert shelf.make_engine().put("wheel") == 1 and engine.put("wheel") == 2


def test_threads_make_and_drop_objects(shelf):
    """Each one finds its own, though they share what has died."""
    wrong = []

    def make(name):
        kept = titled(shelf, name)
        for i in range(2_000):
            book = titled(shelf, f"{name} {i}")
            if book.title != f"{name} {i}" or kept.title != name or book is kept:
                wrong.append((book.title, kept.title))
            if i % 7 == 0:
                kept, name = book, book.title

    threads = [threading.Thread(target=make, args=(f"thread {n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
