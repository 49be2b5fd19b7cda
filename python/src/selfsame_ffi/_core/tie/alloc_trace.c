// Tracing allocations: see alloc_trace.h. Allocations and deaths happen on any thread, attached or not, so the table of
// objects has a mutex and uses malloc alone. Stacks of Python are kept as Python objects in a list, under the GIL.
#include "tie/alloc_trace.h"

#include "selfsame/internal/loader.h"
#include "selfsame/internal/process.h"
#include "tie/native_frames.h"

#include <frameobject.h>
#include <pthread.h>
#include <stdlib.h>

enum { NATIVE_FRAMES = 10, SKIPPED = 2, MOST_FRAMES = 64 };

typedef struct {
  void* object;                        // NULL: a free place
  void (*delete_space)(void* object);  // what freed its memory before it was noted
  size_t size;                         // in bytes, header included
  int32_t type_index;                  // of the object
  int32_t stack;                       // in `stacks`, -1 for none
  int32_t native_count;                // of `native`
  void* native[NATIVE_FRAMES];         // return addresses, the innermost first
} Entry;

void (*ss_alloc_trace_note)(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;  // guards `table`
static struct {
  Entry* entries;      // open addressing by the address of the object
  size_t count, room;  // room is a power of two
} table;

static TVMFFICustomAllocator* before;  // the allocator that tracing replaced
static int on;
static Py_ssize_t frames_wanted;
static PyObject* stacks;   // a list of tuples, each a stack
static PyObject* numbers;  // a dict from stacks to their places in the list
static __thread int32_t noted_stack = -1;

// ---- the table; the caller must hold the mutex ----

static size_t place_of_locked(const void* object) {
  size_t at = ((uintptr_t)object >> 4) * (size_t)UINT64_C(0x9E3779B97F4A7C15) >> 20;
  for (at &= table.room - 1; table.entries[at].object != NULL && table.entries[at].object != object;) {
    at = (at + 1) & (table.room - 1);
  }
  return at;
}

static int grow_locked(void) {
  if (2 * (table.count + 1) <= table.room) return 0;
  size_t room = table.room == 0 ? 1024 : 2 * table.room;
  Entry *entries = calloc(room, sizeof(Entry)), *old = table.entries;
  if (entries == NULL) return -1;
  size_t old_room = table.room;
  table.entries = entries;
  table.room = room;
  for (size_t i = 0; i < old_room; i++) {
    if (old[i].object != NULL) table.entries[place_of_locked(old[i].object)] = old[i];
  }
  free(old);
  return 0;
}

// Removes the entry at a place, and closes the gap in its run.
static void remove_locked(size_t at) {
  table.count--;
  for (;;) {
    table.entries[at].object = NULL;
    size_t next = at;
    for (;;) {
      next = (next + 1) & (table.room - 1);
      if (table.entries[next].object == NULL) return;
      if (place_of_locked(table.entries[next].object) == at) break;  // it would be found no more behind the gap
    }
    table.entries[at] = table.entries[next];
    at = next;
  }
}

// ---- the allocator ----

static void traced_delete_space(void* object) {
  pthread_mutex_lock(&mutex);
  size_t at = place_of_locked(object);
  void (*delete_space)(void*) = table.entries[at].object == NULL ? NULL : table.entries[at].delete_space;
  if (delete_space != NULL) remove_locked(at);
  pthread_mutex_unlock(&mutex);
  if (delete_space != NULL) delete_space(object);
}

// The number of the calling thread's Python stack. The caller is attached, and has no exception set that matters here.
static int32_t current_stack(void) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
#if PY_VERSION_HEX >= 0x030A0000
  int collects = PyGC_Disable();  // the code that makes a native object does not expect Python code to run
#endif
  int32_t number = -1;
  PyObject* list = PyList_New(0);
  PyThreadState* state = PyThreadState_Get();
  PyFrameObject* frame = PyThreadState_GetFrame(state);
  while (list != NULL && frame != NULL && PyList_GET_SIZE(list) < frames_wanted) {
    PyCodeObject* code = PyFrame_GetCode(frame);
    PyObject* row = Py_BuildValue("(OiO)", code->co_filename, PyFrame_GetLineNumber(frame), code->co_name);
    Py_DECREF(code);
    if (row == NULL || PyList_Append(list, row) != 0) Py_CLEAR(list);
    Py_XDECREF(row);
    PyFrameObject* outer = PyFrame_GetBack(frame);
    Py_DECREF(frame);
    frame = outer;
  }
  Py_XDECREF(frame);
  PyObject* stack = list == NULL ? NULL : PyList_AsTuple(list);
  PyObject* known = stack == NULL ? NULL : ss_dict_find(numbers, stack);
  if (known != NULL) {
    number = (int32_t)PyLong_AsLong(known);
    Py_DECREF(known);
  } else if (stack != NULL && !PyErr_Occurred()) {
    PyObject* fresh = PyLong_FromSsize_t(PyList_GET_SIZE(stacks));
    if (fresh != NULL && PyList_Append(stacks, stack) == 0 && PyDict_SetItem(numbers, stack, fresh) == 0) {
      number = (int32_t)PyLong_AsLong(fresh);
    }
    Py_XDECREF(fresh);
  }
  Py_XDECREF(stack);
  Py_XDECREF(list);
#if PY_VERSION_HEX >= 0x030A0000
  if (collects) PyGC_Enable();
#endif
  PyErr_Restore(type, value, traceback);
  return number;
}

static void note(void) { noted_stack = current_stack(); }

static void* traced_allocate(size_t size, size_t alignment, int32_t type_index, void* context) {
  (void)context;
  TVMFFICustomAllocator* next = __atomic_load_n(&before, __ATOMIC_ACQUIRE);
  void* object = next->allocate(size, alignment, type_index, next->context);
  TVMFFIObjectAllocHeader* header = (TVMFFIObjectAllocHeader*)object - 1;
  if (object == NULL || header->delete_space == NULL || !__atomic_load_n(&on, __ATOMIC_ACQUIRE)) return object;
  Entry entry = {object, header->delete_space, size, type_index, noted_stack, 0, {NULL}};
  // Only an attached thread may look at its Python stack; another one has noted it before it detached.
  if (PyGILState_Check()) entry.stack = current_stack();
  void* native[NATIVE_FRAMES + SKIPPED];
  int count = ss_native_frames(native, NATIVE_FRAMES + SKIPPED);
  for (int i = SKIPPED; i < count; i++) entry.native[entry.native_count++] = native[i];
  pthread_mutex_lock(&mutex);
  if (grow_locked() == 0) {
    table.entries[place_of_locked(object)] = entry;
    table.count++;
    header->delete_space = traced_delete_space;
  }
  pthread_mutex_unlock(&mutex);
  return object;
}

static TVMFFICustomAllocator tracing = {traced_allocate, NULL};

// ---- the module's functions ----

static void lock_for_fork(void) { pthread_mutex_lock(&mutex); }
static void unlock_after_fork(void) { pthread_mutex_unlock(&mutex); }

static PyObject* ss_alloc_trace_start(PyObject* module, PyObject* frames) {
  (void)module;
  static int has_handlers;
  Py_ssize_t wanted = PyLong_AsSsize_t(frames);
  if (wanted == -1 && PyErr_Occurred()) return NULL;
  if (wanted < 1 || wanted > MOST_FRAMES) {
    return PyErr_Format(PyExc_ValueError, "start_tracing: expected 1 to %d frames, got %zd", MOST_FRAMES, wanted);
  }
  if (!has_handlers && ss_watch_forks(lock_for_fork, unlock_after_fork, unlock_after_fork) != 0) {
    return PyErr_NoMemory();
  }
  has_handlers = 1;
  if (stacks == NULL) stacks = PyList_New(0);
  if (numbers == NULL) numbers = PyDict_New();
  if (stacks == NULL || numbers == NULL) return NULL;
  void* first[1];
  ss_native_frames(first, 1);  // loads libgcc now, not under an allocation
  frames_wanted = wanted;
  if (!on) {
    TVMFFICustomAllocator* current = ss_api.TVMFFIGetCustomAllocator();
    if (current != &tracing) {
      __atomic_store_n(&before, current, __ATOMIC_RELEASE);
      __atomic_store_n(&on, 1, __ATOMIC_RELEASE);
      ss_api.TVMFFISetCustomAllocator(&tracing);
    }
    __atomic_store_n(&on, 1, __ATOMIC_RELEASE);
    __atomic_store_n(&ss_alloc_trace_note, note, __ATOMIC_RELEASE);
  }
  Py_RETURN_NONE;
}

static PyObject* ss_alloc_trace_stop(PyObject* module, PyObject* unused) {
  (void)module;
  (void)unused;
  __atomic_store_n(&ss_alloc_trace_note, NULL, __ATOMIC_RELEASE);
  __atomic_store_n(&on, 0, __ATOMIC_RELEASE);
  // An allocator that was set after this one calls it further; then it only hands on.
  if (ss_api.TVMFFIGetCustomAllocator() == &tracing) ss_api.TVMFFISetCustomAllocator(before);
  Py_RETURN_NONE;
}

static PyObject* ss_alloc_trace_is_on(PyObject* module, PyObject* unused) {
  (void)module;
  (void)unused;
  return PyBool_FromLong(on);
}

// One line for a native frame: the library's file and the symbol, or an offset.
static PyObject* frame_text(void* address) {
  Dl_info info;
  if (dladdr(address, &info) == 0 || info.dli_fname == NULL) return PyUnicode_FromFormat("%p", address);
  const char* slash = strrchr(info.dli_fname, SS_PATH_SEPARATOR);
  const char* file = slash == NULL ? info.dli_fname : slash + 1;
  if (info.dli_sname != NULL) return PyUnicode_FromFormat("%s: %s", file, info.dli_sname);
  return PyUnicode_FromFormat("%s+0x%zx", file, (size_t)((char*)address - (char*)info.dli_fbase));
}

static PyObject* row_of(const Entry* entry) {
  PyObject* native = PyTuple_New(entry->native_count);
  for (int32_t i = 0; native != NULL && i < entry->native_count; i++) {
    PyObject* text = frame_text(entry->native[i]);
    if (text == NULL) Py_CLEAR(native);
    if (text != NULL) PyTuple_SET_ITEM(native, i, text);
  }
  if (native == NULL) return NULL;
  PyObject* stack = entry->stack < 0 ? PyTuple_New(0) : PyList_GetItem(stacks, entry->stack);
  if (entry->stack >= 0) Py_XINCREF(stack);
  if (stack == NULL) {
    Py_DECREF(native);
    return NULL;
  }
  return Py_BuildValue("(inNN)", entry->type_index, (Py_ssize_t)entry->size, stack, native);
}

static PyObject* ss_alloc_trace_list(PyObject* module, PyObject* unused) {
  (void)module;
  (void)unused;
  pthread_mutex_lock(&mutex);
  size_t count = 0;
  Entry* copy = malloc((table.count + 1) * sizeof(Entry));
  for (size_t i = 0; copy != NULL && i < table.room; i++) {
    if (table.entries[i].object != NULL) copy[count++] = table.entries[i];
  }
  pthread_mutex_unlock(&mutex);
  if (copy == NULL) return PyErr_NoMemory();
  PyObject* list = PyList_New(0);
  for (size_t i = 0; list != NULL && i < count; i++) {
    PyObject* row = row_of(&copy[i]);
    if (row == NULL || PyList_Append(list, row) != 0) Py_CLEAR(list);
    Py_XDECREF(row);
  }
  free(copy);
  return list;
}

PyMethodDef ss_alloc_trace_functions[] = {
    {"start_tracing", ss_alloc_trace_start, METH_O,
     "start_tracing(frames): note where native objects are made, with at most that many Python frames, 1 to 64. Forgets what was "
     "noted before."},
    {"stop_tracing", ss_alloc_trace_stop, METH_NOARGS,
     "stop_tracing()\n--\n\nNote no further native objects; those that are noted stay so."},
    {"is_tracing", ss_alloc_trace_is_on, METH_NOARGS, "is_tracing()\n--\n\nWhether native objects are noted."},
    {"traced", ss_alloc_trace_list, METH_NOARGS,
     "traced()\n--\n\nThe noted native objects that are alive: (type index, size, Python stack, native stack). The Python stack "
     "is a tuple of (file, line, function), the innermost first; the native stack is a tuple of texts."},
    {NULL, NULL, 0, NULL}};
