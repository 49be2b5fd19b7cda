// Measures two places for an object's wrapper word: a tie record, found through the mark in the object's header, and
// the 16 bytes that the builtin allocator puts in front of every object. RATIONALE.md, "Why a record, and not a word in
// the allocation prefix".
//   hit       find and read the word of an object that has one, as `a.x` does
//   first     first wrapping to death: make the record, write the word, free the record when the object dies
//   life      make and free an object that is never wrapped
// Usage: make bench-tie
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../../internal/tie/tie.h"

enum { OBJECTS = 100000, ROUNDS = 50 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void free_plain(void* self, int flags) {
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free((char*)self - 16);
}

// The deleter with a word in the prefix: it reads the word, as the builtin allocator would have to.
static uintptr_t words_seen;
static void free_prefixed(void* self, int flags) {
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) {
    words_seen += *(uintptr_t*)((char*)self - 16) != 0;
    free((char*)self - 16);
  }
}

static TVMFFIObject* make(void (*deleter)(void*, int)) {
  char* base = malloc(16 + 40);
  *(uintptr_t*)base = 0;
  TVMFFIObject* object = (TVMFFIObject*)(base + 16);
  object->combined_ref_count = 0x100000001ull;
  object->type_index = kTVMFFIDynObjectBegin;
  object->__padding = 0;
  object->deleter = deleter;
  return object;
}

static void drop(TVMFFIObject* object) {
  if (__atomic_fetch_sub(&object->combined_ref_count, 1, __ATOMIC_RELEASE) == 0x100000001ull) {
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
  }
}

static TVMFFIObject* objects[OBJECTS];
static volatile uintptr_t sink;

int main(void) {
  const SelfsameTieTable* table = ss_tie_own_table();
  double record_hit = 1e18, prefix_hit = 1e18, record_first = 1e18, prefix_first = 1e18, life = 1e18,
         prefix_life = 1e18;
  for (int round = 0; round < ROUNDS; round++) {
    double start = now();
    for (int i = 0; i < OBJECTS; i++) drop(make(free_plain));
    double end = now();
    if (end - start < life) life = end - start;
    start = now();
    for (int i = 0; i < OBJECTS; i++) drop(make(free_prefixed));
    end = now();
    if (end - start < prefix_life) prefix_life = end - start;

    for (int i = 0; i < OBJECTS; i++) objects[i] = make(free_plain);
    start = now();
    for (int i = 0; i < OBJECTS; i++) table->acquire(objects[i])->wrapper = 8;
    double middle = now();
    for (int i = 0; i < OBJECTS; i++) sink = SelfsameTieFind(table, objects[i])->wrapper;
    double after = now();
    for (int i = 0; i < OBJECTS; i++) {
      SelfsameTieFind(table, objects[i])->wrapper = 0;
      drop(objects[i]);
    }
    end = now();
    if (after - middle < record_hit) record_hit = after - middle;
    if (middle - start + end - after < record_first) record_first = middle - start + end - after;

    for (int i = 0; i < OBJECTS; i++) objects[i] = make(free_prefixed);
    start = now();
    for (int i = 0; i < OBJECTS; i++) {
      objects[i]->__padding = SELFSAME_TIE_PREFIX_MARK;
      *(uintptr_t*)((char*)objects[i] - 16) = 8;
    }
    middle = now();
    for (int i = 0; i < OBJECTS; i++) {
      TVMFFIObject* object = objects[i];
      sink = object->__padding == SELFSAME_TIE_PREFIX_MARK ? *(uintptr_t*)((char*)object - 16) : 0;
    }
    after = now();
    for (int i = 0; i < OBJECTS; i++) drop(objects[i]);
    end = now();
    if (after - middle < prefix_hit) prefix_hit = after - middle;
    if (middle - start + end - after < prefix_first) prefix_first = middle - start + end - after;
  }
  printf("%-34s %10s %10s\n", "ns per operation", "record", "prefix");
  printf("%-34s %10.2f %10.2f\n", "hit", record_hit / OBJECTS, prefix_hit / OBJECTS);
  printf("%-34s %10.2f %10.2f\n", "first wrapping to death", record_first / OBJECTS, prefix_first / OBJECTS);
  printf("%-34s %10.2f %10.2f\n", "made and freed, never wrapped", life / OBJECTS, prefix_life / OBJECTS);
  printf("%-34s %10zu %10d\n", "bytes once wrapped", sizeof(SelfsameTieRecord), 8);
  return 0;
}
