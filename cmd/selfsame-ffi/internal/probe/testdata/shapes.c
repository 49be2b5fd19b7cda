// An extension like those that `selfsame-ffi build` makes, written in C for the tests of the probe.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <string.h>

#include "selfsame/c_api.h"

static TVMFFIByteArray text(const char* s) { return (TVMFFIByteArray){s, strlen(s)}; }

static int noop(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)self, (void)args, (void)num_args, (void)result;
  return 0;
}

static int get_none(void* field, TVMFFIAny* result) {
  (void)field, (void)result;
  return 0;
}

static TVMFFIMethodInfo method(const char* name, const char* doc, const char* metadata, int64_t flags,
                               TVMFFIObjectHandle f) {
  TVMFFIMethodInfo info = {text(name), text(doc), text(metadata), flags, {.type_index = kTVMFFIFunction}};
  info.method.v_obj = f;
  return info;
}

int SelfsameExtensionInit(void) {
  if (getenv("SHAPES_EXIT") != NULL) exit(3);
  const char* leave = getenv("SHAPES_LEAVE");  // the file for the number of a process that stays, with all files open
  if (leave != NULL) {
    int child = fork();
    if (child == 0) {
      for (;;) pause();
    }
    FILE* file = fopen(leave, "w");
    fprintf(file, "%d", child);
    fclose(file);
  }
  if (getenv("SHAPES_WAIT") != NULL) pause();
  if (getenv("SHAPES_ABORT") != NULL) abort();
  if (getenv("SHAPES_FAIL") != NULL) {
    TVMFFIErrorSetRaisedFromCStr("ValueError", "shapes.Square: field side: no such type");
    return -1;
  }
  const char* metadata = getenv("SHAPES_METADATA");
  TVMFFIByteArray key = text("shapes.Square");
  int32_t index = TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject);
  TVMFFITypeMetadata type = {text("A square."), NULL, 32, 0};
  TVMFFIFieldInfo field = {.name = text("side"),
                           .doc = text("its length"),
                           .metadata = text(metadata ? metadata : "{\"type_schema\":\"{\\\"type\\\":\\\"float\\\"}\"}"),
                           .flags = kTVMFFIFieldFlagBitMaskWritable,
                           .size = 8,
                           .alignment = 8,
                           .offset = 24,
                           .getter = get_none,
                           .setter = (void*)get_none,
                           .field_static_type_index = kTVMFFIFloat};
  if (TVMFFITypeRegisterMetadata(index, &type) != 0 || TVMFFITypeRegisterField(index, &field) != 0) return -1;
  TVMFFIObjectHandle f;
  if (TVMFFIFunctionCreate(NULL, noop, NULL, &f) != 0) return -1;
  TVMFFIMethodInfo init =
      method("__ffi_init__", "",
             "{\"type_schema\":\"{\\\"type\\\":\\\"ffi.Function\\\",\\\"args\\\":[{\\\"type\\\":\\\"shapes.Square\\\"},"
             "{\\\"type\\\":\\\"float\\\"}]}\",\"arg_names\":[\"side\"]}",
             kTVMFFIFieldFlagBitMaskIsStaticMethod, f);
  TVMFFIMethodInfo area =
      method("area", "Its area.",
             "{\"type_schema\":\"{\\\"type\\\":\\\"ffi.Function\\\",\\\"args\\\":[{\\\"type\\\":\\\"float\\\"},"
             "{\\\"type\\\":\\\"shapes.Square\\\"}]}\"}",
             0, f);
  TVMFFIMethodInfo global = method("shapes.total", "", "", kTVMFFIFieldFlagBitMaskIsStaticMethod, f);
  int rc = TVMFFITypeRegisterMethod(index, &init) | TVMFFITypeRegisterMethod(index, &area) |
           TVMFFIFunctionSetGlobalFromMethodInfo(&global, 0);
  TVMFFIObjectDecRef(f);
  return rc;
}
