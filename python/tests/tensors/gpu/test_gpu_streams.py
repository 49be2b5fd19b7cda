"""A call with tensors on a GPU runs on the stream that is PyTorch's current one, also when a CUDA graph is captured."""

# Requirements: C8, F3

import threading

import pytest
import selfsame_ffi
from exchange_tables import CONTAINERS
from selfsame_ffi import from_dlpack

LATE = 100_000_000  # cycles of the GPU that a kernel waits before it writes: some hundredths of a second


@pytest.fixture
def x(torch):
    made = torch.ones(1000, device="cuda")
    torch.cuda.synchronize()
    return made


@pytest.fixture
def streams(torch):
    made = [torch.cuda.Stream() for _ in range(2)]
    assert made[0].cuda_stream != made[1].cuda_stream != 0
    return made


@pytest.mark.parametrize("container", CONTAINERS)
def test_kernel_gets_the_current_stream(kernels, torch, x, streams, container):
    given = CONTAINERS[container](x)
    for _ in range(2):
        for stream in streams:
            with torch.cuda.stream(stream):
                assert kernels.stream_on(0, given) == stream.cuda_stream
                assert kernels.stream_on(0, from_dlpack(x)) == 0  # a Tensor's call has no package that tells a stream
            assert kernels.stream_on(0, given) == torch.cuda.current_stream().cuda_stream
    assert selfsame_ffi.get_raw_stream(selfsame_ffi.device("cuda", 0)) == 0


def test_nested_calls_have_each_their_stream(kernels, torch, x, streams):
    first, second = streams
    seen = []

    def inner(tensor):
        seen.append(kernels.stream_on(0, None))
        with torch.cuda.stream(second):
            seen.append(kernels.stream_of(x))
        seen.append(kernels.stream_on(0, None))
        raise LookupError("mine")

    with torch.cuda.stream(first), pytest.raises(LookupError, match="mine"):
        kernels.call(selfsame_ffi.convert(inner), x)
    assert seen == [first.cuda_stream, second.cuda_stream, first.cuda_stream]
    assert kernels.stream_on(0, None) == 0


def test_each_thread_has_its_stream(kernels, torch, x, streams):
    barrier = threading.Barrier(2)
    seen = {}

    def run(stream):
        with torch.cuda.stream(stream):
            barrier.wait()
            seen[stream.cuda_stream] = {kernels.stream_of(x) for _ in range(100)}
            barrier.wait()

    threads = [threading.Thread(target=run, args=(stream,)) for stream in streams]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == {stream.cuda_stream: {stream.cuda_stream} for stream in streams}


def test_order_on_one_stream(kernels, torch, x, streams):
    """PyTorch's work and the kernels' work on one stream are done in the order of the calls."""
    with torch.cuda.stream(streams[0]):
        kernels.fill_late(x, 3.0, LATE)
        y = x * 2
        z = kernels.scaled(y, 10.0)
        x.zero_()
    streams[0].synchronize()
    assert y.unique().tolist() == [6.0] and z.unique().tolist() == [60.0] and x.unique().tolist() == [0.0]


def test_events_order_two_streams(kernels, torch, x, streams):
    first, second = streams
    done = torch.cuda.Event()
    with torch.cuda.stream(first):
        kernels.fill_late(x, 3.0, LATE)
        done.record()
    y = torch.zeros_like(x)
    torch.cuda.current_stream().synchronize()
    with torch.cuda.stream(second):
        done.wait()
        kernels.scale(y, x, 2.0)
    second.synchronize()
    assert done.query() and y.unique().tolist() == [6.0]


def test_events_time_the_kernel(kernels, torch, x, streams):
    """Events of PyTorch around a call enclose the kernel, so it is on their stream."""
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    with torch.cuda.stream(streams[0]):
        begin.record()
        kernels.fill_late(x, 3.0, LATE)
        end.record()
    end.synchronize()
    assert x.unique().tolist() == [3.0] and begin.elapsed_time(end) > LATE / 10e6  # no GPU has 10 GHz


def test_streams_for_own_tensors(kernels, torch, x, streams):
    """use_torch_stream and use_raw_stream set the stream of calls whose tensors tell none."""
    mine, device = from_dlpack(x), selfsame_ffi.device("cuda", 0)
    first, second = streams
    with selfsame_ffi.use_torch_stream(torch.cuda.stream(first)):
        assert kernels.stream_of(mine) == first.cuda_stream == torch.cuda.current_stream().cuda_stream
        with selfsame_ffi.use_raw_stream(device, second.cuda_stream):
            assert kernels.stream_of(mine) == second.cuda_stream
            assert kernels.stream_of(x) == first.cuda_stream  # PyTorch's tensor tells PyTorch's stream
            assert kernels.stream_of(mine) == second.cuda_stream
        assert kernels.stream_of(mine) == first.cuda_stream
    assert kernels.stream_of(mine) == 0


def test_graph_is_captured_and_replayed(kernels, torch, x, streams):
    """Kernels called during a capture are part of the graph, with results of the graph's own memory."""
    out = torch.zeros_like(x)
    streams[0].wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(streams[0]):  # a run before the capture, as PyTorch asks for
        kernels.scale(out, x, 2.0)
    torch.cuda.current_stream().wait_stream(streams[0])
    out.zero_()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        captured = kernels.stream_of(x)
        assert captured == torch.cuda.current_stream().cuda_stream != 0
        kernels.scale(out, x, 2.0)
        made = kernels.scaled(out, 10.0)
        kernels.add_all(out, [made, made])
    torch.cuda.synchronize()
    assert out.unique().tolist() == [0.0]  # captured, not run
    for value in (1.0, 5.0, -2.0):
        x.fill_(value)
        graph.replay()
        torch.cuda.synchronize()
        assert made.unique().tolist() == [20 * value] and out.unique().tolist() == [42 * value]
    del made, graph


def test_graph_of_calls_with_own_tensors(kernels, torch, x):
    mine, out = from_dlpack(x), torch.zeros_like(x)
    theirs = from_dlpack(out)
    kernels.scale(theirs, mine, 3.0)
    torch.cuda.synchronize()
    out.zero_()
    graph = torch.cuda.CUDAGraph()
    with selfsame_ffi.use_torch_stream(torch.cuda.graph(graph)):
        kernels.scale(theirs, mine, 3.0)
    torch.cuda.synchronize()
    assert out.unique().tolist() == [0.0]
    x.fill_(7.0)
    graph.replay()
    torch.cuda.synchronize()
    assert out.unique().tolist() == [21.0]
    del graph
