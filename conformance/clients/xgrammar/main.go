// Command client calls every method of xgrammar through the package that `selfsame-ffi bind --go` writes, and prints the
// results; ../xgrammar_calls.py prints the same lines from Python. `make clients` compares them. Then the library of
// ../xgrammar_native.cc calls Go with objects of xgrammar.
//
//	client LIBRARY NATIVE
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"unsafe"

	"example.org/client/xgrammar"
	"github.com/selfsame-ffi/selfsame"
)

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

func check(err error) { must(0, err) }

// show prints a call's result as a line of JSON.
func show(name string, value any) {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	check(encoder.Encode([]any{name, value}))
	fmt.Print(text.String())
}

func array[E any](elems ...E) *selfsame.Array[E] { return must(selfsame.NewArray(elems)) }

func tensor[E selfsame.TensorElement](elems []E, shape ...int) *selfsame.Tensor {
	return must(selfsame.NewTensor(elems, shape...))
}

func address[E any](elems []E) int64 { return int64(uintptr(unsafe.Pointer(&elems[0]))) }

func texts(list [][]byte) []string {
	var out []string
	for _, b := range list {
		out = append(out, string(b))
	}
	return out
}

var (
	vocabulary = []any{"</s>", "{", "}", `"`, `":`, "name", "age", "12", "4", "a", "b", ",", " ", "[", "]"}
	none       = selfsame.Optional[int64]{}
	cold       = selfsame.Optional[float64]{}
)

const (
	schema = `{"type":"object","properties":{"age":{"type":"integer"}},"required":["age"]}`
	ebnf   = "root ::= \"a\" rest\nrest ::= \"b\" | \"4\" rest\n"
	lark   = "start: \"a\" \"b\"?\n"
	tag    = `{"type":"structural_tag","format":{"type":"const_string","value":"ab"}}`
)

func main() {
	check(xgrammar.Load(os.Args[1]))
	info := tokenizer()
	compiler := grammars(info)
	matchers(compiler)
	functions(compiler)
	nativeCode(os.Args[2], compiler)
	for line := range strings.Lines(string(must(os.ReadFile("/proc/self/maps")))) {
		if strings.Contains(line, "python") || strings.Contains(line, "/libtvm_ffi.so") {
			check(fmt.Errorf("the process has %s", line))
		}
	}
}

func tokenizer() *xgrammar.TokenizerInfo {
	info := must(xgrammar.NewTokenizerInfo(array(vocabulary...), &xgrammar.TokenizerInfoOptions{StopTokens: array[int64](0)}))
	show("vocab_type", must(info.VocabType()))
	show("vocab_size", must(info.VocabSize()))
	show("add_prefix_space", must(info.AddPrefixSpace()))
	show("decoded_vocab", texts(must(info.DecodedVocab()).Slice()))
	show("stop_token_ids", must(info.StopTokenIDs()).Slice())
	show("special_token_ids", must(info.SpecialTokenIDs()).Slice())
	metadata := must(info.DumpMetadata())
	show("dump_metadata", metadata)
	again := must(xgrammar.TokenizerInfoFromVocabAndMetadata(array(vocabulary...), metadata))
	show("from_vocab_and_metadata", must(again.VocabSize()))
	show("detect_metadata_from_hf", must(xgrammar.TokenizerInfoDetectMetadataFromHf(`{"decoder": {"type": "ByteLevel"}}`)))
	stored := must(info.SerializeJSON())
	show("serialize_json", stored)
	show("deserialize_json", must(must(xgrammar.TokenizerInfoDeserializeJSON(stored)).VocabSize()))
	return info
}

func grammars(info *xgrammar.TokenizerInfo) *xgrammar.GrammarCompiler {
	a := must(xgrammar.GrammarFromEBNF(ebnf, "root"))
	show("from_ebnf", must(a.ToString()))
	show("from_json_schema", must(must(xgrammar.GrammarFromJSONSchema(schema, &xgrammar.GrammarFromJSONSchemaOptions{StrictMode: true})).ToString()))
	b := must(xgrammar.GrammarFromRegex("a[0-9]+", false))
	show("from_regex", must(b.ToString()))
	show("from_lark", must(must(xgrammar.GrammarFromLark(lark, nil, array[string](), array[any]())).ToString()))
	show("from_structural_tag", must(must(xgrammar.GrammarFromStructuralTag(tag)).ToString()))
	show("builtin_json_grammar", len(must(must(xgrammar.GrammarBuiltinJSONGrammar()).ToString())))
	show("union", must(must(xgrammar.GrammarUnion(array(a, b))).ToString()))
	show("concat", must(must(xgrammar.GrammarConcat(array(a, b))).ToString()))
	stored := must(a.SerializeJSON())
	show("Grammar.serialize_json", stored)
	show("Grammar.deserialize_json", must(must(xgrammar.GrammarDeserializeJSON(stored)).ToString()))

	compiler := must(xgrammar.NewGrammarCompiler(info, &xgrammar.GrammarCompilerOptions{MaxThreads: 1, CacheEnabled: true, CacheLimitBytes: -1}))
	compact := &xgrammar.GrammarCompilerCompileJSONSchemaOptions{StrictMode: true}
	compiled := must(compiler.CompileJSONSchema(schema, compact))
	show("compile_json_schema", must(must(compiled.Grammar()).ToString()))
	show("compile_builtin_json_grammar", len(must(must(must(compiler.CompileBuiltinJSONGrammar()).Grammar()).ToString())))
	show("compile_structural_tag", must(must(must(compiler.CompileStructuralTag(tag)).Grammar()).ToString()))
	show("compile_regex", must(must(must(compiler.CompileRegex("a[0-9]+")).Grammar()).ToString()))
	show("compile_lark", must(must(must(compiler.CompileLark(lark, array[string](), array[any]())).Grammar()).ToString()))
	show("compile_grammar_ebnf", must(must(must(compiler.CompileGrammarEBNF(a)).Grammar()).ToString()))
	fromText := must(compiler.CompileGrammarFromStrings(ebnf, "root"))
	show("compile_grammar_from_strings", must(must(fromText.Grammar()).ToString()))
	show("get_cache_size_bytes", must(compiler.GetCacheSizeBytes()) > 0)
	show("cache_limit_bytes", must(compiler.CacheLimitBytes()))
	check(compiler.ClearCache())
	show("clear_cache", must(compiler.GetCacheSizeBytes()))
	show("memory_size_bytes", must(compiled.MemorySizeBytes()) > 0)
	show("tokenizer_info", must(must(compiled.TokenizerInfo()).VocabSize()))
	text := must(compiled.SerializeJSON())
	show("CompiledGrammar.serialize_json", len(text))
	again := must(xgrammar.CompiledGrammarDeserializeJSON(text, info))
	show("CompiledGrammar.deserialize_json", must(must(again.Grammar()).ToString()))
	return compiler
}

func matchers(compiler *xgrammar.GrammarCompiler) {
	compact := &xgrammar.GrammarCompilerCompileJSONSchemaOptions{StrictMode: true}
	compiled := must(compiler.CompileJSONSchema(schema, compact))
	m := must(xgrammar.NewGrammarMatcher(compiled, nil))
	mask := make([]int32, 2)
	both := tensor(mask, 2, 1)
	for _, token := range []int64{1, 3, 6} {
		show("fill_next_token_bitmask", []any{must(m.FillNextTokenBitmask(both, &xgrammar.GrammarMatcherFillNextTokenBitmaskOptions{Index: 1})), slices.Clone(mask)})
		show("accept_token", must(m.AcceptToken(token, false)))
	}
	show("refused", must(m.AcceptToken(14, false)))
	show("accept_string", []bool{must(m.AcceptString(`":`, false)), must(m.AcceptString([]byte(" 1"), false)), must(m.AcceptString("x", false))})
	show("find_jump_forward_string", must(m.FindJumpForwardString()))
	fork := must(m.Fork())
	show("is_completed", []bool{must(m.IsCompleted()), must(m.IsTerminated())})
	must(fork.AcceptString("2}", false))
	show("fork", []bool{must(fork.IsCompleted()), must(m.IsCompleted())})
	must(fork.AcceptToken(0, false))
	show("is_terminated", must(fork.IsTerminated()))
	check(m.Rollback(2))
	show("rollback", must(m.AcceptString(`":`, false)))
	check(m.Reset())
	show("reset", must(m.AcceptString("{", false)))
	show("max_rollback_tokens", must(m.MaxRollbackTokens()))
	temperature := must(m.Temperature())
	show("temperature", temperature.OK)
	show("stop_token_ids of a matcher", must(m.StopTokenIDs()).Slice())
	show("get_captures", must(m.GetCaptures(true)).Len())
	show("debug_print_internal_state", len(must(m.DebugPrintInternalState())) > 0)
	draft := must(xgrammar.NewGrammarMatcher(compiled, nil))
	masks := make([]int32, 2)
	show("traverse_draft_tree", must(draft.TraverseDraftTree(tensor([]int64{1, -1}), tensor([]int64{-1, -1}), tensor([]int64{1, 3}), tensor(masks, 2, 1), nil)))
	show("its masks", masks)

	batch := must(xgrammar.NewBatchGrammarMatcher(1))
	one, two := must(xgrammar.NewGrammarMatcher(compiled, nil)), must(xgrammar.NewGrammarMatcher(compiled, nil))
	pair := array(one, two)
	show("batch_accept_string", must(xgrammar.BatchGrammarMatcherBatchAcceptString(pair, array[any]("{", `{"`), false)).Slice())
	show("batch_accept_token", must(xgrammar.BatchGrammarMatcherBatchAcceptToken(pair, array[int64](3, 6), false)).Slice())
	check(batch.BatchFillNextTokenBitmask(pair, both, &xgrammar.BatchGrammarMatcherBatchFillNextTokenBitmaskOptions{Indices: array[int64](1, 0)}))
	show("batch_fill_next_token_bitmask", mask)
	warmth := make([]float32, 2)
	check(xgrammar.BatchGrammarMatcherBatchFillTemperature(pair, tensor(warmth), nil))
	show("batch_fill_temperature", warmth)
	check(xgrammar.BatchGrammarMatcherBatchRollback(pair, array[int64](1, 1)))
	show("batch_rollback", must(two.AcceptToken(6, false)))
}

func functions(compiler *xgrammar.GrammarCompiler) {
	empty := must(compiler.CompileGrammarFromStrings("root ::= \"a\"* rest\nrest ::= \"b\" | \"\"\n", "root"))
	show("get_allow_empty_rule_ids", must(xgrammar.TestingGetAllowEmptyRuleIDs(empty)).Slice())
	draft := must(xgrammar.NewGrammarMatcher(must(compiler.CompileRegex("[ab]+")), nil))
	masks := make([]int32, 2)
	show("testing._traverse_draft_tree", []any{must(xgrammar.TestingTraverseDraftTree(tensor([]int64{1, -1}), tensor([]int64{-1, -1}),
		tensor([]int64{9, 10}), draft, tensor(masks, 2, 1), -1.0)), masks})
	depth := must(xgrammar.ConfigGetMaxRecursionDepth())
	check(xgrammar.ConfigSetMaxRecursionDepth(depth - 1))
	show("max_recursion_depth", []int64{depth, must(xgrammar.ConfigGetMaxRecursionDepth())})
	check(xgrammar.ConfigSetMaxRecursionDepth(depth))
	show("get_serialization_version", must(xgrammar.ConfigGetSerializationVersion()))
	show("json_schema_to_ebnf", must(xgrammar.TestingJSONSchemaToEBNF(schema, false, none, nil, true, none, "json", false)))
	show("regex_to_ebnf", must(xgrammar.TestingRegexToEBNF("a+", true)))
	show("generate_range_regex", must(xgrammar.TestingGenerateRangeRegex(selfsame.Some[int64](3), selfsame.Some[int64](14))))
	show("generate_float_regex", must(xgrammar.TestingGenerateFloatRegex(selfsame.Some(1.5), cold, false, false)))
	raw := must(xgrammar.TestingEBNFToGrammarNoNormalization(ebnf, "root"))
	show("ebnf_to_grammar_no_normalization", must(raw.ToString()))
	show("structure_normalizer", must(xgrammar.GrammarClass.Cast(must(xgrammar.TestingGrammarFunctorStructureNormalizer(raw))).ToString()))
	normal := must(xgrammar.TestingGrammarFunctorStructureNormalizer(raw))
	for _, functor := range []struct {
		name  string
		apply func(selfsame.Native) (selfsame.AnyHandle, error)
	}{
		{"byte_string_fuser", xgrammar.TestingGrammarFunctorByteStringFuser}, {"rule_inliner", xgrammar.TestingGrammarFunctorRuleInliner},
		{"dead_code_eliminator", xgrammar.TestingGrammarFunctorDeadCodeEliminator},
		{"lookahead_assertion_analyzer", xgrammar.TestingGrammarFunctorLookaheadAssertionAnalyzer},
		{"repetition_normalizer", xgrammar.TestingGrammarFunctorRepetitionNormalizer}, {"fsm_builder", xgrammar.TestingGrammarFunctorFSMBuilder},
		{"grammar_optimizer", xgrammar.TestingGrammarFunctorGrammarOptimizer},
	} {
		normal = must(functor.apply(normal))
		show(functor.name, must(xgrammar.GrammarClass.Cast(normal).ToString()))
	}
	show("print_grammar_fsms", must(xgrammar.TestingPrintGrammarFSMs(normal)))
	show("is_rule_fsm_accept_string", []bool{must(xgrammar.TestingIsRuleFSMAcceptString(normal, 0, "a")), must(xgrammar.TestingIsRuleFSMAcceptString(normal, 0, "b"))})
	words := []int32{0b101}
	show("get_masked_tokens_from_bitmask", must(xgrammar.TestingGetMaskedTokensFromBitmask(address(words), array[int64](1, 1), 6, 0)).Slice())
	show("is_single_token_bitmask", must(xgrammar.TestingIsSingleTokenBitmask(address(words), array[int64](1, 1), 6, 0)).Slice())
	logits := []float32{1, 2, 3, 4}
	check(xgrammar.KernelsApplyTokenBitmaskInplaceCPU(address(logits), array[int64](1, 4), array[int64](4, 1), address(words), array[int64](1, 1),
		array[int64](1, 1), 4, nil, "float32"))
	show("apply_token_bitmask_inplace_cpu", []bool{logits[0] == 1, logits[1] < -1e30, logits[2] == 3, logits[3] < -1e30})
	_, err := xgrammar.GrammarFromEBNF(`root ::= "x`, "root")
	show("an error", strings.Contains(fmt.Sprint(err), "EBNF lexer error at line 1"))
}
