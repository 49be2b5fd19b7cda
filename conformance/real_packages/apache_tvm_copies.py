"""Apache TVM: what copies before it writes, unless it has the only reference. Whatever Python holds stays as it was.

Each step gets the same objects in every round, and its result has their text too.
"""

from __future__ import annotations

import tvm
from apache_tvm_operations import module, network
from operations import Step, operation
from tvm import relax, s_tir, tirx

TIR_PASSES = """AnnotateEntryFunc CommonSubexprElim ConvertSSA ForceNarrowIndexToInt32 InlinePrivateFunctions
    RemoveAssume RemoveNoOp SkipAssert StmtSimplify UnrollLoop VectorizeLoop""".split()
SCHEDULE_PASSES = """CanonicalizeLoop CompactBufferAllocation ConvertBlocksToOpaque HoistIfThenElse InjectDoubleBuffer
    InjectVirtualThread LoopPartition LowerInitBlock LowerOpaqueBlock LowerMatchBuffer
    PlanAndUpdateBufferAllocationLocation RenormalizeSplitPattern RewriteUnsafeSelect StmtSimplify""".split()
RELAX_PASSES = """AnnotateTIROpPattern CanonicalizeBindings ConvertToDataflow DeadCodeElimination EliminateCommonSubexpr
    FoldConstant FuseOps FuseTIR LambdaLift LegalizeOps Normalize RemovePurityChecking ToNonDataflow
    TopologicalSort""".split()


def after_pass(transform: object, name: str, mod: tvm.IRModule) -> str:
    """The text of what a pass makes of a module, or its error."""
    try:
        return getattr(transform, name)()(mod).script()
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def split(schedule: s_tir.Schedule, factor: int) -> s_tir.Schedule:
    """The schedule, with a loop split."""
    loops = schedule.get_loops(schedule.get_sblock("T_matmul"))
    schedule.split(loops[1], factors=[None, factor])
    return schedule


@operation("copies: three schedules of one module")
def _() -> Step:
    mod = module()

    def step() -> list[str]:
        candidates = [split(s_tir.Schedule(mod), factor).mod for factor in (2, 4, 8)]
        return [mod.script(), *(candidate.script() for candidate in candidates), mod.script()]

    return step


@operation("copies: a schedule goes on, its modules held")
def _() -> Step:
    mod = module()

    def step() -> list[str]:
        schedule = s_tir.Schedule(mod)
        seen = {"given": mod, "begun": schedule.mod}
        seen["split"] = split(schedule, 4).mod
        schedule.parallel(schedule.get_loops(schedule.get_sblock("T_matmul"))[0])
        seen["parallel"] = schedule.mod
        copied = schedule.copy()
        seen["copied"] = split(copied, 2).mod
        return [f"{name}: {held.script()}" for name, held in seen.items()]

    return step


@operation("copies: a schedule, functions and blocks held")
def _() -> Step:
    mod = module()

    def step() -> list[str]:
        main, body = mod["main"], mod["main"].body
        schedule = s_tir.Schedule(mod)
        block = schedule.get(schedule.get_sblock("T_matmul"))
        split(schedule, 8)
        return [str(block), main.script(), str(body), mod.script(), schedule.mod.script()]

    return step


@operation("copies: attributes of a function")
def _() -> Step:
    main = module()["main"]

    def step() -> list[str]:
        once = main.with_attr("first", 1)
        twice = once.with_attr("second", 2)
        fewer = twice.without_attr("first")
        both = main.with_attrs({"first": 3, "third": 4})
        return [held.script() for held in (main, once, twice, fewer, both)]

    return step


@operation("copies: a module's attributes and functions")
def _() -> Step:
    mod = module()

    def step() -> list[str]:
        marked = mod.with_attr("name", "marked")
        clone = mod.clone()
        clone.update_func(clone.get_global_var("main"), mod["main"].with_attr("in_clone", 1))
        return [held.script() for held in (mod, marked, clone)]

    return step


@operation("copies: a function's body replaced")
def _() -> Step:
    main = module()["main"]

    def step() -> list[str]:
        other = main.with_body(tirx.Evaluate(0))
        return [main.script(), other.script(), main.script()]

    return step


def register(title: str, transform: object, names: list[str], make: object) -> None:
    """Put an operation into the list that applies each pass to one module."""

    @operation(f"copies: {title}")
    def _() -> Step:
        mod = make()

        def step() -> dict[str, str]:
            found = {}
            for name in names:
                found[name] = after_pass(transform, name, mod)
                found[f"{name}: what it was given"] = mod.script()
            return found

        return step


register(f"{len(TIR_PASSES)} passes on one module", tirx.transform, TIR_PASSES, module)
register(f"{len(SCHEDULE_PASSES)} passes of schedules on one module", s_tir.transform, SCHEDULE_PASSES, module)
register(f"{len(RELAX_PASSES)} passes of Relax on one module", relax.transform, RELAX_PASSES, network)


@operation("copies: passes in turn, every module held")
def _() -> Step:
    mod = network()
    names = ("LegalizeOps", "AnnotateTIROpPattern", "FuseOps", "FuseTIR", "DeadCodeElimination")

    def step() -> list[str]:
        held = [mod]
        for name in names:
            held.append(getattr(relax.transform, name)()(held[-1]))
        return [one.script() for one in held]

    return step


@operation("copies: a pass in Python keeps what it gets")
def _() -> Step:
    mod = module()
    kept: list[object] = []

    @tirx.transform.prim_func_pass(opt_level=0)
    def mark(func: tirx.PrimFunc, _mod: tvm.IRModule, _context: object) -> tirx.PrimFunc:
        kept[:] = [func, _mod]
        return func.with_attr("marked", 1)

    def step() -> list[str]:
        result = mark(mod)
        return [mod.script(), result.script(), *(one.script() for one in kept)]

    return step
