// Data types as text. What the parser accepts in full is compared with a model in Go (dtype_test.go).
// Requirement: A8
#include "check.h"

static DLDataType parse(const char* text) {
  TVMFFIByteArray b = bytes(text);
  DLDataType t = {99, 99, 99};
  CHECK_EQ(TVMFFIDataTypeFromString(&b, &t), 0);
  return t;
}

static void refuse(const char* text, const char* kind, const char* message) {
  TVMFFIByteArray b = bytes(text);
  DLDataType t = {99, 99, 99};
  CHECK_EQ(TVMFFIDataTypeFromString(&b, &t), -1);
  CHECK_RAISED(kind, message);
  CHECK_EQ(t.code, 99);
}

static void expect(const char* text, int code, int bits, int lanes) {
  DLDataType t = parse(text);
  if (t.code != code || t.bits != bits || t.lanes != lanes) {
    fprintf(stderr, "%s is {%d, %d, %d}, want {%d, %d, %d}\n", text, t.code, t.bits, t.lanes, code, bits, lanes);
    failures++;
  }
}

static void prints(int code, int bits, int lanes, const char* want) {
  DLDataType t = {(uint8_t)code, (uint8_t)bits, (uint16_t)lanes};
  TVMFFIAny v = {.type_index = kTVMFFINone};
  CHECK_EQ(TVMFFIDataTypeToString(&t, &v), 0);
  CHECK_EQ(v.type_index, kTVMFFIStr);  // on the heap also when short
  TVMFFIByteArray text = {"", 0};
  CHECK(ss_any_bytes(&v, &text));
  if (text.size != strlen(want) || strcmp(text.data, want) != 0) {
    fprintf(stderr, "{%d, %d, %d} is %s, want %s\n", code, bits, lanes, text.data, want);
    failures++;
  }
  ss_any_clear(&v);
}

static void no_text(int code, const char* kind, const char* message) {
  DLDataType t = {(uint8_t)code, 8, 1};
  TVMFFIAny v = {.type_index = kTVMFFIStr, .v_int64 = 1};
  CHECK_EQ(TVMFFIDataTypeToString(&t, &v), -1);
  CHECK_RAISED(kind, message);
  CHECK_EQ(v.type_index, kTVMFFINone);
}

static void texts(void) {
  expect("", kDLOpaqueHandle, 0, 0);
  expect("void", kDLOpaqueHandle, 0, 0);
  expect("int0", kDLInt, 32, 1);
  expect("bool1", kDLBool, 1, 1);
  expect("float32xvscalex4", kDLFloat, 32, 65532);
  expect("int8xvscalex32768", kDLInt, 8, 32768);
  expect("int8xvscale", kDLInt, 8, 1);
  expect("fp4_e2m1fn_x2", kDLFloat4_e2m1fn, 4, 2);
  expect("float4_e2m1fn_", kDLFloat4_e2m1fn, 4, 1);
  expect("handle32x7", kDLOpaqueHandle, 32, 7);
  expect("bf16", kDLBfloat, 16, 1);
  refuse("int8xvscalex32769", "ValueError",
         "Lanes value 32769 is out of range for a scalable vector in dtype 'int8xvscalex32769'");
  refuse("int18446744073709551616", "ValueError",
         "Integer value in dtype string '18446744073709551616' is out of range for uint32_t");
  refuse("u256", "ValueError", "Bits value 256 is out of range for uint8_t in dtype 'uint256'");
  refuse("fp8_x", "ValueError", "unknown float8 type `float8_x`");
  refuse("float6_e2m3", "ValueError", "unknown float6 type `float6_e2m3`");
  refuse("i8x4 ", "ValueError", "unknown dtype `int8x4 `");

  TVMFFIByteArray with_nul = {"int8\0", 5};
  DLDataType t;
  CHECK_EQ(TVMFFIDataTypeFromString(&with_nul, &t), -1);
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((TVMFFIObject*)error + 1);
  static const char want[] = "unknown dtype `int8\0`";
  CHECK_EQ(cell->message.size, sizeof(want) - 1);
  CHECK(memcmp(cell->message.data, want, sizeof(want)) == 0);
  TVMFFIObjectDecRef(error);
}

// Every code with every number of bits comes back, as far as the text tells it.
static void round_trips(void) {
  static const int lanes[] = {1, 2, 16, 32767, 65534, 32768};
  for (int code = 0; code <= kDLFloat4_e2m1fn; code++) {
    if (code == kDLComplex || code == kDLOpaqueHandle) continue;
    int fixed = code >= kDLFloat6_e2m3fn ? (code == kDLFloat4_e2m1fn ? 4 : 6) : 8;
    for (int bits = 1; bits < 256; bits++) {
      for (size_t i = 0; i < sizeof(lanes) / sizeof(lanes[0]); i++) {
        if (code >= kDLFloat8_e3m4 && (bits != fixed || lanes[i] > 32767)) continue;
        DLDataType t = {(uint8_t)code, (uint8_t)bits, (uint16_t)lanes[i]};
        TVMFFIAny v;
        CHECK_EQ(TVMFFIDataTypeToString(&t, &v), 0);
        TVMFFIByteArray text;
        CHECK(ss_any_bytes(&v, &text));
        DLDataType back = parse(text.data);
        CHECK(back.code == t.code && back.bits == t.bits && back.lanes == t.lanes);
        ss_any_clear(&v);
      }
    }
  }
}

static void printing(void) {
  prints(kDLOpaqueHandle, 0, 0, "");
  prints(kDLOpaqueHandle, 64, 4, "handle");
  prints(kDLBool, 8, 1, "bool");
  prints(kDLBool, 8, 65532, "boolxvscalex4");
  prints(kDLBool, 1, 8, "bool1x8");
  prints(kDLInt, 8, 0, "int8");
  prints(kDLInt, 4, 65535, "int4");
  prints(kDLFloat, 255, 32768, "float255xvscalex32768");
  prints(kDLFloat8_e4m3b11fnuz, 8, 32768, "float8_e4m3b11fnuzxvscalex32768");
  prints(kDLFloat4_e2m1fn, 4, 2, "float4_e2m1fnx2");
  no_text(kDLComplex, "ValueError", "DLDataType contains unknown type_code=5");
  no_text(18, "ValueError", "DLDataType contains unknown type_code=18");
  no_text(128, "ValueError", "DLDataType contains unknown type_code=128");
}

static void bad_arguments(void) {
  DLDataType t = {0, 8, 1};
  TVMFFIAny v = {.type_index = kTVMFFINone};
  TVMFFIByteArray text = {NULL, 4};
  CHECK_EQ(TVMFFIDataTypeFromString(&text, &t), -1);
  CHECK_RAISED("ValueError", "str has a size of 4 but no data");
  CHECK_EQ(TVMFFIDataTypeFromString(NULL, &t), -1);
  CHECK_RAISED("ValueError", "str must not be NULL");
  text.size = 0;
  CHECK_EQ(TVMFFIDataTypeFromString(&text, NULL), -1);
  CHECK_RAISED("ValueError", "out must not be NULL");
  CHECK_EQ(TVMFFIDataTypeToString(NULL, &v), -1);
  CHECK_RAISED("ValueError", "dtype must not be NULL");
  CHECK_EQ(TVMFFIDataTypeToString(&t, NULL), -1);
  CHECK_RAISED("ValueError", "out must not be NULL");
}

// ---- types of the program's own ------------------------------------------------------------------------------------

static int64_t code_given;
static TVMFFIAny name_given;
static char name_asked[64];

static void custom_code_is(int64_t code) { code_given = code; }

static int give_code(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  (void)self;
  CHECK_EQ(n, 1);
  CHECK_EQ(args[0].type_index, kTVMFFIRawStr);
  snprintf(name_asked, sizeof(name_asked), "%s", args[0].v_c_str);
  if (strcmp(name_asked, "none") == 0) return 0;
  if (strcmp(name_asked, "text") == 0) {
    TVMFFIByteArray b = bytes("a string on the heap");
    return TVMFFIStringFromByteArray(&b, result);
  }
  if (strcmp(name_asked, "fails") == 0) return ss_raise("KeyError", "no such type");
  result->type_index = kTVMFFIInt;
  result->v_int64 = code_given;
  return 0;
}

static int give_name(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  (void)self;
  CHECK_EQ(n, 1);
  CHECK_EQ(args[0].type_index, kTVMFFIInt);
  return TVMFFIAnyViewToOwnedAny(&name_given, result);
}

static void put(const char* name, TVMFFISafeCallType call) {
  TVMFFIObjectHandle f = NULL;
  TVMFFIObject* old = NULL;
  TVMFFIMethodInfo info = {.flags = 0};
  TVMFFIByteArray key = bytes(name);
  CHECK_EQ(TVMFFIFunctionCreate(NULL, call, NULL, &f), 0);
  CHECK_EQ(ss_name_put(&key, f, &info, &old), 0);
  TVMFFIObjectDecRef(f);
}

static void take(const char* name) {
  TVMFFIByteArray key = bytes(name);
  ss_xdecref(ss_name_remove(ss_name_find(&key)));
}

static void custom_types(void) {
  refuse("custom", "ValueError", "expected opening brace after 'custom' type incustom");
  refuse("custom[a", "ValueError", "expected closing brace after 'custom' type incustom[a");
  refuse("custom[a]", "ValueError", "Function dtype.get_custom_type_code not found");
  no_text(129, "ValueError", "Function dtype.get_custom_type_name not found");
  put("dtype.get_custom_type_code", give_code);
  put("dtype.get_custom_type_name", give_name);
  custom_code_is(130);
  expect("custom[posit]", 130, 32, 1);
  CHECK(strcmp(name_asked, "posit") == 0);
  expect("custom[]8x2", 130, 8, 2);
  CHECK(strcmp(name_asked, "") == 0);
  expect("custom[a[b]xvscalex4", 130, 32, 65532);
  CHECK(strcmp(name_asked, "a[b") == 0);
  refuse("custom[posit]foo", "ValueError", "unknown dtype `custom[posit]foo`");
  refuse("custom[none]", "TypeError", "Cannot convert from type `unregistered type` to `int`");
  refuse("custom[text]", "TypeError", "to `int`");
  refuse("custom[fails]", "KeyError", "no such type");
  custom_code_is(300);
  refuse("custom[posit]", "ValueError", "dtype.get_custom_type_code returned 300, expected 129 to 255");
  custom_code_is(5);
  refuse("custom[posit]", "ValueError", "returned 5, expected 129 to 255, for dtype 'custom[posit]'");
  name_given = (TVMFFIAny){.type_index = kTVMFFIRawStr, .v_c_str = "posit"};
  prints(129, 32, 1, "custom[posit]");
  prints(255, 8, 65532, "custom[posit]xvscalex4");
  name_given.v_c_str = "a name that lies on the heap";
  prints(130, 8, 4, "custom[a name that lies on the heap]x4");
  name_given = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = 1};
  no_text(130, "TypeError", "to `str`");
  take("dtype.get_custom_type_code");
  take("dtype.get_custom_type_name");
}

int main(void) {
  ss_start_begin();
  ss_start_end();
  return RUN(texts, round_trips, printing, bad_arguments, custom_types);
}
