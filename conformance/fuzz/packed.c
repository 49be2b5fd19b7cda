// Fuzzes packed calls of the builtin functions through the C ABI. A call must return a result or raise an error, and
// change no number of live objects. The first byte of the input selects the function, the rest makes the arguments.
#include "fuzz.h"

// Functions that take addresses as integers, load files, or change the results of other inputs.
static const char* const left_out[] = {"ffi.FunctionFromExternC",
                                       "ffi.MakeFieldSetter",
                                       "ffi.FunctionRemoveGlobal",
                                       "ffi._RegisterFFIInit",
                                       "ffi._PyClassRegisterTypeAttrColumns",
                                       "ffi.Module",
                                       "ffi.SystemLib",
                                       "selfsame.",
                                       "ffi.load",
                                       NULL};

enum { MAX_FUNCTIONS = 256, MAX_VALUES = 100, MAX_ARGS = 6, MAX_DEPTH = 4, MAX_TYPES = 1024, TEXT = 40 };

static char* names[MAX_FUNCTIONS];
static int num_names;

static TVMFFIObjectHandle global(const char* name) {
  TVMFFIByteArray text = {name, strlen(name)};
  TVMFFIObjectHandle function = NULL;
  int failed = TVMFFIFunctionGetGlobal(&text, &function);
  settle(failed, "TVMFFIFunctionGetGlobal");
  return function;
}

static int taken(const char* name) {
  for (int i = 0; left_out[i] != NULL; i++) {
    if (strncmp(name, left_out[i], strlen(left_out[i])) == 0) return 0;
  }
  return 1;
}

static TVMFFIAny call(TVMFFIObjectHandle function, TVMFFIAny* args, int n, const char* what, int* failed) {
  TVMFFIAny result = {.type_index = kTVMFFINone};
  *failed = TVMFFIFunctionCall(function, args, n, &result);
  settle(*failed, what);
  return result;
}

static void reset(TVMFFIAny* v) {
  if (v->type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectDecRef(v->v_obj);
  *v = (TVMFFIAny){.type_index = kTVMFFINone};
}

// Returns a view of the content of a string, small or on the heap.
static TVMFFIByteArray bytes_of(const TVMFFIAny* v) {
  if (v->type_index == kTVMFFISmallStr) return (TVMFFIByteArray){v->v_bytes, v->small_str_len};
  return *(TVMFFIByteArray*)(v->v_obj + 1);
}

static int by_name(const void* a, const void* b) { return strcmp(*(char* const*)a, *(char* const*)b); }

static void list_functions(void) {
  int failed;
  TVMFFIObjectHandle lister = global("ffi.FunctionListGlobalNamesFunctor");
  TVMFFIAny list = call(lister, NULL, 0, "listing", &failed);
  TVMFFIAny index = {.type_index = kTVMFFIInt, .v_int64 = -1};
  int64_t count = call(list.v_obj, &index, 1, "listing", &failed).v_int64;
  for (index.v_int64 = 0; index.v_int64 < count; index.v_int64++) {
    TVMFFIAny name = call(list.v_obj, &index, 1, "listing", &failed);
    TVMFFIByteArray text = bytes_of(&name);
    char* copy = strndup(text.data, text.size);
    reset(&name);
    if (taken(copy)) {
      REQUIRE(num_names < MAX_FUNCTIONS, "more than %d functions", MAX_FUNCTIONS);
      names[num_names++] = copy;
    } else {
      free(copy);
    }
  }
  qsort(names, (size_t)num_names, sizeof(names[0]), by_name);  // the same input means the same call in every build
  reset(&list);
  TVMFFIObjectDecRef(lister);
}

// The input, and the values that were made of it.
typedef struct {
  const uint8_t* data;
  size_t size;
  TVMFFIAny owned[MAX_VALUES * 2];  // released at the end
  int num_owned;
  char* texts[MAX_VALUES];  // NUL-terminated, each in an allocation of its size
  TVMFFIByteArray views[MAX_VALUES];
  TVMFFIObject* sources[MAX_VALUES];  // objects that rvalue references move from
  int values;                         // how many were made: the position of the next in these arrays
  int aliased;                        // a value is used several times
} Input;

static int next_byte(Input* in) { return in->size == 0 ? 0 : (in->size--, *in->data++); }

static uint64_t next_word(Input* in) {
  uint64_t word = 0;
  size_t n = in->size < sizeof(word) ? in->size : sizeof(word);
  memcpy(&word, in->data, n);
  in->data += n;
  in->size -= n;
  return word;
}

// A text in its own allocation, so that the address sanitizer sees a read beyond its end.
static TVMFFIByteArray next_text(Input* in, int position) {
  size_t n = (size_t)next_byte(in) % TEXT;
  if (n > in->size) n = in->size;
  char* text = malloc(n + 1);
  REQUIRE(text != NULL, "no memory");
  memcpy(text, in->data, n);
  text[n] = '\0';
  in->data += n;
  in->size -= n;
  in->texts[position] = text;
  return (TVMFFIByteArray){text, n};
}

static TVMFFIAny keep(Input* in, TVMFFIAny v) { return in->owned[in->num_owned++] = v; }

static TVMFFIAny next_value(Input* in, int depth);

// Returns the object that a constructor makes of the next values; None if it raises an error.
static TVMFFIAny made(Input* in, const char* constructor, int depth) {
  TVMFFIAny args[4];
  int failed, n = next_byte(in) % 5;
  for (int i = 0; i < n; i++) args[i] = next_value(in, depth + 1);
  TVMFFIObjectHandle function = global(constructor);
  TVMFFIAny result = call(function, args, n, constructor, &failed);
  TVMFFIObjectDecRef(function);
  return keep(in, result);
}

static TVMFFIAny object_of(const char* getter, Input* in) {
  int failed;
  TVMFFIObjectHandle function = global(getter);
  TVMFFIAny result = call(function, NULL, 0, getter, &failed);
  TVMFFIObjectDecRef(function);
  return keep(in, result);
}

static TVMFFIAny next_value(Input* in, int depth) {
  TVMFFIAny v = {.type_index = kTVMFFINone};
  if (in->values == MAX_VALUES || depth > MAX_DEPTH) return v;
  int position = in->values++, failed;
  switch (next_byte(in) % 23) {
    case 1:
      v.type_index = kTVMFFIInt;
      v.v_int64 = (int8_t)next_byte(in);
      break;
    case 2:
      v.type_index = kTVMFFIInt;
      v.v_uint64 = next_word(in);
      break;
    case 3:
      v.type_index = kTVMFFIBool;
      v.v_int64 = next_byte(in) & 1;
      break;
    case 4:
      v.type_index = kTVMFFIFloat;
      v.v_uint64 = next_word(in);
      break;
    case 5:
    case 6: {
      TVMFFIByteArray text = next_text(in, position);
      failed = TVMFFIStringFromByteArray(&text, &v);
      settle(failed, "TVMFFIStringFromByteArray");
      return keep(in, v);
    }
    case 7:  // a C string, up to the first zero byte
      v.v_c_str = next_text(in, position).data;
      v.type_index = kTVMFFIRawStr;
      break;
    case 8:
      in->views[position] = next_text(in, position);
      v.v_ptr = &in->views[position];
      v.type_index = kTVMFFIByteArrayPtr;
      break;
    case 9:
      return made(in, "ffi.Array", depth);
    case 10:
      return made(in, "ffi.List", depth);
    case 11:
      return made(in, "ffi.Map", depth);
    case 12:
      return made(in, "ffi.Dict", depth);
    case 13:
      return made(in, "ffi.Shape", depth);
    case 14:
      v.type_index = kTVMFFIDataType;
      v.v_dtype.code = (uint8_t)next_byte(in);
      v.v_dtype.bits = (uint8_t)next_byte(in);
      v.v_dtype.lanes = (uint16_t)next_word(in);
      break;
    case 15:
      v.type_index = kTVMFFIDevice;
      v.v_device.device_type = next_byte(in);
      v.v_device.device_id = (int32_t)next_word(in);
      break;
    case 16:
      return object_of("ffi.GetKwargsObject", in);
    case 17:
      return object_of("ffi.GetInvalidObject", in);
    case 18:
      v.type_index = kTVMFFIFunction;
      v.v_obj = global("ffi.ArraySize");
      return keep(in, v);
    case 19: {  // an rvalue reference
      TVMFFIAny array = made(in, "ffi.Array", depth);
      if (array.type_index >= kTVMFFIStaticObjectBegin) {
        TVMFFIObjectIncRef(array.v_obj);
        in->sources[position] = array.v_obj;
      }
      v.type_index = kTVMFFIObjectRValueRef;
      v.v_ptr = &in->sources[position];
      break;
    }
    case 20:
      v.type_index = kTVMFFIDLTensorPtr;
      break;
    case 21: {  // a big integer whose two's complement is the next bytes
      TVMFFIByteArray words = next_text(in, position);
      failed = TVMFFIBigIntFromByteArray(&words, &v);
      settle(failed, "TVMFFIBigIntFromByteArray");
      if (failed) v = (TVMFFIAny){.type_index = kTVMFFINone};
      return keep(in, v);
    }
    case 22:  // a value that was made before
      if (in->num_owned > 0) {
        in->aliased = 1;
        return in->owned[next_byte(in) % in->num_owned];
      }
      break;
    default:
      break;
  }
  return v;
}

static void release(Input* in) {
  for (int i = 0; i < in->values; i++) {
    TVMFFIObjectDecRef(in->sources[i]);
    free(in->texts[i]);
  }
  for (int i = in->num_owned - 1; i >= 0; i--) reset(&in->owned[i]);
}

// Returns whether a function stores a value in a container. A container that contains itself is never freed.
static int stores(const char* name) {
  static const char* const all[] = {"ffi.ListAppend", "ffi.ListInsert", "ffi.ListSetItem", "ffi.ListReplaceSlice",
                                    "ffi.DictSetItem"};
  for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
    if (strcmp(name, all[i]) == 0) return 1;
  }
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (num_names == 0) list_functions();
  int64_t before[MAX_TYPES];
  int32_t end = SelfsameTypeIndexEnd() < MAX_TYPES ? SelfsameTypeIndexEnd() : MAX_TYPES;
  for (int32_t i = 0; i < end; i++) before[i] = SelfsameLiveObjects(i);
  Input* in = calloc(1, sizeof(*in));
  REQUIRE(in != NULL, "no memory");
  in->data = data;
  in->size = size;
  const char* name = names[next_byte(in) % num_names];
  TVMFFIAny args[MAX_ARGS];
  int n = 0, failed;
  while (in->size > 0 && n < MAX_ARGS) args[n++] = next_value(in, 0);
  TVMFFIObjectHandle function = global(name);
  REQUIRE(function != NULL, "%s is gone", name);
  TVMFFIAny result = call(function, args, n, name, &failed);
  REQUIRE(!failed || result.type_index == kTVMFFINone, "%s fails and writes a result", name);
  reset(&result);
  TVMFFIObjectDecRef(function);
  release(in);
  int cyclic = in->aliased && stores(name);
  free(in);
  if (cyclic) return 0;
  for (int32_t i = 0; i < end; i++) {
    int64_t now = SelfsameLiveObjects(i);
    REQUIRE(now == before[i], "%s: %lld live objects of type %d, %lld before", name, (long long)now, i,
            (long long)before[i]);
  }
  return 0;
}
