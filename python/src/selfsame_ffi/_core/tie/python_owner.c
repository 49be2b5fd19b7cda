// Native owners and their deleters.
#include "tie/python_owner.h"

#include "tie/attach.h"
#include "tie/same_owner.h"

// Ends a native owner without weak references.
static void run_and_free(SsDeferred* link) {
  SsPythonOwner* owner = (SsPythonOwner*)link;
  PyObject* object = owner->object;
  ss_api.SelfsameObjectFree(owner->native);
  Py_DECREF(object);
}

// Ends the strong phase of a native owner with weak references, one of which python_owner_delete took.
static void run_and_release_weak(SsDeferred* link) {
  SsPythonOwner* owner = (SsPythonOwner*)link;
  PyObject* object = owner->object;
  TVMFFIObject* native = owner->native;
  ss_weak_decref(native);
  Py_DECREF(object);
}

// The deleter's work. Releases the Python object, now or deferred, and then frees the memory. Once the interpreter
// shuts down, the Python object of a native owner that dies on a thread that is not attached is leaked.
static void python_owner_delete(TVMFFIObject* native, SsPythonOwner* owner, int flags) {
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) ss_same_owner_forget(owner);
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskStrong) && owner->object != NULL) {
    if (ss_have_gil() || ss_python_alive()) {
      int alone = (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) != 0;
      if (!alone) ss_weak_incref(native);
      owner->native = native;
      owner->link.run = alone ? run_and_free : run_and_release_weak;
      ss_defer(&owner->link);
      return;  // the queue entry lies in the memory, and its run function frees it or releases the weak reference
    }
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) ss_api.SelfsameObjectFree(native);
}

// ---- Functions of callables ----

static TVMFFISafeCallType closure_call;

void ss_closures_init(TVMFFISafeCallType call) { closure_call = call; }

static void closure_delete(void* self, int flags) { python_owner_delete(self, &((SsClosure*)self)->callable, flags); }

TVMFFIObject* ss_closure_alloc(PyObject* callable) {
  TVMFFIObjectHandle object = NULL;
  if (ss_api.SelfsameObjectAlloc(sizeof(SsClosure), _Alignof(SsClosure), kTVMFFIFunction, closure_delete, &object) !=
      0) {
    return NULL;
  }
  SsClosure* closure = object;
  closure->cell.safe_call = closure_call;
  closure->cell.cpp_call = NULL;
  Py_INCREF(callable);
  closure->callable = (SsPythonOwner){.object = callable};
  closure->exchange = NULL;
  closure->builder = NULL;
  return object;
}

PyObject** ss_callable_of(TVMFFIObject* object) {
  if (object->type_index != kTVMFFIFunction || SS_CELL(TVMFFIFunctionCell, object)->safe_call != closure_call) {
    return NULL;
  }
  return &((SsClosure*)object)->callable.object;
}

TVMFFIObject* ss_closure_for_key(TVMFFIObject* closure) {
  return ss_same_owner(closure, &((SsClosure*)closure)->callable);
}

void ss_closure_clear(TVMFFIObject* object) {
  if (ss_callable_of(object) == NULL) return;
  SsPythonOwner* owner = &((SsClosure*)object)->callable;
  ss_same_owner_forget(owner);
  Py_CLEAR(owner->object);
}

// ---- Functions of C symbols ----

typedef struct {
  TVMFFIObject header;
  TVMFFIFunctionCell cell;
  SsPythonOwner code;
  void* symbol;
} ExternFunction;

static void extern_delete(void* self, int flags) { python_owner_delete(self, &((ExternFunction*)self)->code, flags); }

TVMFFIObject* ss_extern_function_alloc(TVMFFISafeCallType call, void* symbol, PyObject* owner) {
  TVMFFIObjectHandle object = NULL;
  if (ss_api.SelfsameObjectAlloc(sizeof(ExternFunction), _Alignof(ExternFunction), kTVMFFIFunction, extern_delete,
                                 &object) != 0) {
    return NULL;
  }
  ExternFunction* function = object;
  function->cell.safe_call = call;
  function->cell.cpp_call = NULL;
  Py_XINCREF(owner);
  function->code = (SsPythonOwner){.object = owner};
  function->symbol = symbol;
  return object;
}

void* ss_extern_symbol(void* function) { return ((ExternFunction*)function)->symbol; }

// ---- opaque objects ----

typedef struct {
  TVMFFIObject header;
  TVMFFIOpaqueObjectCell cell;
  SsPythonOwner value;
} Opaque;

static void opaque_delete(void* self, int flags) { python_owner_delete(self, &((Opaque*)self)->value, flags); }

TVMFFIObject* ss_opaque_alloc(PyObject* value) {
  TVMFFIObjectHandle object = NULL;
  if (ss_api.SelfsameObjectAlloc(sizeof(Opaque), _Alignof(Opaque), kTVMFFIOpaquePyObject, opaque_delete, &object) !=
      0) {
    return NULL;
  }
  Opaque* opaque = object;
  Py_INCREF(value);
  opaque->cell.handle = value;
  opaque->value = (SsPythonOwner){.object = value};
  return ss_same_owner(object, &opaque->value);
}

PyObject* ss_opaque_python_object(TVMFFIObject* object) {
  return (PyObject*)SS_CELL(TVMFFIOpaqueObjectCell, object)->handle;
}
