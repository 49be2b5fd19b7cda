"""Readers of Go, which return a value and at the end io.EOF, in the Python package that `selfsame-ffi wrap` makes."""

# Requirement: D5

import itertools
import threading
from concurrent.futures import ThreadPoolExecutor

import origins
import pytest
import type_checker


def test_records_are_an_iteration(shelf):
    assert list(shelf.Records(2, False)) == [["record", "b"], ["record", "a"]]
    assert list(shelf.Records(0, False)) == []


def test_another_error_than_the_end_is_raised(shelf):
    records = iter(shelf.Records(1, True))
    assert next(records) == ["record", "a"]
    with pytest.raises(RuntimeError, match="a broken record"):
        next(records)


def test_the_method_can_be_called_too(shelf):
    records = shelf.Records(3, False)
    assert records.read() == ["record", "c"]
    for record in records:
        assert record == ["record", "b"]
        break
    assert records.read_all() == [["record", "a"]]
    with pytest.raises(EOFError):
        records.read()


def test_no_more_is_read_than_python_takes(shelf):
    for records in (shelf.Records(10, False), shelf.Parts(10)):
        assert len(list(itertools.islice(records, 5))) == 5 and len(list(records)) == 5


def test_parts_messages_and_lines_are_iterations(shelf):
    assert list(shelf.Parts(3)) == [2, 1, 0]
    assert [letter.title for letter in shelf.letters_of("Dune", "Emma")] == ["Dune", "Emma"]
    assert list(shelf.Log("a", "b")) == ["a", "b"]


def test_what_is_read_once_is_no_iteration(shelf):
    assert shelf.Head().read_name() == "name"
    with pytest.raises(TypeError, match="not iterable"):
        iter(shelf.Head())


def test_the_elements_have_types(shelf, tmp_path):
    (tmp_path / "use.py").write_text(
        "import shelf\n\n\nfor part in shelf.Parts(1):\n    number: int = part\n    text: str = part\n"
        "for letter in shelf.letters_of():\n    title: str = letter.title\n"
    )
    said = type_checker.complaints(tmp_path, "use.py", modules=origins.wrapped())
    assert said.count("error:") == 1 and "use.py:6:" in said


def test_rows_with_columns_are_lists(shelf):
    assert list(shelf.Rows(2)) == [[1, "row 1"], [2, "row 2"]]


def test_values_are_stored_through_objects_that_hold_them(shelf):
    rows, number, word = shelf.Rows(2), shelf.AnyRef(), shelf.AnyRef()
    assert rows.next()
    rows.scan(number, word)
    assert (number.value, word.value) == (1, "row 1")


def test_tokens_until_the_end_are_an_iteration(shelf):
    assert list(shelf.Tokens(2)) == [1, 0]


def test_a_step_runs_on_the_thread_of_its_loop_when_it_is_asked_for(shelf):
    threads = []

    def answer(n):
        threads.append(threading.get_ident())
        return f"answer {n}", n < 4

    questions = shelf.Questions(answer)
    assert next(iter(questions)) == "answer 1" and len(threads) == 1
    assert list(questions) == ["answer 2", "answer 3"]
    assert set(threads) == {threading.get_ident()}


def test_the_exception_of_a_step_ends_its_loop(shelf):
    steps = iter(shelf.Questions(lambda n: (f"{6 // (3 - n)}", True)))
    assert [next(steps), next(steps)] == ["3", "6"]
    with pytest.raises(ZeroDivisionError):
        next(steps)
    assert list(steps) == []


def test_a_step_cannot_ask_for_itself(shelf):
    itself = []
    steps = iter(shelf.Questions(lambda n: (next(itself[0]), True)))
    itself.append(steps)
    with pytest.raises(ValueError, match="what makes its next element asks for that element"):
        next(steps)
    itself.clear()  # no collector sees a cycle through a func that Go keeps


def test_threads_share_the_steps_of_a_loop(shelf):
    steps = iter(shelf.Rows(400))
    with ThreadPoolExecutor(4) as pool:
        taken = [row for part in pool.map(lambda _: list(steps), range(4)) for row in part]
    assert sorted(number for number, _word in taken) == list(range(1, 401))
