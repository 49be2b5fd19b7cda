// Schemas: what values a typed field, argument or container element takes, and how a Python value becomes one of them.
//
// A schema is a tree of nodes that selfsame_ffi/_types/type_schema.py compiles once for each type annotation. It converts a
// Python value to an owned native value directly, without making other Python objects: typed setters, constructors and
// TypeSchema.convert run through it.
//
// Why a type schema is compiled to a tree in the core. A typed field is converted at every assignment and in every
// constructor, which is slow in Python. A native container is first compared with the schema in its own memory and
// passed on when all elements fit. That runs no Python code, so a setter that native code calls takes the GIL only for
// a value that has to be converted.
#ifndef SELFSAME_CORE_CONVERT_SCHEMA_H_
#define SELFSAME_CORE_CONVERT_SCHEMA_H_

#include "tie/core.h"

typedef enum {
  SS_SCHEMA_ANY,
  SS_SCHEMA_NONE,
  SS_SCHEMA_INT,
  SS_SCHEMA_FLOAT,
  SS_SCHEMA_BOOL,
  SS_SCHEMA_STR,
  SS_SCHEMA_BYTES,
  SS_SCHEMA_DEVICE,
  SS_SCHEMA_DTYPE,
  SS_SCHEMA_POINTER,
  SS_SCHEMA_TENSOR,
  SS_SCHEMA_CALLABLE,
  SS_SCHEMA_ARRAY,     // parts: the element's schema, or none for any element
  SS_SCHEMA_LIST,      // the same
  SS_SCHEMA_MAP,       // parts: of the key and of the value, or none
  SS_SCHEMA_DICT,      // the same
  SS_SCHEMA_TUPLE,     // parts: of each element; `bare` for a tuple of any length
  SS_SCHEMA_OBJECT,    // an object of `type_index` or of a type derived from it
  SS_SCHEMA_ENUM,      // the same, and `helper` finds the member for a payload
  SS_SCHEMA_OPTIONAL,  // parts: of a value other than None
  SS_SCHEMA_UNION,     // parts: the alternatives, tried in this order
  SS_SCHEMA_KINDS,
} SsSchemaKind;

typedef struct SsSchema {
  PyObject_VAR_HEAD SsSchemaKind kind;
  int32_t type_index;        // SS_SCHEMA_OBJECT, SS_SCHEMA_ENUM: the class
  int bare;                  // SS_SCHEMA_TUPLE: of any length, without types of elements
  PyObject* expected;        // str, for messages: "expected <this>, got int"
  PyObject* helper;          // a callable or NULL
  struct SsSchema* parts[];  // of the elements or alternatives; owned
} SsSchema;

extern SS_HIDDEN PyTypeObject SsSchema_Type;

// Why a value does not fit, and what its conversion did.
typedef struct {
  PyObject* message;  // str, owned; set together with the result SS_MISMATCH unless `quiet`
  int quiet;          // an alternative is tried: nobody reads the message
  int changed;        // the native value is not simply the one of the Python value, so a container of it is a new one
} SsConversion;

// Results of a conversion.
enum { SS_CONVERTED = 0, SS_MISMATCH = 1, SS_FAILED = -1 };

// Converts a value. SS_CONVERTED: *out is owned; SS_MISMATCH: no error is set, state->message says what is wrong;
// SS_FAILED: an error is set that is no mismatch, such as KeyboardInterrupt. May run Python code.
SS_HIDDEN int ss_schema_convert(SsSchema* schema, PyObject* value, SsConversion* state, TVMFFIAny* out);

// The same as 0 or -1: a mismatch sets TypeError with the message.
SS_HIDDEN int ss_schema_to_owned(SsSchema* schema, PyObject* value, TVMFFIAny* out);

// Whether a native value is one that the schema takes as it is. Runs no Python code and sets no error; any thread.
SS_HIDDEN int ss_schema_fits(const SsSchema* schema, const TVMFFIAny* value);

// Converts a native value that native code stores in a typed field: the function that ffi.MakeFieldSetter calls.
// `schema` is an SsSchema, borrowed; *result is owned. Any thread. 0, or -1 with an error raised.
SS_HIDDEN int ss_schema_convert_native(void* schema, const TVMFFIAny* value, TVMFFIAny* result);

// ---- between the files of the conversion ----

// SS_MISMATCH "expected <schema>, got <type of value>".
SS_HIDDEN int ss_mismatch(const SsSchema* schema, PyObject* value, SsConversion* state);

// SS_MISMATCH with a message. Format as PyUnicode_FromFormat.
SS_HIDDEN int ss_mismatch_text(SsConversion* state, const char* format, ...);

// Puts a text in front of the mismatch's message. Returns SS_MISMATCH.
SS_HIDDEN int ss_mismatch_in(SsConversion* state, const char* format, ...);

// The error that is set becomes a mismatch, whose message `explain` makes of "expected <schema>, got <type>" and of the
// error's text: a new reference, NULL with an error set.
typedef PyObject* (*SsExplain)(PyObject* message, PyObject* reason);
SS_HIDDEN int ss_mismatch_explained(const SsSchema* schema, PyObject* value, SsConversion* state, SsExplain explain);

// The error that is set, of the class Exception, becomes the mismatch "expected <schema>, got <type>: <error>". Any
// other error stays: SS_FAILED.
SS_HIDDEN int ss_mismatch_from_error(const SsSchema* schema, PyObject* value, SsConversion* state);

// The name of a value's type in messages. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_describe_type(PyObject* value);

// The native value of a Python value, as arguments of calls are converted; failures are mismatches.
SS_HIDDEN int ss_schema_pack(const SsSchema* schema, PyObject* value, SsConversion* state, TVMFFIAny* out);

SS_HIDDEN int ss_convert_scalar(SsSchema* schema, PyObject* value, SsConversion* state, TVMFFIAny* out);
SS_HIDDEN int ss_convert_sequence(SsSchema* schema, PyObject* value, SsConversion* state, TVMFFIAny* out);
SS_HIDDEN int ss_convert_mapping(SsSchema* schema, PyObject* value, SsConversion* state, TVMFFIAny* out);
SS_HIDDEN int ss_convert_object(SsSchema* schema, PyObject* value, SsConversion* state, TVMFFIAny* out);

#endif  // SELFSAME_CORE_CONVERT_SCHEMA_H_
