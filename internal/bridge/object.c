// Instances of the classes that Go code declares: created as copies of a prototype, deleted by a table of the fields
// that own something.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "bridge.h"
#include "selfsame/internal/refcount.h"
#include "numbered_functions.h"

#if defined(__SANITIZE_ADDRESS__)
#define SS_SANITIZES_MEMORY
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define SS_SANITIZES_MEMORY
#endif
#endif

// Layouts by type index, in pages that are never moved or freed, because deleters read them on any thread, without a
// lock.
// RATIONALE.md, "Why look-ups take no lock, and what is outgrown is kept".
enum { PAGE_BITS = 8, PAGE_SIZE = 1 << PAGE_BITS, NUM_PAGES = 1 << 14 };

// Atomic, as are the elements of a page.
static const SsLayout** pages[NUM_PAGES];

int ss_bridge_add_layout(const SsLayout* layout) {
  uint32_t page = (uint32_t)layout->type_index >> PAGE_BITS;
  if (page >= NUM_PAGES) return -1;
  const SsLayout** entries = __atomic_load_n(&pages[page], __ATOMIC_ACQUIRE);
  if (entries == NULL) {
    const SsLayout** fresh = calloc(PAGE_SIZE, sizeof(*fresh));
    if (fresh == NULL) return -1;
    if (__atomic_compare_exchange_n(&pages[page], &entries, fresh, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      entries = fresh;
    } else {
      free(fresh);
    }
  }
  __atomic_store_n(&entries[layout->type_index & (PAGE_SIZE - 1)], layout, __ATOMIC_RELEASE);
  return 0;
}

// The layout of exactly this type index, or NULL.
static const SsLayout* own_layout(int32_t type_index) {
  uint32_t page = (uint32_t)type_index >> PAGE_BITS;
  if (page >= NUM_PAGES) return NULL;
  const SsLayout** entries = __atomic_load_n(&pages[page], __ATOMIC_ACQUIRE);
  return entries == NULL ? NULL : __atomic_load_n(&entries[type_index & (PAGE_SIZE - 1)], __ATOMIC_ACQUIRE);
}

// The layout that an object was created with. Another frontend may have set the type index of a class that it derived
// from the Go class.
static const SsLayout* layout_of(int32_t type_index) {
  const SsLayout* layout = own_layout(type_index);
  if (layout != NULL) return layout;
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(type_index);
  for (int32_t depth = info == NULL ? 0 : info->type_depth; layout == NULL && depth > 0; depth--) {
    layout = own_layout(info->type_ancestors[depth - 1]->type_index);
  }
  return layout;
}

void ss_bridge_release_value(TVMFFIAny* value) {
  TVMFFIObject* object = value->type_index >= kTVMFFIStaticObjectBegin ? value->v_obj : NULL;
  *value = (TVMFFIAny){.type_index = kTVMFFINone};
  if (object != NULL) TVMFFIObjectDecRef(object);
}

static void release_fields(const SsLayout* layout, char* object) {
  for (int32_t i = 0; i < layout->num_owned_fields; i++) {
    char* field = object + layout->owned_fields[i].offset;
    if (layout->owned_fields[i].size == sizeof(TVMFFIAny)) {
      ss_bridge_release_value((TVMFFIAny*)field);
    } else {
      TVMFFIObjectHandle owned = *(TVMFFIObjectHandle*)field;
      *(TVMFFIObjectHandle*)field = NULL;
      TVMFFIObjectDecRef(owned);
    }
  }
}

// Releases what an instance owns. With the build tag debug it then fills the fields with a pattern, so that a use of a
// borrowed pointer after the object's death shows.
static void clear(TVMFFIObject* object, const SsLayout* layout) {
  if (layout == NULL) return;
  release_fields(layout, (char*)object);
#ifdef SS_BRIDGE_DEBUG
  memset(object + 1, SS_BRIDGE_DEBUG, (size_t)layout->size - sizeof(TVMFFIObject));
#endif
}

static void delete_space(TVMFFIObject* object) { ((TVMFFIObjectAllocHeader*)object)[-1].delete_space(object); }

// Dead objects that ss_bridge_delete_instance has yet to delete, linked through their count words. Nested calls only
// add to the list and the outermost call deletes, so that the death of a long chain does not overflow the stack. The
// list lies on the stack of the outermost call, and the thread's value of `deletion` is its address. This is no
// thread-local variable because a process that forks many times has no room for those of all copies of the library.
static pthread_key_t deletion;
static int no_key;  // the process has no key left: chains are deleted by recursion

// Before Go starts.
__attribute__((constructor(102))) static void make_deletion_key(void) {
  no_key = pthread_key_create(&deletion, NULL) != 0;
}

// Whether an instance owns one Go value, as those of wrapped types do: its death leads to that of no other instance.
static int owns_a_value_only(const TVMFFIObject* object, const SsLayout* layout) {
  if (layout == NULL || layout->num_owned_fields != 1 || layout->owned_fields[0].size == sizeof(TVMFFIAny)) return 0;
  const TVMFFIObject* owned = *(TVMFFIObject* const*)((const char*)object + layout->owned_fields[0].offset);
  return owned != NULL && owned->deleter == ss_bridge_delete_value;
}

void ss_bridge_delete_instance(void* self, int flags) {
  TVMFFIObject* object = self;
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskStrong) == 0) {
    delete_space(object);
    return;
  }
  const SsLayout* layout = layout_of(object->type_index);
  if (owns_a_value_only(object, layout)) {
    clear(object, layout);
    if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) delete_space(object);
    return;
  }
  TVMFFIObject** outer = no_key ? NULL : pthread_getspecific(deletion);
  if (outer != NULL && flags == kTVMFFIObjectDeleterFlagBitMaskBoth) {
    object->combined_ref_count = (uint64_t)(uintptr_t)*outer;
    *outer = object;
    return;
  }
  TVMFFIObject* waiting = NULL;
  if (outer == NULL && !no_key) pthread_setspecific(deletion, &waiting);
  clear(object, layout);
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) delete_space(object);
  if (outer != NULL) return;
  while ((object = waiting) != NULL) {
    waiting = (TVMFFIObject*)(uintptr_t)object->combined_ref_count;
    clear(object, layout_of(object->type_index));
    delete_space(object);
  }
  if (!no_key) pthread_setspecific(deletion, NULL);
}

// Takes a reference to each object that the fields refer to.
static void retain_fields(const SsLayout* layout, char* object) {
  for (int32_t i = 0; i < layout->num_owned_fields; i++) {
    char* field = object + layout->owned_fields[i].offset;
    if (layout->owned_fields[i].size != sizeof(TVMFFIAny)) {
      if (*(TVMFFIObjectHandle*)field != NULL) TVMFFIObjectIncRef(*(TVMFFIObjectHandle*)field);
    } else if (((TVMFFIAny*)field)->type_index >= kTVMFFIStaticObjectBegin) {
      TVMFFIObjectIncRef(((TVMFFIAny*)field)->v_obj);
    }
  }
}

// Memory for an instance, or NULL with the error raised.
static void* new_space(const SsLayout* layout) {
  TVMFFICustomAllocator* allocator = TVMFFIGetCustomAllocator();
  void* body = allocator == NULL ? NULL
                                 : allocator->allocate((size_t)layout->size, (size_t)layout->alignment,
                                                       layout->type_index, allocator->context);
  if (body != NULL) return body;
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(layout->type_index);
  ss_bridge_raise("MemoryError", "selfsame: no memory for an object of class `%s` (%d bytes)",
                  info == NULL ? "" : info->type_key.data, layout->size);
  return NULL;
}

// Fills memory of the layout with the fields of `from`, which has the layout too. Returns a new reference.
static TVMFFIObject* fill(const SsLayout* layout, void* body, const void* from) {
  memcpy(body, from, (size_t)layout->size);
  retain_fields(layout, body);
  ss_object_init(body, layout->type_index, layout->drops ? ss_bridge_dropping_deleter() : ss_bridge_delete_instance);
  return body;
}

// Creates an instance with the fields of `from`. Returns a new reference, or NULL with the error raised.
static TVMFFIObject* new_instance(const SsLayout* layout, const void* from) {
  void* body = new_space(layout);
  return body == NULL ? NULL : fill(layout, body, from);
}

int ss_bridge_new(const SsLayout* layout, TVMFFIObjectHandle* out) {
  TVMFFIObject* object = new_instance(layout, layout->prototype);
  if (object == NULL) return -1;
  for (int32_t i = 0; i < layout->num_owned_fields; i++) {
    const SsOwnedField* field = &layout->owned_fields[i];
    if (field->fresh == 0) continue;
    TVMFFIObjectHandle* container = (TVMFFIObjectHandle*)((char*)object + field->offset);
    if (*container == NULL && ss_bridge_new_container(field->fresh, NULL, 0, container) != 0) {
      TVMFFIObjectDecRef(object);
      return -1;
    }
  }
  *out = object;
  return 0;
}

uint64_t ss_bridge_new_or_error(uint64_t layout, uint64_t table, uint64_t go_id) {
  TVMFFIObjectHandle object = NULL;
  if (ss_bridge_new((const SsLayout*)(uintptr_t)layout, &object) != 0) {
    ss_bridge_fail(&object);
    return (uint64_t)(uintptr_t)object + 1;
  }
  if (go_id != 0) {
    SelfsameTieRecord* record = ((const SelfsameTieTable*)(uintptr_t)table)->acquire(object);
    if (record != NULL) __atomic_store_n(&record->go, go_id, __ATOMIC_RELEASE);
  }
  return (uint64_t)(uintptr_t)object;
}

// Whether the memory of a dead instance, to which the caller owns a weak reference, can be that of a new one: nothing
// else refers to it, and no custom allocator, debugger or sanitizer wants to see its end.
static int is_spare(const TVMFFIObject* dead, const SsLayout* layout) {
#if defined(SS_BRIDGE_DEBUG) || defined(SS_SANITIZES_MEMORY)
  (void)dead, (void)layout;
  return 0;
#else
  void* function = ss_bridge_allocation_function();
  if (function == NULL || dead->type_index != layout->type_index) return 0;
  if (dead->deleter != ss_bridge_delete_instance) return 0;  // that of OnDrop, or of a tie record
  if (__atomic_load_n(&dead->combined_ref_count, __ATOMIC_ACQUIRE) != SS_WEAK_ONE) return 0;
  const SelfsameAllocation* allocation = ss_bridge_allocation_get(function);
  return __atomic_load_n(allocation->current, __ATOMIC_RELAXED) == allocation->builtin &&
         ((const TVMFFIObjectAllocHeader*)dead)[-1].delete_space == allocation->delete_space;
#endif
}

uint64_t ss_bridge_new_keeping(uint64_t layout_of_class, int32_t value_type, uint64_t id, uint64_t type_name,
                               uint64_t dead) {
  const SsLayout* layout = (const SsLayout*)(uintptr_t)layout_of_class;
  TVMFFIObjectHandle value = NULL, error = NULL;
  void* body = (void*)(uintptr_t)dead;
  if (body != NULL && !is_spare(body, layout)) {
    ss_bridge_weak_dec_ref(dead);
    body = NULL;
  }
  if (body == NULL && (body = new_space(layout)) == NULL) {
    ss_bridge_fail(&error);
    return (uint64_t)(uintptr_t)error + 1;
  }
  TVMFFIObject* object = fill(layout, body, layout->prototype);
  if (ss_bridge_new_value(value_type, id, (const char*)(uintptr_t)type_name, &value, &error) == 0) {
    *(TVMFFIObjectHandle*)((char*)object + layout->owned_fields[0].offset) = value;
    return (uint64_t)(uintptr_t)object;
  }
  TVMFFIObjectDecRef(object);
  return (uint64_t)(uintptr_t)error + 1;
}

uint64_t ss_bridge_create(const TVMFFITypeInfo* info) {
  TVMFFIObjectHandle object = NULL;
  if (info->metadata->creator(&object) == 0) return (uint64_t)(uintptr_t)object;
  ss_bridge_fail(&object);
  return (uint64_t)(uintptr_t)object + 1;
}

void ss_bridge_dec_ref(uint64_t object) { TVMFFIObjectDecRef((TVMFFIObjectHandle)(uintptr_t)object); }

void ss_bridge_weak_dec_ref(uint64_t object) { ss_weak_decref((TVMFFIObject*)(uintptr_t)object); }

// The ABI passes a creator nothing but `out`, so each class gets a creator of its own, whose number is the index of its
// layout. Classes beyond these have none: code that makes objects by reflection calls the type attribute `__ffi_new__`
// then, a Function, which has a context. Creators are faster, and older readers know only them.
static const SsLayout* creator_layouts[256];
static uint32_t num_creators;

static int create_numbered(TVMFFIObjectHandle* out, uint32_t n) SS_NUMBERED_TARGET(ss_bridge_create_numbered);
static int create_numbered(TVMFFIObjectHandle* out, uint32_t n) { return ss_bridge_new(creator_layouts[n], out); }
SS_NUMBERED_ENTRIES(ss_bridge_creators, 256, 1, ss_bridge_create_numbered);

TVMFFIObjectCreator ss_bridge_creator(const SsLayout* layout) {
  uint32_t n = __atomic_fetch_add(&num_creators, 1, __ATOMIC_RELAXED);
  if (n >= SS_NUMBERED_COUNT(256)) return NULL;
  creator_layouts[n] = layout;
  return (TVMFFIObjectCreator)SS_NUMBERED_ENTRY(ss_bridge_creators, n);
}

// `__ffi_new__` of a class.
static int new_by_function(void* layout, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)args;
  if (num_args != 0) return ss_bridge_raise("TypeError", "__ffi_new__: expected no arguments, got %d", num_args);
  TVMFFIObjectHandle made = NULL;
  if (ss_bridge_new(layout, &made) != 0) return -1;
  *result = (TVMFFIAny){.type_index = ((TVMFFIObject*)made)->type_index, .v_obj = made};
  return 0;
}

// `__ffi_shallow_copy__` of a class.
static int copy_by_function(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const SsLayout* layout = self;
  if (num_args != 1 || args[0].type_index != layout->type_index) {
    return ss_bridge_raise("TypeError", "__ffi_shallow_copy__: expected one object of the class, got %s",
                           num_args == 1 ? ss_bridge_type_key(&args[0]) : "another number of arguments");
  }
  if (layout->drops) {
    return ss_bridge_raise("TypeError",
                           "%s: objects cannot be copied, because the class has OnDrop: each copy would run it",
                           ss_bridge_type_key(&args[0]));
  }
  TVMFFIObject* copy = new_instance(layout, args[0].v_obj);
  if (copy == NULL) return -1;
  *result = (TVMFFIAny){.type_index = copy->type_index, .v_obj = copy};
  return 0;
}

static int register_maker(const SsLayout* layout, const char* name, TVMFFISafeCallType function) {
  TVMFFIAny made = {.type_index = kTVMFFIFunction};
  TVMFFIObjectHandle handle = NULL;
  if (TVMFFIFunctionCreate((void*)layout, function, NULL, &handle) != 0) return -1;
  made.v_obj = handle;
  TVMFFIByteArray key = {name, strlen(name)};
  int rc = TVMFFITypeRegisterAttr(layout->type_index, &key, &made);
  TVMFFIObjectDecRef(handle);
  return rc;
}

int ss_bridge_register_makers(const SsLayout* layout, int has_creator, TVMFFIObjectHandle* error) {
  if (!has_creator && register_maker(layout, "__ffi_new__", new_by_function) != 0) return ss_bridge_fail(error);
  if (register_maker(layout, "__ffi_shallow_copy__", copy_by_function) != 0) return ss_bridge_fail(error);
  return 0;
}
