"""Where the time goes in the operations that take longer than in the published library, as perf record shows it.

table.py prints the note of each operation above 1.0, counts one above 1.05 without a note as missed, and names the
notes that are no longer needed.
"""

_COUNTED = (
    "an object has a prefix of 16 bytes with its type, and is counted by type and thread when it is made and freed "
    "(SelfsameLiveObjects); the peer counts nothing"
)
_IN_GO = (
    "in Go: it allocates what it remembers of each object, for a collector to free, and calls C for objects and "
    "getters; entering and leaving C and Go are among the first lines of the profile"
)

NOTES: dict[str, str] = {
    "FunctionCreate, release": _COUNTED,
    "tensor from DLPack, release": f"shape, strides and alignment are checked, a tenth of the samples; {_COUNTED}",
    "tensor from DLPack (versioned), release": f"as for the other form; {_COUNTED}",
    "AnyViewToOwnedAny, char*": f"the string is an object of its own: {_COUNTED}",
    "ffi.Array, 4 values": _COUNTED,
    "ffi.List, 4 values": _COUNTED,
    "ffi.MapForwardIterFunctor": (
        "more than half of the samples are in making and freeing the iterator, which holds a reference to its map, two "
        f"atomic operations, and notes the entry that comes next; {_COUNTED}"
    ),
    "map iterator: key, value, next": (
        "two thirds of the samples are in the iterator itself, which checks each time that the map is unchanged and "
        "that no other thread is in it"
    ),
    "ffi.GetGlobalFuncMetadata": (
        "in Go: entering Go, calling C from there, and the locks of Go's runtime for both are most of the profile"
    ),
    "ffi.FunctionListGlobalNamesFunctor": (
        "in Go: names are sorted by registration, an eighth of the samples, and copied to Go strings, a third"
    ),
    "ffi.json.Parse, 40 bytes": "in Go: entering Go, and making the objects with one call of C at the end",
    "ffi.ToJSONGraph, an object": _IN_GO + "; what a walk knows of a class is looked up again in each call",
    "ffi.ToJSONGraph, 131071 objects": _IN_GO,
    "ffi.ToJSONGraph, chain of 2000": _IN_GO,
    "ffi.FromJSONGraph, 131071 objects": _IN_GO,
}
