// The functions of libselfsame.so. They are bound by dlsym on the package's own copy of the library: the stock package
// loads its library with global symbols, which must not replace them in the same process.
#ifndef SELFSAME_CORE_TIE_API_H_
#define SELFSAME_CORE_TIE_API_H_

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "selfsame/c_api.h"
#include "selfsame/selfsame.h"

// The functions that the library must have. One X(name) for each.
#define SS_API_REQUIRED(X)                     \
  X(TVMFFIGetVersion)                          \
  X(TVMFFIObjectDecRef)                        \
  X(TVMFFIGetCustomAllocator)                  \
  X(TVMFFISetCustomAllocator)                  \
  X(TVMFFITypeKeyToIndex)                      \
  X(TVMFFIGetTypeAttrColumn)                   \
  X(TVMFFIFunctionGetGlobal)                   \
  X(TVMFFIFunctionSetGlobal)                   \
  X(TVMFFIAnyViewToOwnedAny)                   \
  X(TVMFFITypeGetOrAllocIndex)                 \
  X(TVMFFITypeRegisterField)                   \
  X(TVMFFITypeRegisterMethod)                  \
  X(TVMFFITypeRegisterMetadata)                \
  X(TVMFFITypeRegisterAttr)                    \
  X(TVMFFIEnvSetStream)                        \
  X(TVMFFIEnvGetStream)                        \
  X(TVMFFIEnvSetDLPackManagedTensorAllocator)  \
  X(TVMFFIErrorMoveFromRaised)                 \
  X(TVMFFIErrorSetRaised)                      \
  X(TVMFFIErrorSetRaisedFromCStr)              \
  X(TVMFFIErrorCreateWithCauseAndExtraContext) \
  X(TVMFFIStringFromByteArray)                 \
  X(TVMFFIBytesFromByteArray)                  \
  X(TVMFFIBigIntFromByteArray)                 \
  X(TVMFFIDataTypeFromString)                  \
  X(TVMFFIDataTypeToString)                    \
  X(TVMFFITensorFromDLPack)                    \
  X(TVMFFITensorFromDLPackVersioned)           \
  X(TVMFFITensorToDLPack)                      \
  X(TVMFFITensorToDLPackVersioned)             \
  X(SelfsameTieTableGet)                       \
  X(SelfsameLiveObjects)                       \
  X(SelfsameCountFreeList)                     \
  X(SelfsameReadOnlyTensorDeleter)             \
  X(SelfsameTypeIndexEnd)                      \
  X(SelfsameFindTypeInfo)                      \
  X(SelfsameGlobalName)                        \
  X(SelfsameDeepCopy)                          \
  X(SelfsameArrayCreate)                       \
  X(SelfsameObjectAlloc)                       \
  X(SelfsameObjectFree)                        \
  X(SelfsameBelowGo)

typedef struct {
#define SS_DECLARE(name) __typeof__(&name) name;
  SS_API_REQUIRED(SS_DECLARE)
#undef SS_DECLARE
  // Optional: NULL when the library does not have it.
  int (*TVMFFIEnvRegisterCAPI)(const char* name, void* symbol);
} SsApi;

extern __attribute__((visibility("hidden"))) SsApi ss_api;

// The process's tie table.
extern __attribute__((visibility("hidden"))) const SelfsameTieTable* ss_table;

// Whether the process's program brings the runtime: a Go program, which made the interpreter. Set by ss_api_load.
extern __attribute__((visibility("hidden"))) int ss_api_hosted;

// Opens the runtime and fills in ss_api and ss_table: the program's own, if that exports one, else the library at `path`.
// Its symbols become global, so that extensions that link no library find them. It is never closed. 0, or -1 with
// ImportError set, whose name is "selfsame_ffi" when the program's runtime is refused.
__attribute__((visibility("hidden"))) int ss_api_load(const char* path);

// The path of the library that the process's global tvm-ffi symbols come from; NULL when it is our library, or when
// there are no such symbols. Borrowed from the dynamic linker.
__attribute__((visibility("hidden"))) const char* ss_api_foreign_library(void);

// Functions of the module. lacking(names): the names of functions that neither the runtime library nor another one in
// the process has, as a list. abi_version(): the version of the ABI that the runtime serves, as a tuple.
__attribute__((visibility("hidden"))) PyObject* ss_api_lacking(PyObject* module, PyObject* names);
__attribute__((visibility("hidden"))) PyObject* ss_api_abi_version(PyObject* module, PyObject* unused);

// The symbol `name` of the library that has `symbol`; NULL if it has none.
__attribute__((visibility("hidden"))) void* ss_api_beside(void* symbol, const char* name);

// Whether a library is loaded, so that loading it from `path` would load nothing new.
__attribute__((visibility("hidden"))) int ss_api_is_loaded(const char* path);

// Opens the shared library at `path`, which is never closed, and returns its symbol `name`; NULL with ImportError set.
__attribute__((visibility("hidden"))) void* ss_api_open_symbol(const char* path, const char* name);

#endif  // SELFSAME_CORE_TIE_API_H_
