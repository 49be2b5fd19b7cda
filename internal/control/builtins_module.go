package control

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/cxx"
)

var (
	moduleParam = param{"ffi.Module", `{"type":"ffi.Module"}`, oneOf(abi.IndexModule)}
	// queryParam is whether imports are searched too.
	queryParam = param{"bool", `{"type":"bool"}`, oneOf(abi.IndexInt, abi.IndexBool)}

	returnsModule           = returns{"ffi.Module", `{"type":"ffi.Module"}`}
	returnsOptionalFunction = returns{"Optional<ffi.Function>", `{"type":"Optional","args":[{"type":"ffi.Function"}]}`}
	returnsOptionalStr      = returns{"Optional<str>", `{"type":"Optional","args":[{"type":"ffi.String"}]}`}
)

// moduleBuiltins returns the functions over modules. Package internal/cxx calls the C++ methods of a module for them.
func moduleBuiltins() []builtin {
	return []builtin{
		typed("ffi.ModuleLoadFromFile", returnsModule, ofValues("ffi.ModuleLoadFromFile"), strParam),
		typed("ffi.Module.load_from_file.so", returnsModule, func(args []abi.Any) (abi.Any, error) {
			return loadLibraryFile(text(&args[0]))
		}, strParam, strParam),
		packed("ffi.SystemLib", systemLibrary),
		typed("ffi.ModuleImplementsFunction", returnsBool, byName(cxx.ModuleImplements), moduleParam, strParam, queryParam),
		typed("ffi.ModuleGetFunctionMetadata", returnsOptionalStr, byName(cxx.ModuleMetadata), moduleParam, strParam, queryParam),
		typed("ffi.ModuleGetFunctionDoc", returnsOptionalStr, byName(cxx.ModuleDoc), moduleParam, strParam, queryParam),
		typed("ffi.ModuleGetFunction", returnsOptionalFunction, byName(cxx.ModuleFunction), moduleParam, strParam, queryParam),
		typed("ffi.ModuleGetPropertyMask", returnsInt, ofModule(cxx.ModulePropertyMask), moduleParam),
		typed("ffi.ModuleInspectSource", returnsStr, moduleSource, moduleParam, strParam),
		typed("ffi.ModuleGetKind", returnsStr, ofModule(cxx.ModuleKind), moduleParam),
		typed("ffi.ModuleGetWriteFormats", returnsStrs, ofModule(cxx.ModuleFormats), moduleParam),
		typed("ffi.ModuleWriteToFile", returnsVoid, moduleWrite, moduleParam, strParam, strParam),
		typed("ffi.ModuleImportModule", returnsVoid, func(args []abi.Any) (abi.Any, error) {
			return done(cxx.ModuleImport(args[0].Pointer(), args[1].Pointer()))
		}, moduleParam, moduleParam),
		typed("ffi.ModuleClearImports", returnsVoid, func(args []abi.Any) (abi.Any, error) {
			return done(cxx.ModuleClearImports(args[0].Pointer()))
		}, moduleParam),
		typed("ffi.ModuleGlobalsAdd", returnsVoid, ofValues("ffi.ModuleGlobalsAdd"), moduleParam),
		typed("ffi.ModuleGlobalsRemove", returnsVoid, ofValues("ffi.ModuleGlobalsRemove"), moduleParam),
	}
}

// done makes the result of a function that returns nothing. ok is false if an error has been raised.
func done(ok bool) (abi.Any, error) { return orRaised(abi.Any{}, ok) }

// ofModule makes a builtin's body from a function of a module.
func ofModule(get func(module unsafe.Pointer) (abi.Any, bool)) body {
	return func(args []abi.Any) (abi.Any, error) { return orRaised(get(args[0].Pointer())) }
}

// byName makes a builtin's body from a function of a module, a function's name, and whether to search imports.
func byName(get func(module unsafe.Pointer, name *abi.Any, imports bool) (abi.Any, bool)) body {
	return func(args []abi.Any) (abi.Any, error) {
		name, err := owned(&args[1])
		if err != nil {
			return abi.Any{}, err
		}
		defer graph.Release(name)
		return orRaised(get(args[0].Pointer(), &name, args[2].Int64() != 0))
	}
}

// moduleSource returns the source of a module (args[0]) in a format (args[1]).
func moduleSource(args []abi.Any) (abi.Any, error) {
	format, err := owned(&args[1])
	if err != nil {
		return abi.Any{}, err
	}
	defer graph.Release(format)
	return orRaised(cxx.ModuleSource(args[0].Pointer(), &format))
}

// moduleWrite writes a module (args[0]) to a file (args[1]) in a format (args[2]).
func moduleWrite(args []abi.Any) (abi.Any, error) {
	texts, err := ownedAll(args[1:])
	if err != nil {
		return abi.Any{}, err
	}
	defer func() {
		for _, t := range texts {
			graph.Release(t)
		}
	}()
	return done(cxx.ModuleWrite(args[0].Pointer(), &texts[0], &texts[1]))
}
