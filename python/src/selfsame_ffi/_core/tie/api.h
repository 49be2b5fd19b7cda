// The functions of libselfsame.so, bound by dlsym on the package's own copy of it, so that a stock library loaded into
// the same process with global symbols cannot get in between.
#ifndef SELFSAME_PY_API_H_
#define SELFSAME_PY_API_H_

#include "selfsame/c_api.h"
#include "selfsame/selfsame.h"

// Functions every library has. One X(name) per function.
#define SS_API_REQUIRED(X)                     \
  X(TVMFFIGetVersion)                          \
  X(TVMFFITypeKeyToIndex)                      \
  X(TVMFFIGetTypeAttrColumn)                   \
  X(TVMFFIFunctionGetGlobal)                   \
  X(TVMFFIFunctionSetGlobal)                   \
  X(TVMFFIAnyViewToOwnedAny)                   \
  X(TVMFFIErrorMoveFromRaised)                 \
  X(TVMFFIErrorSetRaised)                      \
  X(TVMFFIErrorSetRaisedFromCStr)              \
  X(TVMFFIErrorCreateWithCauseAndExtraContext) \
  X(TVMFFIStringFromByteArray)                 \
  X(TVMFFIBytesFromByteArray)                  \
  X(TVMFFIDataTypeFromString)                  \
  X(TVMFFIDataTypeToString)                    \
  X(TVMFFITensorFromDLPack)                    \
  X(TVMFFITensorToDLPack)                      \
  X(TVMFFITensorToDLPackVersioned)             \
  X(SelfsameTieTableGet)                       \
  X(SelfsameLiveObjects)                       \
  X(SelfsameTypeIndexEnd)                      \
  X(SelfsameFindTypeInfo)                      \
  X(SelfsameArrayCreate)                       \
  X(SelfsameObjectAlloc)                       \
  X(SelfsameObjectFree)

typedef struct {
#define SS_DECLARE(name) __typeof__(&name) name;
  SS_API_REQUIRED(SS_DECLARE)
#undef SS_DECLARE
  // NULL when the library does not have it.
  int (*TVMFFIEnvRegisterCAPI)(const char* name, void* symbol);
} SsApi;

extern __attribute__((visibility("hidden"))) SsApi ss_api;

// The process's tie table.
extern __attribute__((visibility("hidden"))) const SelfsameTieTable* ss_table;

// Opens the library at `path` with global symbols, so that extensions linked to nothing find the runtime, and fills
// ss_api and ss_table. Returns 0, or -1 with ImportError set. The library is never closed.
__attribute__((visibility("hidden"))) int ss_api_load(const char* path);

// The path of the library, other than ours, that the process's tvm-ffi symbols come from; NULL when it is ours, or
// nobody's. Borrowed from the linker.
__attribute__((visibility("hidden"))) const char* ss_api_foreign_library(void);

// Resolves `name` in a shared library opened at `path` and never closed; NULL with ImportError set.
__attribute__((visibility("hidden"))) void* ss_api_open_symbol(const char* path, const char* name);

#endif  // SELFSAME_PY_API_H_
