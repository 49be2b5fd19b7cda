// Maps whose keys have hooks, and Lists, while each allocation and each hook fails in turn, and while hooks change the map
// that called them. Linked with --wrap for the allocation functions (plane_test.go).
// Requirements: A7, B3
#include "check.h"
#include "plane.h"

enum { THING = 300, THINGS = 70 };

static int64_t events, fail_at = -1;  // allocations and hooks so far; the one that fails
static void (*on_hook)(void);

void* __real_malloc(size_t size);
void* __real_calloc(size_t n, size_t size);
void* __real_realloc(void* p, size_t size);
int __real_posix_memalign(void** p, size_t alignment, size_t size);

static int fails(void) { return events++ == fail_at; }

void* __wrap_malloc(size_t size) { return fails() ? NULL : __real_malloc(size); }
void* __wrap_calloc(size_t n, size_t size) { return fails() ? NULL : __real_calloc(n, size); }
void* __wrap_realloc(void* p, size_t size) { return fails() ? NULL : __real_realloc(p, size); }
int __wrap_posix_memalign(void** p, size_t alignment, size_t size) {
  return fails() ? 12 : __real_posix_memalign(p, alignment, size);
}

static uint64_t seed;

static int random_below(int n) {
  seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
  return (int)((seed >> 33) % (uint64_t)n);
}

// ---- keys ----------------------------------------------------------------------------------------------------------

typedef struct {
  TVMFFIObject header;
  int64_t content;
} Thing;

static TVMFFIAny thing(int64_t content) {
  TVMFFIObjectHandle h = NULL;
  CHECK_EQ(SelfsameObjectAlloc(sizeof(Thing), _Alignof(Thing), THING, ss_delete_plain, &h), 0);
  ((Thing*)h)->content = content;
  return (TVMFFIAny){.type_index = THING, .v_obj = h};
}

static int64_t content(const TVMFFIAny* value) { return ((const Thing*)(const void*)value->v_obj)->content; }

static TVMFFIAny int_value(int64_t v) { return (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = v}; }

// Runs what a hook does beside its work. Returns None, or an Error.
static TVMFFIAny called(void) {
  TVMFFIAny none = {.type_index = kTVMFFINone};
  if (on_hook != NULL) on_hook();
  if (fail_at < 0 || !fails()) return none;
  TVMFFIByteArray kind = bytes("ValueError"), message = bytes("the hook fails"), empty = {NULL, 0};
  TVMFFIObjectHandle error = NULL;
  CHECK_EQ(TVMFFIErrorCreate(&kind, &message, &empty, &error), 0);
  return (TVMFFIAny){.type_index = kTVMFFIError, .v_obj = error};
}

static TVMFFIAny hash_thing(const TVMFFIAny* key) {
  int64_t hash = content(key) % 5;  // many collisions
  TVMFFIAny failed = called();
  return failed.type_index == kTVMFFIError ? failed : int_value(hash);
}

static TVMFFIAny equal_things(const TVMFFIAny* a, const TVMFFIAny* b) {
  _Bool equal = content(a) == content(b);
  TVMFFIAny failed = called();
  return failed.type_index == kTVMFFIError ? failed : (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = equal};
}

// ---- failures ------------------------------------------------------------------------------------------------------

static TVMFFIAny things[THINGS];
static TVMFFIObject *map, *list;
static TVMFFIAny key, value;

static int set_key(void) { return ss_map_set(map, &key, &value); }
static int erase_key(void) { return ss_map_erase(map, &key, NULL); }
static int find_key(void) {
  const SsEntry* entry;
  return ss_map_find(map, &key, &entry);
}
static int clear_map(void) { return ss_map_clear(map); }
static int copy_map(void) {
  TVMFFIObject* copy = ss_map_copy(map, kTVMFFIMap);
  ss_xdecref(copy);
  return copy == NULL ? -1 : 0;
}
static int build_map(void) {
  TVMFFIAny pairs[12];
  TVMFFIObjectHandle made = NULL;
  for (int i = 0; i < 12; i++) pairs[i] = things[(content(&key) + i) % THINGS];
  int rc = ss_map_build(kTVMFFIMap, pairs, 6, &made);
  CHECK((rc == 0) == (made != NULL));
  ss_xdecref(made);
  return rc;
}
static int fill_map(void) {
  TVMFFIObject* made = ss_map_new_for(kTVMFFIMap, 6);
  if (made == NULL) return -1;
  TVMFFIAny pairs[12];
  for (int i = 0; i < 12; i++) {
    pairs[i] = things[(content(&key) + i / 4) % THINGS];
    ss_incref(pairs[i].v_obj);
  }
  int rc = ss_map_fill(made, pairs, 6);
  ss_xdecref(made);
  return rc;
}
static int append(void) {
  ss_incref(value.v_obj);
  return ss_sequence_append(list, value);
}
static int replace(void) {
  TVMFFIAny raw = {.type_index = kTVMFFIRawStr, .v_c_str = "a text that needs memory"};
  TVMFFIAny by[6] = {value, raw, value, value, raw, value};
  int64_t stop = ss_sequence(list)->size < 2 ? ss_sequence(list)->size : 2;
  return ss_list_replace(ss_sequence(list), 0, stop, by, 6);
}
static int clear_list(void) { return ss_list_clear(ss_sequence(list)); }

typedef struct {
  SsMapCell cell;
  TVMFFISeqCell sequence;
  void *entries, *elements;
  size_t size;
  uint64_t counts[THINGS];
} Snapshot;

static Snapshot snapshot(void) {
  Snapshot s = {.sequence = *ss_sequence(list)};
  const SsMapCell* cell = ss_map_cell(map);
  memcpy(&s.cell, cell, ss_map_is_small(cell) ? offsetof(SsMapCell, shift) : sizeof(SsMapCell));
  s.size = ss_map_is_small(cell) ? cell->size * sizeof(SsEntry)
                                 : (cell->capacity + SS_BLOCK_BUCKETS - 1) / SS_BLOCK_BUCKETS * sizeof(SsBlock);
  s.entries = __real_malloc(s.size + 1);
  memcpy(s.entries, cell->data, s.size);
  size_t n = (size_t)s.sequence.size * sizeof(TVMFFIAny);
  s.elements = __real_malloc(n + 1);
  if (n != 0) memcpy(s.elements, s.sequence.data, n);
  for (int i = 0; i < THINGS; i++) s.counts[i] = things[i].v_obj->combined_ref_count;
  return s;
}

static void check_unchanged(const Snapshot* before) {
  Snapshot now = snapshot();
  CHECK(memcmp(&now.cell, &before->cell, sizeof(now.cell)) == 0);
  CHECK(memcmp(&now.sequence, &before->sequence, sizeof(now.sequence)) == 0);
  CHECK(now.size == before->size && memcmp(now.entries, before->entries, now.size) == 0);
  CHECK(memcmp(now.elements, before->elements, (size_t)now.sequence.size * sizeof(TVMFFIAny)) == 0);
  CHECK(memcmp(now.counts, before->counts, sizeof(now.counts)) == 0);
  free(now.entries);
  free(now.elements);
}

// Runs an operation with every one of its allocations and hook calls failing in turn, until it succeeds. Each failure
// leaves the containers and all reference counts as they were.
static void try_all(int (*operation)(void)) {
  Snapshot before = snapshot();
  int64_t alive = live_total();
  int rc = -1;
  for (int64_t i = 0; rc != 0 && failures == 0; i++) {
    events = 0;
    fail_at = i;
    rc = operation();
    fail_at = -1;
    if (rc == 0) break;
    TVMFFIErrorSetRaised(NULL);
    check_unchanged(&before);
    CHECK_EQ(live_total(), alive);
  }
  free(before.entries);
  free(before.elements);
}

// Gives a small map a buffer of another library.
static void relocate(void) {
  SsMapCell* cell = ss_map_cell(map);
  cell->data = __real_malloc(SS_MAP_SMALL_MAX * sizeof(SsEntry));
  cell->data_deleter = free;
}

static void new_containers(void) {
  TVMFFIObjectHandle made = NULL;
  CHECK_EQ(ss_map_build(kTVMFFIDict, NULL, 0, &made), 0);
  map = made;
  list = ss_list_new(0);
}

static void fail_everywhere(void) {
  static int (*const operations[])(void) = {set_key,  set_key,   set_key,  erase_key, find_key,
                                            copy_map, build_map, fill_map, append,    replace};
  for (seed = 0; seed < 20 && failures == 0; seed = (seed >> 32) + 1) {
    int64_t alive = live_total();
    uint64_t round = seed;
    for (int i = 0; i < THINGS; i++) things[i] = thing(i);
    new_containers();
    if (round % 2 == 0) relocate();
    for (int i = 0; i < 150; i++) {
      key = things[random_below(THINGS)];
      value = things[random_below(THINGS)];
      try_all(operations[random_below(10)]);
    }
    try_all(clear_map);
    try_all(clear_list);
    CHECK(ss_map_cell(map)->size == 0 && ss_sequence(list)->size == 0);
    ss_xdecref(map);
    ss_xdecref(list);
    for (int i = 0; i < THINGS; i++) {
      CHECK_EQ(things[i].v_obj->combined_ref_count & 0xffffffff, 1);
      ss_any_clear(&things[i]);
    }
    CHECK_EQ(live_total(), alive);
    seed = round << 32;
  }
}

// ---- hooks that change the map -------------------------------------------------------------------------------------

static int calls_left;

static void change_map(void) {
  if (--calls_left != 0) return;
  void (*hook)(void) = on_hook;
  on_hook = NULL;
  TVMFFIAny none = {.type_index = kTVMFFINone}, number = int_value(random_below(1000000));
  switch (random_below(4)) {
    case 0:
      CHECK_EQ(ss_map_clear(map), 0);
      break;
    case 1:
      CHECK_EQ(ss_map_set(map, &number, &none), 0);
      break;
    case 2:
      for (int64_t i = 0; i < 40; i++) {
        number = int_value(i);
        CHECK_EQ(ss_map_set(map, &number, &none), 0);
      }
      break;
    default: {
      int64_t n;
      TVMFFIAny* items = ss_map_items(map, &n, "a test");
      if (n != 0) CHECK_EQ(ss_map_erase(map, &items[0], NULL), 0);
      for (int64_t i = 0; i < n; i++) ss_any_clear(&items[i]);
      free(items);
    }
  }
  on_hook = hook;
}

// When a hook changes the map that called it, the call fails or works as if it had been made after the change, and no
// freed memory is read.
static void change_in_hooks(void) {
  int refused = 0;
  for (uint64_t round = 0; round < 400; round++) {
    seed = round;
    int64_t alive = live_total();
    new_containers();
    for (int i = 0, n = 1 + random_below(40); i < n; i++) {
      TVMFFIAny k = thing(i), v = thing(i);
      CHECK_EQ(ss_map_set(map, &k, &v), 0);
      ss_any_clear(&k);
      ss_any_clear(&v);
    }
    for (int i = 0; i < 10; i++) {
      TVMFFIAny k = thing(random_below(60));
      const SsEntry* entry;
      calls_left = 1 + random_below(6);
      on_hook = change_map;
      int rc = i % 3 == 0   ? ss_map_erase(map, &k, NULL)
               : i % 3 == 1 ? ss_map_find(map, &k, &entry)
                            : ss_map_set(map, &k, &k);
      on_hook = NULL;
      if (rc != 0) {
        CHECK_RAISED("RuntimeError", "a container was changed by the hash or equality function");
        refused++;
      }
      ss_any_clear(&k);
    }
    ss_xdecref(map);
    ss_xdecref(list);
    CHECK_EQ(live_total(), alive);
  }
  CHECK(refused > 0);
}

static void change_hashes(void) {
  int unstable = 0;
  new_containers();
  for (int64_t i = 0; i < 30; i++) {
    things[i] = thing(i);
    CHECK_EQ(ss_map_set(map, &things[i], &things[i]), 0);
  }
  for (int i = 0; i < 30; i++) ((Thing*)(void*)things[i].v_obj)->content += 3002;  // every stored hash is wrong now
  for (int64_t i = 0; i < 200; i++) {
    TVMFFIAny number = int_value(i);
    if (ss_map_set(map, &number, &number) == 0) continue;
    CHECK_RAISED("RuntimeError", "the hash of a key in a container has changed");
    unstable++;
  }
  CHECK(unstable > 0);
  ss_xdecref(map);
  ss_xdecref(list);
  for (int i = 0; i < 30; i++) ss_any_clear(&things[i]);
}

int main(void) {
  ss_start_begin();
  TVMFFIByteArray root = bytes("ffi.Object"), name = bytes("test.Thing");
  TVMFFIByteArray columns[2] = {bytes("__any_hash__"), bytes("__any_equal__")};
  void* hooks[2] = {(void*)hash_thing, (void*)equal_things};
  SsType* object = ss_type_add(&root, kTVMFFIObject, 0, NULL, 1, 1);
  ss_type_add(&name, THING, 1, object, 1, 1);
  for (int i = 0; i < 2; i++) {
    TVMFFIAny hook = {.type_index = kTVMFFIOpaquePtr, .v_ptr = hooks[i]};
    ss_column_fill(ss_column_reach(ss_column_add(&columns[i]), THING), &hook);
  }
  ss_start_end();
  fail_everywhere();
  change_in_hooks();
  change_hashes();
  return failures != 0;
}
