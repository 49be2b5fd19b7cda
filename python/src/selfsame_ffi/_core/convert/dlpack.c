// Tensors by DLPack.
//
// An exporter's deleter may need the GIL, and a Tensor may die on any thread. So the runtime gets a managed tensor
// whose deleter defers the release of a capsule to an attached thread; the capsule's destructor calls the exporter's
// deleter.
#include "convert/dlpack.h"

#include <stddef.h>

#include "convert/dlpack_exchange.h"
#include "convert/errors.h"
#include "convert/internal.h"
#include "convert/lazy_tensors.h"
#include "convert/lent_arrays.h"
#include "convert/lent_tensors.h"
#include "convert/protocols.h"
#include "convert/recursion.h"
#include "tie/imported_tensor.h"

static const char legacy_name[] = "dltensor", versioned_name[] = "dltensor_versioned";
static const char used_legacy_name[] = "used_dltensor", used_versioned_name[] = "used_dltensor_versioned";
static const char owner_name[] = "selfsame.owner", versioned_owner_name[] = "selfsame.owner_versioned";

// ---- import ----

static void delete_inner(PyObject* owner) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  if (PyCapsule_IsValid(owner, owner_name)) {
    DLManagedTensor* inner = PyCapsule_GetPointer(owner, owner_name);
    if (inner->deleter != NULL) inner->deleter(inner);
  } else if (PyCapsule_IsValid(owner, versioned_owner_name)) {
    DLManagedTensorVersioned* inner = PyCapsule_GetPointer(owner, versioned_owner_name);
    if (inner->deleter != NULL) inner->deleter(inner);
  }
  PyErr_Restore(type, value, traceback);
}

// A Tensor over `dl`, a part of the managed tensor `inner`, which it takes over from `capsule`, unless NULL. On failure
// `inner` still belongs to the capsule, or to the caller. New reference, NULL with an error set.
static TVMFFIObject* take_over(PyObject* capsule, void* inner, const DLTensor* dl, SsMemoryFlags memory,
                               PyObject* exporter, int32_t alignment, int contiguous) {
  int versioned = !memory.is_unversioned;
  PyObject* owner = PyCapsule_New(inner, "selfsame.not_yet", delete_inner);
  if (owner == NULL) return NULL;
  int no_memory;
  TVMFFIObject* tensor = ss_imported_tensor_new(dl, owner, exporter, memory, alignment, contiguous, &no_memory);
  if (tensor == NULL) {
    Py_DECREF(owner);  // its name makes delete_inner release nothing yet
    if (no_memory) {
      PyErr_NoMemory();
    } else {
      ss_raise_native();
    }
    return NULL;
  }
  PyCapsule_SetName(owner, versioned ? versioned_owner_name : owner_name);
  if (capsule != NULL) PyCapsule_SetName(capsule, versioned ? used_versioned_name : used_legacy_name);
  return tensor;
}

static int check_managed(const DLManagedTensorVersioned* managed) {
  if (managed->version.major != DLPACK_MAJOR_VERSION) {
    PyErr_Format(PyExc_BufferError, "from_dlpack: expected DLPack version %d from the exporter, got %u",
                 DLPACK_MAJOR_VERSION, (unsigned)managed->version.major);
    return -1;
  }
  uint64_t known = DLPACK_FLAG_BITMASK_READ_ONLY | DLPACK_FLAG_BITMASK_IS_COPIED;
  if (managed->flags & ~known) {
    PyErr_Format(PyExc_BufferError, "from_dlpack: expected no flags but read-only and copied, got 0x%llx",
                 (unsigned long long)managed->flags);
    return -1;
  }
  return 0;
}

// That the memory is a copy holds for the capsule that says so, not for what is made of it.
static SsMemoryFlags flags_of(const DLManagedTensorVersioned* managed) {
  return (SsMemoryFlags){.flags = managed->flags & DLPACK_FLAG_BITMASK_READ_ONLY};
}

void ss_release_managed(DLManagedTensorVersioned* managed) {
  if (managed->deleter == NULL) return;
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  managed->deleter(managed);
  PyErr_Restore(type, value, traceback);
}

TVMFFIObject* ss_tensor_from_managed(DLManagedTensorVersioned* managed, int32_t alignment, int contiguous) {
  TVMFFIObject* tensor = NULL;
  if (check_managed(managed) == 0) {
    if (alignment == 0 && !contiguous && (managed->flags & ~(uint64_t)DLPACK_FLAG_BITMASK_IS_COPIED) == 0) {
      tensor = ss_tensor_owning(managed);
      if (SS_LIKELY(tensor != NULL)) return tensor;
    }
    tensor = take_over(NULL, managed, &managed->dl_tensor, flags_of(managed), NULL, alignment, contiguous);
  }
  if (tensor == NULL) ss_release_managed(managed);
  return tensor;
}

// `exporter`: the object whose __dlpack__ gave the capsule and that got a new reference in that call; or NULL. It is
// the owner of the memory when the exporter put it into manager_ctx, as NumPy does.
static TVMFFIObject* from_capsule(PyObject* capsule, PyObject* exporter, int32_t alignment, int contiguous) {
  if (PyCapsule_IsValid(capsule, legacy_name)) {
    DLManagedTensor* inner = PyCapsule_GetPointer(capsule, legacy_name);
    if (inner->manager_ctx != exporter) exporter = NULL;
    return take_over(capsule, inner, &inner->dl_tensor, (SsMemoryFlags){.is_unversioned = 1}, exporter, alignment,
                     contiguous);
  }
  if (!PyCapsule_IsValid(capsule, versioned_name)) {
    const char* name = PyCapsule_GetName(capsule);
    PyErr_Format(PyExc_ValueError, "from_dlpack: expected a capsule named \"dltensor\", got \"%.100s\"%s",
                 name == NULL ? "" : name,
                 name != NULL && strncmp(name, "used_", 5) == 0 ? "; a capsule can be used only once" : "");
    return NULL;
  }
  DLManagedTensorVersioned* inner = PyCapsule_GetPointer(capsule, versioned_name);
  if (check_managed(inner) != 0) return NULL;
  if (inner->manager_ctx != exporter) exporter = NULL;
  return take_over(capsule, inner, &inner->dl_tensor, flags_of(inner), exporter, alignment, contiguous);
}

// The classes whose __dlpack__ takes no max_version, by CPython's version tag.
enum { OLD_CLASSES = 16 };
static unsigned int old_classes[OLD_CLASSES];

// Calls __dlpack__ with the version that is understood here: only a capsule with a version says that memory must not be
// written. Exporters of DLPack 0 are asked without. New reference, NULL with an error set.
static PyObject* call_dlpack(PyObject* source) {
  static PyObject *method, *names, *version;
  if (version == NULL) {
    method = PyUnicode_InternFromString("__dlpack__");
    names = Py_BuildValue("(s)", "max_version");
    if (method == NULL || names == NULL) return NULL;
    version = Py_BuildValue("(ii)", DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION);
    if (version == NULL) return NULL;
  }
  unsigned int tag = ss_version_of(Py_TYPE(source)), *old = &old_classes[tag % OLD_CLASSES];
  if (tag == 0 || __atomic_load_n(old, __ATOMIC_RELAXED) != tag) {
    PyObject* args[] = {source, version};
    PyObject* capsule = PyObject_VectorcallMethod(method, args, 1, names);
    if (capsule != NULL || !PyErr_ExceptionMatches(PyExc_TypeError)) return capsule;
    PyErr_Clear();
  }
  PyObject* capsule = PyObject_CallMethodNoArgs(source, method);
  if (capsule != NULL)
    __atomic_store_n(old, tag, __ATOMIC_RELAXED);  // else the TypeError may have been of another sort
  return capsule;
}

// What a capsule of either kind exports. NULL for another capsule.
static const DLTensor* exported_in(PyObject* capsule, void** manager_ctx, int* is_read_only) {
  *is_read_only = 0;
  if (PyCapsule_IsValid(capsule, legacy_name)) {
    DLManagedTensor* inner = PyCapsule_GetPointer(capsule, legacy_name);
    *manager_ctx = inner->manager_ctx;
    return &inner->dl_tensor;
  }
  if (!PyCapsule_IsValid(capsule, versioned_name)) return NULL;
  DLManagedTensorVersioned* inner = PyCapsule_GetPointer(capsule, versioned_name);
  if (inner->version.major != DLPACK_MAJOR_VERSION) return NULL;
  *manager_ctx = inner->manager_ctx;
  *is_read_only = (inner->flags & ~(uint64_t)DLPACK_FLAG_BITMASK_IS_COPIED) != 0;
  return &inner->dl_tensor;
}

// What __dlpack__ of an object gives, a capsule. *exporter is the object if the call gave it a new owner, otherwise NULL.
// New reference, NULL with an error set.
static PyObject* export_of(PyObject* source, PyObject** exporter) {
  if (!ss_has_protocol(source, SS_PROTOCOL_DLPACK)) {
    return PyErr_Format(PyExc_TypeError, "from_dlpack: expected a capsule or an object with __dlpack__, got %.100s",
                        Py_TYPE(source)->tp_name);
  }
  if (ss_check_mask(source) != 0) return NULL;
  Py_ssize_t references = Py_REFCNT(source);
  if (ss_enter_recursion(" while a value is asked for its native form") != 0) return NULL;
  PyObject* capsule = call_dlpack(source);
  ss_leave_recursion();
  if (capsule == NULL) return NULL;
  *exporter = Py_REFCNT(source) > references ? source : NULL;
  void* context;
  int is_read_only;
  if (!PyCapsule_CheckExact(capsule)) {
    PyErr_Format(PyExc_TypeError, "from_dlpack: expected a capsule from %.100s.__dlpack__, got %.100s",
                 Py_TYPE(source)->tp_name, Py_TYPE(capsule)->tp_name);
    Py_CLEAR(capsule);
  } else {
    const DLTensor* dl = exported_in(capsule, &context, &is_read_only);
    if (dl != NULL && ss_check_import(source, dl) != 0) Py_CLEAR(capsule);
  }
  return capsule;
}

TVMFFIObject* ss_tensor_from_dlpack(PyObject* source, int32_t alignment, int contiguous) {
  if (PyCapsule_CheckExact(source)) return from_capsule(source, NULL, alignment, contiguous);
  const SsExchange* exchange = ss_exchange_known(Py_TYPE(source));
  int offers = exchange != NULL ? 1 : ss_exchange_of(Py_TYPE(source), &exchange);
  if (offers != 0) return offers < 0 ? NULL : ss_exchange_import(exchange, source, alignment, contiguous);
  if (!ss_is_known_array(Py_TYPE(source))) ss_note_array_class(Py_TYPE(source));
  if (alignment == 0 && !contiguous && ss_is_known_array(Py_TYPE(source))) {
    TVMFFIObject* tensor = ss_tensor_of_array(source);
    if (SS_LIKELY(tensor != NULL)) return tensor;
  }
  PyObject* exporter = NULL;
  PyObject* capsule = export_of(source, &exporter);
  if (capsule == NULL) return NULL;
  TVMFFIObject* tensor = from_capsule(capsule, exporter, alignment, contiguous);
  Py_DECREF(capsule);
  return tensor;
}

int ss_lend_by_dlpack(PyObject* value, TVMFFIAny* out, SsLentTensor** all, SsTemps* temps) {
  if (ss_is_known_array(Py_TYPE(value))) {
    if (SS_LIKELY(ss_lend_array(value, out, all))) return 1;
    TVMFFIObject* tensor = ss_tensor_of_array(value);
    if (tensor != NULL) return ss_set_temporary(out, tensor, temps) == 0 ? 1 : -1;
  }
  PyObject* exporter = NULL;
  PyObject* capsule = export_of(value, &exporter);
  if (capsule == NULL) return -1;
  void* context;
  int is_read_only;
  const DLTensor* dl = exported_in(capsule, &context, &is_read_only);
  if (dl != NULL && !is_read_only) {
    if (ss_lend_export(capsule, dl, context == exporter ? exporter : NULL, out, all)) return 1;
  }
  int rc = ss_set_temporary(out, from_capsule(capsule, exporter, 0, 0), temps);
  Py_DECREF(capsule);
  return rc == 0 ? 1 : -1;
}

// ---- export ----

// The destructor of an exported capsule: releases the managed tensor unless an importer took it over.
static void delete_unused(PyObject* capsule) {
  const char* name = PyCapsule_GetName(capsule);  // the importer sets another one
  if (name == legacy_name) {
    DLManagedTensor* managed = PyCapsule_GetPointer(capsule, legacy_name);
    managed->deleter(managed);
  } else if (name == versioned_name) {
    DLManagedTensorVersioned* managed = PyCapsule_GetPointer(capsule, versioned_name);
    managed->deleter(managed);
  }
}

// An unversioned capsule cannot say that memory must not be written. It is given all the same where the memory's own
// exporter gives no others, as JAX: its users know.
static int may_export_unversioned(const TVMFFIObject* tensor) {
  if (!ss_tensor_is_read_only(tensor)) return 1;
  const SsImportedTensor* imported = ss_imported_tensor_of(tensor);
  return imported != NULL && imported->is_unversioned;
}

PyObject* ss_tensor_to_dlpack(TVMFFIObject* tensor, int flags, long minor) {
  int versioned = (flags & SS_DLPACK_VERSIONED) != 0;
  if (!versioned && !may_export_unversioned(tensor)) {
    PyErr_SetString(PyExc_BufferError,
                    "Tensor.__dlpack__: argument 'max_version': expected (1, 0) or later, because the memory must not "
                    "be written and an unversioned capsule cannot say so");
    return NULL;
  }
  DLManagedTensor* legacy = NULL;
  DLManagedTensorVersioned* current = NULL;
  int rc =
      versioned ? ss_api.TVMFFITensorToDLPackVersioned(tensor, &current) : ss_api.TVMFFITensorToDLPack(tensor, &legacy);
  if (rc != 0) return ss_raise_native_null();
  if (versioned && (flags & SS_DLPACK_COPIED)) current->flags |= DLPACK_FLAG_BITMASK_IS_COPIED;
  if (versioned && minor >= 0 && (unsigned long)minor < current->version.minor) {
    current->version.minor = (uint32_t)minor;
  }
  PyObject* capsule = versioned ? PyCapsule_New(current, versioned_name, delete_unused)
                                : PyCapsule_New(legacy, legacy_name, delete_unused);
  if (capsule == NULL) {
    if (versioned) {
      current->deleter(current);
    } else {
      legacy->deleter(legacy);
    }
  }
  return capsule;
}
