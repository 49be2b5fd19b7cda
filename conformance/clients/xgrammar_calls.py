"""Calls every method of xgrammar from Python and prints the results; xgrammar/main.go prints the same lines from Go.

Usage: xgrammar_calls.py MODULE LIBRARY

MODULE is the Python package of the runtime, tvm_ffi or selfsame_ffi. The package xgrammar is not imported: it needs
PyTorch.
"""

from __future__ import annotations

import importlib
import json
import sys
from typing import Any

import numpy as np

NAMESPACE = "xgrammar.tvm_ffi_binding"
VOCABULARY = ["</s>", "{", "}", '"', '":', "name", "age", "12", "4", "a", "b", ",", " ", "[", "]"]
SCHEMA = '{"type":"object","properties":{"age":{"type":"integer"}},"required":["age"]}'
EBNF = 'root ::= "a" rest\nrest ::= "b" | "4" rest\n'
LARK = 'start: "a" "b"?\n'
TAG = '{"type":"structural_tag","format":{"type":"const_string","value":"ab"}}'

ffi: Any = importlib.import_module(sys.argv[1])
ffi.load_module(sys.argv[2])


def declared(name: str) -> Any:
    """Return a Python class for a class of the library."""

    class Declared(ffi.Object):  # type: ignore[misc,name-defined]
        __slots__ = ()

        def __init__(self, *args: Any) -> None:
            self.__ffi_init__(*args)

    return ffi.register_object(f"{NAMESPACE}.{name}")(Declared)


TokenizerInfo = declared("TokenizerInfo")
Grammar = declared("Grammar")
GrammarCompiler = declared("GrammarCompiler")
CompiledGrammar = declared("CompiledGrammar")
GrammarMatcher = declared("GrammarMatcher")
BatchGrammarMatcher = declared("BatchGrammarMatcher")


def call(name: str, *args: Any) -> Any:
    """Call a global function of the library."""
    return ffi.get_global_func(f"{NAMESPACE}.{name}")(*args)


def show(name: str, value: Any) -> None:
    """Print a call's result as a line of JSON."""
    print(json.dumps([name, value], ensure_ascii=False, separators=(",", ":")))


def tokenizer() -> Any:
    """Call the methods of TokenizerInfo."""
    info = TokenizerInfo(VOCABULARY, 0, None, [0], False)
    show("vocab_type", info.vocab_type())
    show("vocab_size", info.vocab_size())
    show("add_prefix_space", info.add_prefix_space())
    show("decoded_vocab", [bytes(token).decode() for token in info.decoded_vocab()])
    show("stop_token_ids", list(info.stop_token_ids()))
    show("special_token_ids", list(info.special_token_ids()))
    metadata = str(info.dump_metadata())
    show("dump_metadata", metadata)
    show("from_vocab_and_metadata", TokenizerInfo.from_vocab_and_metadata(VOCABULARY, metadata).vocab_size())
    found = TokenizerInfo._detect_metadata_from_hf('{"decoder": {"type": "ByteLevel"}}')
    show("detect_metadata_from_hf", str(found))
    stored = str(info.serialize_json())
    show("serialize_json", stored)
    show("deserialize_json", TokenizerInfo.deserialize_json(stored).vocab_size())
    return info


def grammars(info: Any) -> Any:
    """Call the methods of Grammar, GrammarCompiler and CompiledGrammar."""
    a = Grammar.from_ebnf(EBNF, "root")
    show("from_ebnf", str(a.to_string()))
    show(
        "from_json_schema",
        str(Grammar.from_json_schema(SCHEMA, False, None, None, True, None, False, False).to_string()),
    )
    b = Grammar.from_regex("a[0-9]+", False)
    show("from_regex", str(b.to_string()))
    show("from_lark", str(Grammar.from_lark(LARK, None, [], []).to_string()))
    show("from_structural_tag", str(Grammar.from_structural_tag(TAG).to_string()))
    show("builtin_json_grammar", len(str(Grammar.builtin_json_grammar().to_string()).encode()))
    show("union", str(Grammar.union([a, b]).to_string()))
    show("concat", str(Grammar.concat([a, b]).to_string()))
    stored = str(a.serialize_json())
    show("Grammar.serialize_json", stored)
    show("Grammar.deserialize_json", str(Grammar.deserialize_json(stored).to_string()))

    compiler = GrammarCompiler(info, 1, True, -1, False)
    compiled = compiler.compile_json_schema(SCHEMA, False, None, None, True, None, False)
    show("compile_json_schema", str(compiled.grammar().to_string()))
    text = str(compiler.compile_builtin_json_grammar().grammar().to_string())
    show("compile_builtin_json_grammar", len(text.encode()))
    show("compile_structural_tag", str(compiler.compile_structural_tag(TAG).grammar().to_string()))
    show("compile_regex", str(compiler.compile_regex("a[0-9]+").grammar().to_string()))
    show("compile_lark", str(compiler.compile_lark(LARK, [], []).grammar().to_string()))
    show("compile_grammar_ebnf", str(compiler.compile_grammar_ebnf(a).grammar().to_string()))
    from_text = compiler.compile_grammar_from_strings(EBNF, "root")
    show("compile_grammar_from_strings", str(from_text.grammar().to_string()))
    show("get_cache_size_bytes", compiler.get_cache_size_bytes() > 0)
    show("cache_limit_bytes", compiler.cache_limit_bytes())
    compiler.clear_cache()
    show("clear_cache", compiler.get_cache_size_bytes())
    show("memory_size_bytes", compiled.memory_size_bytes() > 0)
    show("tokenizer_info", compiled.tokenizer_info().vocab_size())
    text = str(compiled.serialize_json())
    show("CompiledGrammar.serialize_json", len(text.encode()))
    again = CompiledGrammar.deserialize_json(text, info)
    show("CompiledGrammar.deserialize_json", str(again.grammar().to_string()))
    return compiler


def matchers(compiler: Any) -> None:
    """Call the methods of GrammarMatcher and BatchGrammarMatcher."""
    compiled = compiler.compile_json_schema(SCHEMA, False, None, None, True, None, False)
    matcher = GrammarMatcher(compiled, None, False, -1, None)
    mask = np.zeros((2, 1), "int32")
    both = ffi.from_dlpack(mask)
    for token in (1, 3, 6):
        filled = matcher.fill_next_token_bitmask(both, 1, False)
        show("fill_next_token_bitmask", [filled, mask.ravel().tolist()])
        show("accept_token", matcher.accept_token(token, False))
    show("refused", matcher.accept_token(14, False))
    accepted = [matcher.accept_string(text, False) for text in ('":', b" 1", "x")]
    show("accept_string", accepted)
    show("find_jump_forward_string", str(matcher.find_jump_forward_string()))
    fork = matcher.fork()
    show("is_completed", [matcher.is_completed(), matcher.is_terminated()])
    fork.accept_string("2}", False)
    show("fork", [fork.is_completed(), matcher.is_completed()])
    fork.accept_token(0, False)
    show("is_terminated", fork.is_terminated())
    matcher.rollback(2)
    show("rollback", matcher.accept_string('":', False))
    matcher.reset()
    show("reset", matcher.accept_string("{", False))
    show("max_rollback_tokens", matcher.max_rollback_tokens())
    show("temperature", matcher.temperature() is not None)
    show("stop_token_ids of a matcher", list(matcher.stop_token_ids()))
    show("get_captures", len(matcher.get_captures(True)))
    show("debug_print_internal_state", len(matcher._debug_print_internal_state()) > 0)
    draft = GrammarMatcher(compiled, None, False, -1, None)
    masks = np.zeros((2, 1), "int32")
    tree = [ffi.from_dlpack(np.array(values, "int64")) for values in ([1, -1], [-1, -1], [1, 3])]
    show("traverse_draft_tree", draft.traverse_draft_tree(*tree, ffi.from_dlpack(masks), -1.0, None))
    show("its masks", masks.ravel().tolist())

    batch = BatchGrammarMatcher(1)
    pair = [GrammarMatcher(compiled, None, False, -1, None) for _ in range(2)]
    show("batch_accept_string", list(BatchGrammarMatcher.batch_accept_string(pair, ["{", '{"'], False)))
    show("batch_accept_token", list(BatchGrammarMatcher.batch_accept_token(pair, [3, 6], False)))
    batch.batch_fill_next_token_bitmask(pair, both, [1, 0], False)
    show("batch_fill_next_token_bitmask", mask.ravel().tolist())
    warmth = np.zeros(2, "float32")
    BatchGrammarMatcher.batch_fill_temperature(pair, ffi.from_dlpack(warmth), None)
    show("batch_fill_temperature", [int(x) for x in warmth])
    BatchGrammarMatcher.batch_rollback(pair, [1, 1])
    show("batch_rollback", pair[1].accept_token(6, False))


def functions(compiler: Any) -> None:
    """Call the global functions."""
    empty = compiler.compile_grammar_from_strings('root ::= "a"* rest\nrest ::= "b" | ""\n', "root")
    show("get_allow_empty_rule_ids", list(call("testing._get_allow_empty_rule_ids", empty)))
    draft = GrammarMatcher(compiler.compile_regex("[ab]+"), None, False, -1, None)
    masks = np.zeros((2, 1), "int32")
    tree = [ffi.from_dlpack(np.array(values, "int64")) for values in ([1, -1], [-1, -1], [9, 10])]
    ended = call("testing._traverse_draft_tree", *tree, draft, ffi.from_dlpack(masks), -1.0)
    show("testing._traverse_draft_tree", [ended, masks.ravel().tolist()])
    depth = call("config.get_max_recursion_depth")
    call("config.set_max_recursion_depth", depth - 1)
    show("max_recursion_depth", [depth, call("config.get_max_recursion_depth")])
    call("config.set_max_recursion_depth", depth)
    show("get_serialization_version", str(call("config.get_serialization_version")))
    ebnf = call("testing._json_schema_to_ebnf", SCHEMA, False, None, None, True, None, "json", False)
    show("json_schema_to_ebnf", str(ebnf))
    show("regex_to_ebnf", str(call("testing._regex_to_ebnf", "a+", True)))
    show("generate_range_regex", str(call("testing._generate_range_regex", 3, 14)))
    show("generate_float_regex", str(call("testing._generate_float_regex", 1.5, None, False, False)))
    raw = call("testing._ebnf_to_grammar_no_normalization", EBNF, "root")
    show("ebnf_to_grammar_no_normalization", str(raw.to_string()))
    show("structure_normalizer", str(call("testing.grammar_functor.structure_normalizer", raw).to_string()))
    normal = call("testing.grammar_functor.structure_normalizer", raw)
    functors = ["byte_string_fuser", "rule_inliner", "dead_code_eliminator", "lookahead_assertion_analyzer"]
    for name in [*functors, "repetition_normalizer", "fsm_builder", "grammar_optimizer"]:
        normal = call(f"testing.grammar_functor.{name}", normal)
        show(name, str(normal.to_string()))
    show("print_grammar_fsms", str(call("testing._print_grammar_fsms", normal)))
    show("is_rule_fsm_accept_string", [call("testing._is_rule_fsm_accept_string", normal, 0, text) for text in "ab"])
    words = np.array([0b101], "int32")
    address = words.ctypes.data
    show("get_masked_tokens_from_bitmask", list(call("testing._get_masked_tokens_from_bitmask", address, [1, 1], 6, 0)))
    show("is_single_token_bitmask", list(call("testing._is_single_token_bitmask", address, [1, 1], 6, 0)))
    logits = np.array([1, 2, 3, 4], "float32")
    shapes = ([1, 4], [4, 1], address, [1, 1], [1, 1], 4, None, "float32")
    call("kernels.apply_token_bitmask_inplace_cpu", logits.ctypes.data, *shapes)
    kept = [logits[0] == 1, logits[1] < -1e30, logits[2] == 3, logits[3] < -1e30]
    show("apply_token_bitmask_inplace_cpu", [bool(x) for x in kept])
    try:
        Grammar.from_ebnf('root ::= "x', "root")
    except Exception as error:  # noqa: BLE001  # of whatever class
        show("an error", "EBNF lexer error at line 1" in str(error))


def main() -> None:
    """Print all lines."""
    info = tokenizer()
    compiler = grammars(info)
    matchers(compiler)
    functions(compiler)


if __name__ == "__main__":
    main()
