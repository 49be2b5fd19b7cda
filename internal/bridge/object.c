// Instances of the classes that Go code declares: made from a prototype, unmade by a table of what they own.
#include <stdlib.h>
#include <string.h>

#include "bridge.h"
#include "slots.h"

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
  const ss_front_layout* layout = layout_of(object->type_index);
  if (layout != NULL) release_cells(layout, self);
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) delete_space(object);
  if (!outermost) return;
  while ((object = waiting) != NULL) {
    waiting = (TVMFFIObject*)(uintptr_t)object->combined_ref_count;
    layout = layout_of(object->type_index);
    if (layout != NULL) release_cells(layout, (char*)object);
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

int ss_front_new(const ss_front_layout* layout, TVMFFIObjectHandle* out) {
  TVMFFICustomAllocator* allocator = TVMFFIGetCustomAllocator();
  void* body = allocator == NULL ? NULL
                                 : allocator->allocate((size_t)layout->size, (size_t)layout->alignment,
                                                       layout->type_index, allocator->context);
  if (body == NULL) {
    const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(layout->type_index);
    return ss_front_raise("MemoryError", "No memory for an object of class `%s` (%d bytes)",
                          info == NULL ? "" : info->type_key.data, layout->size);
  }
  memcpy(body, layout->prototype, (size_t)layout->size);
  retain_cells(layout, body);
  TVMFFIObject* object = body;
  object->combined_ref_count = ((uint64_t)1 << 32) | 1;
  object->type_index = layout->type_index;
  object->__padding = 0;
  object->deleter = delete_instance;
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
