// Command structured fills the token bitmask of a language model whose output must be JSON of a schema, with xgrammar and
// without Python. docs/go-clients.md says how to write the package xgrammar and to run it.
package main

import (
	"fmt"
	"log"
	"os"

	"github.com/selfsame-ffi/selfsame"

	"example.org/structured/xgrammar"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

var tokens = []string{"</s>", "{", "}", `"`, `":`, "name", "age", "12", "4", "a", "b", ",", " "}

const schema = `{"type": "object", "properties": {"age": {"type": "integer"}}, "required": ["age"]}`

func main() {
	if err := xgrammar.Load(os.Args[1]); err != nil {
		log.Fatal(err)
	}
	end := must(selfsame.NewArray([]int64{0}))
	info := must(xgrammar.NewTokenizerInfo(must(selfsame.NewAnyArray(tokens)), &xgrammar.TokenizerInfoOptions{StopTokens: end}))
	compiler := must(xgrammar.NewGrammarCompiler(info, nil))
	compact := xgrammar.DefaultGrammarCompilerCompileJSONSchemaOptions()
	compact.AnyWhitespace = false
	grammar := must(compiler.CompileJSONSchema(schema, compact))
	matcher := must(xgrammar.NewGrammarMatcher(grammar, nil))
	mask := make([]int32, (len(tokens)+31)/32)
	for _, token := range []int64{1, 3, 6, 4, 12, 7, 8, 2} {
		must(matcher.FillNextTokenBitmask(must(selfsame.NewTensor(mask, 1, len(mask))), nil))
		fmt.Printf("%013b allows %q\n", mask[0], tokens[token])
		if !must(matcher.AcceptToken(token, false)) {
			log.Fatalf("token %q is not accepted", tokens[token])
		}
	}
	fmt.Println("complete:", must(matcher.IsCompleted()))
}
