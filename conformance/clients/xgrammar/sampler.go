package main

import (
	"errors"
	"fmt"
	"math/bits"

	"example.org/client/xgrammar"
	"github.com/selfsame-ffi/selfsame"
)

// Sampler chooses tokens of the vocabulary: each time another one of those that are allowed.
type Sampler struct {
	selfsame.Object
	Step, Chosen int64
}

// Choose accepts a token and returns its text, which is empty at the end.
func (s *Sampler) Choose(matcher *xgrammar.GrammarMatcher) (string, error) {
	mask := make([]int32, 1)
	if _, err := matcher.FillNextTokenBitmask(tensor(mask, 1, 1), nil); err != nil {
		return "", err
	}
	var allowed []int
	for token := range vocabulary {
		if mask[0]>>token&1 != 0 {
			allowed = append(allowed, token)
		}
	}
	if len(allowed) == 0 {
		return "", fmt.Errorf("no token may follow")
	}
	token := allowed[int(s.Step)%len(allowed)]
	s.Step, s.Chosen = s.Step+1, s.Chosen+1
	if _, err := matcher.AcceptToken(int64(token), false); err != nil || token == 0 {
		return "", err
	}
	return fmt.Sprint(vocabulary[token]), nil
}

// nativeCode has C++ code of ../xgrammar_native.cc call a function and use a class of Go, with xgrammar's objects.
func nativeCode(library string, compiler *xgrammar.GrammarCompiler) {
	selfsame.MustRegister[Sampler]("client.Sampler",
		selfsame.Init(func(s *Sampler, step int64) { s.Step = step }, "step"), selfsame.Method("choose", (*Sampler).Choose, ""))
	selfsame.MustRegisterFunc("client.allowed", func(m *xgrammar.GrammarMatcher, mask *selfsame.Tensor) (int, error) {
		if _, err := m.FillNextTokenBitmask(mask, nil); err != nil {
			return 0, err
		}
		words, err := selfsame.Elements[int32](mask)
		if err != nil {
			return 0, err
		}
		return bits.OnesCount32(uint32(words[0])), nil
	})
	must(selfsame.LoadModule(library))
	m := must(xgrammar.NewGrammarMatcher(must(compiler.CompileRegex(`\{(12|4|a|b)+,?\}`)), nil))
	count := must(selfsame.CallAs[int](must(selfsame.GetFunc("native.allowed")), m, tensor(make([]int32, 1), 1, 1)))
	if count != 1 {
		check(fmt.Errorf("native code counts %d tokens that may begin", count))
	}
	generate := must(selfsame.GetFunc("native.generate"))
	if text := must(selfsame.CallAs[string](generate, m, 40)); text != "{12,} 5" {
		check(fmt.Errorf("native code and the sampler of Go made %q", text))
	}
	if !must(m.IsTerminated()) {
		check(fmt.Errorf("the matcher that native code passed on is not at its end"))
	}
	_, err := selfsame.CallAs[string](generate, compiler, 40)
	if failure := (*selfsame.Error)(nil); !errors.As(err, &failure) || failure.Kind != "TypeError" {
		check(fmt.Errorf("native code passed a GrammarCompiler for a GrammarMatcher: error %v", err))
	}
}
