module github.com/selfsame-ffi/selfsame/examples/compress

go 1.24.0

require (
	github.com/klauspost/compress v1.18.0
	github.com/selfsame-ffi/selfsame v0.0.0
)

replace github.com/selfsame-ffi/selfsame => ../..
