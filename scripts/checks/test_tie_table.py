"""The table of states: the picture and the page made from it are up to date, and each row is one function."""

import re

from repository import ROOT, check_generated

from scripts import tie_picture

CORE = ROOT / "python" / "src" / "selfsame_ffi" / "_core"


def test_picture_and_page_are_up_to_date():
    check_generated("tie_picture")


def test_each_row_is_one_function():
    word = (CORE / "tie" / "tie_word.h").read_text()
    defined = re.findall(r"^static inline \w+ ss_(?:row|word)_(\w+)\(", word, re.MULTILINE)
    in_the_record = {"reclaim", "die"}  # a native's death: internal/tie/tie.c
    for name, *_ in tie_picture.rows():
        if name not in in_the_record:
            assert defined.count(name.removesuffix("_last")) == 1, name


def test_only_the_word_lock_writes_the_wrapper_word():
    pattern = r"__atomic_(?:store|exchange|compare_exchange)\w*\(&record->wrapper|record->wrapper *=[^=]"
    writers = {path.name for path in CORE.rglob("*.[ch]") if re.search(pattern, path.read_text())}
    assert writers == {"word_lock.h", "word_lock.c"}
