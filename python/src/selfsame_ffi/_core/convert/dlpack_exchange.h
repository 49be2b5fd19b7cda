// The DLPack C exchange: tensors of other packages by functions in C, without a call of Python code.
//
// A tensor class of another package offers it as its attribute __dlpack_c_exchange_api__, a capsule with the address of
// a table of functions, which lives as long as the process. The environment variable
// TVM_FFI_SKIP_DLPACK_C_EXCHANGE_API=1 turns it off.
#ifndef SELFSAME_CORE_CONVERT_DLPACK_EXCHANGE_H_
#define SELFSAME_CORE_CONVERT_DLPACK_EXCHANGE_H_

#include "tie/core.h"

typedef struct SsExchangeHeader {
  DLPackVersion version;              // of the protocol that the table is of
  struct SsExchangeHeader* previous;  // a table of an earlier version, or NULL
} SsExchangeHeader;

// The table. A function that fails returns non-zero with a Python exception set.
typedef struct SsExchange {
  SsExchangeHeader header;                                                    // version, and earlier tables
  DLPackManagedTensorAllocator allocator;                                     // may be NULL
  int (*from_python)(void* tensor, DLManagedTensorVersioned** out);           // exports; the caller owns the result
  int (*to_python)(DLManagedTensorVersioned* tensor, void** out);             // takes over the tensor
  int (*view)(void* tensor, DLTensor* out);                                   // may be NULL
  int (*current_stream)(int32_t device_type, int32_t device_id, void** out);  // may be NULL
} SsExchange;

// The table that a class offers. 1: *out is it; 0: the class offers none; -1 with an error set: TypeError for an
// attribute that is no table, BufferError for a table of an unknown version or without the function that exports.
SS_HIDDEN int ss_exchange_of(PyTypeObject* cls, const SsExchange** out);

// The classes whose tables this thread has found last. The version tag is CPython's: a new one after each change of the
// class or of a base, never used for another class. So an entry needs no reference to its class.
enum { SS_EXCHANGE_CLASSES = 4 };
typedef struct {
  const PyTypeObject* cls;     // borrowed; told from a later class at its address by version
  unsigned int version;        // CPython's version tag of the class
  const SsExchange* exchange;  // NULL: the class has no table, but __dlpack__
} SsExchangeClass;
extern SS_HIDDEN __thread SsExchangeClass ss_exchange_classes[SS_EXCHANGE_CLASSES] SS_STATIC_TLS;

static inline SsExchangeClass* ss_exchange_place(const PyTypeObject* cls) {
  return &ss_exchange_classes[((uintptr_t)cls >> 4 ^ (uintptr_t)cls >> 10) % SS_EXCHANGE_CLASSES];
}

// The version tag of a class, 0 when it has none.
static inline unsigned int ss_version_of(const PyTypeObject* cls) {
#if PY_VERSION_HEX < 0x030C0000
  if (!PyType_HasFeature((PyTypeObject*)cls, Py_TPFLAGS_VALID_VERSION_TAG)) return 0;
#endif
  return __atomic_load_n(&cls->tp_version_tag, __ATOMIC_RELAXED);
}

// A class of tensors that this thread has met lately, and whose values no other protocol method converts; or NULL.
static inline const SsExchangeClass* ss_exchange_class(const PyTypeObject* cls) {
  const SsExchangeClass* place = ss_exchange_place(cls);
  return place->cls == cls && place->version == ss_version_of(cls) ? place : NULL;
}

// Its table, if it has one.
static inline const SsExchange* ss_exchange_known(const PyTypeObject* cls) {
  const SsExchangeClass* known = ss_exchange_class(cls);
  return known == NULL ? NULL : known->exchange;
}

// Notes a class that has __dlpack__ and neither a table nor another protocol method that comes first.
static inline void ss_exchange_note_dlpack(const PyTypeObject* cls) {
  unsigned int version = ss_version_of(cls);
  if (version != 0) *ss_exchange_place(cls) = (SsExchangeClass){cls, version, NULL};
}

// A Tensor over the memory of `value`, whose class offers the table. New reference, NULL with an error set.
SS_HIDDEN TVMFFIObject* ss_exchange_import(const SsExchange* exchange, PyObject* value, int32_t alignment,
                                           int contiguous);

// The other package's tensor over the memory of a native Tensor, whose reference it takes over, on failure too. New
// reference, NULL with an error set.
SS_HIDDEN PyObject* ss_exchange_export(const SsExchange* exchange, TVMFFIObject* tensor);

typedef struct SsLentTensor SsLentTensor;  // lent_tensors.h

// The tables that a call uses because of its arguments.
typedef struct {
  SsLentTensor** lent;        // where tensors are added that are lent until the call has returned; NULL: none are lent
  const SsExchange* results;  // makes the tensors of the result, and allocates; NULL: no argument has such a tensor
  const SsExchange* streams;  // gives the stream of `device`; NULL: all tensors are in the CPU's memory
  DLDevice device;            // of the first tensor that is not in the CPU's memory
} SsExchangeUse;

// Notes a tensor of an argument. The last argument that is such a tensor decides, as in the published package.
static inline void ss_exchange_use(SsExchangeUse* use, const SsExchange* exchange, DLDevice device) {
  use->results = exchange;
  if (SS_UNLIKELY(device.device_type != kDLCPU && use->streams == NULL)) {
    use->streams = exchange;
    use->device = device;
  }
}

// Notes the tensors inside an argument: they decide when no argument before it had one.
static inline void ss_exchange_use_inside(SsExchangeUse* use, const SsExchangeUse* inside) {
  if (use->results == NULL) use->results = inside->results;
  if (use->streams != NULL) return;
  use->streams = inside->streams;
  use->device = inside->device;
}

// The parts of this thread's environment that a call with tensors of another package changes, and puts back afterwards:
// the allocator of new tensors, and the stream of the tensors' device.
typedef struct {
  DLPackManagedTensorAllocator allocator;  // what was set before
  TVMFFIStreamHandle stream;               // what was set before, borrowed
  int has_allocator, has_stream;           // whether the call changed them
} SsExchangeScope;

// 0; -1 with an error set and nothing to put back.
SS_HIDDEN int ss_exchange_begin(const SsExchangeUse* use, SsExchangeScope* scope);
SS_HIDDEN void ss_exchange_end(const SsExchangeUse* use, const SsExchangeScope* scope);

#endif  // SELFSAME_CORE_CONVERT_DLPACK_EXCHANGE_H_
