"""Each field of a C struct has a comment that says what it is, and for a pointer who owns it."""

import re

from repository import ROOT, tracked_files

FOLDERS = ("internal/bridge/", "internal/plane/", "python/src/selfsame_ffi/_core/")
BEGIN = re.compile(r"\s*(?:typedef |static |const )*(?:struct|union)\b[^;()=]*\{\s*(?://.*)?$")
OBJECT_HEAD = ("PyObject_HEAD", "PyObject_VAR_HEAD")


def fields_without_comment(text: str) -> list[str]:
    """The fields of the structs of a source that have none."""
    found, depth, said, lines = [], 0, False, iter(text.splitlines())
    for line in lines:
        field = line.strip()
        if BEGIN.match(line) and (depth > 0 or not line.startswith(" ") or "static" in line):
            depth, said = depth + 1, False
        elif depth == 0 or not field or field.startswith("#") or re.fullmatch(r"[A-Z_]+\(.*\)", field):
            continue  # no field, or a macro that makes some
        elif field.startswith("//"):
            said = True
        elif field.startswith("}"):
            depth, said = depth - 1, False
        elif not field.startswith(OBJECT_HEAD):
            whole = field
            while ";" not in whole.partition("//")[0] and not re.search(r";\s*(//|$)", whole):
                whole += "\n" + next(lines)
            if not said and "//" not in whole:
                found.append(field)
            said = False
    return found


def test_fields_say_what_they_are():
    names = [name for name in tracked_files() if name.startswith(FOLDERS) and name.endswith((".c", ".h"))]
    names = [name for name in names if "/testdata/" not in name]
    found = {name: fields_without_comment((ROOT / name).read_text()) for name in names}
    assert {name: fields for name, fields in found.items() if fields} == {}


def test_a_field_without_a_comment_is_found():
    text = (
        "typedef struct {\n  int a;  // first\n  // second\n  int b;\n  int c;\n  union {\n    int d;\n  } u;\n} S;\n"
    )
    assert fields_without_comment(text) == ["int c;", "int d;"]
