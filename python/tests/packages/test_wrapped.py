"""A Go package that knows nothing of Python, as `selfsame-ffi wrap` makes it a Python package."""

# Requirement: D5

import dataclasses
import gc
import pickle
import threading

import origins
import pytest
import type_checker
from interrupts import interrupt_main_thread


@pytest.fixture(scope="module")
def folder():
    return origins.wrapped()


def two_books(shelf):
    return [shelf.Book("Dune", shelf.NOVEL), shelf.Book.from_text("Go/manual")]


def test_a_go_pointer_is_one_object(shelf):
    books = two_books(shelf)
    first, second = books
    first.next = second
    assert first.next is second
    filled = shelf.Shelf(first, second)
    assert filled[0] is first and filled[-1] is second and filled.find("Go") is second
    assert filled.config is filled.config
    assert filled.by_title()["Go"] is second
    assert shelf.any(first)[0] is first


def test_an_object_that_only_go_holds_comes_back(shelf):
    filled = shelf.Shelf(shelf.Book("Dune", 0))
    gc.collect()
    assert filled[0].title == "Dune" and filled[0] is filled[0]


def test_an_object_of_a_python_subclass_comes_back(shelf):
    class Signed(shelf.Book):
        pass

    book = Signed("Dune", shelf.NOVEL)
    book.author = "Herbert"
    filled = shelf.Shelf(book)
    gc.collect()
    assert filled[0] is book and filled[0].author == "Herbert"


def test_fields_are_properties_and_embedded_members_are_there(shelf):
    books = two_books(shelf)
    book = books[0]
    assert (book.title, book.id, book.describe()) == ("Dune", 0, "number 0")
    book.title, book.id = "Emma", 7
    assert (book.title, book.describe()) == ("Emma", "number 7")
    assert book.base.id == 7
    filled = shelf.Shelf()
    filled.config.name = "mine"
    assert filled.config.name == "mine"
    assert shelf.Config(name="q").name == "q"


def test_a_plain_struct_is_a_dataclass(shelf):
    books = two_books(shelf)
    assert shelf.area(shelf.Size(2, 3)) == 6
    doubled = shelf.doubled(shelf.Size(1, 2, ["a"]))
    assert (doubled.width, doubled.height, list(doubled.labels)) == (2, 4, ["a"])
    books[0].size = doubled
    assert books[0].size == doubled


def test_typed_constants_are_equal_to_their_values(shelf):
    books = two_books(shelf)
    assert books[0].kind is shelf.NOVEL and shelf.NOVEL == 0 and int(shelf.MANUAL) == 1
    assert {shelf.NOVEL: "n"}[shelf.Kind(0)] == "n" and shelf.NOVEL < shelf.MANUAL
    assert str(shelf.MANUAL) == "manual" and shelf.MAX_BOOKS == 100
    assert shelf.BOILING.fahrenheit() == 212 and float(shelf.BOILING) == 100


def test_special_methods(shelf):
    books = two_books(shelf)
    filled = shelf.Shelf(*books)
    assert len(filled) == 2 and list(filled) == books and "Dune" in filled and "x" not in filled
    assert filled[:1] == books[:1]
    with pytest.raises(IndexError, match="index 2 is out of range"):
        filled[2]
    with filled as same:
        assert same is filled and not filled.closed()
    assert filled.closed()
    assert shelf.Book("Dune", 1) == books[0] and shelf.Book("x", 0) != books[0]


def test_found_or_none(shelf):
    books = two_books(shelf)
    filled = shelf.Shelf(*books)
    assert filled.find("x") is None and filled.position("x") is None and filled.position("Go") == 1


def test_errors_are_exceptions_with_their_fields(shelf):
    with pytest.raises(shelf.MissingError, match="no book x") as caught:
        shelf.Shelf().must_find("x")
    details = shelf.missing_error_of(caught.value)
    assert (details.title, details.kind) == ("x", shelf.MANUAL)
    with pytest.raises(shelf.FullError):
        shelf.Shelf().add(*[shelf.Book("x", 0)] * 101)
    with pytest.raises(ValueError, match="has no kind"):
        shelf.Book.from_text("x")
    with pytest.raises(RuntimeError, match="thirteen"):
        shelf.Shelf().unlucky()


def test_callbacks_get_objects(shelf):
    books = two_books(shelf)
    seen = []
    filled = shelf.Shelf(*books)
    filled.walk(lambda book, i: seen.append((book, i)))
    assert seen == [(books[0], 0), (books[1], 1)] and seen[0][0] is books[0]

    def fails(book, i):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        filled.walk(fails)
    filled.update(lambda same: seen.append(same is filled and len(same)))
    assert seen[-1] == 2


def test_channels_options_variables_and_names(shelf):
    books = two_books(shelf)
    assert list(shelf.Shelf(*books).titles()) == ["Dune", "Go"]
    assert shelf.Lamp(shelf.with_watts(60), shelf.red()).state() == "60 true"
    assert shelf.Shelf().from_("x") == "x"
    assert shelf.default is shelf.default
    shelf.limit = 5
    assert shelf.limit == 5 and "limit" in dir(shelf) and "set_limit" not in dir(shelf) and shelf.__doc__
    with pytest.raises(AttributeError, match="'default' cannot be set"):
        shelf.default = None
    with pytest.raises(TypeError):
        shelf.limit = "5"


def test_generics_are_there_for_the_types_of_python(shelf):
    books = two_books(shelf)
    assert (shelf.sum_int(1, 2), shelf.sum_float(0.5, 1)) == (3, 1.5)
    assert shelf.first([3]) == 3 and shelf.first([]) is None
    stack = shelf.Stack()
    stack.push(books[0])
    assert stack.pop() is books[0] and stack.pop() is None


def test_values_with_methods(shelf):
    assert list(shelf.sorted(["b", "a"])) == ["a", "b"]
    assert shelf.Words("a", "b").joined() == "[a b]"
    assert shelf.any(shelf.Celsius(3))[1] == "shelf.Celsius" and shelf.any([1])[1] == "[]interface {}"


def make_store(shelf):
    """Return an object of a Python class that implements the Go interface Store."""

    class Mine(shelf.Store):
        def __init__(self):
            super().__init__()
            self.got = []

        def put(self, b):
            if b.title == "bad":
                raise ValueError("bad book")
            if b.title == "full":
                raise shelf.FullError("no room")
            self.got.append(b)

        def titles(self):
            return [b.title for b in self.got]

        def best(self):
            return self.got[0], 1.5

    return Mine()


def test_a_python_class_implements_one(shelf):
    books = two_books(shelf)
    mine = make_store(shelf)
    shelf.put_all(mine, *books)
    assert mine.got[0] is books[0] and mine.got[1] is books[1]
    assert shelf.best_of(mine) == ("Dune", 1.5)
    assert shelf.same(mine) is mine


def test_its_exceptions_are_errors(shelf):
    mine = make_store(shelf)
    with pytest.raises(ValueError, match="bad book"):
        shelf.put_all(mine, shelf.Book("bad", 0))
    assert shelf.try_put(mine, shelf.Book("full", 0)) == "full"
    with pytest.raises(IndexError):  # a method without an error result
        shelf.best_of(mine)


def test_a_missing_method_is_an_error(shelf):
    books = two_books(shelf)

    class Half(shelf.Store):
        pass

    with pytest.raises(NotImplementedError, match=r"Half must define the method put\(\): Store only declares it"):
        shelf.put_all(Half(), books[0])


def test_a_subclass_of_an_interface_need_not_call_its_init(shelf):
    @dataclasses.dataclass(eq=False)
    class Kept(shelf.Store):
        limit: int
        got: list = dataclasses.field(default_factory=list)

        def put(self, b):
            self.got.append(b.title)

    kept = Kept(3)
    shelf.put_all(kept, two_books(shelf)[0])
    assert kept.got == ["Dune"] and shelf.same(kept) is kept
    super(Kept, kept).__init__()
    with pytest.raises(TypeError, match=r"__init__\(\) takes 1"):
        shelf.Store(3)


def test_a_result_of_another_type_names_the_method(shelf):
    class Mixin:
        def best(self):
            return 1

    class Odd(Mixin, shelf.Store):
        pass

    with pytest.raises(TypeError, match=r"^shelf\.Store\.best: its result: expected "):
        shelf.best_of(Odd())


def test_go_may_call_on_another_goroutine(shelf):
    books = two_books(shelf)
    mine = make_store(shelf)
    shelf.in_background(mine, books[0])
    assert mine.got == [books[0]]


def test_a_known_type_behind_one_has_its_class(shelf):
    books = two_books(shelf)
    memory = shelf.Memory()
    assert shelf.as_store(memory) is memory
    shelf.put_all(memory, *books)
    assert memory.titles() == ["Dune", "Go"]


def test_an_unknown_type_behind_one_has_its_methods(shelf):
    books = two_books(shelf)
    store = shelf.new_store()
    assert type(store) is shelf.Store
    store.put(books[0])
    assert store.titles() == ["Dune"]


def test_a_closed_one_is_passed_on(shelf):
    assert shelf.name_of(shelf.leaf("x")) == "x"
    with pytest.raises(TypeError):
        shelf.Node()


def test_other_objects_are_refused(shelf):
    books = two_books(shelf)
    with pytest.raises(TypeError, match="argument 's': expected shelf.Store, got int"):
        shelf.put_all(3)
    with pytest.raises(TypeError, match="expected shelf.Store, got shelf.Book"):
        shelf.put_all(books[0])


def test_threads_take_turns(shelf):
    books = two_books(shelf)
    filled = shelf.Shelf(*books)
    inside, leave, order = threading.Event(), threading.Event(), []

    def hold(same):
        inside.set()
        assert leave.wait(60)
        order.append("first")
        same.add(shelf.Book("third", 0))  # the thread that is in may enter again

    first = threading.Thread(target=filled.update, args=(hold,))
    first.start()
    assert inside.wait(60)
    second = threading.Thread(target=lambda: order.append(len(filled)))
    second.start()
    leave.set()
    first.join(60)
    second.join(60)
    assert order == ["first", 3]


def test_ctrl_c_ends_the_wait_for_another_thread(shelf):
    lamp = shelf.Lamp()
    inside, leave = threading.Event(), threading.Event()
    holder = threading.Thread(target=lamp.slow, args=(lambda: (inside.set(), leave.wait(60)),))
    holder.start()
    assert inside.wait(60)
    interrupter = threading.Thread(target=interrupt_main_thread)
    try:
        with pytest.raises(KeyboardInterrupt):
            interrupter.start()
            lamp.state()  # waits for the holder, who waits for leave
    finally:
        leave.set()
        holder.join(60)
        interrupter.join(60)


def test_a_method_that_waits_is_stopped_by_another_thread(shelf):
    clerk = shelf.Clerk()
    begun, served = threading.Event(), []

    def begin(number):
        begun.set()
        return True

    thread = threading.Thread(target=lambda: served.append(clerk.serve(begin)))
    thread.start()
    assert begun.wait(60)
    clerk.stop()
    thread.join(60)
    assert served == [1]


def test_ctrl_c_stops_a_method_that_waits(shelf):
    clerk = shelf.Clerk()
    begun = threading.Event()
    interrupter = threading.Thread(target=lambda: (begun.wait(60), interrupt_main_thread()))
    interrupter.start()
    with pytest.raises(KeyboardInterrupt):
        clerk.serve(lambda number: begun.set() or True)
    interrupter.join(60)


def test_classes_and_callbacks_of_user_code_pass_the_type_checkers(shelf, folder, tmp_path):
    (tmp_path / "use.py").write_text(
        "from collections.abc import Callable, Sequence\n\nimport shelf\n\n\n"
        "class Desk(shelf.Hatch):\n"
        "    def ask(\n"
        "        self,\n"
        "        text: str,\n"
        "        how: shelf.AskOptions,\n"
        "        names: Sequence[str],\n"
        "        answer: Callable[[str], None],\n"
        "    ) -> shelf.Kind:\n"
        "        answer(text + names[0] + str(how.twice))\n"
        "        return shelf.NOVEL\n\n"
        "    def close(self) -> None: ...\n\n\n"
        "def begin(number: int) -> bool:\n"
        "    return number > 0\n\n\n"
        "kind, answers = shelf.ask_at(Desk(), 'why')\n"
        "shelf.Clerk().serve(begin)\n"
        "text: str = shelf.printer('a')('b', 1)\n"
        "shelf.Clerk().serve(lambda number: number.missing)\n"
    )
    said = type_checker.complaints(tmp_path, "use.py", modules=folder)
    assert said.count("error:") == 1 and '"int" has no attribute "missing"' in said


def test_an_interface_of_python_gets_all_arguments_in_their_places(shelf):
    class Desk(shelf.Hatch):
        def ask(self, text, how, names, answer):
            answer(text + names[0] + str(how.twice))
            return shelf.NOVEL

        def close(self): ...

    assert shelf.ask_at(Desk(), "why") == (shelf.NOVEL, ["whyAnnTrue"])


def test_the_package_is_typed(shelf, folder, tmp_path):
    (tmp_path / "use.py").write_text(
        "import shelf\n\n\n"
        "class Mine(shelf.Store):\n"
        "    def put(self, b: shelf.Book) -> None: ...\n\n\n"
        'book: shelf.Book = shelf.Book("Dune", shelf.NOVEL)\n'
        "shelf.put_all(Mine(), book)\n"
        "shelf.put_all(shelf.Memory(), book)\n"
        "found: shelf.Book | None = shelf.Shelf(book).find('x')\n"
        "kind: shelf.Kind = book.kind\n"
        "reveal_type(shelf.Shelf(book)[0])\n"
        "shelf.put_all(3)\n"
        'state: str = shelf.Lamp(shelf.red(), watts=60, names=["a"]).state()\n'
        'painted: str = shelf.paint("door", coats=2)\n'
        "def title(e: shelf.MissingError) -> str: return e.title\n"
    )
    said = type_checker.complaints(tmp_path, "use.py", modules=folder)
    assert 'Revealed type is "shelf.Book"' in said
    # Which name mypy gives the function depends on its version.
    assert said.count("error:") == 1 and 'has incompatible type "int"; expected "Store | Memory | None"' in said


def test_comments_are_docstrings(shelf):
    assert "Shelf is a shelf of books." in shelf.Shelf.__doc__
    assert shelf.Shelf.add.__doc__.startswith("Adds books. The error is FullError")
    assert "where" not in shelf.Size.__doc__ and "plain struct" in shelf.Size.__doc__


def test_foreign_types_stand_in_submodules_of_their_packages(shelf):
    assert "fs" in shelf.__all__ and "FS" not in dir(shelf) and "FS" in dir(shelf.fs)
    assert shelf.fs.FS.__module__ == "shelf.fs" and shelf.fs.FS.__qualname__ == "FS"
    assert pickle.loads(pickle.dumps(shelf.fs.FS)) is shelf.fs.FS
    assert not [name for name in shelf.__all__ if name.startswith("_") or name == "GoValue"]


def test_none_is_refused_where_the_func_fails_for_it(shelf):
    with pytest.raises(TypeError, match="argument 'c': expected a value, got None"):
        shelf.ask_at(None, "why")
    with pytest.raises(TypeError, match="argument 'begun': expected a value, got None"):
        shelf.Clerk().serve(None)


def test_the_text_has_one_name(shelf):
    assert str(shelf.NOVEL) and not hasattr(shelf.NOVEL, "string")
