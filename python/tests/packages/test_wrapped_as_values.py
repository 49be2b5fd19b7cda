"""Go values that behave as Python's own: constants, copies, pickles, operators; and a library's goroutines."""

# Requirement: D17

import copy
import pickle
import sys
import threading

import pytest


def test_a_constant_cannot_change(scribe):
    with pytest.raises(TypeError, match="unmarshal_text.*cannot change|cannot change"):
        scribe.LOW.unmarshal_text(b"5")
    assert scribe.LOW == 1 and scribe.level_of(1) is scribe.LOW and hash(scribe.LOW) == hash(1)


def test_constants_are_the_same_objects_through_pickles_and_copies(scribe):
    for made in (pickle.loads(pickle.dumps(scribe.HIGH)), copy.copy(scribe.HIGH), copy.deepcopy(scribe.HIGH)):
        assert made is scribe.HIGH


def test_no_constant_is_lost_or_another_one(scribe):
    assert scribe.RAW == b"a\xffb"
    assert scribe.IMAGINARY == 3j
    assert not hasattr(scribe, "HUGE")  # the table of wrap says so


def test_an_object_is_copied_and_pickled_as_it_is_written(scribe):
    account = scribe.Account(owner="Ada", tags={"a": [1]})
    for made in (copy.copy(account), copy.deepcopy(account), pickle.loads(pickle.dumps(account))):
        assert made is not account and (made.owner, made.tags["a"][0]) == ("Ada", 1)
        made.rename("Bob")
        assert account.owner == "Ada"
    amount = scribe.Amount(10**6)
    assert pickle.loads(pickle.dumps(amount)) == copy.deepcopy(amount) == amount


def test_what_an_object_has_in_fields_that_are_not_exported_is_copied_too(scribe):
    for made in (copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))):
        secret = scribe.Secret("open")
        assert made(secret) is not secret and made(secret).word() == "open"


def test_an_object_of_another_package_is_copied_and_pickled(scribe):
    for made in (copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))):
        section = scribe.section_of(7)
        assert type(made(section)) is type(section) and made(section).size() == section.size() == 7


def test_what_cannot_be_written_is_neither_copied_nor_pickled(scribe):
    for use in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="Scheduler.*cannot be written and read again.*stop"):
            use(scribe.Scheduler())


def test_a_pickle_of_other_bytes_is_refused(scribe):
    data = pickle.dumps(scribe.Amount(123456)).replace(b"123456", b"12x456")
    with pytest.raises(ValueError, match="Amount"):
        pickle.loads(data)


def test_numbers_have_operators(scribe):
    two, three = scribe.Amount(2), scribe.Amount(3)
    assert two + three == scribe.Amount(5) and three - two == scribe.Amount(1) and two * three == scribe.Amount(6)
    assert -two == scribe.Amount(-2) and sum([two, three]) == scribe.Amount(5)
    assert (float(two), int(three), bool(two), bool(two - two)) == (2.0, 3, True, False)
    for other in (1, "2", None):
        with pytest.raises(TypeError):
            two + other
    with pytest.raises(TypeError):
        1 + two


def test_an_exception_keeps_the_fields_of_go_through_pickles_and_copies(scribe):
    with pytest.raises(scribe.ShortageError) as raised:
        scribe.take("nails", 3)
    for error in (raised.value, copy.copy(raised.value), pickle.loads(pickle.dumps(raised.value))):
        assert (type(error), str(error)) == (scribe.ShortageError, "3 of nails are missing")
        assert (error.item, error.missing) == ("nails", 3)
    again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(raised.value))))
    assert again.item == "nails"
    with pytest.raises(AttributeError, match="item: the exception comes from no error of Go"):
        _ = scribe.ShortageError("by hand").item


@pytest.fixture
def unraisable(monkeypatch):
    seen = []
    monkeypatch.setattr(
        sys, "unraisablehook", lambda args: seen.append((args.exc_type, str(args.exc_value), args.exc_value.__cause__))
    )
    return seen


def test_stop_reaches_what_runs_and_a_job_that_raises_is_reported(scribe, unraisable):
    def broken():
        ran.set()
        raise ValueError("not today")

    ran, scheduler = threading.Event(), scribe.Scheduler()
    scheduler.add(broken)
    runs = threading.Thread(target=scheduler.run)
    runs.start()
    assert ran.wait(60)
    scheduler.stop()
    runs.join(60)
    assert not runs.is_alive()
    [(kind, text, cause)] = unraisable
    assert kind is ValueError and text == "not today" and "goroutine" in str(cause)


def test_a_handler_that_raises_answers_500(scribe, unraisable):
    class Broken(scribe.Handler):
        def answer(self, a):
            raise LookupError("no such page")

    class Fine(scribe.Handler):
        def answer(self, a):
            a.write_header(204)

    assert scribe.deliver(Fine()) == 204 and not unraisable
    assert scribe.deliver(Broken()) == 500 and unraisable[0][0] is LookupError
