module example.org/kernels

go 1.24.0

require github.com/selfsame-ffi/selfsame v0.0.0

replace github.com/selfsame-ffi/selfsame => ../../..
