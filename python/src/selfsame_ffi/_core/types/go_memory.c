// Numbers, texts and objects in Go's memory: see go_memory.h. The object keeps the Go value alive, and Go does not move
// it; the value's gate keeps Go's calls out while this code looks. It only copies then: to make a Python object may run
// Python code, such as that of an error handler or, with the collector, any __del__, which may want the gate.
#include "types/go_memory.h"

#include <stdlib.h>
#include <string.h>

#include "convert/function.h"
#include "convert/to_python.h"
#include "selfsame/internal/go_memory.h"
#include "selfsame/internal/refcount.h"
#include "wrapper/classes.h"

// The words of a method's metadata, in this order.
enum { CALLS_GO, READS_LENGTH, READS_ELEMENT, SETS_ELEMENT, READS_FIELD, SETS_FIELD };
static const char* const words[] = {"", "length", "element", "set_element", "field", "set_field"};

// What SsOpaque of the Go frontend begins with, which the object refers to behind its header.
typedef struct {
  TVMFFIObject header;    // counts, type index and deleter
  const void* owner;      // the frontend's
  const void* ref;        // the frontend's
  const char* type_name;  // the frontend's
  SsGoMemory memory;      // where the value is
} GoValue;

int ss_go_access_read(PyObject* said, int32_t owner, SsGoAccess* access) {
  *access = (SsGoAccess){0};
  PyObject* all = PySequence_Tuple(said);
  PyObject* word = all != NULL ? PyTuple_GetSlice(all, 0, 1) : NULL;
  PyObject* field = all != NULL ? PyTuple_GetSlice(all, 1, 4) : NULL;
  const char *use, *format = "";
  int ok = word != NULL && field != NULL && PyArg_ParseTuple(word, "s:go_memory", &use);
  size_t i = sizeof(words) / sizeof(*words) - 1;
  while (ok && i > CALLS_GO && strcmp(use, words[i]) != 0) i--;
  Py_ssize_t offset = 0;
  unsigned long long number = 0;
  if (ok && (i == READS_FIELD || i == SETS_FIELD)) {
    ok = PyArg_ParseTuple(field, "nsK:go_memory", &offset, &format, &number);
  }
  if (ok) {
    *access = (SsGoAccess){
        .use = (char)i, .format = format[0], .owner = owner, .last_derived = owner, .offset = offset, .number = number};
  }
  Py_XDECREF(field);
  Py_XDECREF(word);
  Py_XDECREF(all);
  return ok ? 0 : -1;
}

// ---- values ----

// Returns the size of a number.
static size_t size_of(char format) {
  switch (format) {
    case '?':
    case 'b':
    case 'B':
      return 1;
    case 'h':
    case 'H':
      return 2;
    case 'i':
    case 'I':
    case 'f':
      return 4;
    default:
      return 8;
  }
}

// What was found in Go's memory, for the time behind the gate.
typedef struct {
  char format;  // of what was found; 0: nothing, Go must be called. SS_GO_POINTER: object, where NULL is None
  union {
    int8_t int8;           // 'b'
    uint8_t uint8;         // 'B' and '?'
    int16_t int16;         // 'h'
    uint16_t uint16;       // 'H'
    int32_t int32;         // 'i'
    uint32_t uint32;       // 'I'
    int64_t int64;         // 'q'
    uint64_t uint64;       // 'Q'
    float float32;         // 'f'
    double float64;        // 'd'
    TVMFFIObject* object;  // a reference
  } value;
} Found;

static void copy_number(char format, const char* at, Found* found) {
  found->format = format;
  switch (size_of(format)) {  // by one load each
    case 1:
      found->value.uint8 = *(const uint8_t*)at;
      break;
    case 2:
      found->value.uint16 = *(const uint16_t*)at;
      break;
    case 4:
      found->value.uint32 = *(const uint32_t*)at;
      break;
    default:
      found->value.uint64 = *(const uint64_t*)at;
  }
}

// A new reference to the Python object of what was found; NULL where there is none, or with an error set.
static PyObject* take(Found* found) {
  switch (found->format) {
    case '?':
      return PyBool_FromLong(found->value.uint8);
    case 'b':
      return PyLong_FromLong(found->value.int8);
    case 'B':
      return PyLong_FromLong(found->value.uint8);
    case 'h':
      return PyLong_FromLong(found->value.int16);
    case 'H':
      return PyLong_FromLong(found->value.uint16);
    case 'i':
      return PyLong_FromLong(found->value.int32);
    case 'I':
      return PyLong_FromUnsignedLong(found->value.uint32);
    case 'q':
      return PyLong_FromLongLong(found->value.int64);
    case 'Q':
      return PyLong_FromUnsignedLongLong(found->value.uint64);
    case 'f':
      return PyFloat_FromDouble((double)found->value.float32);
    case 'd':
      return PyFloat_FromDouble(found->value.float64);
    case SS_GO_POINTER:
      return found->value.object == NULL ? ss_new_ref(Py_None) : ss_fetch(found->value.object);
    default:
      return NULL;
  }
}

// A new reference to the object that stands for a Go pointer; NULL where there is none, or Go changes the table.
static TVMFFIObject* object_of(SsGoTable* table, uintptr_t pointer, uint64_t number) {
  uint32_t nobody = 0;
  if (!__atomic_compare_exchange_n(&table->lock, &nobody, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return NULL;
  TVMFFIObject* found = NULL;
  uint64_t mask = table->mask;
  for (uint64_t i = ss_go_place(pointer, number, mask); table->first != NULL; i = (i + 1) & mask) {
    const SsGoSlot* slot = &table->first[i];
    if (slot->native == 0) break;
    if (slot->pointer == pointer && slot->number == number) {
      found = (TVMFFIObject*)slot->native;
      if (!ss_promote(found)) found = NULL;
      break;
    }
  }
  __atomic_store_n(&table->lock, 0, __ATOMIC_RELEASE);
  return found;
}

// A number before it is stored.
typedef union {
  int64_t integer;  // an int, or a bool
  double number;    // a float
} Number;

// Whether a value is exactly of the class and in the range of a format.
static int fits(char format, PyObject* value, Number* out) {
  static const struct {
    char format;          // of ints
    int64_t least, most;  // that it has, as far as an int64 can have them
  } ranges[] = {{'b', INT8_MIN, INT8_MAX},   {'B', 0, UINT8_MAX},  {'h', INT16_MIN, INT16_MAX}, {'H', 0, UINT16_MAX},
                {'i', INT32_MIN, INT32_MAX}, {'I', 0, UINT32_MAX}, {'q', INT64_MIN, INT64_MAX}, {'Q', 0, INT64_MAX}};
  if (format == 'd') {
    if (!PyFloat_CheckExact(value)) return 0;
    out->number = PyFloat_AS_DOUBLE(value);
    return 1;
  }
  if (format == '?') {
    out->integer = value == Py_True;
    return value == Py_True || value == Py_False;
  }
  if (!PyLong_CheckExact(value)) return 0;
  int overflow;
  out->integer = PyLong_AsLongLongAndOverflow(value, &overflow);
  for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++) {
    if (ranges[i].format == format) {
      return overflow == 0 && out->integer >= ranges[i].least && out->integer <= ranges[i].most;
    }
  }
  return 0;
}

static void set_value(char format, char* at, const Number* value) {
  switch (size_of(format)) {
    case 1:
      *(int8_t*)at = (int8_t)value->integer;
      break;
    case 2:
      *(int16_t*)at = (int16_t)value->integer;
      break;
    case 4:
      *(int32_t*)at = (int32_t)value->integer;
      break;
    default:
      *(int64_t*)at = value->integer;  // the bits of a float too
  }
}

// ---- where they are ----

static char* elements_of(const SsGoMemory* memory, Py_ssize_t* length) {
  const SsGoHeader* slice = (const SsGoHeader*)memory->at;
  *length = (Py_ssize_t)(memory->length < 0 ? slice->length : memory->length);
  return memory->length < 0 ? slice->data : (char*)memory->at;
}

static int is_object(char format) { return format == SS_GO_POINTER || format == SS_GO_VALUE; }

static char* element_at(const SsGoMemory* memory, Py_ssize_t index) {
  Py_ssize_t length;
  char* first = elements_of(memory, &length);
  if (index < 0) index += length;
  return index < 0 || index >= length ? NULL : first + (size_t)(index * memory->size);
}

static SsGoMemory* memory_of(SsGoAccess* access, const TVMFFIObject* native) {
  int32_t index = native->type_index;
  if (SS_UNLIKELY(index != access->owner && index != access->last_derived)) {
    if (!ss_type_derives(index, access->owner)) return NULL;
    access->last_derived = index;
  }
  GoValue* value = *(GoValue**)(native + 1);
  return value == NULL || value->memory.at == 0 ? NULL : &value->memory;
}

static inline int enter(SsGoGate* gate) {
  uintptr_t nobody = 0;
  return gate == NULL ||
         __atomic_compare_exchange_n(&gate->owner, &nobody, SS_GO_GATE_OF_C, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static inline void leave(SsGoGate* gate) {
  if (gate != NULL) __atomic_store_n(&gate->owner, 0, __ATOMIC_RELEASE);
}

// ---- texts ----

static int has_surrogates(PyObject* text) {
  int kind = (int)PyUnicode_KIND(text);
  if (kind == PyUnicode_1BYTE_KIND) return 0;
  const void* data = PyUnicode_DATA(text);
  for (Py_ssize_t i = 0; i < PyUnicode_GET_LENGTH(text); i++) {
    Py_UCS4 c = PyUnicode_READ(kind, data, i);
    if (c >= 0xD800 && c <= 0xDFFF) return 1;
  }
  return 0;
}

enum { SHORT_TEXT = 256 };  // bytes

// A new reference to a text, which is copied behind the gate; NULL for one that is not UTF-8, which Go refuses. Bytes
// of such a text become surrogates, which no UTF-8 has: this way no handler of decoding errors is asked, and no
// exception made. It is no part of use_memory, as numbers need no memory for copies.
static __attribute__((noinline)) PyObject* read_text(const SsGoAccess* access, const SsGoMemory* memory,
                                                     Py_ssize_t index) {
  SsGoGate* gate = (SsGoGate*)memory->gate;
  if (SS_UNLIKELY(!enter(gate))) return NULL;
  char copied[SHORT_TEXT];
  char* copy = NULL;
  Py_ssize_t length = 0;
  const char* at = access->use == READS_ELEMENT ? element_at(memory, index) : (const char*)memory->at + access->offset;
  if (at != NULL) {
    const SsGoHeader* header = (const SsGoHeader*)at;
    length = (Py_ssize_t)header->length;
    copy = length <= SHORT_TEXT ? copied : malloc((size_t)length);
    if (copy != NULL && length > 0) memcpy(copy, header->data, (size_t)length);
  }
  leave(gate);
  if (copy == NULL) return NULL;
  PyObject* text = PyUnicode_DecodeUTF8(copy, length, "surrogateescape");
  if (copy != copied) free(copy);
  if (text != NULL && has_surrogates(text)) Py_CLEAR(text);
  return text;
}

// ---- uses ----

// An object, which stands for a Go pointer at a place or for the value there.
static void find_object(const SsGoMemory* memory, char format, const char* at, uint64_t number, Found* found) {
  uintptr_t pointer = format == SS_GO_POINTER ? *(const uintptr_t*)at : (uintptr_t)at;
  found->value.object = pointer == 0 ? NULL : object_of((SsGoTable*)memory->table, pointer, number);
  if (pointer == 0 || found->value.object != NULL) found->format = SS_GO_POINTER;
}

static PyObject* use_memory(const SsGoAccess* access, const SsGoMemory* memory, PyObject* const* args,
                            Py_ssize_t count) {
  int of_element = access->use == READS_ELEMENT || access->use == SETS_ELEMENT;
  int sets = access->use == SETS_ELEMENT || access->use == SETS_FIELD;
  char format = of_element ? (char)memory->format : access->format;
  uint64_t number = of_element ? memory->number : access->number;
  if (count != 1 + of_element + sets || (of_element && format == 0)) return NULL;
  Py_ssize_t index = 0;
  if (of_element) {
    if (!PyLong_CheckExact(args[1])) return NULL;
    int overflow;
    long long given = PyLong_AsLongLongAndOverflow(args[1], &overflow);
    if (overflow != 0) return NULL;
    index = (Py_ssize_t)given;
  }
  Number value;
  if (sets && !fits(format, args[count - 1], &value)) return NULL;
  if (format == SS_GO_TEXT) return read_text(access, memory, index);
  SsGoGate* gate = (SsGoGate*)memory->gate;
  if (SS_UNLIKELY(!enter(gate))) return NULL;
  Found found;
  found.format = 0;
  if (access->use == READS_LENGTH) {
    Py_ssize_t length;
    elements_of(memory, &length);
    found.value.int64 = length;
    found.format = 'q';
  } else {
    char* at = of_element ? element_at(memory, index) : (char*)memory->at + access->offset;
    if (at != NULL && sets) {
      set_value(format, at, &value);
      found.value.object = NULL;  // a setter returns None
      found.format = SS_GO_POINTER;
    } else if (at != NULL && is_object(format)) {
      find_object(memory, format, at, number, &found);
    } else if (at != NULL) {
      copy_number(format, at, &found);
    }
  }
  leave(gate);
  return take(&found);
}

PyObject* ss_go_access_use(SsGoAccess* access, PyObject* const* args, Py_ssize_t count) {
  if (SS_UNLIKELY(ss_in_forked_child)) return NULL;
  SsWrapper* wrapper = ss_wrapper(args[0]);
  TVMFFIObject* native = SS_FREE_THREADED ? ss_pin(wrapper) : wrapper->handle;
  if (SS_UNLIKELY(native == NULL)) return NULL;
  const SsGoMemory* memory = memory_of(access, native);
  PyObject* result = SS_LIKELY(memory != NULL) ? use_memory(access, memory, args, count) : NULL;
  if (SS_FREE_THREADED) ss_unpin(wrapper);
  if (SS_UNLIKELY(result == NULL)) PyErr_Clear();  // the call of Go fails in its own words
  return result;
}
