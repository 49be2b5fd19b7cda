// 16 threads register classes with all that belongs to them, and look up what the others register at that moment. What
// has been found must be whole. Under the thread sanitizer (make tsan) nothing may be read while it is written.
// Requirements: A4, A5
#include "program.h"

enum { THREADS = 16, CLASSES = 40, FIELDS = 5, ALL = THREADS * CLASSES };

// The classes that are registered, as the threads tell each other; 0: not yet. A child of each follows it.
static int32_t classes[ALL];

static int getter(void* address, TVMFFIAny* result) {
  result->type_index = kTVMFFIInt;
  result->v_int64 = *(int64_t*)address;
  return 0;
}

static int whose(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)args;
  (void)num_args;
  result->type_index = kTVMFFIInt;
  result->v_int64 = (int64_t)(intptr_t)self - 1;
  return 0;
}

static TVMFFIAny function_of(int64_t number) {
  TVMFFIAny value = {.type_index = kTVMFFIFunction};
  TVMFFIObjectHandle handle = NULL;
  // Plus one: without anything to carry, the callback would get its own handle.
  CHECK(TVMFFIFunctionCreate((void*)(intptr_t)(number + 1), whose, NULL, &handle) == 0);
  value.v_obj = handle;
  return value;
}

static int64_t call(TVMFFIObjectHandle function) {
  TVMFFIAny result = {.type_index = kTVMFFINone};
  CHECK(TVMFFIFunctionCall(function, NULL, 0, &result) == 0);
  return result.v_int64;
}

static void name_of(int number, const char* what, char* out) { sprintf(out, "registry.%s%d", what, number); }

static void register_class(int number) {
  char key[64], child[64], text[64];
  name_of(number, "Class", key);
  name_of(number, "Child", child);
  int32_t index = new_type(key, kTVMFFIObject, number % 3, 1);
  CHECK(new_type(key, kTVMFFIObject, number % 3, 1) == index);
  CHECK(new_type(child, index, 0, 1) > index);
  TVMFFITypeMetadata metadata = {.total_size = (int32_t)sizeof(TVMFFIObject) + 8 * FIELDS};
  CHECK(TVMFFITypeRegisterMetadata(index, &metadata) == 0);
  for (int i = 0; i < FIELDS; i++) {
    sprintf(text, "field%d", i);
    TVMFFIFieldInfo field = {
        .name = bytes(text), .size = 8, .alignment = 8, .getter = getter, .field_static_type_index = kTVMFFIInt};
    field.offset = (int64_t)sizeof(TVMFFIObject) + 8 * i;
    CHECK(TVMFFITypeRegisterField(index, &field) == 0);
  }
  TVMFFIAny function = function_of(number);
  TVMFFIMethodInfo method = {
      .name = bytes("whose"), .flags = kTVMFFIFieldFlagBitMaskIsStaticMethod, .method = function};
  CHECK(TVMFFITypeRegisterMethod(index, &method) == 0);
  TVMFFIByteArray attribute = bytes("__registry__");
  CHECK(TVMFFITypeRegisterAttr(index, &attribute, &function) == 0);
  name_of(number, "whose", text);
  TVMFFIByteArray name = bytes(text);
  CHECK(TVMFFIFunctionSetGlobal(&name, function.v_obj, 0) == 0);
  TVMFFIObjectDecRef(function.v_obj);
  __atomic_store_n(&classes[number], index, __ATOMIC_RELEASE);
}

static void check_class(int number, int32_t index) {
  char text[64];
  name_of(number, "Class", text);
  TVMFFIByteArray key = bytes(text);
  int32_t found = -1;
  CHECK(TVMFFITypeKeyToIndex(&key, &found) == 0 && found == index);
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(index);
  CHECK(info->type_index == index && info->type_depth == 1 && strcmp(info->type_key.data, text) == 0);
  CHECK(info->type_ancestors[0] == TVMFFIGetTypeInfo(kTVMFFIObject));
  CHECK(info->num_fields == FIELDS && info->num_methods == 1 && info->metadata != NULL);
  for (int i = 0; i < info->num_fields; i++) CHECK(info->fields[i].offset == (int64_t)sizeof(TVMFFIObject) + 8 * i);
  CHECK(call(info->methods[0].method.v_obj) == number);
  TVMFFIByteArray attribute = bytes("__registry__");
  const TVMFFITypeAttrColumn* column = TVMFFIGetTypeAttrColumn(&attribute);
  int32_t size = __atomic_load_n(&column->size, __ATOMIC_ACQUIRE);  // other threads let the column grow
  const TVMFFIAny* data = __atomic_load_n(&column->data, __ATOMIC_ACQUIRE);
  CHECK(size > index && data[index].type_index == kTVMFFIFunction && call(data[index].v_obj) == number);
  name_of(number, "Child", text);
  key = bytes(text);
  CHECK(TVMFFITypeKeyToIndex(&key, &found) == 0);
  CHECK(TVMFFIGetTypeInfo(found)->type_depth == 2 && TVMFFIGetTypeInfo(found)->type_ancestors[1] == info);
  name_of(number, "whose", text);
  TVMFFIObjectHandle function = global(text);
  CHECK(function != NULL && call(function) == number);
  TVMFFIObjectDecRef(function);
}

// A class that is perhaps being registered: found or not, by its key, and as far as it is there, right.
static void look_at(int number) {
  char text[64];
  name_of(number, "Class", text);
  TVMFFIByteArray key = bytes(text);
  int32_t index = -1;
  if (TVMFFITypeKeyToIndex(&key, &index) != 0) {
    CHECK_RAISED("InternalError", "Cannot find type");
    return;
  }
  CHECK(strcmp(TVMFFIGetTypeInfo(index)->type_key.data, text) == 0);
  CHECK(SelfsameTypeIndexEnd() > index);
}

// All threads want the same class: one of them makes it.
static void share(int round, int32_t* agreed) {
  char key[64];
  name_of(round, "Shared", key);
  int32_t index = new_type(key, kTVMFFIObject, 1, 1), none = 0;
  if (!__atomic_compare_exchange_n(agreed, &none, index, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) CHECK(none == index);
}

static int32_t agreed[CLASSES];

static void* work(void* arg) {
  int me = (int)(intptr_t)arg;
  unsigned random = 12345u * (unsigned)(me + 1);
  for (int round = 0; round < CLASSES; round++) {
    register_class(me * CLASSES + round);
    share(round, &agreed[round]);
    for (int i = 0; i < 20; i++) {
      random = random * 1664525u + 1013904223u;
      int number = (int)((random >> 8) % ALL);
      int32_t index = __atomic_load_n(&classes[number], __ATOMIC_ACQUIRE);
      if (index != 0) {
        check_class(number, index);
      } else {
        look_at(number);
      }
    }
  }
  return NULL;
}

int main(void) {
  wait_for_start();
  int64_t functions = SelfsameLiveObjects(kTVMFFIFunction), errors = SelfsameLiveObjects(kTVMFFIError);
  int32_t first = next_index();
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, work, (void*)(intptr_t)i) == 0);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < ALL; i++) check_class(i, classes[i]);
  CHECK(SelfsameLiveObjects(kTVMFFIFunction) == functions + ALL);  // each is kept by its class and its name
  CHECK(SelfsameLiveObjects(kTVMFFIError) == errors);
  CHECK(SelfsameTypeIndexEnd() >= first + 2 * ALL + CLASSES);
  return failures != 0;
}
