// tvm/ffi/dtype.h, tvm/ffi/extra/dtype.h and tvm/ffi/device.h.
// Requirement: A8
#include <tvm/ffi/extra/dtype.h>
#include <tvm/ffi/tvm_ffi.h>

#include <cstdint>
#include <sstream>
#include <string>

#include "check.h"

using namespace tvm::ffi;

namespace {

DLDataType Parse(const std::string& text) { return StringToDLDataType(String(text)); }
std::string Print(DLDataType t) { return DLDataTypeToString(t); }

void Same(const std::string& text, DLDataType want, const std::string& printed) {
  DLDataType got = Parse(text);
  CHECK(got == want);
  CHECK_EQ(Print(want), printed);
}

}  // namespace

TEST(dtype, plain) {
  Same("int", {kDLInt, 32, 1}, "int32");
  Same("i8", {kDLInt, 8, 1}, "int8");
  Same("u64", {kDLUInt, 64, 1}, "uint64");
  Same("uint1", {kDLUInt, 1, 1}, "uint1");
  Same("f16", {kDLFloat, 16, 1}, "float16");
  Same("float", {kDLFloat, 32, 1}, "float32");
  Same("bf16", {kDLBfloat, 16, 1}, "bfloat16");
  Same("bfloat", {kDLBfloat, 16, 1}, "bfloat16");
  Same("bool", {kDLBool, 8, 1}, "bool");
  Same("bool1", {kDLBool, 1, 1}, "bool1");
  Same("void", {kDLOpaqueHandle, 0, 0}, "");
  Same("", {kDLOpaqueHandle, 0, 0}, "");
  Same("handle", {kDLOpaqueHandle, 64, 1}, "handle");
  Same("handle32", {kDLOpaqueHandle, 32, 1}, "handle");
  Same("int0", {kDLInt, 32, 1}, "int32");
  Same("int008", {kDLInt, 8, 1}, "int8");
}

TEST(dtype, lanes) {
  Same("float32x4", {kDLFloat, 32, 4}, "float32x4");
  Same("i4x8", {kDLInt, 4, 8}, "int4x8");
  Same("boolx4", {kDLBool, 8, 4}, "boolx4");
  Same("int8xvscalex4", {kDLInt, 8, static_cast<uint16_t>(-4)}, "int8xvscalex4");
  Same("float4_e2m1fn_x2", {kDLFloat4_e2m1fn, 4, 2}, "float4_e2m1fnx2");
  Same("float8_e4m3x32767", {kDLFloat8_e4m3, 8, 32767}, "float8_e4m3x32767");
}

TEST(dtype, narrow_floats) {
  const struct {
    const char* name;
    int code, bits;
  } types[] = {
      {"float8_e3m4", kDLFloat8_e3m4, 8},
      {"float8_e4m3", kDLFloat8_e4m3, 8},
      {"float8_e4m3b11fnuz", kDLFloat8_e4m3b11fnuz, 8},
      {"float8_e4m3fn", kDLFloat8_e4m3fn, 8},
      {"float8_e4m3fnuz", kDLFloat8_e4m3fnuz, 8},
      {"float8_e5m2", kDLFloat8_e5m2, 8},
      {"float8_e5m2fnuz", kDLFloat8_e5m2fnuz, 8},
      {"float8_e8m0fnu", kDLFloat8_e8m0fnu, 8},
      {"float6_e2m3fn", kDLFloat6_e2m3fn, 6},
      {"float6_e3m2fn", kDLFloat6_e3m2fn, 6},
      {"float4_e2m1fn", kDLFloat4_e2m1fn, 4},
  };
  for (const auto& type : types) {
    DLDataType want{static_cast<uint8_t>(type.code), static_cast<uint8_t>(type.bits), 1};
    std::string name = type.name;
    Same(name, want, name);
    Same("f" + name.substr(5), want, name);
    Same("fp" + name.substr(5), want, name);
    want.lanes = 3;
    Same(name + "x3", want, name + "x3");
    CHECK(DTypeIsFloat(want));
  }
}

// Every code, number of bits and number of lanes that has a text.
TEST(dtype, round_trips) {
  int wrong = 0;
  for (int code : {kDLInt, kDLUInt, kDLFloat, kDLBfloat, kDLBool}) {
    for (int bits = 1; bits < 256; bits++) {
      for (int lanes : {1, 2, 16, 32767, 32768, 65534}) {
        DLDataType t{static_cast<uint8_t>(code), static_cast<uint8_t>(bits), static_cast<uint16_t>(lanes)};
        if (!(Parse(Print(t)) == t)) wrong++;
      }
    }
  }
  CHECK_EQ(wrong, 0);
}

TEST(dtype, refused) {
  auto refused = [](const std::string& text, const std::string& message) {
    CHECK_RAISES("ValueError", message, Parse(text));
  };
  refused("int32 ", "unknown dtype `int32 `");
  refused("i", "unknown dtype `i`");
  refused("i8 ", "unknown dtype `int8 `");
  refused("complex64", "unknown dtype `complex64`");
  refused("int32x4x4", "unknown dtype `int32x4x4`");
  refused("float32_x2", "unknown dtype `float32_x2`");
  refused("fp16", "unknown dtype `fp16`");
  refused("f8e4m3", "unknown dtype `float8e4m3`");
  refused("float8_", "unknown float8 type `float8_`");
  refused("fp8_e4m3_x4", "unknown float8 type `float8_e4m3_x4`");
  refused("f6_e2m3", "unknown float6 type `float6_e2m3`");
  refused("float4_e2m1fny", "unknown float4 type `float4_e2m1fny`");
  refused("float4_e2m1fn_y", "unknown dtype `float4_e2m1fn_y`");
  refused("u256", "Bits value 256 is out of range for uint8_t in dtype 'uint256'");
  refused("int4294967296", "Integer value in dtype string '4294967296' is out of range for uint32_t");
  refused("int8x0", "Invalid lanes specification in dtype 'int8x0'. Lanes must be a positive integer.");
  refused("int8x", "Invalid lanes specification in dtype 'int8x'. Lanes must be a positive integer.");
  refused("int8xvscalex", "Invalid lanes specification in dtype 'int8xvscalex'.");
  refused("float8_e4m3xvscalex4", "Invalid lanes specification in dtype 'float8_e4m3xvscalex4'.");
  refused("i8x65536", "Lanes value 65536 is out of range for uint16_t in dtype 'int8x65536'");
  refused("custom", "expected opening brace after 'custom' type incustom");
  refused("custom[x", "expected closing brace after 'custom' type incustom[x");
  refused(std::string("int8\0", 5), std::string("unknown dtype `int8\0`", 21));
  for (int code : {static_cast<int>(kDLComplex), 18, 100, 128}) {
    CHECK_RAISES("ValueError", "DLDataType contains unknown type_code=" + std::to_string(code),
                 Print({static_cast<uint8_t>(code), 8, 1}));
  }
}

TEST_KEEPS(dtype, custom_types) {
  CHECK_RAISES("ValueError", "Function dtype.get_custom_type_code not found", Parse("custom[posit]"));
  CHECK_RAISES("ValueError", "Function dtype.get_custom_type_name not found", Print({129, 8, 1}));
  Function::SetGlobal("dtype.get_custom_type_code", Function::FromTyped([](const std::string& name) {
                        if (name != "posit") TVM_FFI_THROW(KeyError) << "no type " << name;
                        return 130;
                      }));
  Function::SetGlobal("dtype.get_custom_type_name",
                      Function::FromTyped([](int code) { return String(code == 130 ? "posit" : "?"); }));
  Same("custom[posit]", {130, 32, 1}, "custom[posit]");
  Same("custom[posit]16x4", {130, 16, 4}, "custom[posit]x4");
  CHECK_RAISES("KeyError", "no type other", Parse("custom[other]"));
  CHECK_RAISES("ValueError", "unknown dtype `custom[posit]?`", Parse("custom[posit]?"));
  Function::RemoveGlobal("dtype.get_custom_type_code");
  Function::RemoveGlobal("dtype.get_custom_type_name");
}

TEST(dtype, in_values) {
  Any a = DLDataType{kDLFloat, 16, 2};
  CHECK_EQ(a.type_index(), TypeIndex::kTVMFFIDataType);
  CHECK(a.cast<DLDataType>() == (DLDataType{kDLFloat, 16, 2}));
  CHECK(Any(String("int8x4")).cast<DLDataType>() == (DLDataType{kDLInt, 8, 4}));
  CHECK(AnyView("f32").cast<DLDataType>() == (DLDataType{kDLFloat, 32, 1}));
  CHECK_RAISES("ValueError", "unknown dtype `nothing of the kind`",
               Any(String("nothing of the kind")).cast<DLDataType>());
  Function bits = Function::FromTyped([](DLDataType t) { return t.bits; });
  CHECK_EQ(bits("u16").cast<int>(), 16);
  CHECK_EQ(bits(DLDataType{kDLBool, 8, 1}).cast<int>(), 8);
  CHECK_RAISES("TypeError", "Expected `DataType` but got `float`", bits(1.5));
  std::ostringstream out;
  out << DLDataType{kDLBfloat, 16, 8};
  CHECK_EQ(out.str(), "bfloat16x8");
}

TEST(dtype, texts_meet_short_strings) {
  // The runtime makes a heap string even of a short text; it must be equal to the small string and have its hash.
  String from_runtime = DLDataTypeToString({kDLInt, 8, 1});
  CHECK(from_runtime == String("int8"));
  CHECK_EQ(std::hash<String>()(from_runtime), std::hash<String>()(String("int8")));
  Map<String, int> by_name{{"int8", 1}};
  CHECK_EQ(by_name[from_runtime], 1);
}

TEST(dtype, short_names) {
  CHECK_EQ(DTypeAbbrev({kDLInt, 32, 1}), "i32");
  CHECK_EQ(DTypeAbbrev({kDLBfloat, 16, 4}), "bf16x4");
  CHECK_EQ(DTypeAbbrev({kDLFloat8_e4m3fn, 8, 1}), "f8_e4m3fn");
  CHECK(Parse(DTypeAbbrev({kDLFloat4_e2m1fn, 4, 2})) == (DLDataType{kDLFloat4_e2m1fn, 4, 2}));
}

TEST(dtype, of_cpp_types) {
  CHECK_EQ(Print(dtype_trait<float>::value), "float32");
  CHECK_EQ(Print(dtype_trait<unsigned char>::value), "uint8");
  CHECK_EQ(Print(dtype_trait<bool>::value), "bool");
  CHECK_EQ(Print(dtype_trait<int64_t>::value), "int64");
}

TEST(device, from_text) {
  auto parse = [](const char* text) { return AnyView(text).cast<DLDevice>(); };
  CHECK_EQ(parse("cpu").device_type, kDLCPU);
  CHECK_EQ(parse("cuda:3").device_id, 3);
  CHECK_EQ(parse("mps").device_type, kDLMetal);
  CHECK_EQ(parse("trn:1 and more").device_type, kDLTrn);
  for (const char* text : {"", "cpu:", "cpu:x", "cpu:1:2", "tpu", "cuda:2147483648"}) {
    CHECK_RAISES("TypeError", "Cannot convert from type `const char*` to `Device`", parse(text));
  }
}

TEST(device, in_values) {
  Any a = DLDevice{kDLCUDA, 1};
  CHECK_EQ(a.type_index(), TypeIndex::kTVMFFIDevice);
  CHECK_EQ(a.cast<DLDevice>().device_id, 1);
  Function type = Function::FromTyped([](DLDevice d) { return static_cast<int>(d.device_type); });
  CHECK_EQ(type("vulkan:2").cast<int>(), static_cast<int>(kDLVulkan));
  CHECK_EQ(type(DLDevice{kDLHexagon, 0}).cast<int>(), static_cast<int>(kDLHexagon));
  CHECK_RAISES("TypeError", "Expected `Device` but got `int`", type(1));
}
