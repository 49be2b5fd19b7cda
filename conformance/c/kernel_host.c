// A C program that uses a compiled kernel library (kernel_library.c) as a serving process does, through the C ABI
// alone: it looks kernels up, passes tensors, reads errors and defines a class. Requirements: A6, A8, A9
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

static int passed, failed;

#define CHECK(ok)                                                     \
  do {                                                                \
    if (ok) {                                                         \
      passed++;                                                       \
    } else {                                                          \
      failed++;                                                       \
      fprintf(stderr, "  FAIL %s:%d: %s\n", __FILE__, __LINE__, #ok); \
    }                                                                 \
  } while (0)

static TVMFFIByteArray bytes(const char* text) { return (TVMFFIByteArray){text, strlen(text)}; }

static TVMFFIAny of_int(int64_t v) { return (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = v}; }
static TVMFFIAny of_text(const char* text) { return (TVMFFIAny){.type_index = kTVMFFIRawStr, .v_c_str = text}; }
static TVMFFIAny of_object(TVMFFIObjectHandle h) {
  return (TVMFFIAny){.type_index = ((TVMFFIObject*)h)->type_index, .v_obj = h};
}

static void release(TVMFFIAny* value) {
  if (value->type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectDecRef(value->v_obj);
  *value = (TVMFFIAny){0};
}

static TVMFFIAny call_global(const char* name, TVMFFIAny* args, int32_t n) {
  TVMFFIByteArray key = bytes(name);
  TVMFFIObjectHandle function = NULL;
  TVMFFIAny result = {0};
  if (TVMFFIFunctionGetGlobal(&key, &function) != 0 || function == NULL) {
    fprintf(stderr, "there is no %s\n", name);
    exit(1);
  }
  if (TVMFFIFunctionCall(function, args, n, &result) != 0) result.type_index = kTVMFFIError;  // raised
  TVMFFIObjectDecRef(function);
  return result;
}

// Takes the raised error. Returns whether it is of a kind and has a text in its message.
static int raised(const char* kind, const char* part) {
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  if (error == NULL) return 0;
  TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((TVMFFIObject*)error + 1);
  int ok = cell->kind.size == strlen(kind) && memcmp(cell->kind.data, kind, cell->kind.size) == 0 &&
           strstr(cell->message.data, part) != NULL;
  if (!ok) fprintf(stderr, "    raised %.*s: %s\n", (int)cell->kind.size, cell->kind.data, cell->message.data);
  TVMFFIObjectDecRef(error);
  return ok;
}

static TVMFFIObjectHandle load(const char* name) {
  const char* folder = getenv("CONFORMANCE_FIXTURES");
  char path[4096];
  snprintf(path, sizeof(path), "%s/%s", folder == NULL ? "." : folder, name);
  TVMFFIAny arg = of_text(path), module = call_global("ffi.ModuleLoadFromFile", &arg, 1);
  if (module.type_index != kTVMFFIModule) exit(!raised("", ""));
  return module.v_obj;
}

static TVMFFIObjectHandle kernel(TVMFFIObjectHandle module, const char* name) {
  TVMFFIAny args[3] = {of_object(module), of_text(name), of_int(0)};
  TVMFFIAny function = call_global("ffi.ModuleGetFunction", args, 3);
  return function.type_index == kTVMFFIFunction ? function.v_obj : NULL;
}

static void test_kernels(void) {
  TVMFFIObjectHandle module = load("kernels.so");
  TVMFFIObjectHandle add = kernel(module, "add"), fails = kernel(module, "fails");
  CHECK(add != NULL && fails != NULL);
  CHECK(kernel(module, "no_such_kernel") == NULL);
  TVMFFIAny args[2] = {of_int(40), of_int(2)}, result = {0};
  CHECK(TVMFFIFunctionCall(add, args, 2, &result) == 0);
  CHECK(result.type_index == kTVMFFIInt && result.v_int64 == 42);
  result = (TVMFFIAny){0};
  CHECK(TVMFFIFunctionCall(fails, NULL, 0, &result) != 0);
  CHECK(raised("ValueError", "this kernel always fails"));
  TVMFFIAny bad = {0};
  CHECK(TVMFFIFunctionCall(add, args, 1, &bad) != 0 && raised("TypeError", "add takes 2 arguments"));
  TVMFFIObjectDecRef(module);
  result = (TVMFFIAny){0};
  CHECK(TVMFFIFunctionCall(add, args, 2, &result) == 0 && result.v_int64 == 42);  // the function owns the module
  TVMFFIObjectDecRef(add);
  TVMFFIObjectDecRef(fails);
}

static int tensors_deleted;
static void delete_managed(DLManagedTensorVersioned* self) {
  tensors_deleted++;
  free(self);
}

static void test_tensor(void) {
  static float data[4] = {1, 2, 3, 4};
  static int64_t shape[2] = {2, 2};
  DLManagedTensorVersioned* managed = calloc(1, sizeof(*managed));
  managed->version = (DLPackVersion){DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  managed->deleter = delete_managed;
  managed->dl_tensor =
      (DLTensor){.data = data, .device = {kDLCPU, 0}, .ndim = 2, .dtype = {kDLFloat, 32, 1}, .shape = shape};
  TVMFFIObjectHandle tensor = NULL;
  CHECK(TVMFFITensorFromDLPackVersioned(managed, 0, 0, &tensor) == 0);
  DLTensor* view = (DLTensor*)((TVMFFIObject*)tensor + 1);
  CHECK(view->strides != NULL && view->strides[0] == 2 && view->strides[1] == 1);
  TVMFFIObjectHandle module = load("kernels.so"), twice = kernel(module, "double_in_place");
  TVMFFIAny arg = of_object(tensor), result = {0};
  CHECK(TVMFFIFunctionCall(twice, &arg, 1, &result) == 0 && result.v_int64 == 4);
  CHECK(data[0] == 2 && data[3] == 8);
  TVMFFIAny borrowed = {.type_index = kTVMFFIDLTensorPtr, .v_ptr = view};
  result = (TVMFFIAny){0};
  CHECK(TVMFFIFunctionCall(twice, &borrowed, 1, &result) == 0 && data[0] == 4);
  DLManagedTensor* exported = NULL;
  CHECK(TVMFFITensorToDLPack(tensor, &exported) == 0);
  TVMFFIObjectDecRef(tensor);
  CHECK(tensors_deleted == 0 && exported->dl_tensor.data == data);
  exported->deleter(exported);
  CHECK(tensors_deleted == 1);
  TVMFFIObjectDecRef(twice);
  TVMFFIObjectDecRef(module);
}

// A class that this program defines.
typedef struct {
  TVMFFIObject header;
  int64_t total;
  TVMFFIAny last;
} Counter;

static int counters_alive;

static void delete_counter(void* self, int flags) {
  Counter* c = self;
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) {
    release(&c->last);
    counters_alive--;
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free(c);
}

static int32_t counter_index;

static int make_counter(TVMFFIObjectHandle* out) {
  Counter* c = calloc(1, sizeof(Counter));
  if (c == NULL) return -1;
  c->header.combined_ref_count = ((uint64_t)1 << 32) | 1;
  c->header.type_index = counter_index;
  c->header.deleter = delete_counter;
  counters_alive++;
  *out = c;
  return 0;
}

static int get_total(void* field, TVMFFIAny* result) {
  *result = of_int(*(int64_t*)field);
  return 0;
}

static int set_total(void* field, const TVMFFIAny* value) {
  if (value->type_index != kTVMFFIInt) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "total is an int");
    return -1;
  }
  *(int64_t*)field = value->v_int64;
  return 0;
}

static void test_class(void) {
  TVMFFIByteArray key = bytes("conformance.c.Counter");
  counter_index = TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject);
  CHECK(counter_index >= kTVMFFIDynObjectBegin);
  TVMFFITypeMetadata metadata = {.doc = bytes("counts"), .creator = make_counter, .total_size = sizeof(Counter)};
  CHECK(TVMFFITypeRegisterMetadata(counter_index, &metadata) == 0);
  TVMFFIFieldInfo total = {.name = bytes("total"),
                           .flags = kTVMFFIFieldFlagBitMaskWritable,
                           .size = 8,
                           .alignment = 8,
                           .offset = offsetof(Counter, total),
                           .getter = get_total,
                           .setter = (void*)set_total,
                           .field_static_type_index = kTVMFFIInt};
  CHECK(TVMFFITypeRegisterField(counter_index, &total) == 0);
  CHECK(TVMFFITypeRegisterField(counter_index, &total) != 0 && raised("InternalError", "Duplicate field name"));
  TVMFFIAny args[3] = {of_text("conformance.c.Counter"), of_text("total"), of_int(5)};
  TVMFFIAny made = call_global("ffi.MakeObjectFromPackedArgs", args, 3);
  CHECK(made.type_index == counter_index && ((Counter*)made.v_obj)->total == 5);
  args[2] = of_text("five");
  CHECK(call_global("ffi.MakeObjectFromPackedArgs", args, 3).type_index == kTVMFFIError);
  CHECK(raised("TypeError", "total is an int"));
  CHECK(counters_alive == 1);  // the object whose field could not be set was freed
  TVMFFIAny array = call_global("ffi.Array", &made, 1);
  release(&made);
  CHECK(counters_alive == 1);
  release(&array);
  CHECK(counters_alive == 0);
}

static void test_values(void) {
  TVMFFIAny pairs[4] = {of_text("a key of some length"), of_int(1), of_text("k"), of_int(2)};
  TVMFFIAny map = call_global("ffi.Map", pairs, 4);
  TVMFFIAny look[2] = {map, of_text("k")};
  CHECK(call_global("ffi.MapGetItem", look, 2).v_int64 == 2);
  look[1] = of_text("absent");
  CHECK(call_global("ffi.MapGetItem", look, 2).type_index == kTVMFFIError && raised("KeyError", "key is not in Map"));
  release(&map);
  TVMFFIByteArray name = bytes("float16x4");
  DLDataType type;
  CHECK(TVMFFIDataTypeFromString(&name, &type) == 0 && type.code == kDLFloat && type.bits == 16 && type.lanes == 4);
  name = bytes("nonsense");
  CHECK(TVMFFIDataTypeFromString(&name, &type) != 0 && raised("ValueError", "unknown dtype `nonsense`"));
  void* before = &type;
  CHECK(TVMFFIEnvSetStream(kDLCUDA, 0, &name, &before) == 0 && before == NULL);
  CHECK(TVMFFIEnvGetStream(kDLCUDA, 0) == &name);
  CHECK(TVMFFIEnvSetStream(kDLCUDA, 0, NULL, NULL) == 0);
}

int main(void) {
  test_kernels();
  test_tensor();
  test_class();
  test_values();
  printf("C: %d passed, %d failed\n", passed, failed);
  return failed == 0 && passed > 0 ? 0 : 1;
}
