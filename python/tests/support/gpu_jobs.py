"""What calls with tensors on a GPU give, as JSON: the same on the published package and on this one.

Usage: gpu_jobs.py tvm_ffi|selfsame_ffi LIBRARY      LIBRARY: fixtures/cuda/kernels.cu, built
"""

from __future__ import annotations

import importlib
import json
import sys
import threading

torch = importlib.import_module("torch") if __name__ == "__main__" else None  # the tests read JOBS alone


def vector(count: int = 6):
    return torch.arange(count, dtype=torch.float32, device="cuda")


def kind(value) -> str:
    """The name of a value's class, without the package."""
    return type(value).__name__


def calls(ffi, kernels):
    x, out = vector(), torch.zeros(6, device="cuda")
    kernels.scale(out, x, 2.5)
    return [out.tolist(), kernels.describe(x.reshape(2, 3).t()), kernels.address(x[2:]) - x.data_ptr()]


def data_types(ffi, kernels):
    names = (
        "float64 float32 float16 bfloat16 float8_e4m3fn float8_e5m2 int8 int16 int32 int64 uint8 bool complex64".split()
    )
    return {name: kernels.describe(torch.empty(3, dtype=getattr(torch, name), device="cuda")) for name in names}


def results(ffi, kernels):
    made = kernels.scaled(vector(), 3.0)
    return [kind(made), str(made.device), made.tolist(), kind(kernels.on_device(4))]


def same_argument(ffi, kernels):
    x = vector()
    back = kernels.echo(x)
    return [kind(back), back.data_ptr() == x.data_ptr(), back.shape == x.shape, kernels.same_tensor(x).tolist()]


def from_dlpack(ffi, kernels):
    x = vector()
    mine = ffi.from_dlpack(x)
    back = torch.from_dlpack(mine)
    return [
        kind(mine),
        list(mine.shape),
        str(mine.dtype),
        str(mine.device),
        back.data_ptr() == x.data_ptr(),
        str(back.device),
    ]


def list_argument(ffi, kernels):
    x, out = vector(), torch.zeros(6, device="cuda")
    kernels.add_all(out, [x, x])
    kernels.add_named(out, {"a": x, "b": x})
    return out.tolist()


def streams(ffi, kernels):
    x, stream = vector(), torch.cuda.Stream()
    with torch.cuda.stream(stream):
        inside = [kernels.stream_of(x), kernels.stream_on(0, x)]
        nested = kernels.call(ffi.convert(lambda given: kernels.stream_on(0, None)), x)
    own = stream.cuda_stream
    return [[value == own for value in inside], nested == own, kernels.stream_of(x), kernels.stream_on(0, None)]


def stream_contexts(ffi, kernels):
    mine, stream = ffi.from_dlpack(vector()), torch.cuda.Stream()
    with ffi.use_torch_stream(torch.cuda.stream(stream)):
        first = kernels.stream_of(mine) == stream.cuda_stream
    with ffi.use_raw_stream(ffi.device("cuda", 0), stream.cuda_stream):
        second = kernels.stream_of(mine) == stream.cuda_stream
    return [first, second, kernels.stream_of(mine)]


def graphs(ffi, kernels):
    x = vector()
    out = torch.zeros_like(x)
    kernels.scale(out, x, 1.0)
    graph, seen = torch.cuda.CUDAGraph(), []
    torch.cuda.synchronize()
    with torch.cuda.graph(graph):
        kernels.scale(out, x, 2.0)
        made = kernels.scaled(out, 10.0)
    for value in (1.0, 5.0):
        x.fill_(value)
        graph.replay()
        torch.cuda.synchronize()
        seen.append([out.tolist(), made.tolist()])
    return seen


def events(ffi, kernels):
    x, y = vector(), torch.zeros(6, device="cuda")
    first, second, done = torch.cuda.Stream(), torch.cuda.Stream(), torch.cuda.Event()
    torch.cuda.synchronize()
    with torch.cuda.stream(first):
        kernels.fill_late(x, 3.0, 100_000_000)
        done.record()
    with torch.cuda.stream(second):
        done.wait()
        kernels.scale(y, x, 2.0)
    torch.cuda.synchronize()
    return y.tolist()


def errors(ffi, kernels):
    x, host = vector(), torch.ones(6)
    found = []
    for call in (
        lambda: kernels.scale(host, host, 2.0),
        lambda: kernels.scale(x, host, 2.0),
        lambda: kernels.scale(x[::2], x, 2.0),
        lambda: kernels.scale(x.double(), x, 2.0),
        lambda: kernels.scaled(ffi.from_dlpack(x), 2.0),
    ):
        try:
            call()
        except Exception as error:
            found.append([kind(error), str(error).splitlines()[0]])
    return [found, kernels.stream_on(0, None)]


def host_reads(ffi, kernels):
    import numpy

    try:
        return numpy.from_dlpack(ffi.from_dlpack(vector())).tolist()
    except Exception:
        return ["refused"]


def pinned(ffi, kernels):
    import numpy

    mine = kernels.pinned(4)
    theirs = torch.ones(4).pin_memory()
    return [list(mine.__dlpack_device__()), numpy.from_dlpack(mine).tolist(), kernels.describe(theirs)]


def pinned_to_torch(ffi, kernels):
    back = torch.from_dlpack(kernels.pinned(4))
    return [str(back.device), back.tolist()]


def kept(ffi, kernels):
    x = vector()
    before = torch.cuda.memory_allocated()
    y = torch.ones(1 << 20, device="cuda")
    kernels.keep(y)
    del y
    held = torch.cuda.memory_allocated() > before
    value = torch.from_dlpack(kernels.kept())[5].item()
    kernels.release_on_thread()
    kernels.scale(x, x, 1.0)
    return [held, value]


def threads(ffi, kernels):
    seen = []

    def run():
        x, stream = vector(), torch.cuda.Stream()
        with torch.cuda.stream(stream):
            seen.append(
                kernels.stream_of(x) == stream.cuda_stream and kernels.scaled(x, 2.0).tolist() == (2 * x).tolist()
            )

    running = [threading.Thread(target=run) for _ in range(4)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    return seen


def cupy_arrays(ffi, kernels):
    cupy = importlib.import_module("cupy")
    x = cupy.arange(6, dtype="float32")
    out = cupy.zeros_like(x)
    kernels.scale(out, x, 2.0)
    back = cupy.from_dlpack(ffi.from_dlpack(x))
    return [out.get().tolist(), kernels.describe(x), back.data.ptr == x.data.ptr]


def jax_arrays(ffi, kernels):
    jax = importlib.import_module("jax")
    x, out = jax.numpy.arange(6, dtype="float32"), torch.zeros(6, device="cuda")
    kernels.scale(out, x, 2.0)
    back = jax.numpy.from_dlpack(ffi.from_dlpack(x))
    return [out.tolist(), kernels.describe(x), back.tolist()]


JOBS = {
    function.__name__: function
    for function in (
        calls,
        data_types,
        results,
        same_argument,
        from_dlpack,
        list_argument,
        streams,
        stream_contexts,
        graphs,
        events,
        errors,
        host_reads,
        pinned,
        pinned_to_torch,
        kept,
        threads,
        cupy_arrays,
        jax_arrays,
    )
}


def main() -> None:
    """Prints what each job gives, or its error."""
    name, library = sys.argv[1:]
    ffi = importlib.import_module(name)
    kernels = ffi.load_module(library)
    given = {}
    for job, function in JOBS.items():
        try:
            given[job] = function(ffi, kernels)
        except Exception as error:
            given[job] = f"{type(error).__name__}: {str(error)[:300]}"
    print(json.dumps(given))


if __name__ == "__main__":
    main()
