// Type 78: integers beyond int64_t.
// Requirement: A3
#include "check.h"

static TVMFFIAny make(const int64_t* words, size_t n) {
  TVMFFIByteArray b = {(const char*)words, n * 8};
  TVMFFIAny v = {.type_index = kTVMFFIStr, .zero_padding = 5, .v_int64 = 9};
  CHECK_EQ(TVMFFIBigIntFromByteArray(&b, &v), 0);
  CHECK_EQ(v.zero_padding, 0);
  return v;
}

static void check(const int64_t* words, size_t n, const int64_t* want, size_t want_n) {
  TVMFFIAny v = make(words, n);
  CHECK_EQ(v.type_index, want_n == 1 ? kTVMFFIInt : kTVMFFIBigInt);
  TVMFFIByteArray content = TVMFFIBigIntGetContentByteArray(&v);
  CHECK_EQ(content.size, want_n * 8);
  CHECK(memcmp(content.data, want, want_n * 8) == 0);
  if (want_n == 1) CHECK(content.data == (const char*)&v.v_int64);
  if (want_n > 1) CHECK(content.data == (const char*)v.v_obj + 32);
  ss_any_clear(&v);
}

#define WORDS(...) (const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / 8

static void normal_form(void) {
  check(NULL, 0, WORDS(0));
  check(WORDS(5), WORDS(5));
  check(WORDS(INT64_MIN), WORDS(INT64_MIN));
  check(WORDS(5, 0), WORDS(5));
  check(WORDS(5, -1), WORDS(5, -1));
  check(WORDS(-1, -1, -1, -1), WORDS(-1));
  check(WORDS(-1, 0), WORDS(-1, 0));
  check(WORDS(INT64_MIN, 0), WORDS(INT64_MIN, 0));
  check(WORDS(INT64_MIN, -1), WORDS(INT64_MIN));
  check(WORDS(0, 1, 0, 0), WORDS(0, 1));
  check(WORDS(0, -1, -1), WORDS(0, -1));
  check(WORDS(0, 0, 0, 0), WORDS(0));
}

static void bad_input(void) {
  TVMFFIAny v = {.type_index = kTVMFFIInt, .v_int64 = 3};
  for (size_t extra = 1; extra < 8; extra++) {
    TVMFFIByteArray b = {"0123456789abcdef", 8 + extra};
    CHECK_EQ(TVMFFIBigIntFromByteArray(&b, &v), -1);
    CHECK_RAISED("ValueError", "BigInt content must contain whole 64-bit words");
    CHECK_EQ(v.type_index, kTVMFFINone);
  }
  TVMFFIByteArray no_data = {NULL, 8};
  CHECK_EQ(TVMFFIBigIntFromByteArray(&no_data, &v), -1);
  CHECK_RAISED("ValueError", "has a size of 8 but no data");
  CHECK_EQ(TVMFFIBigIntFromByteArray(NULL, &v), -1);
  CHECK_RAISED("ValueError", "input must not be NULL");
  CHECK_EQ(TVMFFIBigIntFromByteArray(&no_data, NULL), -1);
  CHECK_RAISED("ValueError", "out must not be NULL");
  CHECK(TVMFFIBigIntGetContentByteArray(NULL).data == NULL);
  CHECK_RAISED("ValueError", "value must not be NULL");
  v = (TVMFFIAny){.type_index = kTVMFFIFloat, .v_float64 = 1};
  TVMFFIByteArray content = TVMFFIBigIntGetContentByteArray(&v);
  CHECK(content.data == NULL && content.size == 0);
  CHECK_RAISED("TypeError", "value must be an int or an ffi.BigInt, got type index 3");
}

// The words need no alignment, and out may overlap the input's descriptor.
static void unaligned_and_overlapping(void) {
  int64_t words[3] = {7, 8, 9};
  char buffer[32];
  memcpy(buffer + 3, words, sizeof(words));
  union {
    TVMFFIByteArray b;
    TVMFFIAny v;
  } both = {.b = {buffer + 3, sizeof(words)}};
  CHECK_EQ(TVMFFIBigIntFromByteArray(&both.b, &both.v), 0);
  CHECK_EQ(both.v.type_index, kTVMFFIBigInt);
  CHECK(memcmp(TVMFFIBigIntGetContentByteArray(&both.v).data, words, sizeof(words)) == 0);
  ss_any_clear(&both.v);
}

int main(void) { return RUN(normal_form, bad_input, unaligned_and_overlapping); }
