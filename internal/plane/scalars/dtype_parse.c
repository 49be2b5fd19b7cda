// TVMFFIDataTypeFromString: <name>[<bits>][x<lanes>|xvscalex<lanes>], with short names and names that the program
// registered.
//
// In C, because compiled code parses a string argument on every call, and a call into Go would cost more than the
// parsing.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dtype.h"
#include "core/raise.h"
#include "core/reflected_object.h"
#include "selfsame/internal/values.h"

// The text to parse. A short name is spelt out in messages: `long_name` replaces the part that was cut off the front of
// `rest`.
typedef struct {
  const char* long_name;  // static; "" when nothing was cut off
  TVMFFIByteArray rest;   // the text, borrowed from the caller
  size_t at;              // how many bytes of rest are read
} Source;

static int is_digit(char c) { return c >= '0' && c <= '9'; }

static char peek(const Source* s, size_t ahead) {
  return s->at + ahead < s->rest.size ? s->rest.data[s->at + ahead] : '\0';
}

static int at_end(const Source* s) { return s->at == s->rest.size; }

static int skip_bytes(Source* s, const char* text, size_t n) {
  if (s->rest.size - s->at < n || memcmp(s->rest.data + s->at, text, n) != 0) return 0;
  s->at += n;
  return 1;
}

static inline int skip(Source* s, const char* text) { return skip_bytes(s, text, strlen(text)); }

// Raises ValueError with the message before + whole text + after. The text may contain any bytes.
static int refuse(const Source* s, const char* before, const char* after) {
  size_t n = strlen(before);
  size_t m = strlen(s->long_name);
  size_t k = strlen(after);
  size_t size = n + m + s->rest.size + k;
  char* message = malloc(size + 1);
  if (message == NULL) return ss_raise_no_memory("an error");
  memcpy(message, before, n);
  memcpy(message + n, s->long_name, m);
  if (s->rest.size != 0) memcpy(message + n + m, s->rest.data, s->rest.size);
  memcpy(message + n + m + s->rest.size, after, k + 1);
  ss_raise_bytes("ValueError", message, size);
  free(message);
  return -1;
}

// Reads digits. Returns how many there were, or -1 raised when the number exceeds uint32_t.
static int64_t number(Source* s, uint32_t* out) {
  const char* digits = s->rest.data + s->at;
  const char* end = s->rest.data + s->rest.size;
  const char* p = digits;
  uint64_t value = 0;
  for (; p < end && is_digit(*p); p++) {
    if (value <= UINT32_MAX) value = value * 10 + (uint64_t)(*p - '0');  // once too large, it stays too large
  }
  if (value > UINT32_MAX) {
    Source only = {"", {digits, (size_t)(p - digits)}, 0};
    return refuse(&only, "Integer value in dtype string '", "' is out of range for uint32_t");
  }
  s->at += (size_t)(p - digits);
  *out = (uint32_t)value;
  return p - digits;
}

static int refuse_number(const Source* s, const char* what, uint32_t value, const char* type) {
  char before[80];
  snprintf(before, sizeof(before), "%s value %u is out of range for %s in dtype '", what, value, type);
  return refuse(s, before, "'");
}

static int parse_bits(Source* s, DLDataType* out) {
  uint32_t bits = 0;
  if (number(s, &bits) < 0) return -1;
  if (bits > UINT8_MAX) return refuse_number(s, "Bits", bits, "uint8_t");
  if (bits != 0) out->bits = (uint8_t)bits;
  return 0;
}

static int parse_lanes(Source* s, int may_scale, DLDataType* out) {
  if (!skip(s, "x")) return 0;
  int scalable = 0;
  if (may_scale && skip(s, "vscale")) {
    if (!skip(s, "x")) return 0;  // without a number there is one lane, which is not scalable
    scalable = 1;
  }
  uint32_t lanes = 0;
  int64_t digits = number(s, &lanes);
  if (digits < 0) return -1;
  if (lanes > UINT16_MAX) return refuse_number(s, "Lanes", lanes, "uint16_t");
  if (digits == 0 || lanes == 0) {
    return refuse(s, "Invalid lanes specification in dtype '", "'. Lanes must be a positive integer.");
  }
  // Scalable lanes are stored negated: more would read back as a fixed number.
  if (scalable && lanes > -(int32_t)INT16_MIN) return refuse_number(s, "Lanes", lanes, "a scalable vector");
  out->lanes = scalable ? (uint16_t)-lanes : (uint16_t)lanes;
  return 0;
}

// A type that the program registered: custom[<name>].
static int parse_custom(Source* s, DLDataType* out) {
  if (!skip(s, "[")) return refuse(s, "expected opening brace after 'custom' type in", "");
  const char* name = s->rest.data + s->at;
  const char* end = memchr(name, ']', s->rest.size - s->at);
  if (end == NULL) return refuse(s, "expected closing brace after 'custom' type in", "");
  size_t size = (size_t)(end - name);
  if (memchr(name, '\0', size) != NULL) return refuse(s, "unknown dtype `", "`");
  char* copy = malloc(size + 1);
  if (copy == NULL) return ss_raise_no_memory("the name of a data type");
  memcpy(copy, name, size);
  copy[size] = '\0';
  TVMFFIAny argument = {.type_index = kTVMFFIRawStr, .v_c_str = copy};
  TVMFFIAny code;
  int rc = ss_dtype_ask("dtype.get_custom_type_code", &argument, &code);
  free(copy);
  if (rc != 0) return -1;
  if (code.type_index != kTVMFFIInt && code.type_index != kTVMFFIBool) {
    ss_raise_cannot_convert(&code, "int");
    ss_any_clear(&code);
    return -1;
  }
  if (code.v_int64 < SS_DTYPE_CUSTOM_BEGIN || code.v_int64 > UINT8_MAX) {
    char before[128];
    snprintf(before, sizeof(before), "dtype.get_custom_type_code returned %lld, expected %d to %d, for dtype '",
             (long long)code.v_int64, SS_DTYPE_CUSTOM_BEGIN, UINT8_MAX);
    return refuse(s, before, "'");
  }
  s->at += size + 1;
  *out = (DLDataType){(uint8_t)code.v_int64, 32, 1};
  return 0;
}

// Parses one of the types float8_*, float6_* and float4_*: the name ends before the lanes, or, for float4, before a
// '_'.
static int parse_exact(Source* s, char digit, DLDataType* out) {
  size_t start = s->at;
  while (!at_end(s) && peek(s, 0) != 'x' && !(digit == '4' && peek(s, 0) == '_')) s->at++;
  static const size_t prefix = sizeof("float8_") - 1;
  for (const SsDtypeName* name = ss_dtype_names; name->name != NULL; name++) {
    if (name->exact != digit || name->size - prefix != s->at - start) continue;
    if (memcmp(name->name + prefix, s->rest.data + start, s->at - start) != 0) continue;
    *out = (DLDataType){name->code, name->bits, 1};
    if (digit == '4') skip(s, "_");
    return parse_lanes(s, 0, out);
  }
  char before[] = "unknown float8 type `";
  before[sizeof("unknown float") - 1] = digit;
  return refuse(s, before, "`");
}

// Spells out a short name: i8, u8, bf16, f32, fp8_e4m3 and the like.
static Source normalized(const TVMFFIByteArray* text) {
  const char* p = text->data;
  size_t n = text->size;
  const char* long_name = "";
  size_t cut = 1;
  if (n > 1 && is_digit(p[1])) {
    if (p[0] == 'i') long_name = "int";
    if (p[0] == 'u') long_name = "uint";
    if (p[0] == 'f') long_name = "float";
  } else if (n > 2 && p[0] == 'b' && p[1] == 'f' && is_digit(p[2])) {
    long_name = "bfloat";
    cut = 2;
  } else if (n > 3 && p[0] == 'f' && p[1] == 'p' && p[3] == '_' && (p[2] == '8' || p[2] == '6' || p[2] == '4')) {
    long_name = "float";
    cut = 2;
  }
  if (long_name[0] == '\0') cut = 0;
  return (Source){long_name, {p + cut, n - cut}, 0};
}

// The name that the text begins with, of those that bits may follow.
static const SsDtypeName* find_base(Source* s) {
  char first = s->long_name[0] != '\0' ? s->long_name[0] : peek(s, 0);
  for (const SsDtypeName* name = ss_dtype_names; name->name != NULL; name++) {
    if (name->name[0] != first || name->exact != '\0') continue;
    if (s->long_name[0] != '\0' ? strcmp(s->long_name, name->name) == 0 : skip_bytes(s, name->name, name->size)) {
      return name;
    }
  }
  return NULL;
}

static int parse(Source* s, DLDataType* out) {
  const SsDtypeName* base = find_base(s);
  if (base == NULL) {
    if (!skip(s, "custom")) return refuse(s, "unknown dtype `", "`");
    if (parse_custom(s, out) != 0) return -1;
  } else {
    *out = (DLDataType){base->code, base->bits, 1};
    char digit = peek(s, 0);
    if (base->code == kDLFloat && (digit == '8' || digit == '6' || digit == '4') && peek(s, 1) == '_') {
      s->at += 2;
      if (parse_exact(s, digit, out) != 0) return -1;
      return at_end(s) ? 0 : refuse(s, "unknown dtype `", "`");
    }
  }
  if (parse_bits(s, out) != 0 || parse_lanes(s, 1, out) != 0) return -1;
  return at_end(s) ? 0 : refuse(s, "unknown dtype `", "`");
}

int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out) {
  static const char name[] = "TVMFFIDataTypeFromString";
  if (!ss_check_bytes(str, name, "str") || !ss_check_ptr(out, name, "out")) return -1;
  if (str->data == NULL || str->size == 0 || (str->size == 4 && memcmp(str->data, "void", 4) == 0)) {
    *out = (DLDataType){kDLOpaqueHandle, 0, 0};
    return 0;
  }
  Source s = normalized(str);
  DLDataType parsed = {0, 0, 0};
  if (parse(&s, &parsed) != 0) return -1;
  *out = parsed;
  return 0;
}
