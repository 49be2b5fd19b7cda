// Tensors over another package's tensors; see lent_tensors.h.
#include "convert/lent_tensors.h"

#include "convert/lazy_tensors.h"

#include <stdlib.h>

#include "selfsame/internal/tensor.h"
#include "tie/alloc_trace.h"
#include "tie/deferred.h"
#include "tie/imported_tensor.h"

// The runtime's Tensor has this as its managed tensor, whose deleter it calls when it dies.
struct SsLentTensor {
  SsImportedTensor base;       // `exporter` is that of `owner`, if this is an export
  SsLentTensor* next;          // of the call, or of the spare ones
  TVMFFIObject* tensor;        // owned while lent or spare
  PyObject* argument;          // while lent: borrowed; of an export, its exporter or NULL
  const SsExchange* exchange;  // while lent: the table of the argument's class; NULL for an export
  PyObject* export;            // while lent: owned, a capsule or memoryview, or the argument if it is held; or NULL
  DLManagedTensorVersioned* source;  // owned by a Tensor that was kept or imported
  PyObject* owner;                   // owned by a Tensor that was kept: the export; the argument, if it has the extents
  int is_tied;                       // while spare and until it is used again: whether the Tensor has a tie record
  int64_t extents[2 * SS_LENT_EXTENTS];  // strides that an export does not say; shape and strides of what is described
};

static DLTensor* dl_of(const SsLentTensor* lent) { return SS_CELL(DLTensor, lent->tensor); }

// ---- making, deleting, spare ones ----

static void release(SsLentTensor* lent) {
  DLManagedTensorVersioned* source = lent->source;
  PyObject* owner = lent->owner;
  free(lent);
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  if (source != NULL && source->deleter != NULL) source->deleter(source);
  Py_XDECREF(owner);
  PyErr_Restore(type, value, traceback);
}

static void run_release(SsDeferred* link) { release((SsLentTensor*)((char*)link - offsetof(SsImportedTensor, link))); }

static void delete_lent(DLManagedTensorVersioned* managed) {
  SsLentTensor* lent = (SsLentTensor*)managed;
  if (lent->source == NULL && lent->owner == NULL) {
    free(lent);
    return;
  }
  lent->base.link.run = run_release;
  ss_defer(&lent->base.link);
}

static SsLentTensor* make(void) {
  SsLentTensor* lent = malloc(sizeof(*lent));
  if (lent == NULL) return NULL;
  // No tensor yet: the fields that the runtime checks.
  lent->base = (SsImportedTensor){.managed = {.version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION},
                                              .dl_tensor = {.device = {kDLCPU, 0}, .dtype = {kDLFloat, 32, 1}},
                                              .deleter = delete_lent}};
  lent->export = NULL;
  lent->source = NULL;
  lent->owner = NULL;
  lent->is_tied = 0;
  ss_imported_tensor_know(delete_lent);
  lent->tensor = ss_imported_tensor_over(&lent->base, 0, 0);
  if (lent->tensor != NULL) return lent;
  ss_forget_raised();
  free(lent);
  return NULL;
}

// A list that the GIL guards. The Tensors in it are dead, and neither SelfsameLiveObjects nor the tie table counts them.
static const uint64_t most_spare = SS_FREE_THREADED ? 0 : 64;
static SsLentTensor* spare;
static uint64_t num_spare, num_tied;

static int count_spare(void) {
  static int counted;
  if (!counted) {
    int known =
        ss_api.SelfsameCountFreeList(kTVMFFITensor, &num_spare) == 0 && ss_table->count_free_list(&num_tied) == 0;
    counted = known ? 1 : -1;
  }
  if (counted < 0) ss_forget_raised();
  return counted > 0;
}

static inline SsLentTensor* take(void) {
  SsLentTensor* lent = spare;
  // While allocations are traced, each has a stack of its own.
  if (most_spare == 0 || lent == NULL || ss_alloc_trace_note != NULL) return make();
  spare = lent->next;
  num_spare--;
  num_tied -= (uint64_t)lent->is_tied;
  return lent;
}

// Takes over a Tensor of which nobody has kept anything.
static inline void put(SsLentTensor* lent) {
  if (num_spare < most_spare && count_spare()) {
    lent->next = spare;
    spare = lent;
    num_spare++;
    num_tied += (uint64_t)lent->is_tied;
  } else {
    ss_decref(lent->tensor);  // delete_lent frees the memory
  }
}

// ---- what a package describes ----

// Whether a tensor has what the runtime promises of a Tensor. The general way says what is wrong with others.
// `dense` is ss_is_dense of it.
static inline int is_complete(const DLTensor* dl, int dense) {
  return (dense || ss_tensor_is_sound(dl)) && (dl->ndim == 0 || dl->strides != NULL);
}

TVMFFIObject* ss_tensor_owning(DLManagedTensorVersioned* managed) {
  if (!is_complete(&managed->dl_tensor, ss_is_dense(&managed->dl_tensor))) return NULL;
  SsLentTensor* lent = take();
  if (lent == NULL) return NULL;
  *dl_of(lent) = managed->dl_tensor;
  lent->source = managed;
  return lent->tensor;
}

int ss_lend_tensor(PyObject* value, const SsExchange* exchange, TVMFFIAny* out, SsLentTensor** all,
                   SsExchangeUse* use) {
  if (exchange->view == NULL) return 0;
  SsLentTensor* lent = take();
  if (lent == NULL) return 0;
  DLTensor* dl = dl_of(lent);
  dl->ndim =
      -1;  // not complete, if the function says nothing: a spare Tensor still has the description of its last call
  if (SS_UNLIKELY(exchange->view(value, dl) != 0)) {
    put(lent);
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_BufferError, "the tensor's package did not export it");
    return -1;
  }
  int dense = ss_is_dense(dl);
  if (SS_UNLIKELY(!is_complete(dl, dense))) {
    put(lent);
    return 0;
  }
  if (SS_UNLIKELY(ss_check_exported(value, dl, dense) != 0)) {
    put(lent);
    return -1;
  }
  lent->argument = value;
  lent->exchange = exchange;
  lent->next = *all;
  *all = lent;
  ss_exchange_use(use, exchange, dl->device);
  ss_set_object(out, lent->tensor);
  return 1;
}

void ss_lent_tensor_hold(SsLentTensor* last) {
  Py_INCREF(last->argument);
  last->export = last->argument;
}

// A Tensor for the tensor that an export has, with strides of its own if the export says none. NULL: it is not sound, has
// too many dimensions, or memory is short.
static SsLentTensor* over_export(const DLTensor* dl) {
  if (!ss_tensor_is_sound(dl) || (dl->strides == NULL && dl->ndim > SS_LENT_EXTENTS)) return NULL;
  SsLentTensor* lent = take();
  if (lent == NULL) return NULL;
  DLTensor* own = dl_of(lent);
  *own = *dl;
  if (dl->strides == NULL && dl->ndim > 0) {
    int64_t stride = 1;
    for (int32_t i = dl->ndim - 1; i >= 0; i--) {
      lent->extents[i] = stride;
      stride *= dl->shape[i];
    }
    own->strides = lent->extents;
  }
  return lent;
}

// Adds a Tensor to those that are lent. Takes over the reference to `export`.
static inline int lend(SsLentTensor* lent, PyObject* export, PyObject* exporter, TVMFFIAny* out, SsLentTensor** all) {
  lent->argument = exporter;
  lent->exchange = NULL;
  lent->export = export;
  lent->next = *all;
  *all = lent;
  ss_set_object(out, lent->tensor);
  return 1;
}

int ss_lend_export(PyObject* capsule, const DLTensor* dl, PyObject* exporter, TVMFFIAny* out, SsLentTensor** all) {
  SsLentTensor* lent = over_export(dl);
  return lent == NULL ? 0 : lend(lent, capsule, exporter, out, all);
}

// A Tensor for what `describe` says of a value. NULL: it says nothing, or no sound tensor, or memory is short.
static inline SsLentTensor* over_described(PyObject* value, SsDescribe describe) {
  SsLentTensor* lent = take();
  if (lent == NULL) return NULL;
  if (SS_LIKELY(describe(value, dl_of(lent), lent->extents) && ss_tensor_is_sound(dl_of(lent)))) return lent;
  put(lent);
  return NULL;
}

int ss_lend_described(PyObject* value, SsDescribe describe, TVMFFIAny* out, SsLentTensor** all) {
  SsLentTensor* lent = over_described(value, describe);
  if (lent == NULL) return 0;
  Py_INCREF(value);
  return lend(lent, value, value, out, all);
}

TVMFFIObject* ss_tensor_described(PyObject* value, SsDescribe describe) {
  SsLentTensor* lent = over_described(value, describe);
  if (lent == NULL) return NULL;
  Py_INCREF(value);
  lent->owner = value;
  lent->base.exporter = value;
  return lent->tensor;
}

// ---- after the call ----

// Gives a Tensor that somebody has kept what owns its memory. Others may be reading the Tensor: it stays as it is.
static __attribute__((noinline)) void keep(SsLentTensor* lent) {
  if (lent->exchange == NULL) {
    lent->base.exporter = lent->argument;
    lent->owner = lent->export;
    lent->export = NULL;
    return;
  }
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  DLManagedTensorVersioned* source = NULL;
  const DLTensor* dl = dl_of(lent);
  if (lent->exchange->from_python(lent->argument, &source) != 0) source = NULL;
  lent->source = source;
  if (source == NULL || source->dl_tensor.data != dl->data || source->dl_tensor.shape != dl->shape ||
      source->dl_tensor.strides != dl->strides) {
    Py_INCREF(lent->argument);
    lent->owner = lent->argument;
  }
  PyErr_Restore(type, value, traceback);  // and drops an error of the package: the argument itself is the owner then
}

// May run the code of the exporter, when the reference is the last one.
static void drop(PyObject* export) {
  if (!SS_FREE_THREADED && Py_REFCNT(export) > 1) {
    Py_DECREF(export);
    return;
  }
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  Py_DECREF(export);
  PyErr_Restore(type, value, traceback);
}

void ss_lent_tensors_done(SsLentTensor* all) {
  while (all != NULL) {
    SsLentTensor* lent = all;
    all = lent->next;
    TVMFFIObject* tensor = lent->tensor;
    // A wrapper takes the Tensor over with its tie record. A Go handle that has ended leaves the record to the next one.
    lent->is_tied = !ss_imported_tensor_is_untied(tensor);
    int is_spare = __atomic_load_n(&tensor->combined_ref_count, __ATOMIC_ACQUIRE) == SS_BOTH_ONE &&
                   (!lent->is_tied || ss_imported_tensor_has_no_handle(tensor));
    if (SS_UNLIKELY(!is_spare)) keep(lent);
    PyObject* export = lent->export;
    lent->export = NULL;
    if (SS_LIKELY(is_spare)) {
      put(lent);
    } else {
      ss_decref(tensor);
    }
    if (export != NULL) drop(export);
  }
}
