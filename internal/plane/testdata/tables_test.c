// The tables under readers that run beside their writer. The lock here stands for the registry's.
// Requirements: A4, A6
#include "check.h"

static pthread_mutex_t registry = PTHREAD_MUTEX_INITIALIZER;
static int done;

static int answer(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)args;
  (void)num_args;
  result->type_index = kTVMFFIInt;
  result->v_int64 = (int64_t)(intptr_t)handle;
  return 0;
}

static void put(const char* name, intptr_t value) {
  TVMFFIObjectHandle f = NULL;
  TVMFFIObject* old = NULL;
  TVMFFIMethodInfo info = {.doc = bytes("what it does")};
  TVMFFIByteArray key = bytes(name);
  CHECK_EQ(TVMFFIFunctionCreate((void*)value, answer, NULL, &f), 0);
  pthread_mutex_lock(&registry);
  CHECK_EQ(ss_name_put(&key, f, &info, &old), 0);
  pthread_mutex_unlock(&registry);
  TVMFFIObjectDecRef(old);
  TVMFFIObjectDecRef(f);
}

static void take(const char* name) {
  TVMFFIByteArray key = bytes(name);
  pthread_mutex_lock(&registry);
  SsGlobalName* found = ss_name_find(&key);
  TVMFFIObject* old = found == NULL ? NULL : ss_name_remove(found);
  pthread_mutex_unlock(&registry);
  TVMFFIObjectDecRef(old);
}

enum { NAMES = 600, READERS = 16 };

static void* read_names(void* arg) {
  (void)arg;
  char name[32];
  int64_t found = 0;
  while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) {
    for (int i = 0; i < NAMES; i += 7) {
      snprintf(name, sizeof(name), "name.%d", i);
      TVMFFIByteArray key = bytes(name);
      TVMFFIObjectHandle f = &f;
      CHECK_EQ(TVMFFIFunctionGetGlobal(&key, &f), 0);
      if (f == NULL) continue;
      TVMFFIAny result = {.type_index = kTVMFFINone};
      CHECK_EQ(TVMFFIFunctionCall(f, NULL, 0, &result), 0);
      CHECK_EQ(result.v_int64 % NAMES, i % NAMES);
      TVMFFIObjectDecRef(f);
      found++;
    }
  }
  return (void*)(intptr_t)(found > 0);
}

// 16 readers while names are added, replaced and removed.
static void names_under_threads(void) {
  pthread_t readers[READERS];
  char name[32];
  put("name.0", NAMES);
  done = 0;
  for (int i = 0; i < READERS; i++) pthread_create(&readers[i], NULL, read_names, NULL);
  for (int round = 1; round <= 3; round++) {
    for (int i = 0; i < NAMES; i++) {
      snprintf(name, sizeof(name), "name.%d", i);
      put(name, i + (intptr_t)round * NAMES);
      if (i % 3 == 2) take(name);
    }
  }
  __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
  for (int i = 0; i < READERS; i++) pthread_join(readers[i], NULL);

  const TVMFFIByteArray* list = NULL;
  CHECK_EQ(ss_names_list(&list), NAMES - NAMES / 3);
  CHECK(strcmp(list[0].data, "name.0") == 0 && strcmp(list[1].data, "name.1") == 0 &&
        strcmp(list[2].data, "name.3") == 0);
  free((void*)list);
  for (int i = 0; i < NAMES; i++) {
    snprintf(name, sizeof(name), "name.%d", i);
    take(name);
  }
}

// Replacing keeps a name's place; removing and registering again gives it a new one.
static void order(void) {
  put("b", 1);
  put("a", 2);
  put("c", 3);
  put("b", 4);
  take("a");
  put("a", 5);
  const TVMFFIByteArray* list = NULL;
  CHECK_EQ(ss_names_list(&list), 3);
  CHECK(strcmp(list[0].data, "b") == 0 && strcmp(list[1].data, "c") == 0 && strcmp(list[2].data, "a") == 0);
  free((void*)list);
  take("a");
  take("b");
  take("c");
  take("never there");
}

enum { TYPES = 3000, BASE = 128 };

static void* read_types(void* arg) {
  (void)arg;
  while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) {
    for (int32_t i = BASE; i < BASE + TYPES; i += 13) {
      const TVMFFITypeInfo* info = SelfsameFindTypeInfo(i);
      if (info == NULL) continue;
      CHECK_EQ(info->type_index, i);
      CHECK_EQ(info->type_depth, 1);
      CHECK_EQ(info->type_ancestors[0]->type_index, 64);
      CHECK_EQ(info->type_key_hash, ss_name_hash(info->type_key.data, info->type_key.size));
      int32_t found = -1;
      if (ss_type_by_key(&info->type_key) >= 0) {
        CHECK_EQ(TVMFFITypeKeyToIndex(&info->type_key, &found), 0);
        CHECK_EQ(found, i);
      }
    }
  }
  return NULL;
}

static void* read_column(void* arg) {
  TVMFFIByteArray name = bytes("attr");
  while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) {
    const TVMFFITypeAttrColumn* column = TVMFFIGetTypeAttrColumn(&name);
    if (column == NULL) continue;
    int32_t size = __atomic_load_n(&column->size, __ATOMIC_ACQUIRE);
    const TVMFFIAny* data = __atomic_load_n(&column->data, __ATOMIC_ACQUIRE);
    for (int32_t i = 0; i < size; i++) {
      uint64_t head = __atomic_load_n((const uint64_t*)(const void*)&data[i], __ATOMIC_ACQUIRE);
      if (head == 0) continue;
      CHECK_EQ(head, kTVMFFIInt);
      CHECK_EQ(__atomic_load_n(&data[i].v_int64, __ATOMIC_RELAXED), i);
    }
  }
  return arg;
}

static void types_under_threads(void) {
  TVMFFIByteArray root_key = bytes("ffi.Object"), attr = bytes("attr");
  SsType* root = ss_type_add(&root_key, 64, 0, NULL, 1, 1);
  CHECK(root != NULL);
  CHECK_EQ(root->info.type_key_hash, 0x33a211b274fa0106);
  pthread_t readers[READERS];
  done = 0;
  for (int i = 0; i < READERS; i++) pthread_create(&readers[i], NULL, i % 2 ? read_types : read_column, NULL);
  SsAttributeColumn* column = ss_column_add(&attr);
  CHECK(column != NULL && ss_column_find(&attr) == column);
  for (int32_t i = BASE; i < BASE + TYPES; i++) {
    char key[32];
    snprintf(key, sizeof(key), "type.%d", i);
    TVMFFIByteArray bytes_of_key = bytes(key);
    CHECK(ss_type_add(&bytes_of_key, i, 1, root, 1, 1) != NULL);
    TVMFFIAny value = {.type_index = kTVMFFIInt, .v_int64 = i};
    TVMFFIAny* cell = ss_column_reach(column, i);
    CHECK(cell != NULL);
    ss_column_fill(cell, &value);
  }
  __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
  for (int i = 0; i < READERS; i++) pthread_join(readers[i], NULL);
  CHECK_EQ(SelfsameTypeIndexEnd(), BASE + TYPES);
  CHECK(SelfsameFindTypeInfo(BASE + TYPES) == NULL);
  CHECK(SelfsameFindTypeInfo(-1) == NULL);
  CHECK(SelfsameFindTypeInfo(INT32_MAX) == NULL);
  int32_t index = 0;
  TVMFFIByteArray missing = bytes("no such type");
  CHECK_EQ(TVMFFITypeKeyToIndex(&missing, &index), -1);
  CHECK_RAISED("InternalError", "Cannot find type `no such type`");
}

// The hash that other libraries compute for the same keys, one per length of the tail.
static void hashes(void) {
  CHECK_EQ(ss_name_hash("ffi.Array", 9), 0x811300c104284401);
  CHECK_EQ(ss_name_hash("ffi.List", 8), 0x073959a12faa06c3);
  CHECK_EQ(ss_name_hash("ffi.Map", 7), 0x66acedc0a716b876);
  CHECK_EQ(ss_name_hash("ffi.Tensor", 10), (long long)0xa0c01a8167c48cc0);
  CHECK_EQ(ss_name_hash("int", 3), (long long)0xaed305094b3d4a9f);
  CHECK_EQ(ss_name_hash("ffi.OpaquePyObject", 18), (long long)0xad85a0b68e3b37a5);
}

// Look-ups before the start is done: the starting thread finds what there is, everybody else waits.
static void* look_up_early(void* arg) {
  TVMFFIByteArray key = bytes("registered late");
  TVMFFIObjectHandle f = NULL;
  CHECK_EQ(TVMFFIFunctionGetGlobal(&key, &f), 0);
  CHECK(f != NULL);
  TVMFFIObjectDecRef(f);
  return arg;
}

static void start(void) {
  pthread_t early[4];
  ss_start_begin();
  TVMFFIByteArray key = bytes("registered late");
  TVMFFIObjectHandle f = &f;
  CHECK_EQ(TVMFFIFunctionGetGlobal(&key, &f), 0);  // would hang if it waited
  CHECK(f == NULL);
  for (int i = 0; i < 4; i++) pthread_create(&early[i], NULL, look_up_early, NULL);
  put("registered late", 1);
  ss_start_end();
  for (int i = 0; i < 4; i++) pthread_join(early[i], NULL);
  take("registered late");
}

int main(void) {
  start();
  hashes();
  order();
  names_under_threads();
  types_under_threads();
  CHECK_EQ(live_total(), 0);
  return failures != 0;
}
