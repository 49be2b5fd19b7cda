module github.com/selfsame-ffi/selfsame

go 1.24.0
