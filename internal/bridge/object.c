// Instances of the classes that Go code declares: made from a prototype, unmade by a table of what they own.
#include <stdlib.h>
#include <string.h>

#include "bridge.h"
#include "selfsame/internal/refcount.h"
#include "numbered_functions.h"

// Layouts by type index, in pages that never move. The deleter reads them on any thread, without a lock.
enum { PAGE_BITS = 8, PAGE_SIZE = 1 << PAGE_BITS, NUM_PAGES = 1 << 14 };

static const ss_front_layout** pages[NUM_PAGES];

int ss_front_add_layout(const ss_front_layout* layout) {
  uint32_t page = (uint32_t)layout->type_index >> PAGE_BITS;
  if (page >= NUM_PAGES) return -1;
  const ss_front_layout** slots = __atomic_load_n(&pages[page], __ATOMIC_ACQUIRE);
  if (slots == NULL) {
    const ss_front_layout** fresh = calloc(PAGE_SIZE, sizeof(*fresh));
    if (fresh == NULL) return -1;
    if (__atomic_compare_exchange_n(&pages[page], &slots, fresh, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      slots = fresh;
    } else {
      free(fresh);
    }
  }
  __atomic_store_n(&slots[layout->type_index & (PAGE_SIZE - 1)], layout, __ATOMIC_RELEASE);
  return 0;
}

static const ss_front_layout* own_layout(int32_t type_index) {
  uint32_t page = (uint32_t)type_index >> PAGE_BITS;
  if (page >= NUM_PAGES) return NULL;
  const ss_front_layout** slots = __atomic_load_n(&pages[page], __ATOMIC_ACQUIRE);
  return slots == NULL ? NULL : __atomic_load_n(&slots[type_index & (PAGE_SIZE - 1)], __ATOMIC_ACQUIRE);
}

// The layout an object was made with. Another frontend may have given it the index of a class derived from it.
static const ss_front_layout* layout_of(int32_t type_index) {
  const ss_front_layout* layout = own_layout(type_index);
  if (layout != NULL) return layout;
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(type_index);
  for (int32_t depth = info == NULL ? 0 : info->type_depth; layout == NULL && depth > 0; depth--) {
    layout = own_layout(info->type_ancestors[depth - 1]->type_index);
  }
  return layout;
}

void ss_front_release_value(TVMFFIAny* value) {
  TVMFFIObject* object = value->type_index >= kTVMFFIStaticObjectBegin ? value->v_obj : NULL;
  *value = (TVMFFIAny){.type_index = kTVMFFINone};
  if (object != NULL) TVMFFIObjectDecRef(object);
}

static void release_cells(const ss_front_layout* layout, char* object) {
  for (int32_t i = 0; i < layout->num_cells; i++) {
    char* cell = object + layout->cells[i].offset;
    if (layout->cells[i].size == sizeof(TVMFFIAny)) {
      ss_front_release_value((TVMFFIAny*)cell);
    } else {
      TVMFFIObjectHandle held = *(TVMFFIObjectHandle*)cell;
      *(TVMFFIObjectHandle*)cell = NULL;
      TVMFFIObjectDecRef(held);
    }
  }
}

// Ends what an instance owns. Built with the tag debug, its fields then hold a pattern, so that a pointer that was
// borrowed from a handle and used after the object's end reads what nobody wrote.
static void unmake(TVMFFIObject* object) {
  const ss_front_layout* layout = layout_of(object->type_index);
  if (layout == NULL) return;
  release_cells(layout, (char*)object);
#ifdef SS_FRONT_DEBUG
  memset(object + 1, SS_FRONT_DEBUG, (size_t)layout->size - sizeof(TVMFFIObject));
#endif
}

static void delete_space(TVMFFIObject* object) { ((TVMFFIObjectAllocHeader*)object)[-1].delete_space(object); }

// Objects waiting for their deletion, linked through their count words: a long chain must not use up the stack.
static __thread TVMFFIObject* waiting;
static __thread int deleting;

static void delete_instance(void* self, int flags) {
  TVMFFIObject* object = self;
  if (flags == kTVMFFIObjectDeleterFlagBitMaskBoth && deleting) {
    object->combined_ref_count = (uint64_t)(uintptr_t)waiting;
    waiting = object;
    return;
  }
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskStrong) == 0) {
    delete_space(object);
    return;
  }
  int outermost = !deleting;
  deleting = 1;
  unmake(object);
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) delete_space(object);
  if (!outermost) return;
  while ((object = waiting) != NULL) {
    waiting = (TVMFFIObject*)(uintptr_t)object->combined_ref_count;
    unmake(object);
    delete_space(object);
  }
  deleting = 0;
}

// Takes one more reference to everything the prototype holds.
static void retain_cells(const ss_front_layout* layout, char* object) {
  for (int32_t i = 0; i < layout->num_cells; i++) {
    char* cell = object + layout->cells[i].offset;
    if (layout->cells[i].size != sizeof(TVMFFIAny)) {
      if (*(TVMFFIObjectHandle*)cell != NULL) TVMFFIObjectIncRef(*(TVMFFIObjectHandle*)cell);
    } else if (((TVMFFIAny*)cell)->type_index >= kTVMFFIStaticObjectBegin) {
      TVMFFIObjectIncRef(((TVMFFIAny*)cell)->v_obj);
    }
  }
}

// Memory for an instance that begins as a copy of `from`, header aside. NULL with the error raised.
static TVMFFIObject* new_instance(const ss_front_layout* layout, const void* from) {
  TVMFFICustomAllocator* allocator = TVMFFIGetCustomAllocator();
  void* body = allocator == NULL ? NULL
                                 : allocator->allocate((size_t)layout->size, (size_t)layout->alignment,
                                                       layout->type_index, allocator->context);
  if (body == NULL) {
    const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(layout->type_index);
    ss_front_raise("MemoryError", "No memory for an object of class `%s` (%d bytes)",
                   info == NULL ? "" : info->type_key.data, layout->size);
    return NULL;
  }
  memcpy(body, from, (size_t)layout->size);
  retain_cells(layout, body);
  TVMFFIObject* object = body;
  ss_object_init(object, layout->type_index, delete_instance);
  return object;
}

int ss_front_new(const ss_front_layout* layout, TVMFFIObjectHandle* out) {
  TVMFFIObject* object = new_instance(layout, layout->prototype);
  if (object == NULL) return -1;
  for (int32_t i = 0; i < layout->num_cells; i++) {
    const ss_front_cell* cell = &layout->cells[i];
    if (cell->fresh == 0) continue;
    TVMFFIObjectHandle* place = (TVMFFIObjectHandle*)((char*)object + cell->offset);
    if (*place == NULL && ss_front_container(cell->fresh, NULL, 0, place) != 0) {
      TVMFFIObjectDecRef(object);
      return -1;
    }
  }
  *out = object;
  return 0;
}

uint64_t ss_front_new_or_error(const ss_front_layout* layout, const SelfsameTieTable* table, uint64_t go_word) {
  TVMFFIObjectHandle object = NULL;
  if (ss_front_new(layout, &object) != 0) {
    ss_front_fail(&object);
    return (uint64_t)(uintptr_t)object + 1;
  }
  if (go_word != 0) {
    SelfsameTieRecord* record = table->acquire(object);
    if (record != NULL) __atomic_store_n(&record->go, go_word, __ATOMIC_RELEASE);
  }
  return (uint64_t)(uintptr_t)object;
}

void ss_front_dec_ref(uint64_t object) { TVMFFIObjectDecRef((TVMFFIObjectHandle)(uintptr_t)object); }

// A creator has no argument that says which class it is for, so there is a fixed number of them, one per class.
static const ss_front_layout* creator_layouts[256];
static uint32_t num_creators;

#define CREATOR(n) \
  static int create_##n(TVMFFIObjectHandle* out) { return ss_front_new(creator_layouts[n], out); }
SS_FRONT_SLOTS_256(CREATOR, 0x0)

#define CREATOR_NAME(n) create_##n,
static const TVMFFIObjectCreator creators[256] = {SS_FRONT_SLOTS_256(CREATOR_NAME, 0x0)};

TVMFFIObjectCreator ss_front_creator(const ss_front_layout* layout) {
  uint32_t n = __atomic_fetch_add(&num_creators, 1, __ATOMIC_RELAXED);
  if (n >= sizeof(creators) / sizeof(creators[0])) return NULL;
  creator_layouts[n] = layout;
  return creators[n];
}

static int new_by_function(void* layout, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)args;
  if (num_args != 0) return ss_front_raise("TypeError", "__ffi_new__ takes no arguments");
  TVMFFIObjectHandle made = NULL;
  if (ss_front_new(layout, &made) != 0) return -1;
  *result = (TVMFFIAny){.type_index = ((TVMFFIObject*)made)->type_index, .v_obj = made};
  return 0;
}

static int copy_by_function(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const ss_front_layout* layout = self;
  if (num_args != 1 || args[0].type_index != layout->type_index) {
    return ss_front_raise("TypeError", "__ffi_shallow_copy__ takes an object of the class, not %s",
                          num_args == 1 ? ss_front_type_key(&args[0]) : "that many arguments");
  }
  TVMFFIObject* copy = new_instance(layout, args[0].v_obj);
  if (copy == NULL) return -1;
  *result = (TVMFFIAny){.type_index = copy->type_index, .v_obj = copy};
  return 0;
}

static int register_maker(const ss_front_layout* layout, const char* name, TVMFFISafeCallType function) {
  TVMFFIAny made = {.type_index = kTVMFFIFunction};
  TVMFFIObjectHandle handle = NULL;
  if (TVMFFIFunctionCreate((void*)layout, function, NULL, &handle) != 0) return -1;
  made.v_obj = handle;
  TVMFFIByteArray key = {name, strlen(name)};
  int rc = TVMFFITypeRegisterAttr(layout->type_index, &key, &made);
  TVMFFIObjectDecRef(handle);
  return rc;
}

int ss_front_register_makers(const ss_front_layout* layout, int has_creator, TVMFFIObjectHandle* error) {
  if (!has_creator && register_maker(layout, "__ffi_new__", new_by_function) != 0) return ss_front_fail(error);
  if (register_maker(layout, "__ffi_shallow_copy__", copy_by_function) != 0) return ss_front_fail(error);
  return 0;
}
