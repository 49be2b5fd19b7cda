// The rules of registration that C++ headers never break: what is refused, and that nothing is left behind.
// Requirements: A4, A5
#include "program.h"

static int getter(void* field, TVMFFIAny* result) {
  result->type_index = kTVMFFIInt;
  result->zero_padding = 0;
  result->v_int64 = *(int64_t*)field;
  return 0;
}

static int setter(void* field, const TVMFFIAny* value) {
  if (value->type_index != kTVMFFIInt) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "an int is wanted\nand nothing else");
    return -1;
  }
  *(int64_t*)field = value->v_int64;
  return 0;
}

// A setter as a Function: (field address, value).
static int function_setter(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)handle;
  (void)result;
  CHECK(num_args == 2 && args[0].type_index == kTVMFFIOpaquePtr);
  return setter(args[0].v_ptr, &args[1]);
}

static int factory_calls;
static int factory(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)handle;
  (void)args;
  CHECK(num_args == 0);
  result->type_index = kTVMFFIInt;
  result->v_int64 = 100 + factory_calls++;
  return 0;
}

static void delete_node(void* self, int flags) {
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) SelfsameObjectFree(self);
}

static int32_t node_type;
static int create_node(TVMFFIObjectHandle* out) { return SelfsameObjectAlloc(48, 8, node_type, delete_node, out); }

static TVMFFIFieldInfo field(const char* name, int64_t offset) {
  TVMFFIFieldInfo f;
  memset(&f, 0, sizeof(f));
  f.name = bytes(name);
  f.flags = kTVMFFIFieldFlagBitMaskWritable;
  f.size = 8;
  f.alignment = 8;
  f.offset = offset;
  f.getter = getter;
  f.setter = (void*)setter;
  f.field_static_type_index = kTVMFFIInt;
  return f;
}

static TVMFFIObjectHandle function(TVMFFISafeCallType call) {
  TVMFFIObjectHandle f = NULL;
  CHECK(TVMFFIFunctionCreate(NULL, call, NULL, &f) == 0);
  return f;
}

static uint32_t strong(TVMFFIObjectHandle h) { return (uint32_t)((TVMFFIObject*)h)->combined_ref_count; }

static void fields(void) {
  node_type = new_type("abi.Node", kTVMFFIObject, 0, 1);
  TVMFFITypeMetadata metadata = {.doc = bytes("a node"), .creator = create_node, .total_size = 48};
  CHECK(TVMFFITypeRegisterMetadata(node_type, &metadata) == 0);

  char name[] = "x";  // registration copies: what the caller does with its text later is its own affair
  TVMFFIFieldInfo x = field(name, 24);
  x.doc = bytes("how far");
  CHECK(TVMFFITypeRegisterField(node_type, &x) == 0);
  name[0] = '?';

  TVMFFIObjectHandle make = function(factory), set = function(function_setter);
  TVMFFIFieldInfo y = field("y", 32);
  y.flags |= kTVMFFIFieldFlagBitMaskHasDefault | kTVMFFIFieldFlagBitMaskDefaultFromFactory |
             kTVMFFIFieldFlagBitSetterIsFunctionObj;
  y.setter = set;
  y.default_value_or_factory.type_index = kTVMFFIFunction;
  y.default_value_or_factory.v_obj = make;
  CHECK(TVMFFITypeRegisterField(node_type, &y) == 0);
  CHECK(strong(make) == 2 && strong(set) == 2);
  CHECK(TVMFFITypeRegisterField(node_type, &y) == -1);
  CHECK_RAISED("InternalError", "Duplicate field name \"y\" in type \"abi.Node\"");
  CHECK(strong(make) == 2 && strong(set) == 2);

  TVMFFIFieldInfo z = field("z", 40);
  z.default_value_or_factory.type_index = kTVMFFIRawStr;  // ignored without the flag
  z.default_value_or_factory.v_c_str = "ignored";
  CHECK(TVMFFITypeRegisterField(node_type, &z) == 0);

  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(node_type);
  CHECK(info->num_fields == 3);
  CHECK(strcmp(info->fields[0].name.data, "x") == 0 && strcmp(info->fields[0].doc.data, "how far") == 0);
  CHECK(info->fields[0].metadata.data == NULL && info->fields[0].metadata.size == 0);
  CHECK(info->fields[2].default_value_or_factory.type_index == kTVMFFINone);
  CHECK(info->fields[2].default_value_or_factory.v_uint64 == 0);
  CHECK(strcmp(info->metadata->doc.data, "a node") == 0);
  TVMFFIObjectDecRef(make);
  TVMFFIObjectDecRef(set);
}

static void refused_fields(void) {
  TVMFFIFieldInfo f = field("w", 24);
  CHECK(TVMFFITypeRegisterField(node_type, NULL) == -1);
  CHECK_RAISED("ValueError", "TVMFFITypeRegisterField: info must not be NULL");
  f.doc.size = 3;
  f.doc.data = NULL;
  CHECK(TVMFFITypeRegisterField(node_type, &f) == -1);
  CHECK_RAISED("ValueError", "info->doc has a size of 3 but no data");
  f = field("w", 24);
  CHECK(TVMFFITypeRegisterField(99, &f) == -1);
  CHECK_RAISED("InternalError", "Cannot find type info for type_index=99");
  TVMFFIObjectHandle object = NULL;
  CHECK(create_node(&object) == 0);
  f.flags |= kTVMFFIFieldFlagBitSetterIsFunctionObj;
  f.setter = object;
  CHECK(TVMFFITypeRegisterField(node_type, &f) == -1);
  CHECK_RAISED("TypeError", "setter of field `w`: expected ffi.Function, got abi.Node");
  CHECK(strong(object) == 1);
  TVMFFIObjectDecRef(object);
  CHECK(TVMFFIGetTypeInfo(node_type)->num_fields == 3);
}

static void methods(void) {
  TVMFFIObjectHandle f = function(factory);
  TVMFFIMethodInfo method = {
      .name = bytes("run"), .doc = bytes("runs"), .flags = kTVMFFIFieldFlagBitMaskIsStaticMethod};
  method.method.type_index = kTVMFFIFunction;
  method.method.v_obj = f;
  CHECK(TVMFFITypeRegisterMethod(node_type, &method) == 0);
  CHECK(TVMFFITypeRegisterMethod(node_type, &method) == 0);  // an overload
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(node_type);
  CHECK(info->num_methods == 2 && strong(f) == 3);
  CHECK(info->methods[1].method.v_obj == f && info->methods[1].flags == kTVMFFIFieldFlagBitMaskIsStaticMethod);
  CHECK(TVMFFITypeRegisterMethod(99, &method) == -1);
  CHECK_RAISED("InternalError", "Cannot find type info");
  CHECK(strong(f) == 3);
  // Past the first capacity.
  for (int i = 0; i < 20; i++) CHECK(TVMFFITypeRegisterMethod(node_type, &method) == 0);
  CHECK(info->num_methods == 22 && strcmp(info->methods[21].name.data, "run") == 0);
  TVMFFIObjectDecRef(f);
}

static int call(TVMFFIObjectHandle f, TVMFFIAny* args, int n, TVMFFIAny* result) {
  result->type_index = kTVMFFINone;
  return TVMFFIFunctionCall(f, args, n, result);
}

static int64_t at(TVMFFIObjectHandle obj, int offset) { return *(int64_t*)((char*)obj + offset); }

static void constructor(void) {
  TVMFFIObjectHandle reg = global("ffi._RegisterFFIInit");
  TVMFFIAny arg = {.type_index = kTVMFFIInt, .v_int64 = node_type}, result;
  CHECK(call(reg, &arg, 1, &result) == 0 && result.type_index == kTVMFFINone);
  CHECK(call(reg, &arg, 1, &result) == -1);
  CHECK_RAISED("RuntimeError", "TypeAttr `__ffi_init__` is already registered");
  arg.v_int64 = 99;
  CHECK(call(reg, &arg, 1, &result) == -1);
  CHECK_RAISED("InternalError", "Cannot find type info");
  arg.v_int64 = INT64_MAX;
  CHECK(call(reg, &arg, 1, &result) == -1);
  CHECK_RAISED("InternalError", "Cannot find type info");
  arg.type_index = kTVMFFIFloat;
  CHECK(call(reg, &arg, 1, &result) == -1);
  CHECK_RAISED("TypeError", "`ffi._RegisterFFIInit(0: int) -> void`. Expected `int` but got `float`");
  TVMFFIObjectDecRef(reg);

  TVMFFIByteArray attr = bytes("__ffi_init__");
  TVMFFIObjectHandle init = TVMFFIGetTypeAttrColumn(&attr)->data[node_type].v_obj;
  int64_t live = SelfsameLiveObjects(node_type), errors = SelfsameLiveObjects(kTVMFFIError);
  TVMFFIAny args[3] = {{.type_index = kTVMFFIInt, .v_int64 = 1}, {.type_index = kTVMFFIInt, .v_int64 = 2}};
  CHECK(call(init, args, 2, &result) == 0);  // x, z; y has a default
  CHECK(at(result.v_obj, 24) == 1 && at(result.v_obj, 40) == 2 && at(result.v_obj, 32) == 100);
  TVMFFIObjectDecRef(result.v_obj);
  args[2] = args[1];
  CHECK(call(init, args, 3, &result) == 0);
  CHECK(at(result.v_obj, 32) == 2 && factory_calls == 1);
  TVMFFIObjectDecRef(result.v_obj);
  // A setter that fails: its error is the cause, and the half made object is gone.
  args[0].type_index = kTVMFFINone;
  CHECK(call(init, args, 2, &result) == -1);
  CHECK_RAISED("TypeError", "abi.Node.__ffi_init__() field 'x':\n  an int is wanted\n  and nothing else");
  CHECK(call(init, args, 0, &result) == -1);
  CHECK_RAISED("TypeError", "abi.Node.__ffi_init__() missing required argument: 'x'");
  CHECK(SelfsameLiveObjects(node_type) == live && SelfsameLiveObjects(kTVMFFIError) == errors);
}

static void attributes(void) {
  TVMFFIByteArray name = bytes("__abi__");
  TVMFFIAny text = {.type_index = kTVMFFIRawStr, .v_c_str = "a text of some length"};
  int64_t strings = SelfsameLiveObjects(kTVMFFIStr);
  CHECK(TVMFFITypeRegisterAttr(5, &name, &text) == 0);
  CHECK(SelfsameLiveObjects(kTVMFFIStr) == strings + 1);
  CHECK(TVMFFITypeRegisterAttr(5, &name, &text) == -1);
  CHECK_RAISED("RuntimeError", "TypeAttr `__abi__` is already registered for type index 5");
  CHECK(SelfsameLiveObjects(kTVMFFIStr) == strings + 1);
  CHECK(TVMFFITypeRegisterAttr(-1, &name, &text) == -1);
  CHECK_RAISED("ValueError", "TVMFFITypeRegisterAttr: type_index");
  CHECK(TVMFFITypeRegisterAttr(5, NULL, &text) == -1);
  CHECK_RAISED("ValueError", "attr_name must not be NULL");
  CHECK(TVMFFITypeRegisterAttr(6, &name, NULL) == -1);
  CHECK_RAISED("ValueError", "attr_value must not be NULL");
  CHECK(TVMFFITypeRegisterAttr(kTVMFFINone, &name, NULL) == 0);
  const TVMFFITypeAttrColumn* column = TVMFFIGetTypeAttrColumn(&name);
  CHECK(column->size == 6 && column->data[5].type_index == kTVMFFIStr);
  CHECK(TVMFFITypeRegisterAttr(5000, &name, &text) == 0);
  CHECK(TVMFFIGetTypeAttrColumn(&name) == column && column->size == 5001);
  CHECK(column->data[5].type_index == kTVMFFIStr && column->data[4999].type_index == kTVMFFINone);
}

static void globals(void) {
  TVMFFIByteArray name = bytes("abi.f");
  TVMFFIObjectHandle f = function(factory), node = NULL;
  CHECK(create_node(&node) == 0);
  CHECK(TVMFFIFunctionSetGlobal(&name, node, 0) == -1);
  CHECK_RAISED("TypeError", "argument 'f': expected ffi.Function");
  CHECK(TVMFFIFunctionSetGlobal(&name, NULL, 0) == -1);
  CHECK_RAISED("ValueError", "f must not be NULL");
  CHECK(TVMFFIFunctionSetGlobal(NULL, f, 0) == -1);
  CHECK_RAISED("ValueError", "name must not be NULL");
  CHECK(TVMFFIFunctionSetGlobal(&name, f, 0) == 0 && strong(f) == 2);
  CHECK(TVMFFIFunctionSetGlobal(&name, f, 0) == -1 && strong(f) == 2);
  CHECK_RAISED("RuntimeError", "Global Function `abi.f` is already registered");
  TVMFFIMethodInfo info = {.name = name, .metadata = bytes("{\"a\":1}")};
  info.method.type_index = kTVMFFIObject;
  info.method.v_obj = node;
  CHECK(TVMFFIFunctionSetGlobalFromMethodInfo(&info, 1) == -1);
  CHECK_RAISED("TypeError", "to `ffi.Function`");
  info.method.type_index = kTVMFFIFunction;
  info.method.v_obj = f;
  CHECK(TVMFFIFunctionSetGlobalFromMethodInfo(&info, 0) == -1);
  CHECK_RAISED("RuntimeError", "is already registered, possible causes:");
  CHECK(TVMFFIFunctionSetGlobalFromMethodInfo(&info, 1) == 0 && strong(f) == 2);
  TVMFFIObjectHandle metadata = global("ffi.GetGlobalFuncMetadata");
  TVMFFIAny arg = {.type_index = kTVMFFIRawStr, .v_c_str = "abi.f"}, result;
  CHECK(call(metadata, &arg, 1, &result) == 0);
  CHECK(result.type_index == kTVMFFISmallStr && strcmp(result.v_bytes, "{\"a\":1}") == 0);
  arg.v_c_str = "ffi.ArrayGetItem";
  CHECK(call(metadata, &arg, 1, &result) == 0);
  const TVMFFIByteArray* text = (const TVMFFIByteArray*)(result.v_obj + 1);
  CHECK(strcmp(text->data,
               "{\"type_schema\":\"{\\\"type\\\":\\\"ffi.Function\\\",\\\"named_args\\\":{\\\"return\\\":[{"
               "\\\"type\\\":\\\"Any\\\"}],"
               "\\\"params\\\":[{\\\"type\\\":\\\"ffi.Array\\\"},{\\\"type\\\":\\\"int\\\"}]}}\"}") == 0);
  TVMFFIObjectDecRef(result.v_obj);
  // The caller's result must not hold anything.
  result.type_index = kTVMFFIObject;
  result.v_obj = node;
  CHECK(TVMFFIFunctionCall(metadata, &arg, 1, &result) == -1);
  CHECK_RAISED("InternalError", "Check failed: result->type_index < TypeIndex::kTVMFFIStaticObjectBegin (64 vs. 64)");
  TVMFFIObjectDecRef(metadata);
  TVMFFIObjectHandle g = global("abi.f");
  CHECK(g == f && strong(f) == 3);
  TVMFFIObjectDecRef(g);
  TVMFFIObjectHandle rm = global("ffi.FunctionRemoveGlobal");
  arg.v_c_str = "abi.f";
  CHECK(call(rm, &arg, 1, &result) == 0 && result.v_int64 == 1 && strong(f) == 1);
  CHECK(call(rm, &arg, 1, &result) == 0 && result.v_int64 == 0);
  CHECK(global("abi.f") == NULL);
  TVMFFIObjectDecRef(rm);
  TVMFFIObjectDecRef(f);
  TVMFFIObjectDecRef(node);
}

static void other_types(void) {
  int32_t end = SelfsameTypeIndexEnd();
  CHECK(SelfsameFindTypeInfo(end) == NULL && SelfsameFindTypeInfo(20) == NULL && SelfsameFindTypeInfo(-1) == NULL);
  static const char* const keys[] = {"None",
                                     "int",
                                     "bool",
                                     "float",
                                     "void*",
                                     "DataType",
                                     "Device",
                                     "DLTensor*",
                                     "const char*",
                                     "TVMFFIByteArray*",
                                     "ObjectRValueRef",
                                     "ffi.SmallStr",
                                     "ffi.SmallBytes",
                                     "ffi.Unchanged"};
  for (int i = 0; i < 14; i++) {
    CHECK(strcmp(TVMFFIGetTypeInfo(i)->type_key.data, keys[i]) == 0 && TVMFFIGetTypeInfo(i)->type_depth == 0);
  }
  CHECK(strcmp(TVMFFIGetTypeInfo(78)->type_key.data, "ffi.BigInt") == 0 && TVMFFIGetTypeInfo(78)->type_depth == 1);
  CHECK(TVMFFIGetTypeInfo(64)->metadata->total_size == 24);
  CHECK(TVMFFIGetTypeInfo(65)->metadata == NULL);
}

int main(void) {
  wait_for_start();
  int64_t objects = SelfsameLiveObjects(kTVMFFIObject), functions = SelfsameLiveObjects(kTVMFFIFunction);
  other_types();
  fields();
  refused_fields();
  methods();
  constructor();
  attributes();
  globals();
  CHECK(SelfsameLiveObjects(kTVMFFIObject) == objects);
  // The field's factory and setter, the method, the constructor.
  CHECK(SelfsameLiveObjects(kTVMFFIFunction) == functions + 4);
  CHECK(SelfsameLiveObjects(kTVMFFIError) == 0);
  CHECK(SelfsameLiveObjects(node_type) == 0);
  return failures != 0;
}
