"""Apache TVM: making, transforming, compiling, running, comparing and storing programs."""

from __future__ import annotations

import os
import pickle
import re
import tempfile

import numpy as np
import tvm
import tvm_ffi
from operations import Step, operation
from tvm import relax, s_tir, te, tirx, topi
from tvm.relax.frontend import nn

SIZE = 32


def numbers(*shape: int) -> np.ndarray:
    """Return the same numbers each time, small enough for exact sums."""
    return (np.arange(int(np.prod(shape))).reshape(shape) * 7 % 11 - 5).astype("float32")


def prim_func(size: int = SIZE) -> tirx.PrimFunc:
    """Return softmax(relu(a @ b)) as a PrimFunc."""
    a = te.placeholder((size, size), "float32", name="a")
    b = te.placeholder((size, size), "float32", name="b")
    return te.create_prim_func([a, b, topi.nn.softmax(topi.nn.relu(topi.matmul(a, b)))])


def module() -> tvm.IRModule:
    """Return a module with the PrimFunc as its function main."""
    return tvm.IRModule({"main": prim_func().with_attr("global_symbol", "main")})


class Perceptron(nn.Module):
    """A network with several layers."""

    def __init__(self, layers: int = 4) -> None:
        """Make the layers."""
        self.layers = [nn.Linear(32, 32) for _ in range(layers)]
        for i, layer in enumerate(self.layers):
            setattr(self, f"layer{i}", layer)

    def forward(self, x: nn.Tensor) -> nn.Tensor:
        """Run them, each with an activation and a residual connection."""
        for layer in self.layers:
            x = nn.op.silu(layer(x)) + x
        return x


def network(layers: int = 4) -> tvm.IRModule:
    """Return the network in Relax."""
    return Perceptron(layers).export_tvm({"forward": {"x": nn.spec.Tensor((4, 32), "float32")}})[0]


def copied(value: object) -> object:
    """Return a value with the same structure and other objects."""
    return tvm.ir.load_json(tvm.ir.save_json(value))


# ---- making -------------------------------------------------------------------------------------------------


@operation("create_prim_func")
def _() -> Step:
    a = te.placeholder((SIZE, SIZE), "float32", name="a")
    b = te.placeholder((SIZE, SIZE), "float32", name="b")
    out = topi.nn.softmax(topi.nn.relu(topi.matmul(a, b)))
    return lambda: te.create_prim_func([a, b, out]).script()


@operation("create_prim_func, without print")
def _() -> Step:
    a = te.placeholder((SIZE, SIZE), "float32", name="a")
    b = te.placeholder((SIZE, SIZE), "float32", name="b")
    out = topi.nn.softmax(topi.nn.relu(topi.matmul(a, b)))
    return lambda: len(te.create_prim_func([a, b, out]).params)


@operation("TVMScript, printed")
def _() -> Step:
    mod = module()
    return mod.script


@operation("TVMScript, parsed")
def _() -> Step:
    text = module().script()
    return lambda: tvm.script.from_source(text).script()


@operation("expressions, made and simplified")
def _() -> Step:
    def step() -> list[str]:
        x, y = tirx.Var("x", "int32"), tirx.Var("y", "int32")
        analyzer = tvm.sym.Analyzer()
        analyzer.bind(x, tvm.ir.Range(0, 16))
        cases = [(x * 16 + y) // 16 - x, (x + 1) * 4 % 2, tirx.Min(x, 20) + tirx.Max(y, y - 1)]
        return [str(analyzer.simplify(case)) for case in cases]

    return step


@operation("Relax network, made")
def _() -> Step:
    return lambda: network().script()


@operation("schedule: split, reorder, vectorize, trace")
def _() -> Step:
    mod = module()

    def step() -> str:
        schedule = s_tir.Schedule(mod)
        block = schedule.get_sblock("T_matmul")
        i, j, k = schedule.get_loops(block)
        outer, inner = schedule.split(j, factors=[None, 8])
        schedule.reorder(i, outer, k, inner)
        schedule.vectorize(inner)
        schedule.parallel(i)
        return schedule.mod.script() + str(schedule.trace)

    return step


# ---- passes -------------------------------------------------------------------------------------------------


@operation("lower: the passes of the default pipeline")
def _() -> Step:
    target = tvm.target.Target("llvm").with_host("llvm")
    mod = tirx.transform.BindTarget(target)(module())
    pipeline = tirx.get_default_tir_pipeline(target)[0]
    return lambda: pipeline(mod).script()


@operation("pass: simplify")
def _() -> Step:
    mod = module()
    simplify = s_tir.transform.StmtSimplify()
    return lambda: simplify(mod).script()


@operation("Relax passes: legalize, fuse operators, fuse TIR")
def _() -> Step:
    mod = network()
    passes = tvm.transform.Sequential(
        [
            relax.transform.LegalizeOps(),
            relax.transform.AnnotateTIROpPattern(),
            relax.transform.FuseOps(),
            relax.transform.FuseTIR(),
            relax.transform.DeadCodeElimination(),
        ]
    )
    return lambda: len(passes(mod).functions)


@operation("Relax passes, the result printed")
def _() -> Step:
    mod = network()
    pipeline = relax.get_pipeline("zero")
    return lambda: pipeline(mod).script()


@operation("Relax passes: eliminate common subexpressions")
def _() -> Step:
    mod = relax.transform.LegalizeOps()(network())
    pipeline = relax.transform.EliminateCommonSubexpr()
    return lambda: len(pipeline(mod).functions)


@tvm.instrument.pass_instrument
class Counting:
    """Notes the names of the passes that run."""

    def __init__(self) -> None:
        """Begin with none."""
        self.names: list[str] = []

    def run_before_pass(self, mod: tvm.IRModule, info: object) -> None:
        """Note a pass and how many functions there are before it."""
        self.names.append(f"before {info.name} {len(mod.functions)}")

    def run_after_pass(self, mod: tvm.IRModule, info: object) -> None:
        """Note a pass and how many functions there are after it."""
        self.names.append(f"after {info.name} {len(mod.functions)}")


@operation("pass instruments")
def _() -> Step:
    mod = network()
    pipeline = relax.get_pipeline("zero")

    def step() -> list[str]:
        counting = Counting()
        with tvm.transform.PassContext(instruments=[counting]):
            pipeline(mod)
        return counting.names

    return step


@operation("a pass written in Python")
def _() -> Step:
    mod = module()

    @tirx.transform.prim_func_pass(opt_level=0)
    def mark(func: tirx.PrimFunc, _mod: tvm.IRModule, _context: object) -> tirx.PrimFunc:
        return func.with_attr("marked", len(func.params))

    return lambda: mark(mod).script()


# ---- compiling and running ----------------------------------------------------------------------------------


@operation("compile to C")
def _() -> Step:
    mod = module()
    return lambda: tvm.build(mod, target="c").inspect_source()


@operation("compile to LLVM")
def _() -> Step:
    mod = module()
    # The names in LLVM's alias metadata are addresses.
    return lambda: re.sub(r"0x[0-9a-f]{8,}", "ADDRESS", tvm.build(mod, target="llvm").inspect_source("ll"))


@operation("run a compiled function, numerics")
def _() -> Step:
    main = tvm.build(module(), target="llvm")["main"]
    a, b = tvm.runtime.tensor(numbers(SIZE, SIZE)), tvm.runtime.tensor(numbers(SIZE, SIZE))
    out = tvm.runtime.tensor(np.zeros((SIZE, SIZE), "float32"))

    def step() -> np.ndarray:
        main(a, b, out)
        return out.numpy()

    return step


@operation("a compiled function's error")
def _() -> Step:
    main = tvm.build(module(), target="llvm")["main"]
    wrong = tvm.runtime.tensor(numbers(SIZE, SIZE + 1))

    def step() -> str:
        try:
            main(wrong, wrong, wrong)
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        return "no error"

    return step


@operation("export a library, load and run it")
def _() -> Step:
    library = tvm.build(module(), target="llvm")
    folder = tempfile.TemporaryDirectory()
    a = tvm.runtime.tensor(numbers(SIZE, SIZE))

    def step() -> np.ndarray:
        path = os.path.join(folder.name, "library.so")
        library.export_library(path)
        out = tvm.runtime.tensor(np.zeros((SIZE, SIZE), "float32"))
        tvm.runtime.load_module(path)["main"](a, a, out)
        return out.numpy()

    return step


def network_inputs(mod: tvm.IRModule) -> list[tvm.runtime.Tensor]:
    """Return an argument for each parameter of the network."""
    shapes = [[int(x) for x in param.ty.shape] for param in mod["forward"].params]
    return [tvm.runtime.tensor(numbers(*shape)) for shape in shapes]


@operation("Relax VM: compile a network")
def _() -> Step:
    mod = network()
    return lambda: tvm.compile(mod, target="llvm").as_text()


@operation("Relax VM: run a network, numerics")
def _() -> Step:
    mod = network()
    machine = relax.VirtualMachine(tvm.compile(mod, target="llvm"), tvm.cpu())
    inputs = network_inputs(mod)
    return lambda: machine["forward"](*inputs).numpy()


@operation("Relax VM: a packed function in Python")
def _() -> Step:
    @tvm.register_global_func("selfsame.test.twice", override=True)
    def twice(x: tvm.runtime.Tensor) -> tvm.runtime.Tensor:
        return tvm.runtime.tensor(x.numpy() * 2)

    builder = relax.BlockBuilder()
    x = relax.Var("x", relax.TensorType((4, 4), "float32"))
    with builder.function("main", [x]):
        out = builder.emit(
            relax.Call(relax.ExternFunc("selfsame.test.twice"), [x], ty_args=[relax.TensorType((4, 4), "float32")])
        )
        builder.emit_func_output(out)
    machine = relax.VirtualMachine(tvm.compile(builder.get(), target="llvm"), tvm.cpu())
    given = tvm.runtime.tensor(numbers(4, 4))
    return lambda: machine["main"](given).numpy()


# ---- comparing and storing ----------------------------------------------------------------------------------


@operation("structural_equal, TIR")
def _() -> Step:
    a = module()
    b = copied(a)
    return lambda: tvm_ffi.structural_equal(a, b)


@operation("structural_hash, TIR")
def _() -> Step:
    a = module()
    return lambda: tvm_ffi.structural_hash(a)


@operation("structural_equal, Relax")
def _() -> Step:
    a = relax.get_pipeline("zero")(network())
    b = copied(a)
    return lambda: tvm_ffi.structural_equal(a, b)


@operation("structural_hash, Relax")
def _() -> Step:
    a = relax.get_pipeline("zero")(network())
    return lambda: tvm_ffi.structural_hash(a)


@operation("structural_equal, an expression with free variables")
def _() -> Step:
    def expression() -> tvm.ir.Expr:
        x, y = tirx.Var("x", "int32"), tirx.Var("y", "int32")
        value = x + y
        for i in range(50):
            value = tirx.Select(x < i, x * i, value // (y + i))
        return value

    a, b = expression(), expression()
    return lambda: [tvm_ffi.structural_equal(a, b), tvm_ffi.structural_equal(a, b, map_free_vars=True)]


@operation("first structural mismatch")
def _() -> Step:
    a = module()
    text = a.script()
    b = tvm.script.from_source(text.replace("T.float32(0.0)", "T.float32(1.0)", 1))
    return lambda: str(tvm_ffi.get_first_structural_mismatch(a, b))


@operation("save_json, TIR")
def _() -> Step:
    mod = module()
    return lambda: tvm.ir.save_json(mod)


@operation("load_json, TIR")
def _() -> Step:
    text = tvm.ir.save_json(module())
    return lambda: len(tvm.ir.load_json(text).functions)


@operation("save_json, Relax")
def _() -> Step:
    mod = relax.get_pipeline("zero")(network())
    return lambda: tvm.ir.save_json(mod)


@operation("load_json, Relax")
def _() -> Step:
    text = tvm.ir.save_json(relax.get_pipeline("zero")(network()))
    return lambda: len(tvm.ir.load_json(text).functions)


@operation("JSON round trip, printed")
def _() -> Step:
    mod = relax.get_pipeline("zero")(network())
    return lambda: tvm.ir.load_json(tvm.ir.save_json(mod)).script()


@operation("pickle round trip")
def _() -> Step:
    mod = module()
    return lambda: pickle.loads(pickle.dumps(mod)).script()


@operation("walk from Python: visit all nodes")
def _() -> Step:
    body = prim_func().body

    def step() -> dict[str, int]:
        kinds: dict[str, int] = {}

        def count(node: object) -> None:
            kinds[type(node).__name__] = kinds.get(type(node).__name__, 0) + 1

        tvm_ffi.structural.structural_walk(body, count)
        return kinds

    return step


import apache_tvm_copies  # noqa: E402, F401  # further operations, which use these objects
