"""Makes, fits and compiles a small network that tells digits in pictures apart. Needs apache-tvm and NumPy.

Usage: model.py FOLDER [ARCH]   writes model.so, inverting.so, head.params, pictures.bin and probabilities.bin there

With ARCH, such as sm_90, it also writes model-cuda.so for GPUs of that architecture. That needs NVRTC and the package
cuda-bindings.

A picture has 16 x 16 bytes, 0 for black. It goes through two convolutions with random weights of a fixed seed, then
through a linear layer that is fitted to 2,000 drawn digits. pictures.bin has 256 others, probabilities.bin what the
network says of them in Python, and the program prints how many it names right.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import tvm
from tvm import relax, tirx

SIDE = 16
FILTERS = (32, 64)
FEATURES = FILTERS[1] * (SIDE // 4) ** 2
GLYPHS = """
.###. ..#.. .###. .###. ...#. ##### ..##. ##### .###. .###.
#...# .##.. #...# #...# ..##. #.... .#... ....# #...# #...#
#..## ..#.. ....# ....# .#.#. ####. #.... ...#. #...# #...#
#.#.# ..#.. ...#. ..##. #..#. ....# ####. ..#.. .###. .####
##..# ..#.. ..#.. ....# ##### ....# #...# ..#.. #...# ....#
#...# ..#.. .#... #...# ...#. #...# #...# ..#.. #...# ...#.
.###. .###. ##### .###. ...#. .###. .###. ..#.. .###. .##..
"""


def drawn(count: int, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return pictures, uint8 of shape (count, 16, 16), of digits at random places with noise, and the digits."""
    rows = [line.split() for line in GLYPHS.split("\n") if line]
    small = [np.array([[c == "#" for c in row[digit]] for row in rows]) for digit in range(10)]
    glyphs = [glyph.repeat(2, 0).repeat(2, 1) for glyph in small]
    digits = random.integers(0, 10, count)
    pictures = random.normal(60, 25, (count, SIDE, SIDE))
    for picture, digit in zip(pictures, digits):
        y, x = random.integers(0, 3), random.integers(0, 7)
        picture[y : y + 14, x : x + 10] += glyphs[digit] * random.uniform(80, 150)
    return pictures.clip(0, 255).astype("uint8"), digits


def as_input(pictures: np.ndarray) -> np.ndarray:
    """Return what the network takes, float32 of shape (count, 1, 16, 16) between 0 and 1."""
    return pictures.reshape(-1, 1, SIDE, SIDE).astype("float32") / np.float32(255)


def network(kernels: list[np.ndarray], weight: np.ndarray, bias: np.ndarray) -> tvm.IRModule:
    """Return the functions of the network, for any number of pictures.

    * features(pictures) are the results of the convolutions;
    * head(features, weight, bias) are the probabilities of the ten digits, with the weights as arguments;
    * forward(pictures) is the whole network, with the weights in it;
    * both(pictures) are the features and the probabilities.
    """
    builder = relax.BlockBuilder()

    def features(x: relax.Expr, count: tirx.Var) -> relax.Expr:
        for kernel in kernels:
            x = builder.emit(relax.op.nn.relu(relax.op.nn.conv2d(x, relax.const(kernel), strides=2, padding=1)))
        return builder.emit(relax.op.reshape(x, (count, FEATURES)))

    def head(x: relax.Expr, weight: relax.Expr, bias: relax.Expr) -> relax.Expr:
        return builder.emit(relax.op.nn.softmax(relax.op.add(relax.op.matmul(x, weight), bias), axis=-1))

    def variable(name: str, *shape: int | tirx.Var) -> relax.Var:
        return relax.Var(name, relax.TensorType(shape, "float32"))

    for name in ("features", "forward", "both"):
        count = tirx.Var("count", "int64")
        pictures = variable("pictures", count, 1, SIDE, SIDE)
        with builder.function(name, [pictures]):
            with builder.dataflow():
                x = features(pictures, count)
                if name == "features":
                    result = x
                else:
                    result = head(x, relax.const(weight), relax.const(bias))
                if name == "both":
                    result = relax.Tuple([x, result])
                out = builder.emit_output(result)
            builder.emit_func_output(out)
    count = tirx.Var("count", "int64")
    params = [variable("features", count, FEATURES), variable("weight", FEATURES, 10), variable("bias", 10)]
    with builder.function("head", params):
        with builder.dataflow():
            out = builder.emit_output(head(*params))
        builder.emit_func_output(out)
    return builder.get()


def inverting() -> tvm.IRModule:
    """Return a program that calls global functions, which the user of it has.

    * main(x) calls `classify.inverted`;
    * scaled(x) makes an object by `classify.scale`, and gives it to `classify.scaled`.
    """
    builder = relax.BlockBuilder()
    numbers = relax.TensorType((4,), "float32")

    def called(name: str, result: relax.Type, *args: relax.Expr) -> relax.Var:
        return builder.emit(relax.Call(relax.ExternFunc(name), args, ty_args=[result]))

    x = relax.Var("x", numbers)
    with builder.function("main", [x]):
        builder.emit_func_output(builder.emit(relax.op.nn.relu(called("classify.inverted", numbers, x))))
    x = relax.Var("x", numbers)
    with builder.function("scaled", [x]):
        scale = called("classify.scale", relax.AnyType(), x)
        builder.emit_func_output(builder.emit(relax.op.nn.relu(called("classify.scaled", numbers, scale, x))))
    return builder.get()


def fitted(kernels: list[np.ndarray], random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return weight and bias of the linear layer, by least squares."""
    empty = np.zeros((FEATURES, 10), "float32"), np.zeros(10, "float32")
    vm = relax.VirtualMachine(tvm.compile(network(kernels, *empty), "llvm"), tvm.cpu())
    pictures, digits = drawn(2000, random)
    features = vm["features"](tvm.runtime.tensor(as_input(pictures))).numpy()
    wanted = np.where(digits[:, None] == np.arange(10), 6.0, -1.0)
    mean = features.mean(0)
    centred = (features - mean).astype("float64")
    weight = np.linalg.solve(centred.T @ centred + 10 * np.eye(FEATURES), centred.T @ (wanted - wanted.mean(0)))
    return weight.astype("float32"), (wanted.mean(0) - mean @ weight).astype("float32")


def cuda(arch: str) -> tvm.target.Target:
    """Return a GPU of an architecture, with limits that all of the last ten years keep."""
    limits = {"max_threads_per_block": 1024, "max_num_threads": 1024, "max_shared_memory_per_block": 49152}
    return tvm.target.Target({"kind": "cuda", "arch": arch, "thread_warp_size": 32, **limits}, host="llvm")


def main(folder: Path, arch: str | None = None) -> None:
    """Do what the module's documentation says."""
    random = np.random.default_rng(7)
    channels = (1, *FILTERS)
    kernels = [random.normal(0, 0.4, (b, a, 3, 3)).astype("float32") for a, b in zip(channels, channels[1:])]
    weight, bias = fitted(kernels, random)
    executable = tvm.compile(network(kernels, weight, bias), "llvm")
    executable.export_library(str(folder / "model.so"))
    tvm.compile(inverting(), "llvm").export_library(str(folder / "inverting.so"))
    if arch is not None:
        with cuda(arch) as target:
            tvm.compile(network(kernels, weight, bias), target).export_library(str(folder / "model-cuda.so"))
    tvm.runtime.save_param_dict_to_file({"weight": weight, "bias": bias}, str(folder / "head.params"))
    pictures, digits = drawn(256, random)
    (folder / "pictures.bin").write_bytes(pictures.tobytes())
    vm = relax.VirtualMachine(tvm.runtime.load_module(str(folder / "model.so")), tvm.cpu())
    probabilities = vm["forward"](tvm.runtime.tensor(as_input(pictures))).numpy()
    (folder / "probabilities.bin").write_bytes(probabilities.tobytes())
    print(f"{(probabilities.argmax(1) == digits).sum()} of {len(digits)} digits named right")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
