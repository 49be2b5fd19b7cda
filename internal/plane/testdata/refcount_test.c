// The counting protocol, phase by phase.
// Requirement: A2
#include "check.h"

typedef struct {
  TVMFFIObject header;
  int strong, weak, both;
  uint64_t seen;  // the counts as the last deleter call found them
} probe;

static void record(void* self, int flags) {
  probe* p = self;
  p->seen = __atomic_load_n(&p->header.combined_ref_count, __ATOMIC_RELAXED);
  if (flags == kTVMFFIObjectDeleterFlagBitMaskStrong) p->strong++;
  if (flags == kTVMFFIObjectDeleterFlagBitMaskWeak) p->weak++;
  if (flags == kTVMFFIObjectDeleterFlagBitMaskBoth) p->both++;
}

static probe make(void) {
  probe p;
  memset(&p, 0, sizeof(p));
  ss_object_init(&p, kTVMFFIObject, record);
  return p;
}

static void only_strong(void) {
  probe p = make();
  CHECK_EQ(p.header.combined_ref_count, 0x100000001);
  TVMFFIObjectIncRef(&p);
  CHECK_EQ(p.header.combined_ref_count, 0x100000002);
  TVMFFIObjectDecRef(&p);
  CHECK_EQ(p.both + p.strong + p.weak, 0);
  TVMFFIObjectDecRef(&p);
  CHECK_EQ(p.both, 1);
  CHECK_EQ(p.strong + p.weak, 0);
}

static void weak_outlives(void) {
  probe p = make();
  ss_weak_incref(&p.header);
  CHECK_EQ(p.header.combined_ref_count, 0x200000001);
  TVMFFIObjectDecRef(&p);  // destructor only, the shared weak reference still there
  CHECK_EQ(p.strong, 1);
  CHECK_EQ(p.weak + p.both, 0);
  CHECK_EQ(p.seen, 0x200000000);
  CHECK_EQ(p.header.combined_ref_count, 0x100000000);
  CHECK_EQ(ss_promote(&p.header), 0);
  CHECK_EQ(p.header.combined_ref_count, 0x100000000);
  ss_weak_decref(&p.header);
  CHECK_EQ(p.weak, 1);
  CHECK_EQ(p.strong, 1);
  CHECK_EQ(p.both, 0);
}

static void weak_first(void) {
  probe p = make();
  ss_weak_incref(&p.header);
  ss_weak_decref(&p.header);
  CHECK_EQ(p.weak, 0);
  TVMFFIObjectDecRef(&p);
  CHECK_EQ(p.both, 1);
}

static void promotion(void) {
  probe p = make();
  ss_weak_incref(&p.header);
  CHECK_EQ(ss_promote(&p.header), 1);
  CHECK_EQ(p.header.combined_ref_count, 0x200000002);
  TVMFFIObjectDecRef(&p);
  TVMFFIObjectDecRef(&p);
  CHECK_EQ(p.strong, 1);
  ss_weak_decref(&p.header);
  CHECK_EQ(p.weak, 1);
}

// A destructor may take the memory's last weak reference with it.
static void drop_weak(void* self, int flags) {
  record(self, flags);
  if (flags == kTVMFFIObjectDeleterFlagBitMaskStrong) ss_weak_decref(self);
}

static void weak_dropped_in_destructor(void) {
  probe p = make();
  p.header.deleter = drop_weak;
  ss_weak_incref(&p.header);
  TVMFFIObjectDecRef(&p);
  CHECK_EQ(p.strong, 1);
  CHECK_EQ(p.weak, 1);
  CHECK_EQ(p.header.combined_ref_count, 0);
}

static void no_deleter(void) {
  probe p = make();
  p.header.deleter = NULL;
  ss_weak_incref(&p.header);
  TVMFFIObjectDecRef(&p);
  ss_weak_decref(&p.header);
  CHECK_EQ(p.header.combined_ref_count, 0);
}

static void null_handles(void) {
  CHECK_EQ(TVMFFIObjectDecRef(NULL), 0);
  CHECK_EQ(TVMFFIObjectIncRef(NULL), -1);
  CHECK_RAISED("ValueError", "TVMFFIObjectIncRef: obj must not be NULL");
}

// Threads that each own a reference, and threads that promote a weak one.
enum { THREADS = 8, ROUNDS = 20000 };

static void* hammer_strong(void* arg) {
  for (int i = 0; i < ROUNDS; i++) {
    TVMFFIObjectIncRef(arg);
    TVMFFIObjectDecRef(arg);
  }
  TVMFFIObjectDecRef(arg);
  return NULL;
}

static void* hammer_weak(void* arg) {
  for (int i = 0; i < ROUNDS; i++) {
    if (ss_promote(arg)) TVMFFIObjectDecRef(arg);
  }
  ss_weak_decref(arg);
  return NULL;
}

static void many_threads(void) {
  probe p = make();
  pthread_t threads[2 * THREADS];
  for (int i = 0; i < THREADS; i++) {
    TVMFFIObjectIncRef(&p);
    ss_weak_incref(&p.header);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_create(&threads[2 * i], NULL, hammer_strong, &p);
    pthread_create(&threads[2 * i + 1], NULL, hammer_weak, &p);
  }
  TVMFFIObjectDecRef(&p);
  for (int i = 0; i < 2 * THREADS; i++) pthread_join(threads[i], NULL);
  CHECK_EQ(p.both + p.strong, 1);
  CHECK_EQ(p.both + p.weak, 1);
  CHECK_EQ(p.header.combined_ref_count & 0xFFFFFFFF, 0);
}

int main(void) {
  only_strong();
  weak_outlives();
  weak_first();
  promotion();
  weak_dropped_in_destructor();
  no_deleter();
  null_handles();
  many_threads();
  return failures != 0;
}
