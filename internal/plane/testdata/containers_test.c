// Containers in C alone: looking up and walking hand-made maps, hooks of both forms, destroying what is nested deeply.
// Requirement: A7
#include <pthread.h>

#include "check.h"
#include "plane.h"

static TVMFFIAny int_value(int64_t v) { return (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = v}; }

static TVMFFIAny text_value(const char* text) {
  TVMFFIByteArray b = bytes(text);
  TVMFFIAny value;
  CHECK_EQ(TVMFFIStringFromByteArray(&b, &value), 0);
  return value;
}

static TVMFFIObject* new_dict(void) {
  TVMFFIObject* dict = ss_map_new(kTVMFFIDict, 200);
  *ss_map_cell(dict) = (SsMapCell){.data = (char*)dict + 56, .capacity = SS_MAP_SMALL | 4};
  return dict;
}

static void add(TVMFFIObject* dict, TVMFFIAny key, TVMFFIAny value) {
  SsMapCell* cell = ss_map_cell(dict);
  ((SsEntry*)cell->data)[cell->size++] = (SsEntry){key, value};
}

// The table that the keys 0 to 4 (values 10 times the key) make, as the ABI's document has it.
static TVMFFIObject* dense_dict(void) {
  static const struct {
    int slot, key, state, prev, next;
  } entries[] = {{1, 0, 0x02, -1, 7}, {7, 1, 0x00, 1, 2}, {2, 2, 0x00, 7, 3}, {3, 3, 0x80, 2, 4}, {4, 4, 0x00, 3, -1}};
  TVMFFIObject* dict = ss_map_new(kTVMFFIDict, 200);
  SsMapCell* cell = ss_map_cell(dict);
  *cell = (SsMapCell){ss_buffer_new(784), 5, 8, ss_buffer_free, 61, 1, 4};
  memset(cell->data, 0xff, 16);
  for (int i = 0; i < 5; i++) {
    uint64_t slot = (uint64_t)entries[i].slot;
    *ss_map_control(cell, slot) = (uint8_t)entries[i].state;
    *ss_map_bucket(cell, slot) = (SsBucket){{int_value(entries[i].key), int_value(10 * entries[i].key)},
                                            (uint64_t)(int64_t)entries[i].prev,
                                            (uint64_t)(int64_t)entries[i].next};
  }
  return dict;
}

static const SsEntry* found(TVMFFIObject* map, TVMFFIAny key) {
  const SsEntry* pair = NULL;
  CHECK_EQ(ss_map_find(map, &key, &pair), 0);
  return pair;
}

static void find_keys(void) {
  TVMFFIObject* dict = dense_dict();
  for (int64_t i = 0; i < 5; i++) {
    const SsEntry* pair = found(dict, int_value(i));
    CHECK(pair != NULL && pair->value.v_int64 == 10 * i);
  }
  for (int64_t i = 5; i < 100; i++) CHECK(found(dict, int_value(i)) == NULL);
  TVMFFIAny one = {.type_index = kTVMFFIFloat, .v_float64 = 1};
  CHECK(found(dict, one) == NULL);
  TVMFFIObjectDecRef(dict);

  dict = new_dict();
  add(dict, text_value("small"), int_value(1));
  add(dict, text_value("not so small"), int_value(2));
  CHECK_EQ(found(dict, text_value("small"))->value.v_int64, 1);
  TVMFFIAny raw = {.type_index = kTVMFFIRawStr, .v_c_str = "not so small"};
  CHECK_EQ(found(dict, raw)->value.v_int64, 2);
  raw.v_c_str = "";
  CHECK(found(dict, raw) == NULL);
  const SsEntry* pair = NULL;
  raw.v_c_str = NULL;
  CHECK_EQ(ss_map_find(dict, &raw, &pair), -1);
  CHECK_RAISED("ValueError", "v_c_str");
  TVMFFIObject* moving = text_value("not so small").v_obj;
  TVMFFIAny reference = {.type_index = kTVMFFIObjectRValueRef, .v_ptr = &moving};
  CHECK_EQ(found(dict, reference)->value.v_int64, 2);
  CHECK(moving == NULL);  // the look-up took it over
  TVMFFIObjectDecRef(dict);
}

static void store(void) {
  TVMFFIObject* dict = dense_dict();
  SsMapCell* cell = ss_map_cell(dict);
  TVMFFIAny two = int_value(2), value = text_value("a value that is an object"), null = {.type_index = kTVMFFIStr};
  CHECK_EQ(ss_map_set(dict, &two, &value), 0);
  CHECK_EQ(cell->tail, 2);
  CHECK_EQ(ss_map_bucket(cell, 7)->next, 3);
  CHECK_EQ(ss_map_bucket(cell, 3)->prev, 7);
  CHECK_EQ(ss_map_bucket(cell, 2)->prev, 4);
  CHECK_EQ(ss_map_bucket(cell, 4)->next, 2);
  CHECK_EQ(cell->size, 5);
  TVMFFIAny one = int_value(0);
  CHECK_EQ(ss_map_set(dict, &one, &two), 0);  // the head
  CHECK_EQ(cell->head, 7);
  CHECK_EQ(ss_map_bucket(cell, 7)->prev, SS_NO_BUCKET);
  // Nothing is done when something is wrong with the value, or with the key.
  CHECK_EQ(ss_map_set(dict, &two, &null), -1);
  CHECK_RAISED("ValueError", "v_obj");
  CHECK_EQ(ss_map_set(dict, &null, &two), -1);
  CHECK_RAISED("ValueError", "v_obj");
  CHECK(found(dict, two)->value.type_index == kTVMFFIStr);
  // New keys continue chains, make others move, and let the table grow.
  for (int64_t i = 100; i < 1100; i++) {
    TVMFFIAny key = int_value(i);
    CHECK_EQ(ss_map_set(dict, &key, &value), 0);
    CHECK_EQ(cell->size, 5 + (uint64_t)(i - 99));
    CHECK(found(dict, key) != NULL && found(dict, int_value(i + 1)) == NULL);
  }
  CHECK(cell->capacity == 1024 || cell->capacity == 2048);
  CHECK_EQ(ss_map_erase(dict, &null, NULL), -1);
  CHECK_RAISED("ValueError", "v_obj");
  for (int64_t i = 100; i < 1100; i++) {
    TVMFFIAny key = int_value((i * 7 + 3) % 1000 + 100);
    int was_there = 0;
    CHECK(ss_map_erase(dict, &key, &was_there) == 0 && was_there);
    CHECK(found(dict, key) == NULL);
    CHECK_EQ(cell->size, 5 + (uint64_t)(1099 - i));
    CHECK(ss_map_erase(dict, &key, &was_there) == 0 && !was_there);
  }
  for (int64_t i = 0; i < 5; i++) CHECK(found(dict, int_value(i)) != NULL);
  ss_any_clear(&value);
  TVMFFIObjectDecRef(dict);

  dict = new_dict();
  cell = ss_map_cell(dict);
  TVMFFIAny raw = {.type_index = kTVMFFIRawStr, .v_c_str = "a key that comes as a C string"};
  for (int round = 0; round < 2; round++) {
    for (int64_t i = 0; i < 3; i++) {
      TVMFFIAny key = int_value(i);
      CHECK_EQ(ss_map_set(dict, &key, &raw), 0);
    }
  }
  CHECK_EQ(ss_map_set(dict, &raw, &null), -1);
  CHECK_RAISED("ValueError", "v_obj");
  CHECK_EQ(cell->size, 3);
  CHECK_EQ(ss_map_set(dict, &raw, &raw), 0);
  CHECK_EQ(cell->size, 4);
  CHECK_EQ(ss_map_set(dict, &raw, &two), 0);  // full: even this makes it a table
  CHECK_EQ(cell->size, 4);
  CHECK(!ss_map_is_small(cell) && found(dict, raw)->value.v_int64 == 2);
  CHECK_EQ(found(dict, int_value(2))->value.type_index, kTVMFFIStr);
  TVMFFIObjectDecRef(dict);

  // Making one of its entries, of which one is moved.
  TVMFFIObject* moving = text_value("a text that is on the heap").v_obj;
  TVMFFIAny pairs[] = {int_value(1), raw, raw, int_value(2), int_value(1), {.type_index = kTVMFFIObjectRValueRef}};
  pairs[5].v_ptr = &moving;
  TVMFFIObjectHandle made = NULL;
  CHECK_EQ(ss_map_build(kTVMFFIMap, pairs, 3, &made), 0);
  CHECK_EQ(ss_map_cell(made)->size, 2);
  CHECK(moving == NULL && ((SsEntry*)ss_map_cell(made)->data)[0].value.type_index == kTVMFFIStr);
  TVMFFIObjectDecRef(made);
  pairs[5] = null;
  CHECK_EQ(ss_map_build(kTVMFFIMap, pairs, 3, &made), -1);
  CHECK_RAISED("ValueError", "v_obj");
  CHECK(made == NULL);
}

static int64_t step(TVMFFIObject* iterator, int64_t what) {
  TVMFFIAny argument = int_value(what), result = {.type_index = kTVMFFINone};
  if (TVMFFIFunctionCall(iterator, &argument, 1, &result) != 0) return -1000;
  return result.v_int64;
}

static int same_entries(const SsMapCell* a, const SsMapCell* b) {
  if (a->size != b->size || a->capacity != b->capacity) return 0;
  if (!ss_map_is_small(a) && (a->head != b->head || a->tail != b->tail || a->shift != b->shift)) return 0;
  for (uint64_t i = 0; i < ss_map_walk_end(a); i++) {
    if (!ss_map_is_small(a) && *ss_map_control(a, i) != *ss_map_control(b, i)) return 0;
    const SsEntry *one = ss_map_walk(a, i), *other = ss_map_walk(b, i);
    if (one != NULL && (one->key.v_uint64 != other->key.v_uint64 || one->value.v_int64 != other->value.v_int64))
      return 0;
  }
  return 1;
}

// A map that is made at once has the buckets of one that got its entries one after the other.
static void build(void) {
  enum { MOST = 300 };
  TVMFFIAny args[2 * MOST] = {0};
  for (int equal_keys = 0; equal_keys < 2; equal_keys++) {
    for (int pairs = 0; pairs <= MOST; pairs++) {
      TVMFFIObjectHandle at_once = NULL, grown = NULL;
      for (int i = 0; i < pairs; i++) {
        int number = equal_keys ? i / 2 * 7 % 100 : i;
        TVMFFIAny* key = &args[2 * i];
        *key = (TVMFFIAny){.type_index = kTVMFFISmallStr};
        key->small_str_len = (uint32_t)snprintf(key->v_bytes, 8, "k%d", number);
        if (number % 3 == 0) *key = int_value(number);
        args[2 * i + 1] = int_value(i);
      }
      CHECK_EQ(ss_map_build(kTVMFFIMap, args, pairs, &at_once), 0);
      CHECK_EQ(ss_map_build(kTVMFFIMap, NULL, 0, &grown), 0);
      for (int i = 0; i < pairs; i++) CHECK_EQ(ss_map_set(grown, &args[2 * i], &args[2 * i + 1]), 0);
      CHECK(same_entries(ss_map_cell(at_once), ss_map_cell(grown)));
      TVMFFIObjectDecRef(at_once);
      TVMFFIObjectDecRef(grown);
    }
  }
}

static void walk(void) {
  TVMFFIObject* dict = dense_dict();
  TVMFFIObjectHandle it = NULL;
  CHECK_EQ(ss_map_iterator(dict, &it), 0);
  for (int64_t i = 0; i < 5; i++) {
    CHECK_EQ(step(it, 0), i);
    CHECK_EQ(step(it, 1), 10 * i);
    CHECK_EQ(step(it, 2), i < 4);
  }
  CHECK_EQ(step(it, 2), 0);
  CHECK_EQ(step(it, 1), -1000);
  CHECK_RAISED("IndexError", "at its end");
  TVMFFIObjectDecRef(it);

  CHECK_EQ(ss_map_iterator(dict, &it), 0);
  TVMFFIObjectDecRef(dict);  // the iterator keeps it
  SsMapCell* cell = ss_map_cell(dict);
  // Others emptied the table, and the memory with it.
  SsMapCell was = *cell;
  *cell = (SsMapCell){.shift = 63, .head = 7, .tail = 9};
  CHECK_EQ(step(it, 0), -1000);
  CHECK_RAISED("RuntimeError", "Dict changed during iteration");
  CHECK_EQ(step(it, 2), -1000);
  CHECK_RAISED("RuntimeError", "Dict changed during iteration");
  *cell = was;
  TVMFFIAny wrong = {.type_index = kTVMFFINone}, result = {.type_index = kTVMFFINone};
  CHECK_EQ(TVMFFIFunctionCall(it, &wrong, 1, &result), -1);
  CHECK_RAISED("TypeError", "Expected `int`");
  CHECK_EQ(TVMFFIFunctionCall(it, &wrong, 2, &result), -1);
  CHECK_RAISED("TypeError", "Expected 1 but got 2 arguments");
  CHECK_EQ(TVMFFIFunctionCall(it, NULL, 1, &result), -1);
  CHECK_RAISED("ValueError", "args");
  CHECK_EQ(TVMFFIFunctionCall(it, &wrong, 1, NULL), -1);
  CHECK_RAISED("ValueError", "result");
  TVMFFIObjectDecRef(it);

  TVMFFIObject* empty = new_dict();
  CHECK_EQ(ss_map_iterator(empty, &it), 0);
  CHECK_EQ(step(it, 2), 0);
  TVMFFIObjectDecRef(it);
  TVMFFIObjectDecRef(empty);
}

// ---- hooks ----------------------------------------------------------------------------------------------------

static TVMFFIAny error_value(void) {
  TVMFFIByteArray kind = bytes("ValueError"), message = bytes("not today"), none = {NULL, 0};
  TVMFFIObjectHandle error = NULL;
  CHECK_EQ(TVMFFIErrorCreate(&kind, &message, &none, &error), 0);
  return (TVMFFIAny){.type_index = kTVMFFIError, .v_obj = error};
}

static TVMFFIAny hash_new_form(const TVMFFIAny* key) { return int_value(key->v_int64 + 1); }
static TVMFFIAny hash_fails(const TVMFFIAny* key) { return key->v_int64 < 0 ? int_value(0) : error_value(); }
static int64_t hash_old_form(const TVMFFIAny* key) { return key->v_int64 * INT64_C(0x123456789); }
static TVMFFIAny equal_new_form(const TVMFFIAny* a, const TVMFFIAny* b) {
  return (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = a->v_int64 == b->v_int64};
}
static TVMFFIAny equal_fails(const TVMFFIAny* a, const TVMFFIAny* b) {
  return a->v_int64 < b->v_int64 ? int_value(0) : error_value();
}
static _Bool equal_old_form(const TVMFFIAny* a, const TVMFFIAny* b) { return a->v_int64 == b->v_int64; }

static int as_function(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)self;
  if (args[0].v_int64 == 13) return ss_raise("ValueError", "unlucky");
  *result = num_args == 1 ? int_value(args[0].v_int64 + 2) : equal_new_form(&args[0], &args[1]);
  if (args[0].v_int64 == 14) *result = text_value("a value of another type");
  return 0;
}

static TVMFFIAny pointer(void* function) { return (TVMFFIAny){.type_index = kTVMFFIOpaquePtr, .v_ptr = function}; }

static void hooks(void) {
  TVMFFIAny five = int_value(5), six = int_value(6), hook = pointer((void*)hash_new_form);
  uint64_t hash = 0;
  int equal = -1;
  CHECK_EQ(ss_key_hash_hook(&hook, &five, &hash), 0);
  CHECK_EQ(hash, 6);
  hook = pointer((void*)hash_old_form);
  CHECK_EQ(ss_key_hash_hook(&hook, &five, &hash), 0);
  CHECK_EQ(hash, 5 * INT64_C(0x123456789));
  hook = pointer((void*)hash_fails);
  CHECK_EQ(ss_key_hash_hook(&hook, &five, &hash), -1);
  CHECK_RAISED("ValueError", "not today");
  hook = pointer(NULL);
  CHECK_EQ(ss_key_hash_hook(&hook, &five, &hash), -1);
  CHECK_RAISED("TypeError", "__any_hash__");
  hook = int_value(1);
  CHECK_EQ(ss_key_hash_hook(&hook, &five, &hash), -1);
  CHECK_RAISED("TypeError", "__any_hash__");

  hook = pointer((void*)equal_new_form);
  CHECK_EQ(ss_key_equal_hook(&hook, &five, &five, &equal), 0);
  CHECK_EQ(equal, 1);
  CHECK_EQ(ss_key_equal_hook(&hook, &five, &six, &equal), 0);
  CHECK_EQ(equal, 0);
  hook = pointer((void*)equal_old_form);
  CHECK_EQ(ss_key_equal_hook(&hook, &five, &five, &equal), 0);
  CHECK_EQ(equal, 1);
  CHECK_EQ(ss_key_equal_hook(&hook, &five, &six, &equal), 0);
  CHECK_EQ(equal, 0);
  hook = pointer((void*)equal_fails);
  CHECK_EQ(ss_key_equal_hook(&hook, &five, &five, &equal), -1);
  CHECK_RAISED("ValueError", "not today");

  TVMFFIObjectHandle function = NULL;
  CHECK_EQ(TVMFFIFunctionCreate(NULL, as_function, NULL, &function), 0);
  hook = (TVMFFIAny){.type_index = kTVMFFIFunction, .v_obj = function};
  CHECK_EQ(ss_key_hash_hook(&hook, &five, &hash), 0);
  CHECK_EQ(hash, 7);
  CHECK_EQ(ss_key_equal_hook(&hook, &five, &six, &equal), 0);
  CHECK_EQ(equal, 0);
  TVMFFIAny unlucky = int_value(13), odd = int_value(14);
  CHECK_EQ(ss_key_hash_hook(&hook, &unlucky, &hash), -1);
  CHECK_RAISED("ValueError", "unlucky");
  CHECK_EQ(ss_key_equal_hook(&hook, &odd, &odd, &equal), -1);
  CHECK_RAISED("InternalError", "__any_equal__");
  TVMFFIObjectDecRef(function);
}

// ---- releasing ----------------------------------------------------------------------------------------------------

static void push(TVMFFIObject* sequence, TVMFFIObject* owned) {
  TVMFFIAny value;
  ss_set_object(&value, owned);
  ss_array_push(sequence, &value);
}

// Arrays, Lists and Dicts within each other.
static TVMFFIObject* nested(int64_t levels) {
  TVMFFIObject* inner = ss_array_new(0);
  for (int64_t i = 0; i < levels; i++) {
    TVMFFIObject* outer;
    switch (i % 3) {
      case 0:
        push(outer = ss_array_new(1), inner);
        break;
      case 1:
        push(outer = ss_list_new(2), inner);
        break;
      default:
        add(outer = new_dict(), int_value(i), (TVMFFIAny){.type_index = inner->type_index, .v_obj = inner});
    }
    inner = outer;
  }
  return inner;
}

static void* drop(void* object) {
  TVMFFIObjectDecRef(object);
  return NULL;
}

static void destroy_nested(void) {
  // Far more levels than the thread's stack could take one within another.
  TVMFFIObject* deep = nested(500000);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 512 * 1024);
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, &attributes, drop, deep), 0);
  pthread_join(thread, NULL);
  // One in the middle is held on to weakly, one strongly.
  TVMFFIObject *tail = nested(1000), *middle = tail;
  TVMFFIObject* array = ss_array_new(1);
  push(array, tail);
  TVMFFIObject* top = nested(0);
  for (int i = 0; i < 1000; i++) {
    TVMFFIObject* outer = ss_array_new(2);
    push(outer, top);
    if (i == 500) push(outer, array);
    top = outer;
  }
  ss_incref(middle);
  ss_weak_incref(array);
  TVMFFIObjectDecRef(top);
  CHECK_EQ(ss_promote(array), 0);
  ss_weak_decref(array);
  CHECK_EQ(middle->combined_ref_count & 0xffffffff, 1);
  TVMFFIObjectDecRef(middle);
}

int main(void) {
  ss_start_begin();
  TVMFFIByteArray key = bytes("None"), hash = bytes("__any_hash__"), equal = bytes("__any_equal__");
  ss_type_add(&key, kTVMFFINone, 0, NULL, 1, 1);
  ss_column_add(&hash);
  ss_column_add(&equal);
  ss_start_end();
  return RUN(find_keys, store, build, walk, hooks, destroy_nested);
}
