"""The fast paths: what each stands in for, and how fast_paths.py switches it off. docs/fast-paths.md is the table."""

from __future__ import annotations

from typing import NamedTuple

CORE = "python/src/selfsame_ffi/_core/"
CALL = "internal/engine/call/"
CONTAINERS = "internal/engine/containers/"
CONVERT = "internal/engine/convert/"


LEAST = 1.2  # the gain under which a fast path does not pay for its code


class FastPath(NamedTuple):
    name: str
    shadows: str  # the general path
    operation: str  # of fast_path_operations.py
    file: str
    text: str  # what is replaced there to switch it off
    off: str  # by what
    round: int = 0  # those of a round are switched off together: none serves another's operation; 0: alone

    in_go: bool = False  # whether the operation needs the Go extension; those of fast paths in Go do

    @property
    def built(self) -> str:
        """The part that it is in: Python's "core", the "library", or the extensions that Go code is built into."""
        if self.file.startswith(CORE):
            return "core"
        return "go" if self.file.startswith(("internal/engine/", "internal/handles/")) else "library"


FAST_PATHS = [
    # ---- calls of Go funcs ----
    FastPath(
        "adapters of func types",
        "calls by reflection, of `goFunc`",
        "int to int, lock kept",
        CALL + "adapters.go",
        "if made, ok := adapters.Load(t); ok {",
        "if made, ok := adapters.Load(t); ok && false {",
    ),
    FastPath(
        "the kind for bytes",
        "the conversion of the type, with memory for one value",
        "bytes of 100 B in, copied",
        CONVERT + "fast.go",
        "\tcase FastBytes:\n\t\tif b, ok := values.CopiedBytes(v); ok {",
        "\tcase FastBytes:\n\t\tif b, ok := values.CopiedBytes(v); ok && false {",
        round=1,
    ),
    FastPath(
        "the kind for handles",
        "the conversion of the type, with memory for one value",
        "object to the same object, as a handle",
        CONVERT + "fast.go",
        "\t\treturn FastHandle",
        "\t\treturn NoFastPath",
        round=1,
    ),
    FastPath(
        "loops of funcs of a text",
        "a call through the adapter for each item, with memory for its text",
        "map of 100 texts to numbers",
        CALL + "batch_texts.go",
        "hasNumbers(&args[0]) || result.DType !=",
        "true || result.DType !=",
        round=1,
    ),
    FastPath(
        "texts made for many items at once",
        "a call into C for each text, and memory for each argument",
        "map of 100 texts to texts",
        CALL + "batch_texts.go",
        "hasNumbers(&args[0]) || hasNumbers(result)",
        "true || hasNumbers(result)",
        round=1,
    ),
    # ---- funcs that call native functions ----
    FastPath(
        "binders of func types",
        "`reflect.MakeFunc`",
        "callback with 2 arguments",
        CALL + "binders.go",
        "	if !ok || sig.shown != nil || sig.failsAs != nil {",
        "	if true {",
        round=1,
    ),
    # ---- containers that cross by copy ----
    FastPath(
        "loops for maps of scalars, into Go",
        "the conversion of each key and value",
        "dict of 100 in",
        CONVERT + "scalar_loops.go",
        "func mapLoopsFor(key, value *Conv) mapLoops {",
        "func mapLoopsFor(key, value *Conv) mapLoops {\n\tif true {\n\t\treturn mapLoops{}\n\t}",
        round=4,
    ),
    FastPath(
        "loops for slices of scalars, out of Go",
        "the conversion of each element",
        "list of 1,000 ints out, as an Array",
        CONVERT + "sequences.go",
        "\t\tif loops != nil {\n\t\t\tif made",
        "\t\tif false {\n\t\t\tif made",
        round=1,
    ),
    FastPath(
        "Python's own containers made without a native one",
        "a native container, which Python replaces",
        "dict of 100 in and out",
        CONVERT + "dynamic.go",
        "if c.toPython != nil && pythonList.Function() != nil {",
        "if false {",
        round=5,
    ),
    FastPath(
        "chunks of short texts",
        "memory for each text",
        "list of 1,000 texts in",
        CONVERT + "text_chunks.go",
        "fewestShared  = 16",
        "fewestShared  = 1 << 40",
        round=6,
    ),
    # ---- objects and containers in Go ----
    FastPath(
        "elements that are scalars, read",
        "the conversion of the element type, with memory for one value",
        "Array.At in Go",
        CONVERT + "element.go",
        "if loadScalar(staticKind[E](), item, unsafe.Pointer(&e)) {",
        "if false {",
        round=1,
    ),
    FastPath(
        "elements that are scalars, written",
        "the conversion of the element type, with memory for one value",
        "List.Append in Go",
        CONVERT + "element.go",
        "if v, ok := storeScalar(kind, unsafe.Pointer(&e)); ok {",
        "if v, ok := storeScalar(kind, unsafe.Pointer(&e)); ok && false {",
        round=1,
    ),
    FastPath(
        "free lists of objects made in Go",
        "C's allocator, and the tie table",
        "object made and released in Go",
        "internal/handles/freelist.go",
        "func (l *freeList) accepts(object unsafe.Pointer, e *entry) bool {",
        "func (l *freeList) accepts(object unsafe.Pointer, e *entry) bool {\n\tif true {\n\t\treturn false\n\t}",
        round=1,
    ),
    # ---- calls from Python ----
    FastPath(
        "few arguments on the stack",
        "`call_raw`, with temporaries for each argument",
        "f(x), GIL kept",
        CORE + "convert/function.c",
        "if (SS_LIKELY(call_few(function, args, 1, &made) == 0)) return made;",
        "(void)call_few;",
        round=2,
    ),
    FastPath(
        "keywords found by the addresses of their names",
        "a search among the parameters' names, with memory for the arguments",
        "3 arguments, one a keyword",
        CORE + "convert/arguments.c",
        "  if (end > SS_ARGUMENTS_INSIDE ||",
        "  if (1 || end > SS_ARGUMENTS_INSIDE ||",
        in_go=True,
    ),
    FastPath(
        "NumPy arrays of numbers read by their layout",
        "the buffer protocol",
        "NumPy array of 100 floats in, lent",
        CORE + "convert/lent_numbers.c",
        "lent = lend_array(value);",
        "lent = NULL, (void)lend_array;",
        round=2,
        in_go=True,
    ),
    FastPath(
        "text of ASCII read where it lies",
        "a str, and a copy of it as a String",
        "Array of 100 texts, read",
        CORE + "convert/text.c",
        "if (SS_LIKELY(text->size > LONGEST_INLINE && is_ascii",
        "if (SS_UNLIKELY(text->size == SIZE_MAX && is_ascii",
        round=2,
    ),
    FastPath(
        "special methods without Python code",
        "a function of Python, which looks at the operand first",
        "int in an object of Go",
        CORE + "types/method.c",
        "if (SS_UNLIKELY(method->otherwise != NULL && !fits(method, args, count))) {",
        "if (SS_UNLIKELY(method->otherwise != NULL && ((void)fits, 1))) {",
        in_go=True,
    ),
    FastPath(
        "fields and elements in Go's memory",
        "a call of the native method, under the lock of the object",
        "int field of a wrapped struct",
        CORE + "types/method.c",
        "if (method->memory.use != 0 && kwnames == NULL) {",
        "if ((void)ss_go_access_use, 0) {",
        in_go=True,
    ),
    # ---- builtin functions ----
    FastPath(
        "builtin functions in C, called without Go",
        "the call through Go, which converts the arguments first",
        "ffi.MapGetItem of 3 texts",
        "internal/control/closure.go",
        "ss_fast_function(text, C.size_t(len(name)))",
        "ss_fast_function(text, 0)",
        round=1,
    ),
    # ---- wrappers ----
    FastPath(
        "a live wrapper found in the record",
        "`ss_fetch_slow`, under the word's lock",
        "Array[i], object held",
        CORE + "wrapper/fetch.h",
        "  SsWrapper* wrapper = ss_peek(object);\n  if (SS_LIKELY(wrapper != NULL)) return ss_peeked(wrapper",
        "  SsWrapper* wrapper = NULL;\n  if (SS_LIKELY(wrapper != NULL)) return ss_peeked(wrapper",
        round=2,
    ),
    FastPath(
        "spare blocks",
        "CPython's allocator",
        "make(x) and drop, GIL kept",
        CORE + "wrapper/spare_blocks.h",
        "if (SS_UNLIKELY(ss_spare_blocks.count == 0 ||",
        "if (SS_UNLIKELY(1 || ss_spare_blocks.count == 0 ||",
        round=2,
    ),
    # ---- fields ----
    FastPath(
        "fields declared in Python, set without their setter",
        "the setter",
        "int field declared in Python, set",
        CORE + "types/field_set.c",
        "int is_plain = (field->flags & SELFSAME_FIELD_PLAIN) != 0;",
        "int is_plain = 0;",
        round=1,
    ),
    FastPath(
        "values that fit a schema unchanged",
        "protocol methods, and the conversion of the schema's kind",
        "object of 6 fields declared in Python, made",
        CORE + "convert/schema_unchanged.h",
        "  if (value == Py_None) {",
        "  if (1) return 0;\n  if (value == Py_None) {",
        round=2,
    ),
    FastPath(
        "defaults that all objects share",
        "the conversion of the default for each object",
        "object declared in Python, made by defaults",
        CORE + "types/record_init_type.c",
        "slot->shared = 1;",
        "slot->shared = 0;",
        round=1,
    ),
    # ---- copies ----
    FastPath(
        "deep copies that the runtime makes",
        "`copy.deepcopy` of each object, by the plan of its type",
        "deepcopy of an Array of 100 objects declared in Python",
        CORE + "types/copying_natively.c",
        "int is_native = Py_TYPE(self)",
        "int is_native = 0 && Py_TYPE(self)",
        round=1,
    ),
    FastPath(
        "Arrays reduced to their items in C",
        "the plan of the type, in Python",
        "what pickle asks of an Array",
        CORE + "types/copying.c",
        "if (!stateful && cls == PyTuple_GET_ITEM(reducer, 1)",
        "if (0 && cls == PyTuple_GET_ITEM(reducer, 1)",
        round=1,
    ),
    FastPath(
        "copies by the type's function alone",
        "the plan of the type, in Python",
        "copy of an object declared in Python",
        CORE + "types/copying.c",
        "if (ss_copying_is_cloned(native->type_index) &&",
        "if (0 &&",
        round=1,
    ),
    # ---- containers in Python ----
    FastPath(
        "an int as an index",
        "whatever has `__index__`",
        "Array[i], object held",
        CORE + "types/sequence.c",
        "if (SS_LIKELY(PyLong_CheckExact(key))) {",
        "if (0) {",
    ),
    FastPath(
        "lists and dicts of scalars read in place",
        "a copy of the list or dict, with references to its values",
        "list of 100 ints, there and back",
        CORE + "convert/make_container.c",
        "enum { IN_PLACE = !SS_FREE_THREADED };",
        "enum { IN_PLACE = 0 };",
        round=1,
    ),
]
