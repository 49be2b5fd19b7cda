// Private to selfsame: the C side of the Go frontend.
//
// A call that can fail and is made from Go reads the error in the same C function, because between two calls the
// goroutine may have moved to another thread: such functions have a last parameter `error`, where they leave a new
// reference to the Error, and return 0 or -1.
#ifndef SELFSAME_INTERNAL_BRIDGE_BRIDGE_H_
#define SELFSAME_INTERNAL_BRIDGE_BRIDGE_H_

#include "selfsame/c_api.h"
#include "selfsame/selfsame.h"
#include "selfsame/tie.h"

// ---- errors and values (call.c) ------------------------------------------------------------------

// Takes the thread's error out of its slot into *error and returns -1.
int ss_front_fail(TVMFFIObjectHandle* error);

// Raises an error made by a format. Returns -1.
int ss_front_raise(const char* kind, const char* format, ...) __attribute__((format(printf, 2, 3)));

// Type indices of arguments that ss_front_call makes a String or Bytes of: v_ptr points to memory that stays where it
// is for the duration of the call, small_str_len is its length.
enum { SS_FRONT_GO_STR = -64, SS_FRONT_GO_BYTES = -65 };

// The memory of a call out of Go: bridge.Frame.
typedef struct {
  TVMFFIAny args[8];
  TVMFFIAny result;
  uint64_t error;
} ss_front_frame;

// Calls a Function. The addresses are numbers: cgo looks at every pointer argument. args are borrowed; frame->result
// becomes an owned value, or frame->error the address of the Error. has_texts: there may be texts of the kinds above.
int ss_front_call(uint64_t function, uint64_t frame, uint64_t args, int32_t num_args, int has_texts);

// A TVMFFIAny as two words: type_index, and small_str_len in the upper half of it, and the payload. Two words come back
// in registers, and a word that was stored is not read as part of something wider, which a processor would wait for.
typedef struct {
  uint64_t head;
  uint64_t bits;
} ss_front_value;

// The head of a result that is the address of an Error.
enum { SS_FRONT_FAILED = -66 };

// Calls a Function with num_args of two, or four, borrowed values, none of which is a text of the kinds above. The
// result is owned. Nothing of it lies in memory that Go must find or keep in its place.
ss_front_value ss_front_call2(uint64_t function, int32_t num_args, uint64_t head0, uint64_t bits0, uint64_t head1,
                              uint64_t bits1);
ss_front_value ss_front_call4(uint64_t function, int32_t num_args, uint64_t head0, uint64_t bits0, uint64_t head1,
                              uint64_t bits1, uint64_t head2, uint64_t bits2, uint64_t head3, uint64_t bits3);

// *out becomes an owned String (or Bytes) with a copy of the bytes: 0. Otherwise the address of the Error.
uint64_t ss_front_text(int is_bytes, const char* data, size_t size, TVMFFIAny* out);

// The key of a value's type, as it stands in messages. It lives as long as the process.
const char* ss_front_type_key(const TVMFFIAny* value);

// ---- containers (container.c) --------------------------------------------------------------------

// A new Array, List, Shape, or of keys and values in turn a Map or Dict, with owned copies of the views. *out: new
// reference.
int ss_front_container(int32_t type_index, const TVMFFIAny* views, int32_t n, TVMFFIObjectHandle* out);
int ss_front_container_from_go(int32_t type_index, const TVMFFIAny* views, int32_t n, TVMFFIObjectHandle* out,
                               TVMFFIObjectHandle* error);

// Memory for elements, NULL when there is none.
void* ss_front_buffer_new(size_t size);

// The data_deleter, as a number, of memory from malloc or operator new. It takes NULL.
uint64_t ss_front_buffer_deleter(void);

// Calls a data_deleter of whatever origin.
void ss_front_call_deleter(uint64_t deleter, void* data);

// ---- types (convert.c) ---------------------------------------------------------------------------

// A class known to this frontend, registered or not yet. Never freed.
typedef struct {
  int32_t type_index;  // -1 until registered; atomic
  int32_t depth;
  const char* key;
} ss_front_class;

typedef enum {
  SS_FRONT_ANY,
  SS_FRONT_I8,
  SS_FRONT_I16,
  SS_FRONT_I32,
  SS_FRONT_I64,
  SS_FRONT_U8,
  SS_FRONT_U16,
  SS_FRONT_U32,
  SS_FRONT_U64,
  SS_FRONT_F32,
  SS_FRONT_F64,
  SS_FRONT_BOOL,
  SS_FRONT_STRING,
  SS_FRONT_BYTES,
  SS_FRONT_OBJECT,
  SS_FRONT_ARRAY,
  SS_FRONT_OPTIONAL,
  SS_FRONT_LIST,
  SS_FRONT_MAP,
  SS_FRONT_DICT,
  SS_FRONT_DTYPE,
  SS_FRONT_DEVICE,
  SS_FRONT_POINTER,
  SS_FRONT_VALUE,  // stored as a value, converted as the inner type says
  SS_FRONT_TUPLE   // an Array of exactly as many elements as there are parts
} ss_front_kind;

// What a field or an element may hold. Never freed.
typedef struct ss_front_type {
  ss_front_kind kind;
  const ss_front_class* class_info;    // OBJECT
  const struct ss_front_type* inner;   // ARRAY, LIST: the elements; MAP, DICT: the values;
                                       // OPTIONAL, VALUE: the value
  const struct ss_front_type* key;     // MAP, DICT
  const struct ss_front_type** parts;  // TUPLE
  int64_t num_parts;                   // TUPLE
  const char* name;                    // in messages
} ss_front_type;

// Converts a borrowed view to an owned value of the type. 0: done. 1: not of this type, and `text` says what came.
// -1: error raised.
int ss_front_convert(const TVMFFIAny* view, const ss_front_type* type, TVMFFIAny* owned, char* text, size_t text_size);

// Parts of ss_front_convert (convert_container.c, convert_plain.c).
int ss_front_convert_sequence(const TVMFFIAny* value, const ss_front_type* type, TVMFFIAny* owned, char* text,
                              size_t text_size);
int ss_front_convert_map(const TVMFFIAny* value, const ss_front_type* type, TVMFFIAny* owned, char* text,
                         size_t text_size);
int ss_front_convert_plain(const TVMFFIAny* value, const ss_front_type* type, TVMFFIAny* owned, char* text,
                           size_t text_size);

// A DataType (SS_FRONT_DTYPE) or Device (SS_FRONT_DEVICE) of a value that is one or its text. 1: it is neither.
int ss_front_plain_from_go(ss_front_kind kind, const TVMFFIAny* value, TVMFFIAny* owned, TVMFFIObjectHandle* error);

// *out: the owned text of a data type.
int ss_front_dtype_text(DLDataType dtype, TVMFFIAny* out, TVMFFIObjectHandle* error);

int ss_front_convert_from_go(const TVMFFIAny* view, const ss_front_type* type, TVMFFIAny* owned, char* text,
                             size_t text_size, TVMFFIObjectHandle* error);

// ---- fields (field_get.c, field_set.c, field_use.c) -----------------------------------------------------------

typedef struct {
  const ss_front_type* type;
  const char* where;  // "geo.Point.x", in messages
} ss_front_field;

TVMFFIFieldGetter ss_front_getter(const ss_front_type* type);

// Registers a field with the getter and setter of its type. field is kept.
int ss_front_register_field(int32_t type_index, TVMFFIFieldInfo* info, const ss_front_field* field,
                            TVMFFIObjectHandle* error);

// Reads a field of any class; *value: new reference.
int ss_front_get_field(const TVMFFIFieldInfo* info, TVMFFIObject* object, TVMFFIAny* value, TVMFFIObjectHandle* error);

// Sets a field of any class; value: borrowed.
int ss_front_set_field(const TVMFFIFieldInfo* info, TVMFFIObject* object, const TVMFFIAny* value,
                       TVMFFIObjectHandle* error);

// ---- objects (object.c) --------------------------------------------------------------------------

typedef struct {
  int32_t offset;
  int32_t size;   // 16: a TVMFFIAny, 8: an object pointer
  int32_t fresh;  // kTVMFFIList, kTVMFFIDict: each new instance gets an empty container of its own; 0: a copy
} ss_front_cell;

// How instances of a class are made and unmade. Never freed.
typedef struct {
  int32_t type_index;
  int32_t size;
  int32_t alignment;
  int32_t num_cells;
  const ss_front_cell* cells;
  void* prototype;  // `size` bytes: what a new instance holds behind its header; owns the references of its cells
} ss_front_layout;

// Makes the layout known to the deleter. Must be called before the first instance is made. 0, or -1 out of memory.
int ss_front_add_layout(const ss_front_layout* layout);

// A new instance. *out: new reference.
int ss_front_new(const ss_front_layout* layout, TVMFFIObjectHandle* out);

// The address of a new instance, or that of an Error plus 1. With a go_word other than 0 the instance gets a tie record
// with that word, unless there is no memory for one.
uint64_t ss_front_new_or_error(const ss_front_layout* layout, const SelfsameTieTable* table, uint64_t go_word);

// Drops a strong reference. The address is a number: cgo looks at every pointer argument.
void ss_front_dec_ref(uint64_t object);

// A function for TVMFFITypeMetadata.creator, NULL when there are no more: such a class needs `__ffi_new__`.
TVMFFIObjectCreator ss_front_creator(const ss_front_layout* layout);

// Registers the attributes by which others make (`__ffi_new__`, if has_creator is 0) and copy (`__ffi_shallow_copy__`)
// instances.
int ss_front_register_makers(const ss_front_layout* layout, int has_creator, TVMFFIObjectHandle* error);

// Releases the object in a cell and leaves it empty.
void ss_front_release_value(TVMFFIAny* value);

// ---- what C keeps of Go (goref.c) --------------------------------------------------------------

// Go's side of a call of the closure `id`: 0 with *result owned, or -1 with the error raised.
int ssgo_front_invoke(uint64_t id, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result);

// What C holds of the Go value `id`. NULL: no memory, and the error is raised.
typedef struct ss_front_token ss_front_token;
ss_front_token* ss_front_new_token(uint64_t id);

// Ends a token, on any thread: its id goes into the list of the dead.
void ss_front_bury(void* token);

// A Function that calls the Go closure `id`. *out: new reference.
int ss_front_function(uint64_t id, TVMFFIObjectHandle* out, TVMFFIObjectHandle* error);

// An object that keeps the Go value `id`; type_index is that of its class. *out: new reference.
int ss_front_keeper(int32_t type_index, uint64_t id, TVMFFIObjectHandle* out, TVMFFIObjectHandle* error);

// The id in an object made by ss_front_keeper of this library, 0 for any other object.
uint64_t ss_front_keeper_id(const TVMFFIObject* object, int32_t type_index);

// Takes up to n ids whose Function or keeper has died. Returns how many. Any thread.
int32_t ss_front_take_dead(uint64_t* ids, int32_t n);

// Whether there are any. A load.
int ss_front_has_dead(void);

// ---- tensors (tensor.c) --------------------------------------------------------------------------

// A Tensor over CPU memory at `data`, which the Go value `id` keeps. *out: new reference.
int ss_front_tensor(uint64_t id, uint64_t data, DLDataType dtype, int32_t ndim, const int64_t* shape,
                    TVMFFIObjectHandle* out, TVMFFIObjectHandle* error);

// A Tensor of a managed tensor, which it takes over if it succeeds. *out: new reference.
int ss_front_tensor_from_dlpack(uint64_t managed, TVMFFIObjectHandle* out, TVMFFIObjectHandle* error);

// A managed tensor, owned by the caller, that holds a reference to the Tensor; 0 with *error.
uint64_t ss_front_tensor_to_dlpack(TVMFFIObjectHandle tensor, TVMFFIObjectHandle* error);

// Calls a managed tensor's deleter.
void ss_front_dlpack_delete(uint64_t managed);

// ---- registration (register.c) -------------------------------------------------------------------

int ss_front_register_type(const TVMFFIByteArray* key, int32_t depth, int32_t parent, int final, int32_t* index,
                           TVMFFIObjectHandle* error);

// The type index of a key, -1 when there is none.
int32_t ss_front_type_index(const TVMFFIByteArray* key);

int ss_front_register_metadata(int32_t index, const TVMFFITypeMetadata* metadata, TVMFFIObjectHandle* error);
int ss_front_register_method(int32_t index, const TVMFFIMethodInfo* info, TVMFFIObjectHandle* error);
int ss_front_register_attr(int32_t index, const TVMFFIByteArray* name, const TVMFFIAny* value,
                           TVMFFIObjectHandle* error);
int ss_front_set_global(const TVMFFIMethodInfo* info, int override, TVMFFIObjectHandle* error);
int ss_front_get_global(const char* name, size_t size, TVMFFIObjectHandle* out, TVMFFIObjectHandle* error);
int ss_front_error(const char* kind, size_t kind_size, const char* message, size_t message_size, const char* backtrace,
                   size_t backtrace_size, TVMFFIObjectHandle cause, TVMFFIObjectHandle extra, TVMFFIObjectHandle* out);
void ss_front_append_backtrace(TVMFFIObjectHandle error, const char* text, size_t size);
const SelfsameTieTable* ss_front_tie_table(TVMFFIObjectHandle* error);
SelfsameTieRecord* ss_front_tie_acquire(const SelfsameTieTable* table, uint64_t object);
uint32_t ss_front_tie_owner(const SelfsameTieTable* table);
int64_t ss_front_live_objects(void* function, int32_t type_index);
void* ss_front_live_function(void);

// ---- resting objects (freelist.c) -----------------------------------------------------------------

// Addresses of SelfsameAllocationGet and SelfsameCountResting when they are linked into the program, else NULL.
void* ss_front_allocation_function(void);
void* ss_front_resting_function(void);

// Calls them at their addresses. ss_front_count_resting tells the runtime and the tie table: 0, or -1 when out of
// memory; what was told before that stays, so the word must then stay 0.
const SelfsameAllocation* ss_front_allocation_get(void* function);
int ss_front_count_resting(void* function, const SelfsameTieTable* table, int32_t type_index, uint64_t word);

#endif  // SELFSAME_INTERNAL_BRIDGE_BRIDGE_H_
