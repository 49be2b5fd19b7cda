// The DLPack C exchange: tensors of other packages by functions in C, without a call of Python code.
//
// A tensor class of another package offers it as its attribute __dlpack_c_exchange_api__, a capsule with the address of
// a table of functions, which lives as long as the process. The environment variable
// TVM_FFI_SKIP_DLPACK_C_EXCHANGE_API=1 turns it off.
#ifndef SELFSAME_PY_DLPACK_EXCHANGE_H_
#define SELFSAME_PY_DLPACK_EXCHANGE_H_

#include "tie/core.h"

typedef struct SsExchangeHeader {
  DLPackVersion version;
  struct SsExchangeHeader* previous;  // a table of an earlier version, or NULL
} SsExchangeHeader;

// The table. A function that fails returns non-zero with a Python exception set.
typedef struct SsExchange {
  SsExchangeHeader header;
  DLPackManagedTensorAllocator allocator;  // may be NULL
  int (*from_python)(void* tensor, DLManagedTensorVersioned** out);
  int (*to_python)(DLManagedTensorVersioned* tensor, void** out);             // takes over the tensor
  int (*view)(void* tensor, DLTensor* out);                                   // may be NULL
  int (*current_stream)(int32_t device_type, int32_t device_id, void** out);  // may be NULL
} SsExchange;

// The table that a class offers. 1: *out is it; 0: the class offers none; -1 with an error set: TypeError for an
// attribute that is no table, BufferError for a table of an unknown version.
SS_HIDDEN int ss_exchange_of(PyTypeObject* cls, const SsExchange** out);

// A Tensor over the memory of `value`, whose class offers the table. New reference, NULL with an error set.
SS_HIDDEN TVMFFIObject* ss_exchange_import(const SsExchange* exchange, PyObject* value, int32_t alignment,
                                           int contiguous);

// The other package's tensor over the memory of a native Tensor. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_exchange_export(const SsExchange* exchange, TVMFFIObject* tensor);

// The parts of this thread's environment that a call with tensors of another package changes, and puts back afterwards:
// the allocator of new tensors, and the stream of the tensors' device.
typedef struct {
  DLPackManagedTensorAllocator allocator;
  TVMFFIStreamHandle stream;
  int has_allocator, has_stream;
} SsExchangeScope;

// 0; -1 with an error set and nothing to put back.
SS_HIDDEN int ss_exchange_begin(const SsExchange* exchange, DLDevice device, SsExchangeScope* scope);
SS_HIDDEN void ss_exchange_end(DLDevice device, const SsExchangeScope* scope);

#endif  // SELFSAME_PY_DLPACK_EXCHANGE_H_
