// Native owners: native objects made here that own one reference to a Python object. They are the Functions of Python
// callables, the Functions of C symbols and the opaque objects.
//
// A native owner dies on any thread, and its deleter does not wait for the GIL. When the release of the Python object
// has to be deferred, the queue entry lies in the memory of the dead native owner: nothing is allocated for it, and
// each native owner is in the queue once at most.
#ifndef SELFSAME_CORE_TIE_PYTHON_OWNER_H_
#define SELFSAME_CORE_TIE_PYTHON_OWNER_H_

#include "tie/core.h"
#include "tie/deferred.h"

// The part of a native owner behind its cell, zeroed when the native owner is made.
typedef struct SsPythonOwner {
  SsDeferred link;             // where its release waits for a thread of Python
  TVMFFIObject* native;        // set when the release is deferred, and while the owner is in the table of same_owner.c
  PyObject* object;            // owned; NULL in a Function after the collector broke a cycle through it
  struct SsPythonOwner* next;  // in the chain of that table
  int listed;                  // whether the owner is in that table
  struct SsPythonOwner* earlier;  // in the list of the Functions that live and have a callable; NULL: none
  struct SsPythonOwner* later;    // the same
} SsPythonOwner;

// Makes a Python value of a call's arguments, with the GIL. New reference, NULL with an error set.
typedef PyObject* (*SsBuilder)(const TVMFFIAny* args, int32_t count);

// The Function of a Python callable.
typedef struct {
  TVMFFIObject header;      // counts, type index and deleter
  TVMFFIFunctionCell cell;  // as in each Function
  SsPythonOwner callable;   // what is called
  PyObject* lent;           // instead of callable.object, once the list of ss_closures_lend owns the callable
  const void* exchange;     // the table of the tensor class that the callable wants (dlpack_exchange.h), or NULL
  SsBuilder builder;  // if not NULL, called instead of the callable; the result is an opaque object of what it makes
} SsClosure;

// Sets what the Functions of ss_closure_alloc call, and ss_callable_of knows them by. Once, before both.
SS_HIDDEN void ss_closures_init(TVMFFISafeCallType call);

// A Function for `callable`, to which it owns a reference. New reference; NULL with the error raised in the runtime,
// not in Python.
SS_HIDDEN TVMFFIObject* ss_closure_alloc(PyObject* callable);

// Where a Function of ss_closure_alloc keeps its callable; NULL for any other object. The object may also be a copy of
// its first bytes.
SS_HIDDEN PyObject** ss_callable_of(TVMFFIObject* object);

// The Function of the same callable that was made for a key before and lives, or this one, made by ss_closure_alloc. Takes
// over the reference and returns a new one.
SS_HIDDEN TVMFFIObject* ss_closure_for_key(TVMFFIObject* closure);

// Releases the callable of a Function of ss_closure_alloc, which breaks a cycle. Nothing for any other object. May run
// Python code.
SS_HIDDEN void ss_closure_clear(TVMFFIObject* object);

// Takes the callables of the Functions that native code holds, for the end of the interpreter: the Functions call them as
// before, and the list that is returned owns them, and the Functions. It is linked by callable.later; NULL: none. Only
// once; later Functions keep their callables.
SS_HIDDEN SsClosure* ss_closures_lend(void);

// The Function behind one in that list; NULL: it is the last.
static inline SsClosure* ss_closure_behind(const SsClosure* closure) {
  return (SsClosure*)(closure->callable.later == NULL ? NULL : closure->callable.later->native);
}

// A Function that calls `call`, with itself as first argument, and owns a reference to `owner` (NULL for none), the
// Python object that keeps the code at the address `symbol` alive. New reference; NULL with the error raised in the
// runtime, not in Python.
SS_HIDDEN TVMFFIObject* ss_extern_function_alloc(TVMFFISafeCallType call, void* symbol, PyObject* owner);

// The symbol of a Function of ss_extern_function_alloc.
SS_HIDDEN void* ss_extern_symbol(void* function);

// The opaque object of `value`, to which it owns a reference: the one that lives, or a new one, which says that the value is
// `number`, None for no number. New reference; NULL with the error raised in the runtime, not in Python.
SS_HIDDEN TVMFFIObject* ss_opaque_alloc(PyObject* value, TVMFFIAny number);

// The Python object that an opaque object owns. Borrowed; NULL when another frontend's object owns none.
SS_HIDDEN PyObject* ss_opaque_python_object(TVMFFIObject* object);

// ---- same_owner.c ---------------------------------------------------------------------------------

// The one living native owner of a Python object that is a key of containers.
//
// A container compares opaque objects and Functions by their addresses. So the same Python object has to become the same
// native object for as long as that one lives, or it would not be found again. Every opaque object is in the table; the
// Function of a callable is when it was made for a key.

// The native owner of a Python object that is in the table: a new reference. NULL: there is none.
SS_HIDDEN TVMFFIObject* ss_same_owner_find(const PyObject* object, int32_t type_index);

// The native owner of the same Python object that is in the table already, or this one, which then is in the table.
// `type_index` tells opaque objects from Functions. Takes over the reference to `native` and returns a new one.
SS_HIDDEN TVMFFIObject* ss_same_owner(TVMFFIObject* native, SsPythonOwner* owner);

// Takes an owner out of the table. On an attached thread, as all of these, before the owner gives its Python object up.
SS_HIDDEN void ss_same_owner_forget(SsPythonOwner* owner);

// Before a fork, and after it in both processes: the table is whole in the child.
SS_HIDDEN void ss_same_owner_before_fork(void);
SS_HIDDEN void ss_same_owner_after_fork(void);

#endif  // SELFSAME_CORE_TIE_PYTHON_OWNER_H_
