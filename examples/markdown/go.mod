module github.com/selfsame-ffi/selfsame/examples/markdown

go 1.24.0

require (
	github.com/selfsame-ffi/selfsame v0.0.0
	github.com/yuin/goldmark v1.8.7
)

replace github.com/selfsame-ffi/selfsame => ../..
