// The allocator registry, the prefix, alignments, and running out of memory.
// Requirements: B1, B2, B3, B4, B5, B6
#include "check.h"

// Objects on a free list are not counted as alive.
static void resting_objects(void) {
  static uint64_t word;
  TVMFFIObjectHandle object = NULL;
  int64_t before = SelfsameLiveObjects(kTVMFFIObject);
  CHECK_EQ(SelfsameObjectAlloc(sizeof(TVMFFIObject), 8, kTVMFFIObject, NULL, &object), 0);
  CHECK_EQ(SelfsameLiveObjects(kTVMFFIObject), before + 1);
  CHECK_EQ(SelfsameCountFreeList(kTVMFFIObject, &word), 0);
  CHECK_EQ(SelfsameLiveObjects(kTVMFFIObject), before + 1);
  word = ((uint64_t)5 << SELFSAME_FREE_LIST_BITS) + 1;
  CHECK_EQ(SelfsameLiveObjects(kTVMFFIObject), before);
  word = 0;
  SelfsameObjectFree(object);
  CHECK_EQ(SelfsameLiveObjects(kTVMFFIObject), before);

  CHECK_EQ(SelfsameCountFreeList(kTVMFFIObject, NULL), -1);
  CHECK_RAISED("ValueError", "SelfsameCountFreeList");
  CHECK_EQ(SelfsameCountFreeList(-1, &word), -1);
  CHECK_RAISED("ValueError", "SelfsameCountFreeList");

  const SelfsameAllocation* allocation = SelfsameAllocationGet();
  CHECK_EQ(*allocation->current == allocation->builtin, 1);
  TVMFFICustomAllocator other = *allocation->builtin;
  CHECK_EQ(TVMFFISetCustomAllocator(&other), 0);
  CHECK_EQ(*allocation->current == &other, 1);
  CHECK_EQ(TVMFFISetCustomAllocator(NULL), 0);
  CHECK_EQ(*allocation->current == allocation->builtin, 1);
}

static void builtin_default(void) {
  TVMFFICustomAllocator* builtin = TVMFFIGetCustomAllocator();
  CHECK(builtin != NULL && builtin->allocate != NULL);
  TVMFFICustomAllocator other = {builtin->allocate, &other};
  CHECK_EQ(TVMFFISetCustomAllocator(&other), 0);
  CHECK(TVMFFIGetCustomAllocator() == &other);  // the pointer is kept, not a copy
  TVMFFICustomAllocator broken = {NULL, NULL};
  CHECK_EQ(TVMFFISetCustomAllocator(&broken), -1);
  CHECK_RAISED("ValueError", "TVMFFISetCustomAllocator");
  CHECK(TVMFFIGetCustomAllocator() == &other);
  CHECK_EQ(TVMFFISetCustomAllocator(NULL), 0);
  CHECK(TVMFFIGetCustomAllocator() == builtin);
}

static void alignments(void) {
  TVMFFICustomAllocator* a = TVMFFIGetCustomAllocator();
  for (size_t alignment = 1; alignment <= 4096; alignment *= 2) {
    for (size_t size = 24; size < 5000; size = size * 3 + 1) {
      int64_t live = SelfsameLiveObjects(900);
      char* body = a->allocate(size, alignment, 900, a->context);
      CHECK(body != NULL);
      CHECK_EQ((uintptr_t)body % alignment, 0);
      memset(body, 0xAB, size);
      TVMFFIObjectAllocHeader* header = (TVMFFIObjectAllocHeader*)body - 1;
      CHECK(header->delete_space != NULL);
      CHECK_EQ(SelfsameLiveObjects(900), live + 1);
      header->delete_space(body);
      CHECK_EQ(SelfsameLiveObjects(900), live);
    }
  }
  CHECK(a->allocate(24, 0, 64, a->context) == NULL);
  CHECK_RAISED("ValueError", "must be a power of two up to 2^30, got 0");
  CHECK(a->allocate(24, 3, 64, a->context) == NULL);
  CHECK_RAISED("ValueError", "got 3");
  CHECK(a->allocate((size_t)PTRDIFF_MAX, 8, 64, a->context) == NULL);
  CHECK_RAISED("MemoryError", "out of memory");
  CHECK(a->allocate(SIZE_MAX, 4096, 64, a->context) == NULL);
  CHECK_RAISED("MemoryError", "out of memory");
  // An index that no object can have works too, and is not counted.
  void* odd = a->allocate(24, 8, -5, a->context);
  CHECK(odd != NULL);
  CHECK_EQ(SelfsameLiveObjects(-5), 0);
  ((TVMFFIObjectAllocHeader*)odd)[-1].delete_space(odd);
}

static void counters(void) {
  CHECK_EQ(SelfsameLiveObjects(-1), 0);
  CHECK_EQ(SelfsameLiveObjects(INT32_MAX), 0);
  CHECK_EQ(SelfsameLiveObjects(5000), 0);
  TVMFFIObjectHandle far_object = NULL;
  CHECK_EQ(SelfsameObjectAlloc(40, 64, 5000, ss_delete_plain, &far_object), 0);
  CHECK_EQ((uintptr_t)far_object % 64, 0);
  CHECK_EQ(SelfsameLiveObjects(5000), 1);
  TVMFFIObject* header = far_object;
  CHECK_EQ(header->combined_ref_count, 0x100000001);
  CHECK_EQ(header->type_index, 5000);
  CHECK_EQ(header->__padding, 0);  // B6: no tie record
  for (int i = 24; i < 40; i++) CHECK_EQ(((char*)far_object)[i], 0);
  TVMFFIObjectDecRef(far_object);
  CHECK_EQ(SelfsameLiveObjects(5000), 0);
}

// One thread may free an object that another made, also after that one has ended.
static void* make_some(void* arg) {
  TVMFFIObjectHandle* objects = arg;
  for (int i = 0; i < 1000; i++) CHECK_EQ(SelfsameObjectAlloc(24, 8, 300, ss_delete_plain, &objects[i]), 0);
  return NULL;
}

static void* free_some(void* arg) {
  TVMFFIObjectHandle* objects = arg;
  for (int i = 0; i < 1000; i++) TVMFFIObjectDecRef(objects[i]);
  return NULL;
}

static void counters_of_threads(void) {
  enum { THREADS = 8 };
  static TVMFFIObjectHandle objects[THREADS][1000];
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, make_some, objects[i]);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  CHECK_EQ(SelfsameLiveObjects(300), THREADS * 1000);
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, free_some, objects[i]);
  while (SelfsameLiveObjects(300) > THREADS * 500) CHECK(SelfsameLiveObjects(300) <= THREADS * 1000);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  CHECK_EQ(SelfsameLiveObjects(300), 0);
}

static void bad_requests(void) {
  TVMFFIObjectHandle out = &out;
  CHECK_EQ(SelfsameObjectAlloc(8, 8, 64, NULL, &out), -1);
  CHECK(out == NULL);
  CHECK_RAISED("ValueError", "size must be at least 24, got 8");
  CHECK_EQ(SelfsameObjectAlloc(24, 12, 64, NULL, &out), -1);
  CHECK_RAISED("ValueError", "alignment must be a power of two, got 12");
  CHECK_EQ(SelfsameObjectAlloc(24, 8, 3, NULL, &out), -1);
  CHECK_RAISED("ValueError", "type_index");
  CHECK_EQ(SelfsameObjectAlloc(24, 8, 64, NULL, NULL), -1);
  CHECK_RAISED("ValueError", "out must not be NULL");
  CHECK_EQ(SelfsameObjectAlloc((size_t)PTRDIFF_MAX, 8, 64, NULL, &out), -1);
  CHECK_RAISED("MemoryError", "out of memory");
  SelfsameObjectFree(NULL);
}

// The test's allocator: counts, records, and fails on demand.
typedef struct {
  int64_t made, freed;
  int64_t fail_after;  // -1: never
  int32_t last_type;
} ledger;

static ledger book = {0, 0, -1, 0};

static void book_delete(void* body) {
  __atomic_fetch_add(&book.freed, 1, __ATOMIC_RELAXED);
  free((char*)body - 64);
}

static void* book_allocate(size_t size, size_t alignment, int32_t type_index, void* context) {
  ledger* b = context;
  if (alignment > 64) return NULL;
  if (b->fail_after >= 0 && b->fail_after-- == 0) {
    b->fail_after = 0;  // and every one after it
    return NULL;
  }
  void* block = NULL;
  if (posix_memalign(&block, 64, size + 64) != 0) return NULL;
  b->made++;
  b->last_type = type_index;
  ((TVMFFIObjectAllocHeader*)((char*)block + 64))[-1].delete_space = book_delete;
  return (char*)block + 64;
}

static TVMFFICustomAllocator booked = {book_allocate, &book};

static int nothing(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)handle;
  (void)args;
  (void)num_args;
  (void)result;
  return 0;
}

// One object of every family this library makes. Returns the number of failures, each with an error raised.
static int make_everything(int64_t* kinds) {
  int failed = 0;
  TVMFFIByteArray text = bytes("longer than seven"), kind = bytes("ValueError");
  TVMFFIAny value;
  TVMFFIObjectHandle h = NULL;
#define TRY(call, give_back)                        \
  do {                                              \
    if ((call) == 0) {                              \
      (*kinds)++;                                   \
      give_back;                                    \
    } else {                                        \
      failed++;                                     \
      CHECK_RAISED("MemoryError", "out of memory"); \
    }                                               \
  } while (0)
  TRY(TVMFFIStringFromByteArray(&text, &value), ss_any_clear(&value));
  TRY(TVMFFIBytesFromByteArray(&text, &value), ss_any_clear(&value));
  TVMFFIAny view = {.type_index = kTVMFFIRawStr, .v_c_str = "longer than seven"};
  TRY(TVMFFIAnyViewToOwnedAny(&view, &value), ss_any_clear(&value));
  TRY(SelfsameArrayCreate(&view, 1, &h), TVMFFIObjectDecRef(h));
  TRY(TVMFFIFunctionCreate(NULL, nothing, NULL, &h), TVMFFIObjectDecRef(h));
  TRY(TVMFFIObjectCreateOpaque(NULL, kTVMFFIOpaquePyObject, NULL, &h), TVMFFIObjectDecRef(h));
  TRY(TVMFFIErrorCreate(&kind, &text, &text, &h), TVMFFIObjectDecRef(h));
  TRY(SelfsameObjectAlloc(100, 8, 200, ss_delete_plain, &h), TVMFFIObjectDecRef(h));
#undef TRY
  return failed;
}

// B2: every object comes from the allocator that is set, and returns to it.
static void custom_allocator(void) {
  int64_t before = live_total(), kinds = 0;
  TVMFFIObjectHandle mine = NULL, theirs = NULL;
  CHECK_EQ(SelfsameObjectAlloc(24, 8, 64, ss_delete_plain, &mine), 0);
  TVMFFISetCustomAllocator(&booked);
  CHECK_EQ(make_everything(&kinds), 0);
  CHECK_EQ(kinds, 8);
  CHECK(book.made >= 9);  // the Array holds a String
  CHECK_EQ(book.made, book.freed);
  CHECK_EQ(SelfsameObjectAlloc(24, 8, 64, ss_delete_plain, &theirs), 0);
  CHECK_EQ(live_total(), before + 1);
  TVMFFISetCustomAllocator(NULL);
  // Each object returns to the allocator that made it, whichever is set now (B4).
  TVMFFIObjectDecRef(mine);
  TVMFFIObjectDecRef(theirs);
  CHECK_EQ(book.made, book.freed);
  CHECK_EQ(live_total(), before);
}

// B3: whichever allocation fails, an error is raised and nothing leaks.
static void failing_allocator(void) {
  TVMFFISetCustomAllocator(&booked);
  int failed = 1;
  for (int64_t n = 0; failed != 0; n++) {
    int64_t kinds = 0;
    book.fail_after = n;
    failed = make_everything(&kinds);
    book.fail_after = -1;
    CHECK_EQ(failed + kinds, 8);
    CHECK_EQ(book.made, book.freed);
    CHECK(n < 100);
    if (n >= 100) break;
  }
  TVMFFISetCustomAllocator(NULL);
}

// An error that the allocator raised is kept.
static void* refuse(size_t size, size_t alignment, int32_t type_index, void* context) {
  (void)size, (void)alignment, (void)context;
  if (type_index != kTVMFFIError) {
    static const TVMFFIByteArray kind = {"ArenaError", 10}, message = {"the arena is closed", 19};
    TVMFFICustomAllocator* mine = TVMFFIGetCustomAllocator();
    TVMFFIObjectHandle error = NULL;
    TVMFFISetCustomAllocator(NULL);
    CHECK_EQ(TVMFFIErrorCreate(&kind, &message, &message, &error), 0);
    TVMFFISetCustomAllocator(mine);
    TVMFFIErrorSetRaised(error);
    TVMFFIObjectDecRef(error);
  }
  return NULL;
}

static void allocator_with_an_error(void) {
  TVMFFICustomAllocator closed = {refuse, NULL};
  TVMFFISetCustomAllocator(&closed);
  TVMFFIObjectHandle out = NULL;
  CHECK_EQ(SelfsameObjectAlloc(24, 8, 64, ss_delete_plain, &out), -1);
  CHECK_RAISED("ArenaError", "the arena is closed");
  TVMFFISetCustomAllocator(NULL);
}

int main(void) {
  allocator_with_an_error();
  builtin_default();
  alignments();
  counters();
  counters_of_threads();
  bad_requests();
  custom_allocator();
  failing_allocator();
  resting_objects();
  return failures != 0;
}
