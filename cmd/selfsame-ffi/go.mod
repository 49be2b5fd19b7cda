module github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi

go 1.24.0

require (
	github.com/BurntSushi/toml v1.6.0
	github.com/dop251/goja v0.0.0-20251103141225-af2ceb9156d7
	github.com/pmezard/go-difflib v1.0.0
	github.com/selfsame-ffi/selfsame v0.2.0
	github.com/spf13/cobra v1.10.2
	golang.org/x/term v0.35.0
	golang.org/x/text v0.3.8
)

require (
	golang.org/x/mod v0.29.0
	golang.org/x/sync v0.17.0 // indirect
)

require (
	github.com/cpuguy83/go-md2man/v2 v2.0.6 // indirect
	github.com/dlclark/regexp2 v1.11.4 // indirect
	github.com/go-sourcemap/sourcemap v2.1.3+incompatible // indirect
	github.com/google/pprof v0.0.0-20230207041349-798e818bf904 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/russross/blackfriday/v2 v2.1.0 // indirect
	github.com/spf13/pflag v1.0.9 // indirect
	go.yaml.in/yaml/v3 v3.0.4 // indirect
	golang.org/x/sys v0.37.0 // indirect
	golang.org/x/tools v0.38.0
)
