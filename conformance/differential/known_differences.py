"""The differences between the two libraries that are intended, each with its reason. See docs/abi-notes.md."""

from __future__ import annotations

import re

# Each rule: patterns for the name of the case, the outcome of libselfsame.so ("here") and that of the published library
# ("there"), searched anywhere in the text, and the reason.
RULES = [
    # Calls that crash the published library.
    ("", r"raises |^\S+Error: ", "^crashes", "an error instead of a crash"),
    (r"ErrorSetRaisedFromCStr\(text NULL", "^x: $", "^crashes", "an error without a text instead of a crash"),
    ("", r"^ends the process: .* must not be NULL$|no data$", r"^crashes", "a message instead of a crash"),
    ("", r"raises InternalError: Check failed: \(entry != nullptr\)", r"^ends the process: Check failed: \(entry",
     "an error instead of the end of the process"),
    # Calls with senseless arguments that the published library accepts.
    (r"function NULL|callback NULL|RegisterMetadata\(NULL\)|EnvTensorAlloc\(NULL\)|a view of no source",
     r"raises ValueError: .*must not be NULL$", "", "NULL is refused"),
    (r"BigIntFromByteArray\(no data\)", "has a size of 3 but no data", "", "NULL is refused with one message"),
    (r"an attribute (at -1|far away)", "raises ValueError: .* must be between", "", "written out of bounds there"),
    (r"SetStream\(-1, 0\)", "raises ValueError", "", "read out of bounds there"),
    (r"SetStream\(2147483647, 0\)", "^None, then 8", "raises InternalError: vector", "there, a table of that length"),
    (r"GetOrAllocIndex\(b''", "must not be empty", "", "a type needs a key"),
    (r"GetOrAllocIndex\(b'probe.(Many|Slots)'", "must be between 0 and", "", "the index wraps around there"),
    (r"MakeObjectFromPackedArgs\(\)", r"Check failed: \(args.size\(\)", "", "there, the argument is read all the same"),
    (r"ListInsert\(.*int64", "raises IndexError: Index", "", "the index wraps around there"),
    (r"Make(FieldGetter|ObjectFromPackedArgs)\(int64", "raises ", "", "the index is cut to 32 bits there"),
    ("ListReserve", "raises MemoryError", "raises InternalError: std::bad_alloc", "a MemoryError says what it is"),
    # Errors and docs with another wording.
    (r"GetOrAllocIndex\(b'probe.(Depth|OfInt|Static|FarStatic|Final|FarParent|NoParent)'", "^ends the process: Check",
     "^ends the process: Check", "the message names the type"),
    ("metadata twice", "Overriding probe.Metadata, possible causes:", "Overriding probe.Metadata, possible causes:",
     "the causes are named in other words"),
    (r"method ffi.StructuralKey.__ffi_init__", "", "", "the doc is in other words"),
    # Differences that docs/abi-notes.md explains.
    (r"ReprPrint|json.Stringify|ToJSONGraphString|json.Parse of .*\\\\[u/]", "^ffi.SmallStr ", "^ffi.String ",
     "a short string is a small one"),
    (r"json.Parse of b'(5e-324|2.2250738585072011e-308)'", "^float 0x(1|f{13})$", "raises ValueError",
     "there, a number that Stringify writes cannot be read"),
    (r"Structural(Hash|Key)\((small bytes|view)", "", "", "bytes hash alike, small or on the heap"),
    (r"StructuralKey.__any_(hash|equal)__|__any_(hash|equal)__ of ffi.StructuralKey", "", "",
     "Functions here: safe for old headers"),
    (r"Recursive(Lt|Le|Gt|Ge)\(.*bad UTF-8", "^bool ", "^bool ",
     "bytes are ordered as 0 to 255 here, as -128 to 127 there"),
    (r"StructuralVisit\(moved Array, Array of pairs\)", "raises TypeError: .*VisitInterrupt", "^None",
     "a moved argument is visited, and the pair's result refused; there nothing is visited"),
    (r"MakeFieldGetter", r"^int \d{8,}", r"^int \d{8,}", "an address"),
    (r"field ffi.Module.imports_", "no setter", "setter",
     "imports change through ffi.ModuleImportModule, which refuses circles"),
]  # fmt: skip

COMPILED = [
    (re.compile(n, re.DOTALL), re.compile(o, re.DOTALL), re.compile(p, re.DOTALL), why) for n, o, p, why in RULES
]


def explain(name: str, ours: str, published: str) -> str | None:
    """Return why the outcomes of a case may differ; None if they may not."""
    for of_name, of_ours, of_published, reason in COMPILED:
        if of_name.search(name) and of_ours.search(ours) and of_published.search(published):
            return reason
    return None
