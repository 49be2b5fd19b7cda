// The builtin names of data types, and the global functions that know names which the program registered.
#include <string.h>

#include "dtype.h"
#include "core/raise.h"
#include "selfsame/internal/values.h"
#include "selfsame/selfsame.h"

#define NAME(text) text, sizeof(text) - 1

const SsDtypeName ss_dtype_names[] = {
    {NAME("int"), kDLInt, 32, '\0'},
    {NAME("uint"), kDLUInt, 32, '\0'},
    {NAME("float"), kDLFloat, 32, '\0'},
    {NAME("bfloat"), kDLBfloat, 16, '\0'},
    {NAME("bool"), kDLBool, 8, '\0'},
    {NAME("handle"), kDLOpaqueHandle, 64, '\0'},
    {NAME("float8_e3m4"), kDLFloat8_e3m4, 8, '8'},
    {NAME("float8_e4m3"), kDLFloat8_e4m3, 8, '8'},
    {NAME("float8_e4m3b11fnuz"), kDLFloat8_e4m3b11fnuz, 8, '8'},
    {NAME("float8_e4m3fn"), kDLFloat8_e4m3fn, 8, '8'},
    {NAME("float8_e4m3fnuz"), kDLFloat8_e4m3fnuz, 8, '8'},
    {NAME("float8_e5m2"), kDLFloat8_e5m2, 8, '8'},
    {NAME("float8_e5m2fnuz"), kDLFloat8_e5m2fnuz, 8, '8'},
    {NAME("float8_e8m0fnu"), kDLFloat8_e8m0fnu, 8, '8'},
    {NAME("float6_e2m3fn"), kDLFloat6_e2m3fn, 6, '6'},
    {NAME("float6_e3m2fn"), kDLFloat6_e3m2fn, 6, '6'},
    {NAME("float4_e2m1fn"), kDLFloat4_e2m1fn, 4, '4'},
    {NULL, 0, 0, 0, '\0'},
};

int ss_dtype_ask(const char* function, const TVMFFIAny* argument, TVMFFIAny* result) {
  TVMFFIByteArray name = {function, strlen(function)};
  TVMFFIObjectHandle f = NULL;
  ss_set_none(result);
  if (TVMFFIFunctionGetGlobal(&name, &f) != 0) return -1;
  if (f == NULL) return ss_raise("ValueError", "Function %s not found", function);
  TVMFFIAny copy = *argument;
  int rc = TVMFFIFunctionCall(f, &copy, 1, result);
  ss_xdecref(f);
  return rc == 0 ? 0 : -1;
}
