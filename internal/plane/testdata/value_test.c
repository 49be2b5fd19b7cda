// Values, strings, arrays.
// Requirements: A3, A7
#include "check.h"
#include "walks/structural_leaf.h"

static TVMFFIAny string_of(const char* data, size_t size) {
  TVMFFIByteArray b = {data, size};
  TVMFFIAny v;
  CHECK_EQ(TVMFFIStringFromByteArray(&b, &v), 0);
  return v;
}

static void small_strings(void) {
  for (size_t n = 0; n <= 7; n++) {
    TVMFFIAny v = string_of("ab\0defg", n);
    CHECK_EQ(v.type_index, kTVMFFISmallStr);
    CHECK_EQ(v.small_str_len, n);
    CHECK(memcmp(v.v_bytes, "ab\0defg", n) == 0);
    for (size_t i = n; i < 8; i++) CHECK_EQ(v.v_bytes[i], 0);
  }
  TVMFFIAny v = string_of(NULL, 0);
  CHECK_EQ(v.type_index, kTVMFFISmallStr);
  CHECK_EQ(v.v_uint64, 0);
}

static void heap_strings(void) {
  static const char text[] = "eight\0ch and more";
  for (size_t n = 8; n < sizeof(text); n++) {
    TVMFFIAny v = string_of(text, n);
    CHECK_EQ(v.type_index, kTVMFFIStr);
    CHECK_EQ(v.zero_padding, 0);
    TVMFFIByteArray* body = (TVMFFIByteArray*)(v.v_obj + 1);
    CHECK(body->data == (char*)v.v_obj + 40);
    CHECK_EQ(body->size, n);
    CHECK(memcmp(body->data, text, n) == 0);
    CHECK_EQ(body->data[n], 0);
    ss_any_clear(&v);
    CHECK_EQ(v.type_index, kTVMFFINone);
  }
  TVMFFIByteArray b = {"\xff\xfe\x00 any bytes", 13};
  TVMFFIAny v;
  CHECK_EQ(TVMFFIBytesFromByteArray(&b, &v), 0);
  CHECK_EQ(v.type_index, kTVMFFIBytes);
  ss_any_clear(&v);
  b.size = 7;
  CHECK_EQ(TVMFFIBytesFromByteArray(&b, &v), 0);
  CHECK_EQ(v.type_index, kTVMFFISmallBytes);
}

static void bad_strings(void) {
  TVMFFIByteArray no_data = {NULL, 3};
  TVMFFIAny v = {.type_index = kTVMFFIInt, .v_int64 = 9};
  CHECK_EQ(TVMFFIStringFromByteArray(&no_data, &v), -1);
  CHECK_RAISED("ValueError", "TVMFFIStringFromByteArray: input has a size of 3 but no data");
  CHECK_EQ(v.type_index, kTVMFFINone);
  CHECK_EQ(TVMFFIStringFromByteArray(NULL, &v), -1);
  CHECK_RAISED("ValueError", "input must not be NULL");
  CHECK_EQ(TVMFFIBytesFromByteArray(&no_data, NULL), -1);
  CHECK_RAISED("ValueError", "out must not be NULL");
}

static TVMFFIAny owned_of(TVMFFIAny view) {
  TVMFFIAny out;
  memset(&out, 0x55, sizeof(out));
  CHECK_EQ(TVMFFIAnyViewToOwnedAny(&view, &out), 0);
  return out;
}

static void plain_values(void) {
  TVMFFIAny dirty = {.type_index = kTVMFFIInt, .zero_padding = 77, .v_int64 = -5};
  TVMFFIAny out = owned_of(dirty);
  CHECK_EQ(out.type_index, kTVMFFIInt);
  CHECK_EQ(out.zero_padding, 0);
  CHECK_EQ(out.v_int64, -5);
  dirty.type_index = kTVMFFIBool;
  out = owned_of(dirty);
  CHECK_EQ(out.v_int64, 1);
  dirty.type_index = kTVMFFINone;
  out = owned_of(dirty);
  CHECK_EQ(out.v_uint64, 0);
  CHECK_EQ(out.zero_padding, 0);
  TVMFFIAny dtype = {.type_index = kTVMFFIDataType, .v_uint64 = 0xDEADBEEF00012002};
  CHECK_EQ(owned_of(dtype).v_uint64, 0x00012002);
  TVMFFIAny device = {.type_index = kTVMFFIDevice, .v_device = {2, 1}};
  CHECK_EQ(owned_of(device).v_device.device_id, 1);
  int x = 0;
  TVMFFIAny pointer = {.type_index = kTVMFFIOpaquePtr, .v_ptr = &x};
  CHECK(owned_of(pointer).v_ptr == &x);
  pointer.type_index = kTVMFFIDLTensorPtr;  // passes through, not owned
  CHECK_EQ(owned_of(pointer).type_index, kTVMFFIDLTensorPtr);
  TVMFFIAny small = {.type_index = kTVMFFISmallStr, .small_str_len = 2, .v_bytes = "abGARBA"};
  out = owned_of(small);
  CHECK_EQ(out.small_str_len, 2);
  CHECK_EQ(out.v_uint64, 'a' | 'b' << 8);
  small.small_str_len = 8;
  CHECK_EQ(TVMFFIAnyViewToOwnedAny(&small, &out), -1);
  CHECK_RAISED("ValueError", "at most 7 bytes, got 8");
}

static void text_views(void) {
  TVMFFIAny raw = {.type_index = kTVMFFIRawStr, .v_c_str = "short"};
  TVMFFIAny out = owned_of(raw);
  CHECK_EQ(out.type_index, kTVMFFISmallStr);
  CHECK_EQ(out.small_str_len, 5);
  raw.v_c_str = "not so short";
  out = owned_of(raw);
  CHECK_EQ(out.type_index, kTVMFFIStr);
  ss_any_clear(&out);
  TVMFFIByteArray b = {"\0\1\2\3\4\5\6\7", 8};
  TVMFFIAny view = {.type_index = kTVMFFIByteArrayPtr, .v_ptr = &b};
  out = owned_of(view);
  CHECK_EQ(out.type_index, kTVMFFIBytes);
  ss_any_clear(&out);
  b.size = 7;
  CHECK_EQ(owned_of(view).type_index, kTVMFFISmallBytes);
  raw.v_c_str = NULL;
  CHECK_EQ(TVMFFIAnyViewToOwnedAny(&raw, &out), -1);
  CHECK_RAISED("ValueError", "v_c_str must not be NULL");
  view.v_ptr = NULL;
  CHECK_EQ(TVMFFIAnyViewToOwnedAny(&view, &out), -1);
  CHECK_RAISED("ValueError", "input must not be NULL");
}

static void object_views(void) {
  TVMFFIObjectHandle h = NULL;
  CHECK_EQ(SelfsameObjectAlloc(24, 8, 64, ss_delete_plain, &h), 0);
  TVMFFIObject* obj = h;
  TVMFFIAny view = {.type_index = 64, .zero_padding = 3, .v_obj = obj};
  TVMFFIAny out = owned_of(view);
  CHECK_EQ(obj->combined_ref_count, 0x100000002);
  CHECK(out.v_obj == obj && out.zero_padding == 0);
  ss_any_clear(&out);
  CHECK_EQ(obj->combined_ref_count, 0x100000001);
  // The object of an rvalue reference can be moved out once.
  TVMFFIAny rvalue = {.type_index = kTVMFFIObjectRValueRef, .v_ptr = &h};
  out = owned_of(rvalue);
  CHECK(h == NULL);
  CHECK_EQ(out.type_index, 64);
  CHECK_EQ(obj->combined_ref_count, 0x100000001);
  TVMFFIAny again;
  CHECK_EQ(TVMFFIAnyViewToOwnedAny(&rvalue, &again), -1);
  CHECK_RAISED("InternalError", "RValueRef already moved");
  ss_any_clear(&out);
  view.v_obj = NULL;
  CHECK_EQ(TVMFFIAnyViewToOwnedAny(&view, &again), -1);
  CHECK_RAISED("ValueError", "v_obj must not be NULL");
  CHECK_EQ(TVMFFIAnyViewToOwnedAny(NULL, &again), -1);
  CHECK_RAISED("ValueError", "any_view must not be NULL");
  CHECK_EQ(TVMFFIAnyViewToOwnedAny(&view, NULL), -1);
  CHECK_RAISED("ValueError", "out must not be NULL");
}

// A heap string of any length equals the small one of the same content.
static void equality(void) {
  TVMFFIAny heap = string_of("content!", 8);
  ((TVMFFIByteArray*)(heap.v_obj + 1))->size = 7;
  TVMFFIAny small = string_of("content", 7), shorter = string_of("conten", 6);
  CHECK(ss_same_text(&heap, &small));
  CHECK(!ss_same_text(&heap, &shorter));
  TVMFFIByteArray b = {"content", 7};
  TVMFFIAny as_bytes;
  TVMFFIBytesFromByteArray(&b, &as_bytes);
  CHECK(!ss_same_text(&small, &as_bytes));
  TVMFFIAny one = {.type_index = kTVMFFIInt, .v_int64 = 1}, truth = {.type_index = kTVMFFIBool, .v_int64 = 1};
  CHECK(!ss_same_text(&one, &truth));
  CHECK(!ss_same_text(&one, &small));
  ss_any_clear(&heap);
}

static TVMFFISeqCell* seq(TVMFFIObjectHandle array) { return (TVMFFISeqCell*)((TVMFFIObject*)array + 1); }

static void arrays(void) {
  TVMFFIAny views[3] = {{.type_index = kTVMFFIInt, .v_int64 = 4},
                        {.type_index = kTVMFFIRawStr, .v_c_str = "a string of some length"},
                        {.type_index = kTVMFFINone}};
  TVMFFIObjectHandle array = NULL;
  CHECK_EQ(SelfsameArrayCreate(views, 3, &array), 0);
  TVMFFISeqCell* cell = seq(array);
  CHECK_EQ(((TVMFFIObject*)array)->type_index, kTVMFFIArray);
  CHECK(cell->data == (char*)array + 56);
  CHECK_EQ(cell->size, 3);
  CHECK_EQ(cell->capacity, 3);
  CHECK(cell->data_deleter == NULL);
  TVMFFIAny* items = cell->data;
  CHECK_EQ(items[0].v_int64, 4);
  CHECK_EQ(items[1].type_index, kTVMFFIStr);
  TVMFFIObjectDecRef(array);

  CHECK_EQ(SelfsameArrayCreate(NULL, 0, &array), 0);
  CHECK_EQ(seq(array)->size, 0);
  TVMFFIObjectDecRef(array);

  // C++ moved the elements out: size is 0, and nothing is released twice. A foreign buffer goes to its deleter.
  TVMFFIObjectHandle element = NULL;
  SelfsameObjectAlloc(24, 8, 64, ss_delete_plain, &element);
  TVMFFIAny view = {.type_index = 64, .v_obj = element};
  CHECK_EQ(SelfsameArrayCreate(&view, 1, &array), 0);
  CHECK_EQ(((TVMFFIObject*)element)->combined_ref_count, 0x100000002);
  seq(array)->size = 0;
  TVMFFIObjectDecRef(array);
  CHECK_EQ(((TVMFFIObject*)element)->combined_ref_count, 0x100000002);
  TVMFFIObjectDecRef(element);
  CHECK_EQ(SelfsameArrayCreate(&view, 1, &array), 0);
  TVMFFIAny* buffer = calloc(4, sizeof(TVMFFIAny));
  memcpy(buffer, seq(array)->data, sizeof(TVMFFIAny));
  seq(array)->data = buffer;
  seq(array)->data_deleter = free;
  TVMFFIObjectDecRef(element);
  TVMFFIObjectDecRef(array);
}

static void bad_arrays(void) {
  TVMFFIObjectHandle array = &array;
  CHECK_EQ(SelfsameArrayCreate(NULL, -1, &array), -1);
  CHECK(array == NULL);
  CHECK_RAISED("ValueError", "got -1");
  CHECK_EQ(SelfsameArrayCreate(NULL, 2, &array), -1);
  CHECK_RAISED("ValueError", "views must not be NULL");
  TVMFFIAny view = {.type_index = kTVMFFINone};
  CHECK_EQ(SelfsameArrayCreate(&view, INT64_MAX, &array), -1);
  CHECK_RAISED("ValueError", "number of elements");
  CHECK_EQ(SelfsameArrayCreate(&view, 1, NULL), -1);
  CHECK_RAISED("ValueError", "out must not be NULL");
  // The second view fails: the first element is released with the array.
  void* empty = NULL;
  TVMFFIAny views[2] = {{.type_index = kTVMFFIRawStr, .v_c_str = "a string of some length"},
                        {.type_index = kTVMFFIObjectRValueRef, .v_ptr = &empty}};
  CHECK_EQ(SelfsameArrayCreate(views, 2, &array), -1);
  CHECK(array == NULL);
  CHECK_RAISED("InternalError", "already moved");
}

int main(void) {
  return RUN(small_strings, heap_strings, bad_strings, plain_values, text_views, object_views, equality, arrays,
             bad_arrays);
}
