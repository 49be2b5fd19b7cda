#!/bin/sh
# The writer of gguf leaves out keys whose text or list is empty, and its reader gives a list of lists back as one flat list.
#
# Versions: gguf 0.19.0, numpy 2.4.6
#
# Expected: a key that was added is there, with the value that was given.
#
# Seen: as above; a list of ints is one of int32, so that 2**40 is a struct.error from deep inside, while add_int64 stands beside;
# NumPy's numbers and arrays are refused, and bytes are a list of uint8. Floats of a list are float32. The reader's shape is the
# reverse of its data's.
. "$(dirname "$0")/parts/begin.sh"
environment "3.11 3.12 3.13" gguf==0.19.0 numpy==2.4.6
"$python" - <<'P'
import gguf
import numpy as np
from seen import end, seen


def through(method: str, value: object) -> gguf.GGUFReader:
    writer = gguf.GGUFWriter("file.gguf", "llama")
    getattr(writer, method)("a", value)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return gguf.GGUFReader("file.gguf")


def contents(method: str, value: object) -> object:
    return through(method, value).fields["a"].contents()


seen("an empty text", lambda: "a" in through("add_string", "").fields, False)
seen("an empty list", lambda: "a" in through("add_array", []).fields, False)
seen("a list of lists", lambda: contents("add_array", [[1, 2], [3]]), [1, 2, 3])
seen("2**40 in a list", lambda: contents("add_array", [2**40]), "error: 'i' format requires")
seen("2**40 by itself", lambda: contents("add_int64", 2**40), 2**40)
seen("0.1 in a list", lambda: contents("add_array", [0.1]), [0.10000000149011612])
seen("np.int64 in a list", lambda: contents("add_array", [np.int64(1)]), "ValueError: Unknown type: <class 'numpy.int64'>")
seen("an ndarray", lambda: contents("add_array", np.array([1])), "ValueError: Invalid GGUF metadata array")
seen("bytes", lambda: contents("add_array", b"ab"), [97, 98])
tensor = through("add_tensor", np.zeros((2, 3), np.float32)).tensors[0]
seen("shape, and shape of the data", (tensor.shape.tolist(), tensor.data.shape), ([3, 2], (2, 3)))
end()
P
