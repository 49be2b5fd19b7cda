module github.com/selfsame-ffi/selfsame/examples/rules

go 1.24.0

require (
	github.com/expr-lang/expr v1.17.8
	github.com/selfsame-ffi/selfsame v0.0.0
)

replace github.com/selfsame-ffi/selfsame => ../..
