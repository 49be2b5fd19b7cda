// The tensor exchange format that the C ABI shares with DLPack 1.3: layouts and constants.
//
// If dlpack/dlpack.h was included before, this header defines nothing; after this header, that one defines nothing.
// Names and values are DLPack's.
#ifndef SELFSAME_DLPACK_H_
#define SELFSAME_DLPACK_H_

#ifndef DLPACK_DLPACK_H_
#define DLPACK_DLPACK_H_

#include <stddef.h>
#include <stdint.h>

#define DLPACK_MAJOR_VERSION 1
#define DLPACK_MINOR_VERSION 3

#ifdef __cplusplus
#define SELFSAME_DLPACK_ENUM(type) enum : type
extern "C" {
#else
#define SELFSAME_DLPACK_ENUM(type) enum
#endif

typedef struct {
  uint32_t major;  // another major version has another layout
  uint32_t minor;  // a greater minor version only adds constants
} DLPackVersion;

typedef SELFSAME_DLPACK_ENUM(int32_t){
    kDLCPU = 1,       kDLCUDA = 2,
    kDLCUDAHost = 3,  // pinned CPU memory
    kDLOpenCL = 4,    kDLVulkan = 7,       kDLMetal = 8,   kDLVPI = 9,     kDLROCM = 10,
    kDLROCMHost = 11,  // pinned CPU memory
    kDLExtDev = 12,   kDLCUDAManaged = 13, kDLOneAPI = 14, kDLWebGPU = 15, kDLHexagon = 16, kDLMAIA = 17, kDLTrn = 18,
} DLDeviceType;

typedef struct {
  DLDeviceType device_type;
  int32_t device_id;
} DLDevice;

// Values of DLDataType.code. Codes from 129 on belong to data types that a program registers.
typedef enum {
  kDLInt = 0,
  kDLUInt = 1,
  kDLFloat = 2,
  kDLOpaqueHandle = 3,
  kDLBfloat = 4,
  kDLComplex = 5,
  kDLBool = 6,
  kDLFloat8_e3m4 = 7,
  kDLFloat8_e4m3 = 8,
  kDLFloat8_e4m3b11fnuz = 9,
  kDLFloat8_e4m3fn = 10,
  kDLFloat8_e4m3fnuz = 11,
  kDLFloat8_e5m2 = 12,
  kDLFloat8_e5m2fnuz = 13,
  kDLFloat8_e8m0fnu = 14,
  kDLFloat6_e2m3fn = 15,
  kDLFloat6_e3m2fn = 16,
  kDLFloat4_e2m1fn = 17,
} DLDataTypeCode;

typedef struct {
  uint8_t code;
  uint8_t bits;    // of one lane; elements of fewer than 8 bits are packed
  uint16_t lanes;  // read as int16_t, a value below -1 is a scalable vector of that many lanes times vscale
} DLDataType;

typedef struct {
  void* data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t* shape;    // int64_t[ndim]; may be NULL when ndim is 0
  int64_t* strides;  // int64_t[ndim], in elements; NULL: contiguous (before DLPack 1.2)
  uint64_t byte_offset;
} DLTensor;

typedef struct DLManagedTensor {
  DLTensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(struct DLManagedTensor* self);  // frees self too; NULL: there is nothing to free
} DLManagedTensor;

#define DLPACK_FLAG_BITMASK_READ_ONLY (1UL << 0UL)
#define DLPACK_FLAG_BITMASK_IS_COPIED (1UL << 1UL)
#define DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED (1UL << 2UL)

typedef struct DLManagedTensorVersioned {
  DLPackVersion version;
  void* manager_ctx;
  void (*deleter)(struct DLManagedTensorVersioned* self);
  uint64_t flags;
  DLTensor dl_tensor;
} DLManagedTensorVersioned;

// Makes a tensor of the prototype's dtype, shape and device. On failure it returns non-zero, having called SetError.
typedef int (*DLPackManagedTensorAllocator)(DLTensor* prototype, DLManagedTensorVersioned** out, void* error_ctx,
                                            void (*SetError)(void* error_ctx, const char* kind, const char* message));

#undef SELFSAME_DLPACK_ENUM

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // DLPACK_DLPACK_H_
#endif  // SELFSAME_DLPACK_H_
