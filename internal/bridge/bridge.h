// Private to selfsame: the C side of the Go frontend.
//
// Errors. Between two calls into C a goroutine may move to another thread, and the raised error is thread-local. So
// each function that can fail and is called from Go fetches the raised error itself: it has a last parameter `error`,
// stores a new reference to the Error there, and returns 0 or -1. Functions without that parameter leave the error
// raised.
//
// Threads. Every function may be called on any thread; none takes a lock, unless its comment says otherwise.
#ifndef SELFSAME_INTERNAL_BRIDGE_BRIDGE_H_
#define SELFSAME_INTERNAL_BRIDGE_BRIDGE_H_

#include "selfsame/c_api.h"
#include "selfsame/internal/attributes.h"
#include "selfsame/internal/go_memory.h"
#include "selfsame/selfsame.h"
#include "selfsame/tie.h"

// ---- errors and values (call_out.c) ------------------------------------------------------------------

// Moves the thread's raised error into *error, which becomes a new reference and is never NULL. Returns -1.
int ss_bridge_fail(TVMFFIObjectHandle* error);

// Raises an Error of that kind with a formatted message of at most 511 bytes. Returns -1.
int ss_bridge_raise(const char* kind, const char* format, ...) SS_PRINTF(2, 3);

// Type indices of arguments that ss_bridge_call replaces by a String or Bytes object: v_ptr points to the text, which
// must not move during the call, and small_str_len is its length.
enum { SS_BRIDGE_GO_STR = -64, SS_BRIDGE_GO_BYTES = -65 };

// The memory of one call from Go. Mirrored by Frame in bridge.go.
typedef struct {
  TVMFFIAny args[8];  // views or owned values, as the call says
  TVMFFIAny result;   // owned by the caller
  uint64_t error;     // the Error that was raised, owned by the caller; 0: none
} SsCallFrame;

// Calls a Function. Addresses are passed as numbers, because cgo checks every pointer argument. The arguments are
// borrowed. 0: frame->result is an owned value. -1: frame->error is the address of the Error, a new reference.
// has_texts: some of the first 64 arguments may be SS_BRIDGE_GO_STR or SS_BRIDGE_GO_BYTES.
int ss_bridge_call(uint64_t function, uint64_t frame, uint64_t args, int32_t num_args, int has_texts);

// A TVMFFIAny as two words, which come back in the processor's registers: head has type_index in its lower half and
// small_str_len in its upper half, bits has the value.
typedef struct {
  uint64_t head;  // type_index and small_str_len
  uint64_t bits;  // the value
} SsValueWords;

// The type index of a result whose bits are the address of an Error.
enum { SS_BRIDGE_FAILED = -66 };

// Call a Function with the first num_args of two or four borrowed values, none of them SS_BRIDGE_GO_STR or
// SS_BRIDGE_GO_BYTES. The result is owned. None of them lies in Go memory, so nothing needs pinning.
// internal/engine/call/invoke.go says why.
SsValueWords ss_bridge_call2(uint64_t function, int32_t num_args, uint64_t head0, uint64_t bits0, uint64_t head1,
                             uint64_t bits1);
SsValueWords ss_bridge_call4(uint64_t function, int32_t num_args, uint64_t head0, uint64_t bits0, uint64_t head1,
                             uint64_t bits1, uint64_t head2, uint64_t bits2, uint64_t head3, uint64_t bits3);
// The same for small values: see CallWords in bridge.go.
SsValueWords ss_bridge_call_words(uint64_t function, uint64_t heads, uint64_t bits0, uint64_t bits1, uint64_t bits2,
                                  uint64_t bits3);

// Calls the C function at the address, which takes nothing and raises an error when it does not return 0: the entrance of
// an extension. Returns 0, or the address of the Error, a new reference.
uint64_t ss_bridge_call_init(uint64_t function);

// Stores in *out an owned String (or Bytes) with a copy of the bytes. Returns 0, or the address of the Error, a new
// reference.
uint64_t ss_bridge_new_text(int is_bytes, const char* data, size_t size, TVMFFIAny* out);

// Stores in `out` an owned String for each of `count` TVMFFIByteArray at the address `texts`. Returns how many were made;
// fewer than `count`: *error is an Error, a new reference.
int ss_bridge_new_texts(uint64_t texts, size_t count, TVMFFIAny* out, TVMFFIObjectHandle* error);

// The type key of a value, for messages. The text is never freed.
const char* ss_bridge_type_key(const TVMFFIAny* value);

// ---- containers (container.c) --------------------------------------------------------------------

// Make an Array, List or Shape of n views, or a Map or Dict of n / 2 keys and values that take turns. The container
// owns copies of the views. *out: new reference.
int ss_bridge_new_container(int32_t type_index, const TVMFFIAny* views, int32_t n, TVMFFIObjectHandle* out);
int ss_bridge_new_container_from_go(int32_t type_index, const TVMFFIAny* views, int32_t n, TVMFFIObjectHandle* out,
                                    TVMFFIObjectHandle* error);

// ---- types (convert.c) ---------------------------------------------------------------------------

// A class that Go code has mentioned, before or after its registration. Never freed.
typedef struct {
  int32_t type_index;  // -1 until registered; atomic
  int32_t depth;       // of its ancestors
  const char* key;     // owned
} SsClass;

typedef enum {
  SS_KIND_ANY,
  SS_KIND_I8,
  SS_KIND_I16,
  SS_KIND_I32,
  SS_KIND_I64,
  SS_KIND_U8,
  SS_KIND_U16,
  SS_KIND_U32,
  SS_KIND_U64,
  SS_KIND_F32,
  SS_KIND_F64,
  SS_KIND_BOOL,
  SS_KIND_STRING,
  SS_KIND_BYTES,
  SS_KIND_OBJECT,
  SS_KIND_ARRAY,
  SS_KIND_OPTIONAL,
  SS_KIND_LIST,
  SS_KIND_MAP,
  SS_KIND_DICT,
  SS_KIND_DTYPE,
  SS_KIND_DEVICE,
  SS_KIND_POINTER,
  SS_KIND_VALUE,  // stored as a TVMFFIAny, converted to the inner type
  SS_KIND_TUPLE   // an Array with one element per part
} SsKind;

// The declared type of a field or of a container's elements. Never freed.
typedef struct SsType {
  SsKind kind;                  // which says what of the following is set
  const SsClass* class_info;    // OBJECT
  const struct SsType* inner;   // ARRAY, LIST: the elements; MAP, DICT: the values;
                                // OPTIONAL, VALUE: the value
  const struct SsType* key;     // MAP, DICT
  const struct SsType** parts;  // TUPLE
  int64_t num_parts;            // TUPLE
  const char* name;             // for messages
} SsType;

// Converts a borrowed view to the declared type. An ObjectRValueRef gives its reference up if the conversion succeeds.
// 0: *owned is an owned value. 1: the view is not of the type, and `text` names the type it has. -1: an error is
// raised.
int ss_bridge_convert(const TVMFFIAny* view, const SsType* type, TVMFFIAny* owned, char* text, size_t text_size);

// ss_bridge_convert for Go.
int ss_bridge_convert_from_go(const TVMFFIAny* view, const SsType* type, TVMFFIAny* owned, char* text, size_t text_size,
                              TVMFFIObjectHandle* error);

// Writes the type key of the value into `text` and returns 1: the answer of the functions here for a value of another
// type.
int ss_bridge_other_type(const TVMFFIAny* value, char* text, size_t text_size);

// The least significant word of a BigInt.
uint64_t ss_bridge_low_word(const TVMFFIObject* big_int);

// ss_bridge_convert for one family of kinds each; the value is no ObjectRValueRef. Array, List and tuple, Map and Dict
// (convert_container.c); data type, device and pointer (convert_plain.c).
int ss_bridge_convert_sequence(const TVMFFIAny* value, const SsType* type, TVMFFIAny* owned, char* text,
                               size_t text_size);
int ss_bridge_convert_map(const TVMFFIAny* value, const SsType* type, TVMFFIAny* owned, char* text, size_t text_size);
int ss_bridge_convert_plain(const TVMFFIAny* value, const SsType* type, TVMFFIAny* owned, char* text, size_t text_size);

// Converts a data type or a device, or the text of one, for Go. kind: SS_KIND_DTYPE or SS_KIND_DEVICE. 1: the value is
// neither.
int ss_bridge_convert_plain_from_go(SsKind kind, const TVMFFIAny* value, TVMFFIAny* owned, TVMFFIObjectHandle* error);

// Stores the text of a data type in *out, an owned value.
int ss_bridge_dtype_text(DLDataType dtype, TVMFFIAny* out, TVMFFIObjectHandle* error);

// ---- fields (field_get.c, field_set.c, field_use.c) ----------------------------------------------

// A field that this frontend registered. Never freed.
typedef struct {
  const SsType* type;  // what the field accepts
  const char* where;   // "geo.Point.x", for messages
} SsField;

// The getter for fields of a type.
TVMFFIFieldGetter ss_bridge_getter(const SsType* type);

// Registers a field with the getter and setter of its type. The setter keeps the pointer `field`.
int ss_bridge_register_field(int32_t type_index, TVMFFIFieldInfo* info, const SsField* field,
                             TVMFFIObjectHandle* error);

// Reads a field of a class of any frontend. *value: an owned value.
int ss_bridge_get_field(const TVMFFIFieldInfo* info, TVMFFIObject* object, TVMFFIAny* value, TVMFFIObjectHandle* error);

// Does ss_bridge_get_field's work for the addresses of a TVMFFIFieldInfo and an object. A result with the type index
// SS_BRIDGE_FAILED has the address of the Error, a new reference.
SsValueWords ss_bridge_get_field_words(uint64_t info, uint64_t object);

// Sets a field of a class of any frontend. The value is borrowed.
int ss_bridge_set_field(const TVMFFIFieldInfo* info, TVMFFIObject* object, const TVMFFIAny* value,
                        TVMFFIObjectHandle* error);

// ---- objects (object.c) --------------------------------------------------------------------------

// A place in an instance that owns what it refers to. Mirrored by OwnedField in class.go.
typedef struct {
  int32_t offset;  // in bytes from the object's address
  int32_t size;    // 16: a TVMFFIAny, 8: an object pointer
  int32_t fresh;   // kTVMFFIList, kTVMFFIDict: each new instance gets an empty container; 0: a copy of the prototype's
} SsOwnedField;

// How instances of a Go class are created and deleted. Never freed.
typedef struct {
  int32_t type_index;        // of the class
  int32_t size;              // in bytes, header included
  int32_t alignment;         // in bytes
  int32_t num_owned_fields;  // of owned_fields
  int32_t drops;             // 1: the class has OnDrop, so the deleter gives its objects to Go before they die (drop.c)
  const SsOwnedField* owned_fields;  // owned
  void* prototype;  // `size` bytes, copied into each new instance except for the header; owns what its fields refer to
} SsLayout;

// Puts the layout into the table for the deleter, before the first instance is created. 0, or -1 when out of memory.
int ss_bridge_add_layout(const SsLayout* layout);

// Creates an instance. *out: new reference.
int ss_bridge_new(const SsLayout* layout, TVMFFIObjectHandle* out);

// Creates an instance for Go. Returns its address, or that of an Error plus 1; either is a new reference. If go_id is
// not 0, the instance gets a tie record with that Go handle id, unless there is no memory for a record.
uint64_t ss_bridge_new_or_error(uint64_t layout, uint64_t table, uint64_t go_id);

// Creates an object by the creator of its class, which must have one. Returns its address, or that of an Error plus 1; either is
// a new reference.
uint64_t ss_bridge_create(const TVMFFITypeInfo* info);

// Releases a strong reference. The address is a number, because cgo checks every pointer argument.
void ss_bridge_dec_ref(uint64_t object);

// Releases a weak reference of an object that the caller owns; frees the memory when it was the last one.
void ss_bridge_weak_dec_ref(uint64_t object);

// A function for TVMFFITypeMetadata.creator. NULL when all of them are in use: such a class needs `__ffi_new__`.
TVMFFIObjectCreator ss_bridge_creator(const SsLayout* layout);

// Registers the type attributes through which other frontends create (`__ffi_new__`, if has_creator is 0) and copy
// (`__ffi_shallow_copy__`) instances.
int ss_bridge_register_makers(const SsLayout* layout, int has_creator, TVMFFIObjectHandle* error);

// Sets an owned value to None, then releases what it referred to.
void ss_bridge_release_value(TVMFFIAny* value);

// The deleter of instances: releases what the fields own, and frees the memory.
void ss_bridge_delete_instance(void* object, int flags);

// ---- instances of classes with OnDrop (drop.c) ---------------------------------------------------

// The deleter of instances made now. It calls ss_bridge_delete_instance when Go has run their funcs.
void (*ss_bridge_dropping_deleter(void))(void* object, int flags);

// From the first call on, the exit of the process waits for funcs of OnDrop that have not returned. 0.
int ss_bridge_watch_exit(void);

// The number of dropped instances that have not ended. Read atomically.
extern int64_t* const ss_bridge_pending __attribute__((visibility("hidden")));

// Takes up to n instances whose last reference is gone, in the order of their deaths, and returns how many. The caller
// gets a new reference to each, whose release deletes the instance. One thread at a time.
int32_t ss_bridge_take_dropped(uint64_t* objects, int32_t n);

// The caller has released the reference to an instance that ss_bridge_take_dropped gave it. Returns how many are left.
int64_t ss_bridge_drop_ended(void);

// How many dropped instances have not ended: those of all libraries in the table, or with NULL those of this one.
int64_t ss_bridge_pending_drops(const SelfsameTieTable* table);

// Tells Go that there are dropped instances, only through the table of entry points. It does not wait.
void ssgo_bridge_dropped(void);

// ---- calls into Go (call_in.c) -------------------------------------------------------------------

// Calls the Go func `id` (call_go_func in call_in.c), only through the table of entry points (go_state.h). The arguments are borrowed.
// 0: *result is an owned value. -1: an error is raised.
int ssgo_bridge_invoke(uint64_t id, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result);

// A Function that calls the Go func `id`. *out: new reference.
int ss_bridge_new_function(uint64_t id, TVMFFIObjectHandle* out, TVMFFIObjectHandle* error);

// ---- collectors (collector.c) ----------------------------------------------------------------------

// Runs Go's collector until it finds nothing more (process.go). Only through the table of entry points.
int64_t ssgo_bridge_collect(void);

// Has Go's collector drop no more references, and waits until it drops none. Only through the table of entry points.
void ssgo_bridge_stop(void);

// Gives a variable of the environment a value in Go's copy of it (process.go); value NULL: takes it away. Both are borrowed. Only
// through the table of entry points.
void ssgo_bridge_setenv(char* name, char* value);

// Adds this library to the process's list of collectors; the Go of a forked child only stores its words there. kept,
// settled: addresses of words that stay readable for the life of the process.
void ss_bridge_add_collector(const SelfsameTieTable* table, uint64_t kept, uint64_t settled);

// Says that the packages of this library are being initialised, or no longer. Until then Go lets no other thread's call
// in, so its collector is left out: the thread would wait for an init function that may never return.
void ss_bridge_initialising(int on);

// Runs the other collectors of the list once each, and returns what they gave back.
int64_t ss_bridge_collect_others(const SelfsameTieTable* table);

// ---- references to Go values (goref.c) -----------------------------------------------------------

// The reference of a native object to the Go value `id`. NULL: no memory, and the error is raised.
typedef struct SsGoRef {
  struct SsGoRef* next;  // of the list that it is on
  uint64_t id;           // of the Go value
} SsGoRef;

// The lists of a library, two stacks that many threads use at once: each takes all of a list, or pushes.
typedef struct SsGoRefs {
  SsGoRef* dead;   // whose native objects have died. Go takes them (object.go)
  SsGoRef* spare;  // a few that Go has taken, for ss_bridge_new_go_ref
} SsGoRefs;
SsGoRefs* ss_bridge_go_refs(void);

SsGoRef* ss_bridge_new_go_ref(uint64_t id);

// Ends a reference: it joins the list of dead ones. Any thread, no lock, no Go.
void ss_bridge_drop_go_ref(void* ref);

// Frees references that are on no list of SsGoRefs: the first one, and those behind it.
void ss_bridge_free_go_refs(uint64_t list);

// An opaque object that keeps the Go value `id`; type_index is that of its class. *out: new reference.
int ss_bridge_new_opaque(int32_t type_index, uint64_t id, TVMFFIObjectHandle* out, TVMFFIObjectHandle* error);

// An opaque object of the class that ss_bridge_value_class made, with the name of the Go type, which must never be
// freed. *out: new reference.
int ss_bridge_new_value(int32_t type_index, uint64_t id, const char* type_name, TVMFFIObjectHandle* out,
                        TVMFFIObjectHandle* error);

// The memory of both sorts of opaque objects. Go reads it.
typedef struct {
  TVMFFIObject header;  // counts, type index and deleter
  const void* owner;    // ss_bridge_go_refs of the library that made it: all Go libraries of a process share the class
  SsGoRef* ref;         // owned
  const char* type_name;  // NULL unless made by ss_bridge_new_value
  SsGoMemory memory;      // Go sets it, before other code has the object and when the value moves
} SsOpaque;

// The deleter of both sorts. It releases no other object.
void ss_bridge_delete_value(void* object, int flags);

// A new object whose one owned field refers to a new value, as ss_bridge_new_value makes it. It takes over a weak
// reference to `dead`, an instance that has died, unless that is 0: the new object may get its memory. Returns what
// ss_bridge_new_or_error does.
uint64_t ss_bridge_new_keeping(uint64_t layout, int32_t value_type, uint64_t id, uint64_t type_name, uint64_t dead);

// ss_bridge_opaque_class for objects of ss_bridge_new_value, which print their Go type, are their own copies and have
// no JSON form. Registering that fails silently: other code may have registered it already.
int32_t ss_bridge_value_class(const TVMFFIByteArray* key);

// A Function that raises a TypeError with the text, of which it keeps a copy. *out: new reference.
int ss_bridge_new_refusal(const TVMFFIByteArray* text, TVMFFIObjectHandle* out, TVMFFIObjectHandle* error);

// The id in an opaque object made by this library. 0 for any other object.
uint64_t ss_bridge_opaque_id(const TVMFFIObject* object, int32_t type_index);

// Whether an Error has a cause and an extra context to read; see error_links.h.
int ss_bridge_error_has_links(const void* error);

// The highest id that was given to a Go value. The word is atomic; Go counts it up.
uint64_t* ss_bridge_last_id(void);

// ---- tensors (tensor.c) --------------------------------------------------------------------------

// A Tensor over the CPU memory at `data`, which the Go value `id` pins. *out: new reference.
int ss_bridge_new_tensor(uint64_t id, uint64_t data, DLDataType dtype, int32_t ndim, const int64_t* shape,
                         TVMFFIObjectHandle* out, TVMFFIObjectHandle* error);

// A Tensor over the memory of a managed tensor. Takes the managed tensor over if it succeeds. *out: new reference.
int ss_bridge_tensor_from_dlpack(uint64_t managed, TVMFFIObjectHandle* out, TVMFFIObjectHandle* error);

// A managed tensor that owns a reference to the Tensor; the caller owns the managed tensor. 0: *error is the Error.
uint64_t ss_bridge_tensor_to_dlpack(TVMFFIObjectHandle tensor, TVMFFIObjectHandle* error);

// Calls a managed tensor's deleter.
void ss_bridge_dlpack_delete(uint64_t managed);

// ---- registration, errors and tie records (register.c) -------------------------------------------

// Takes a type index for a new type key. depth: number of ancestors. final: no class can derive from it.
int ss_bridge_register_type(const TVMFFIByteArray* key, int32_t depth, int32_t parent, int final, int32_t* index,
                            TVMFFIObjectHandle* error);

// The type index of a type key. -1 when there is none; no error is raised then.
int32_t ss_bridge_type_index(const TVMFFIByteArray* key);

// The type index of a class without fields, derived from ffi.Object, which all Go libraries of the process share; the
// first call registers it. -1: there was no type index left.
int32_t ss_bridge_opaque_class(const TVMFFIByteArray* key);

// TVMFFIGetTypeInfo, TVMFFIGetTypeAttrColumn and TVMFFIErrorSetRaised.
const TVMFFITypeInfo* ss_bridge_type_info(int32_t type_index);
const TVMFFITypeAttrColumn* ss_bridge_attr_column(const TVMFFIByteArray* name);
void ss_bridge_set_raised(TVMFFIObjectHandle error);

// TVMFFITypeRegisterMetadata, TVMFFITypeRegisterMethod, TVMFFITypeRegisterAttr and
// TVMFFIFunctionSetGlobalFromMethodInfo for Go. Arguments are borrowed.
int ss_bridge_register_metadata(int32_t index, const TVMFFITypeMetadata* metadata, TVMFFIObjectHandle* error);
int ss_bridge_register_method(int32_t index, const TVMFFIMethodInfo* info, TVMFFIObjectHandle* error);
int ss_bridge_register_attr(int32_t index, const TVMFFIByteArray* name, const TVMFFIAny* value,
                            TVMFFIObjectHandle* error);
int ss_bridge_set_global(const TVMFFIMethodInfo* info, int override, TVMFFIObjectHandle* error);

// Looks up a global function. *out: new reference, or NULL when there is none.
int ss_bridge_get_global(const char* name, size_t size, TVMFFIObjectHandle* out, TVMFFIObjectHandle* error);

// An Error object with its own references to cause and extra, which may be NULL. *out: new reference, NULL when out of
// memory.
int ss_bridge_new_error(const char* kind, size_t kind_size, const char* message, size_t message_size,
                        const char* backtrace, size_t backtrace_size, TVMFFIObjectHandle cause,
                        TVMFFIObjectHandle extra, TVMFFIObjectHandle* out);

// Appends frames to the backtrace of an Error.
void ss_bridge_append_backtrace(TVMFFIObjectHandle error, const char* text, size_t size);

// The process's tie table, never freed. NULL: *error is the Error.
const SelfsameTieTable* ss_bridge_tie_table(TVMFFIObjectHandle* error);

// Calls the member `acquire` of the tie table.
SelfsameTieRecord* ss_bridge_tie_acquire(const SelfsameTieTable* table, uint64_t object);

// Returns the number of this library's Go among the users of the tie table. The upper 16 bits are the library's number,
// which the first call takes with the member `new_go_owner`. The lower ones are the number of forks since then. 0: no
// number is left.
uint32_t ss_bridge_tie_owner(const SelfsameTieTable* table);

// Calls the member `registration_lock` of the process's tie table: 1 takes the lock, 0 gives it back.
void ss_bridge_registration_lock(int on);

// The address of SelfsameLiveObjects when it is linked into the program, else NULL; a call of it at an address.
void* ss_bridge_live_function(void);
int64_t ss_bridge_live_objects(void* function, int32_t type_index);

// ---- free lists (freelist.c) ---------------------------------------------------------------------

// The addresses of SelfsameAllocationGet and SelfsameCountFreeList when they are linked into the program, else NULL.
void* ss_bridge_allocation_function(void);
void* ss_bridge_share_function(void);

// Calls SelfsameAllocationGet at an address.
const SelfsameAllocation* ss_bridge_allocation_get(void* function);

// The address of SelfsameReadOnlyTensorDeleter when it is linked into the program, else NULL; a call of it at an address.
void* ss_bridge_read_only_function(void);
void* ss_bridge_read_only_deleter(void* function);

// Tells the tie table, and through SelfsameCountFreeList at the address the runtime, that *word counts the objects on
// the free list of a type. Returns 0, or -1 when out of memory. After -1 one of them may read the word already, so it
// must stay 0.
int ss_bridge_share_free_list(void* function, const SelfsameTieTable* table, int32_t type_index, uint64_t word);

#endif  // SELFSAME_INTERNAL_BRIDGE_BRIDGE_H_
