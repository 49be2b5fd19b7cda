// Function: calls of native Functions from Python.
#include "convert/function.h"

#include "convert/arguments.h"
#include "convert/call_values.h"
#include "convert/convert.h"
#include "convert/dlpack.h"
#include "wrapper/classes.h"
#include "convert/internal.h"
#include "convert/errors.h"
#include "convert/exchanged.h"
#include "convert/in_flight.h"
#include "convert/lent_tensors.h"
#include "convert/lent_values.h"
#include "convert/tensor_view.h"
#include "tie/alloc_trace.h"
#include "tie/attach.h"
#include "tie/deferred.h"
#include "wrapper/fetch.h"
#include "wrapper/tp_slots.h"
#include "convert/to_python.h"

int ss_release_gil_default = 1;
int ss_in_forked_child = 0;

// Calls the Function's safe_call with views, without the GIL if so wanted. Borrows the views; *result becomes an owned
// value. Returns 0, or -1 with an exception set.
static inline int call_safely(TVMFFIObject* function, int release_gil, TVMFFIAny* views, int32_t count,
                              TVMFFIAny* result) {
  TVMFFISafeCallType call = SS_CELL(TVMFFIFunctionCell, function)->safe_call;
  result->type_index = kTVMFFINone;
  result->zero_padding = 0;
  result->v_int64 = 0;
  int rc;
  ss_flight_begin();
  if (release_gil && call != ss_closure_call) {
    if (SS_UNLIKELY(ss_alloc_trace_note != NULL)) ss_alloc_trace_note();
    PyThreadState* outer = ss_released_state;
    PyThreadState* state = PyEval_SaveThread();
    ss_released_state = state;
    rc = call(function, views, count, result);
    ss_released_state = outer;
    PyEval_RestoreThread(state);
    ss_run_deferred();
  } else {
    rc = call(function, views, count, result);
  }
  if (SS_UNLIKELY(rc != 0)) {
    ss_raise_native();
    rc = -1;
  }
  ss_flight_end();
  return rc;
}

int ss_invoke(TVMFFIObject* function, int release_gil, TVMFFIAny* views, int32_t count, TVMFFIAny* result) {
  return call_safely(function, release_gil, views, count, result);
}

enum { ARGS_ON_STACK = 8 };

// How the arguments of a call are converted, and the facts that its result and its error depend on.
typedef struct {
  int lends;            // whether other packages' tensors are lent: the function keeps no argument as a rule
  SsLentTensor** lent;  // where they are added if the caller lends them
  int gives_back;       // whether a result that is an argument's Tensor is dropped, and `argument` set
  PyObject* argument;   // borrowed: the argument whose Tensor the result was; or NULL
  Py_ssize_t refused;   // the argument whose conversion failed, or -1
  SsExchangeUse use;    // of tensors of other packages
} SsCallContext;

// Puts the name of the argument `at`, whose conversion failed, in front of the error that is set. `signature` may be
// NULL: the names are not known. A number counts from 1.
static __attribute__((noinline)) void name_refused(const SsSignature* signature, Py_ssize_t leading,
                                                   PyObject* const* args, Py_ssize_t at) {
  if (signature == NULL) {
    ss_prefix_error("argument %zd: ", at + 1);
    return;
  }
  PyObject* name = NULL;
  Py_ssize_t i = at - leading;
  if (signature->arg_names != Py_None && i >= 0 && i < PyTuple_GET_SIZE(signature->arg_names)) {
    name = PyTuple_GET_ITEM(signature->arg_names, i);
  }
  for (Py_ssize_t k = leading; k < at && signature->sentinel != Py_None; k++) {
    if (args[k] == signature->sentinel) name = args[at - 1];  // a keyword argument behind its name
  }
  if (name != NULL && PyUnicode_Check(name)) {
    ss_prefix_error("argument '%U': ", name);
  } else if (i < 0) {
    ss_prefix_error("argument 'self': ");
  } else {
    ss_prefix_error("argument %zd: ", i + 1);
  }
  ss_prefix_called(signature);
}

// Puts in front of the error's message which entry was refused: entries[at], where keys and values alternate. `called`
// names the class that the caller wanted to make of the entries; NULL for none. May run Python code.
__attribute__((noinline)) void ss_name_refused_entry(PyObject* const* entries, Py_ssize_t at, const char* called) {
  if (at % 2 == 0) {
    ss_prefix_error("key %R: ", entries[at]);
  } else {
    ss_prefix_error("value for key %R: ", entries[at - 1]);
  }
  if (called != NULL) ss_prefix_error("%.100s: ", called);
}

// Has the TypeError that is set, if one is, name the class of an argument as the caller passed it, instead of the native
// one that was made of it. Clears an error of its own. Runs Python code.
static __attribute__((noinline)) void name_as_passed(PyObject* const* args, Py_ssize_t count) {
  if (PyErr_Occurred() != PyExc_TypeError) return;
  PyObject *type, *error, *traceback;
  PyErr_Fetch(&type, &error, &traceback);
  PyErr_NormalizeException(&type, &error, &traceback);
  PyObject* module = PyImport_ImportModule("selfsame_ffi._calls.messages");
  PyObject* values = PyTuple_New(count);
  for (Py_ssize_t i = 0; values != NULL && i < count; i++) {
    Py_INCREF(args[i]);
    PyTuple_SET_ITEM(values, i, args[i]);
  }
  PyObject* done =
      module == NULL || values == NULL ? NULL : PyObject_CallMethod(module, "name_as_passed", "OO", error, values);
  PyErr_Clear();
  Py_XDECREF(done);
  Py_XDECREF(values);
  Py_XDECREF(module);
  PyErr_Restore(type, error, traceback);
}

// A call with tensors of another package: on their stream, with their allocator.
static __attribute__((noinline)) int call_safely_exchanging(TVMFFIObject* function, int release_gil,
                                                            PyObject* const* args, TVMFFIAny* views, int32_t count,
                                                            TVMFFIAny* result, SsCallContext* context) {
  SsExchangeScope scope;
  if (ss_exchange_begin(&context->use, &scope) != 0) return -1;
  int rc = call_safely(function, release_gil, views, count, result);
  ss_exchange_end(&context->use, &scope);
  if (rc != 0 || result->type_index != kTVMFFITensor || !context->gives_back) return rc;
  for (int32_t i = 0; i < count; i++) {
    if (views[i].type_index != kTVMFFITensor || views[i].v_obj != result->v_obj) continue;
    context->argument = args[i];
    ss_decref_shared(result->v_obj);  // not the last: the view's owner has one
    ss_set_bits(result, kTVMFFINone, 0);
    break;
  }
  return rc;
}

static inline __attribute__((always_inline)) Py_ssize_t make_views_with(PyObject* const* args, Py_ssize_t count,
                                                                        SsLentMask lent, int lends_tensors,
                                                                        SsCallValues* all) {
  Py_ssize_t done = 0;
  for (; done < count; done++, lent = ss_lent_rest(lent)) {
    if (SS_UNLIKELY(ss_make_view(args[done], lent, lends_tensors, &all->views[done], all) != 0)) break;
    // The marker of keyword arguments: behind it the places are no longer those of the parameters.
    if (all->views[done].type_index == kTVMFFIObject) lent = (SsLentMask){0};
  }
  return done;
}

// Converts the arguments in turn and returns how many could be converted. `lent` as in SsFunction. Compiled for itself for a
// function that no argument is lent to: most are not Go's.
static inline Py_ssize_t make_views(PyObject* const* args, Py_ssize_t count, SsLentMask lent, int lends_tensors,
                                    SsCallValues* all) {
  if (SS_LIKELY(ss_lends_nothing(lent))) return make_views_with(args, count, (SsLentMask){0}, lends_tensors, all);
  return make_views_with(args, count, lent, lends_tensors, all);
}

static inline int call_raw(TVMFFIObject* function, int release_gil, SsLentMask lent, PyObject* const* args,
                           Py_ssize_t count, TVMFFIAny* result, SsCallContext* context) {
  TVMFFIAny stack_views[ARGS_ON_STACK];
  SsTemp stack_items[ARGS_ON_STACK];
  SsCallValues all = {.views = stack_views, .temps = {.items = stack_items}};
  void* heap = NULL;
  ss_run_deferred();
  if (SS_UNLIKELY(count > ARGS_ON_STACK)) {
    if (count > INT32_MAX) {
      PyErr_Format(PyExc_OverflowError, "Function: expected at most %d arguments, got %zd", INT32_MAX, count);
      return -1;
    }
    heap = PyMem_Malloc((size_t)count * (sizeof(TVMFFIAny) + sizeof(SsTemp)));
    if (heap == NULL) return ss_no_memory();
    all.views = heap;
    all.temps.items = (SsTemp*)(all.views + count);
  }
  int rc = -1;
  all.temps.use.lent = context->lends ? &all.tensors : context->lent;
  Py_ssize_t done = make_views(args, count, lent, context->lends, &all);
  context->use = all.temps.use;
  if (SS_LIKELY(done == count)) {
    if (SS_LIKELY(context->use.results == NULL)) {
      rc = call_safely(function, release_gil, all.views, (int32_t)count, result);
    } else {
      rc = call_safely_exchanging(function, release_gil, args, all.views, (int32_t)count, result, context);
    }
    if (SS_UNLIKELY(rc != 0)) name_as_passed(args, count);
  } else {
    context->refused = done;
  }
  ss_call_values_done(&all, args, done);
  if (SS_UNLIKELY(heap != NULL)) PyMem_Free(heap);
  return rc;
}

int ss_call_raw(TVMFFIObject* function, int release_gil, SsLentMask lent, PyObject* const* args, Py_ssize_t count,
                TVMFFIAny* result, const SsSignature* signature) {
  SsCallContext context = {.lends = 1, .refused = -1};
  int rc = call_raw(function, release_gil, lent, args, count, result, &context);
  if (SS_UNLIKELY(rc != 0 && context.refused >= 0)) name_refused(signature, 0, args, context.refused);
  return rc;
}

int ss_call_with_entries(TVMFFIObject* function, PyObject* const* entries, Py_ssize_t count, TVMFFIAny* result,
                         const char* called, SsExchangeUse* use) {
  SsCallContext context = {.lent = use == NULL ? NULL : use->lent, .refused = -1};  // the container keeps its entries
  int rc = call_raw(function, 0, (SsLentMask){0}, entries, count, result, &context);
  if (SS_UNLIKELY(context.use.results != NULL && use != NULL)) ss_exchange_use_inside(use, &context.use);
  if (SS_UNLIKELY(rc != 0 && context.refused >= 0)) ss_name_refused_entry(entries, context.refused, called);
  return rc;
}

// The result of a call with tensors of another package: a Tensor comes back as the argument that it was made for, else
// as a tensor of that package. Takes over `result`. New reference, NULL with an error set.
static __attribute__((noinline)) PyObject* take_exchanged(TVMFFIAny* result, const SsCallContext* context) {
  PyObject* made = context->argument;
  if (made != NULL) return ss_new_ref(made);
  return ss_exchanged_take(context->use.results, result);
}

TVMFFIObject* ss_no_function(SsWrapper* wrapper, TVMFFIObject* pinned) {
  if (pinned == NULL) return (TVMFFIObject*)ss_no_handle((PyObject*)wrapper);
  ss_unpin(wrapper);
  return ss_wrong_native((PyObject*)wrapper, "a Function");
}

// The names of the arguments of a Function that a module declared (selfsame_ffi/_go/functions.py), which has left them in
// the dict. Returns a new reference that owns the parts of *signature; NULL, without an error, when there are none.
static PyObject* declared_signature(PyObject* function, SsSignature* signature) {
  static PyObject* name;
  if (name == NULL) name = PyUnicode_InternFromString("__ffi_keywords__");
  PyObject* dict = ((SsFunction*)function)->dict;
  PyObject* declared = dict == NULL || name == NULL ? NULL : ss_dict_find(dict, name);
  if (declared == NULL || !PyTuple_Check(declared) || PyTuple_GET_SIZE(declared) != 4 ||
      !PyUnicode_Check(PyTuple_GET_ITEM(declared, 0)) || !PyUnicode_Check(PyTuple_GET_ITEM(declared, 1)) ||
      !PyTuple_Check(PyTuple_GET_ITEM(declared, 2))) {
    PyErr_Clear();
    Py_XDECREF(declared);
    return NULL;
  }
  signature->type_key = PyTuple_GET_ITEM(declared, 0);
  signature->name = PyTuple_GET_ITEM(declared, 1);
  signature->arg_names = PyTuple_GET_ITEM(declared, 2);
  signature->sentinel = PyTuple_GET_ITEM(declared, 3);
  return declared;
}

static __attribute__((noinline)) void name_refused_by(SsWrapper* function, const SsSignature* signature,
                                                      Py_ssize_t leading, PyObject* const* args, Py_ssize_t at) {
  SsSignature found;
  PyObject* declared = NULL;
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  if (signature == NULL) declared = declared_signature((PyObject*)function, &found);
  PyErr_Restore(type, value, traceback);
  name_refused(declared == NULL ? signature : &found, leading, args, at);
  Py_XDECREF(declared);
}

// As ss_pin_function, for a call. *stays: the handle stays in the wrapper without a pin.
static inline TVMFFIObject* pin_for_call(SsWrapper* function, int* stays) {
  *stays = SS_FREE_THREADED && SS_LIKELY(ss_flags(function) & SS_HANDLE_STAYS);
  if (*stays) return function->handle;
  TVMFFIObject* handle = ss_pin(function);
  if (SS_LIKELY(handle != NULL && handle->type_index == kTVMFFIFunction)) return handle;
  return ss_no_function(function, handle);
}

// Undoes pin_for_call.
static inline void unpin_after_call(SsWrapper* function, int stays) {
  if (!stays) ss_unpin(function);
}

void ss_function_lasts(PyObject* function) {
  if (!SS_FREE_THREADED || !PyObject_TypeCheck(function, &SsFunction_Type)) return;
  SsWrapper* wrapper = ss_wrapper(function);
  if (wrapper->handle == NULL || wrapper->handle->type_index != kTVMFFIFunction) return;
  ss_keep_handle(wrapper);
  ss_share_count(function);
}

enum { FEW_ARGS = 4 };

// Whether call_few serves two or more arguments: a few wrappers of lean classes and small values. It decides before
// anything is pinned, so that nothing is undone for the others. One argument needs no such look: call_few sees at once.
static inline int are_few(PyObject* const* args, Py_ssize_t count) {
  if (count > FEW_ARGS) return 0;
  for (Py_ssize_t i = 0; i < count; i++) {
    if (SS_LIKELY(Py_TYPE(args[i])->tp_dealloc == ss_dealloc_heap)) continue;
    if (SS_UNLIKELY(!ss_is_scalar(args[i]))) return 0;
  }
  return 1;
}

// Calls a function whose few arguments are wrappers of lean classes or scalars. There are no temporaries, and one bit
// for each argument says whether to undo a pin afterwards. 0: *made is the result, NULL with an error set. 1: some
// argument is something else, and nothing has happened.
static inline __attribute__((always_inline)) int call_few(SsWrapper* function, PyObject* const* args, Py_ssize_t count,
                                                          PyObject** made) {
  TVMFFIAny views[FEW_ARGS], result;
  TVMFFIByteArray bytes[FEW_ARGS];
  TVMFFIObject* handle = NULL;
  int stays = 0;
  *made = NULL;
  unsigned pinned = 0;
  int rc = 1;
  for (Py_ssize_t i = 0; i < count; i++) {
    PyObject* value = args[i];
    if (SS_LIKELY(Py_TYPE(value)->tp_dealloc == ss_dealloc_heap)) {
      TVMFFIObject* object = ss_pin(ss_wrapper(value));
      if (SS_UNLIKELY(object == NULL)) goto done;
      pinned |= 1u << i;
      ss_trim_shares(ss_wrapper(value), object);
      ss_set_object(&views[i], object);
    } else if (!ss_view_plain(value, &views[i], &bytes[i])) {
      goto done;
    }
  }
  // Last, because it takes locked instructions where the function has attributes, and the arguments may not be few.
  handle = pin_for_call(function, &stays);
  if (SS_UNLIKELY(handle == NULL)) {
    rc = -1;
    goto done;
  }
  rc = call_safely(handle, ss_releases_gil(function), views, (int32_t)count, &result);
  // A function that returns its first argument: its wrapper is at hand. Text may have a native object, but comes as text.
  if (!SS_FREE_THREADED && rc == 0 && (pinned & 1) && result.v_obj == views[0].v_obj &&
      result.type_index >= kTVMFFIDynObjectBegin) {
    *made = ss_fetch_living(ss_wrapper(args[0]), result.v_obj);
  }
done:
  for (; pinned != 0; pinned &= pinned - 1) ss_unpin_as_is(ss_wrapper(args[__builtin_ctz(pinned)]));  // no finalizers
  if (SS_UNLIKELY(rc > 0)) return 1;
  if (SS_LIKELY(handle != NULL)) unpin_after_call(function, stays);
  if (SS_LIKELY(rc == 0 && *made == NULL)) *made = ss_object_take(&result);
  return 0;
}

PyObject* ss_call(SsWrapper* function, PyObject* const* args, Py_ssize_t count, const SsSignature* signature,
                  Py_ssize_t leading) {
  PyObject* made;
  ss_run_deferred();
  // An int of more than 64 bits and text that is not UTF-8 go on below.
  if (count == 1) {  // compiled for itself
    if (SS_LIKELY(call_few(function, args, 1, &made) == 0)) return made;
  } else if (SS_LIKELY(are_few(args, count)) && SS_LIKELY(call_few(function, args, count, &made) == 0)) {
    return made;
  }
  TVMFFIAny result;
  SsCallContext context = {.lends = 1, .gives_back = 1, .refused = -1};
  int stays;
  TVMFFIObject* handle = pin_for_call(function, &stays);
  if (SS_UNLIKELY(handle == NULL)) return NULL;
  SsLentMask lent = ((SsFunction*)function)->lent;
  int rc = call_raw(handle, ss_releases_gil(function), lent, args, count, &result, &context);
  unpin_after_call(function, stays);
  if (SS_UNLIKELY(rc != 0)) {
    if (context.refused >= 0) name_refused_by(function, signature, leading, args, context.refused);
    return NULL;
  }
  return SS_LIKELY(context.use.results == NULL) ? ss_value_take(&result) : take_exchanged(&result, &context);
}

// A call with keyword arguments, of a Function that a module declared.
static __attribute__((noinline)) PyObject* call_with_keywords(PyObject* self, PyObject* const* args, Py_ssize_t count,
                                                              PyObject* kwnames) {
  SsSignature signature;
  PyObject* declared = declared_signature(self, &signature);
  if (declared == NULL) {
    PyErr_Format(PyExc_TypeError, "Function: expected no keyword arguments, got '%U'", PyTuple_GET_ITEM(kwnames, 0));
    return NULL;
  }
  SsArguments arguments;
  PyObject* result = NULL;
  if (ss_arguments_make(&signature, args, count, kwnames, 0, &arguments) == 0) {
    result = ss_call(ss_wrapper(self), arguments.values, arguments.count, &signature, 0);
    ss_arguments_release(&arguments);
  }
  Py_DECREF(declared);
  return result;
}

PyObject* ss_function_vectorcall(PyObject* self, PyObject* const* args, size_t nargsf, PyObject* kwnames) {
  if (SS_UNLIKELY(kwnames != NULL && PyTuple_GET_SIZE(kwnames) != 0)) {
    return call_with_keywords(self, args, PyVectorcall_NARGS(nargsf), kwnames);
  }
  return ss_call(ss_wrapper(self), args, PyVectorcall_NARGS(nargsf), NULL, 0);
}
