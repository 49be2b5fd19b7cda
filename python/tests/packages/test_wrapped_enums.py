"""Types with constants of a wrapped Go package, which are enums in Python."""

# Requirement: D17

import copy
import enum
import json
import pickle

import origins
import pytest
import type_checker


def test_a_number_type_with_constants_is_an_int_enum(shelf):
    assert issubclass(shelf.Kind, enum.IntEnum) and list(shelf.Kind) == [shelf.NOVEL, shelf.MANUAL]
    assert shelf.Kind(1) is shelf.MANUAL is shelf.Kind["MANUAL"] and shelf.MANUAL.name == "MANUAL"
    assert shelf.MANUAL == 1 and shelf.MANUAL.value == 1 and {shelf.MANUAL: "m"}[1] == "m"
    assert repr(shelf.NOVEL) == "<Kind.NOVEL: 0>" and str(shelf.MANUAL) == "manual"
    with pytest.raises(ValueError, match="99 is not a valid Kind"):
        shelf.Kind(99)


def test_bits_are_a_flag(shelf):
    assert issubclass(shelf.Access, enum.Flag) and shelf.MAY_READ | shelf.MAY_LEND in shelf.Access.MAY_ALL
    assert issubclass(shelf.Mode, enum.Flag) and not issubclass(shelf.Kind, enum.Flag)


def test_units_and_amounts_are_no_enums(shelf):
    for quantity in (shelf.ByteSize, shelf.Cents, shelf.Celsius):
        assert not issubclass(quantity, enum.Enum)
    assert isinstance(shelf.KB * 3, shelf.ByteSize)


def test_a_text_type_with_constants_is_a_str_enum(shelf):
    assert [mood.name for mood in shelf.Mood] == ["CALM", "WILD"] and shelf.MOOD_CALM is shelf.Mood.CALM
    assert shelf.MOOD_CALM == "calm" and isinstance(shelf.MOOD_CALM, str) and shelf.MOOD_CALM.upper() == "CALM"
    assert shelf.MOOD_CALM.louder() == "calm!" and shelf.MOOD_CALM.title_() == "A calm book"


def test_members_go_and_come_back(shelf):
    assert shelf.mood_of("wild") is shelf.MOOD_WILD is shelf.mood_of(shelf.Mood.WILD)
    diary = shelf.Diary(mood="calm", moods=[shelf.Mood.WILD, "calm"])
    assert diary.mood is shelf.Mood.CALM and list(diary.moods) == [shelf.MOOD_WILD, shelf.MOOD_CALM]
    assert diary.moods[0] is shelf.MOOD_WILD
    counts = shelf.count_moods(diary.moods)
    assert counts == {shelf.MOOD_WILD: 1, shelf.MOOD_CALM: 1} and all(type(key) is shelf.Mood for key in counts)
    assert shelf.go_type_of(shelf.MOOD_CALM) == "shelf.Mood" and shelf.echo(shelf.NOVEL) is shelf.NOVEL
    assert shelf.go_type_of([shelf.MANUAL]) == "[]interface {}" and shelf.echo([shelf.MANUAL]) == [1]


def test_a_value_without_a_constant_is_a_member_without_a_name(shelf):
    odd = shelf.mood_of("odd")
    assert type(odd) is shelf.Mood and odd == "odd" and odd.louder() == "odd!" and odd not in list(shelf.Mood)
    assert pickle.loads(pickle.dumps(odd)) == odd and shelf.Mood.louder("even") == "even!"


def test_members_are_written_as_their_values(shelf):
    for member in (shelf.NOVEL, shelf.MAY_READ, shelf.MAY_READ | shelf.MAY_SELL, shelf.MOOD_CALM):
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            assert pickle.loads(pickle.dumps(member, protocol)) is member
        assert copy.copy(member) is copy.deepcopy(member) is member
    assert json.dumps([shelf.MANUAL, shelf.MAY_LEND, shelf.MOOD_WILD]) == '[1, 2, "wild"]'


def test_type_checkers_know_members(shelf, tmp_path):
    (tmp_path / "use.py").write_text(
        "import shelf\n\n\n"
        "kind: shelf.Kind = shelf.Kind.NOVEL\n"
        "number: int = kind.value + kind\n"
        "words: list[str] = [mood.louder() for mood in shelf.Mood]\n"
        "mood: shelf.Mood = shelf.mood_of(shelf.Mood.CALM)\n"
        "both: shelf.Access = shelf.MAY_READ | shelf.Access.MAY_LEND\n"
        "shelf.Kind.POEM\n"
    )
    said = type_checker.complaints(tmp_path, "use.py", modules=origins.wrapped())
    assert said.count("error:") == 1 and "use.py:9:" in said
