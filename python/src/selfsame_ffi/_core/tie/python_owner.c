// Native owners and their deleters.
#include "tie/python_owner.h"

#include <pthread.h>

#include "selfsame/internal/refcount.h"
#include "tie/attach.h"

// ---- the Functions that live and have a callable ----

static SsPythonOwner* newest;
static int is_lent;  // ss_closures_lend was called: the list is no longer kept
#if SS_FREE_THREADED
static pthread_mutex_t list_mutex = PTHREAD_MUTEX_INITIALIZER;
#define LOCK_LIST() pthread_mutex_lock(&list_mutex)
#define UNLOCK_LIST() pthread_mutex_unlock(&list_mutex)
#else
#define LOCK_LIST() ((void)0)
#define UNLOCK_LIST() ((void)0)
#endif

// Attached threads only.
static void enlist(SsPythonOwner* owner) {
  LOCK_LIST();
  if (!is_lent) {
    owner->later = newest;
    if (newest != NULL) newest->earlier = owner;
    newest = owner;
  }
  UNLOCK_LIST();
}

// Attached threads only. Nothing for an owner that is not in the list.
static void delist(SsPythonOwner* owner) {
  LOCK_LIST();
  if (!is_lent) {
    if (owner->later != NULL) owner->later->earlier = owner->earlier;
    if (owner->earlier != NULL) owner->earlier->later = owner->later;
    if (newest == owner) newest = owner->later;
    owner->earlier = owner->later = NULL;
  }
  UNLOCK_LIST();
}

// Ends a native owner without weak references.
static void run_and_free(SsDeferred* link) {
  SsPythonOwner* owner = (SsPythonOwner*)link;
  ss_same_owner_forget(owner);
  delist(owner);
  PyObject* object = owner->object;
  ss_api.SelfsameObjectFree(owner->native);
  Py_DECREF(object);
}

// Ends the strong phase of a native owner with weak references, one of which python_owner_delete took.
static void run_and_release_weak(SsDeferred* link) {
  SsPythonOwner* owner = (SsPythonOwner*)link;
  ss_same_owner_forget(owner);
  delist(owner);
  PyObject* object = owner->object;
  TVMFFIObject* native = owner->native;
  ss_weak_decref(native);
  Py_DECREF(object);
}

// The deleter's work. Releases the Python object, now or deferred, and then frees the memory. Once the interpreter
// shuts down, the Python object of a native owner that dies on a thread that is not attached is leaked. So is the memory
// of one in the table of same_owner.c, which such a thread cannot take out.
static void python_owner_delete(TVMFFIObject* native, SsPythonOwner* owner, int flags) {
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
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskWeak) && !owner->listed) ss_api.SelfsameObjectFree(native);
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
  closure->callable = (SsPythonOwner){.object = callable, .native = object};
  closure->lent = NULL;
  closure->exchange = NULL;
  closure->builder = NULL;
  enlist(&closure->callable);
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
  delist(owner);
  Py_CLEAR(owner->object);
}

// Whether native code holds the object, beside the wrapper or without one.
static int is_held_by_native_code(const TVMFFIObject* object) {
  const SelfsameTieRecord* record = SelfsameTieFind(ss_table, object);
  uintptr_t word = record == NULL ? 0 : __atomic_load_n(&record->wrapper, __ATOMIC_RELAXED);
  int is_wrapped = word != 0 && (word & SELFSAME_TIE_TAGS) == 0;
  return ss_strong(object) > (is_wrapped ? 1U : 0U);
}

SsClosure* ss_closures_lend(void) {
  SsClosure* list = NULL;
  LOCK_LIST();
  SsPythonOwner* next = is_lent ? NULL : newest;
  is_lent = 1;
  newest = NULL;
  while (next != NULL) {
    SsPythonOwner* owner = next;
    next = owner->later;
    owner->earlier = owner->later = NULL;
    SsClosure* closure = (SsClosure*)owner->native;
    if (!is_held_by_native_code(owner->native) || !ss_promote(owner->native)) continue;
    ss_same_owner_forget(owner);
    closure->lent = owner->object;
    owner->object = NULL;
    owner->later = list == NULL ? NULL : &list->callable;
    list = closure;
  }
  UNLOCK_LIST();
  return list;
}

// ---- Functions of C symbols ----

typedef struct {
  TVMFFIObject header;      // counts, type index and deleter
  TVMFFIFunctionCell cell;  // as in each Function
  SsPythonOwner code;       // what keeps the code alive
  void* symbol;             // the C function; borrowed from `code`
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
  TVMFFIObject header;          // counts, type index and deleter
  TVMFFIOpaqueObjectCell cell;  // has the address of the value
  TVMFFIAny number;     // that the value is, None for no number; a Go program reads it here (host/python/direct.go)
  SsPythonOwner value;  // the Python object
} Opaque;

static void opaque_delete(void* self, int flags) { python_owner_delete(self, &((Opaque*)self)->value, flags); }

TVMFFIObject* ss_opaque_alloc(PyObject* value, TVMFFIAny number) {
  TVMFFIObjectHandle object = ss_same_owner_find(value, kTVMFFIOpaquePyObject);
  if (object != NULL) return object;
  if (ss_api.SelfsameObjectAlloc(sizeof(Opaque), _Alignof(Opaque), kTVMFFIOpaquePyObject, opaque_delete, &object) !=
      0) {
    return NULL;
  }
  Opaque* opaque = object;
  Py_INCREF(value);
  opaque->cell.handle = value;
  opaque->number = number;
  opaque->value = (SsPythonOwner){.object = value};
  return ss_same_owner(object, &opaque->value);
}

PyObject* ss_opaque_python_object(TVMFFIObject* object) {
  return (PyObject*)SS_CELL(TVMFFIOpaqueObjectCell, object)->handle;
}
