// Package rules is the expression language expr for Python: rules are compiled once, and may call Python functions.
package rules

import (
	"context"
	"iter"
	"maps"
	"slices"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"

	"github.com/selfsame-ffi/selfsame"
)

type rule struct {
	selfsame.Object
	Source  selfsame.String        `ffi:"ro" doc:"the expression"`
	Calls   selfsame.Array[string] `ffi:"ro" doc:"the names of the Python functions that the expression may call"`
	program selfsame.Value[*vm.Program]
}

func (r *rule) compile(source string, functions map[string]func(...any) (any, error)) error {
	options := []expr.Option{expr.AllowUndefinedVariables()}
	for name, fn := range functions {
		options = append(options, expr.Function(name, fn))
	}
	program, err := expr.Compile(source, options...)
	if err != nil {
		return selfsame.Errorf("ValueError", "%v", err)
	}
	r.Source.Set(source)
	r.Calls.Set(slices.Sorted(maps.Keys(functions))...)
	r.program.Set(program)
	return nil
}

func (r *rule) eval(values map[string]any) (any, error) { return expr.Run(r.program.Get(), values) }

func (r *rule) matching(ctx context.Context, rows iter.Seq[map[string]any]) (matches []int, err error) {
	at := 0
	for row := range rows {
		result, err := r.eval(row)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		if result == true {
			matches = append(matches, at)
		}
		at++
	}
	return matches, nil
}

func (r *rule) toJSON() (any, error) {
	if r.Calls.Len() > 0 {
		return nil, selfsame.Errorf("TypeError", "a rule that calls Python functions cannot be pickled")
	}
	return r.Source.Get(), nil
}

func fromJSON(source any) (*selfsame.Handle[rule], error) {
	h := selfsame.New[rule](nil)
	return h, h.Get().compile(source.(string), nil)
}

func init() {
	selfsame.MustRegister[rule]("rules.Rule", selfsame.Doc("A compiled expression. Threads may share it."),
		selfsame.Init((*rule).compile, "source", "functions={}"), selfsame.Plain(), selfsame.JSON((*rule).toJSON, fromJSON),
		selfsame.Method("eval", (*rule).eval, "The value of the expression for some variables.", "values"),
		selfsame.Method("matching", (*rule).matching, "The positions of the rows for which the rule is true.", "rows"))
}
