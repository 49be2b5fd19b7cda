// Fuzzes the text of data types: the input is the text. It is built with the data plane alone, without Go.
#include "fuzz.h"

static TVMFFIAny printed(const DLDataType* type) {
  TVMFFIAny text = {.type_index = kTVMFFINone};
  int failed = TVMFFIDataTypeToString(type, &text);
  settle(failed, "TVMFFIDataTypeToString");
  REQUIRE(!failed, "{%d, %d, %d} was parsed and cannot be printed", type->code, type->bits, type->lanes);
  REQUIRE(text.type_index == kTVMFFIStr, "the text is of type %d", text.type_index);
  return text;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  TVMFFIByteArray text = {(const char*)data, size};
  DLDataType type = {99, 98, 97};
  int failed = TVMFFIDataTypeFromString(&text, &type);
  settle(failed, "TVMFFIDataTypeFromString");
  if (failed) {
    REQUIRE(type.code == 99 && type.bits == 98 && type.lanes == 97, "a failed call writes its result");
  } else {
    // A printed type is parsed again and then printed as the same text. Numbers of lanes above 32767 are printed as
    // scalable lanes, which float types of 4, 6 and 8 bits do not have.
    TVMFFIAny once = printed(&type);
    TVMFFIByteArray* body = (TVMFFIByteArray*)(once.v_obj + 1);
    int readable = type.lanes <= INT16_MAX || type.code < kDLFloat8_e3m4;
    failed = TVMFFIDataTypeFromString(body, &type);
    settle(failed, "TVMFFIDataTypeFromString");
    REQUIRE((failed == 0) == readable, "parsing its own \"%s\"", body->data);
    TVMFFIAny twice = printed(&type);
    TVMFFIByteArray* again = (TVMFFIByteArray*)(twice.v_obj + 1);
    REQUIRE(again->size == body->size && memcmp(again->data, body->data, body->size) == 0, "%s, then %s", body->data,
            again->data);
    TVMFFIObjectDecRef(once.v_obj);
    TVMFFIObjectDecRef(twice.v_obj);
  }
  int64_t live = SelfsameLiveObjects(kTVMFFIStr) + SelfsameLiveObjects(kTVMFFIError);
  REQUIRE(live == 0, "%lld objects are left", (long long)live);
  return 0;
}
