// The functions of the ABI that the stubs cover, one line each: X(name).
#define SS_STUBS_EACH(X)                       \
  X(TVMFFIGetVersion)                          \
  X(TVMFFIObjectIncRef)                        \
  X(TVMFFIObjectDecRef)                        \
  X(TVMFFIObjectCreateOpaque)                  \
  X(TVMFFIGetCustomAllocator)                  \
  X(TVMFFISetCustomAllocator)                  \
  X(TVMFFITypeKeyToIndex)                      \
  X(TVMFFITypeGetOrAllocIndex)                 \
  X(TVMFFIGetTypeInfo)                         \
  X(TVMFFITypeRegisterField)                   \
  X(TVMFFITypeRegisterMethod)                  \
  X(TVMFFITypeRegisterMetadata)                \
  X(TVMFFITypeRegisterAttr)                    \
  X(TVMFFIGetTypeAttrColumn)                   \
  X(TVMFFIFunctionCreate)                      \
  X(TVMFFIFunctionGetGlobal)                   \
  X(TVMFFIFunctionSetGlobal)                   \
  X(TVMFFIFunctionSetGlobalFromMethodInfo)     \
  X(TVMFFIFunctionCall)                        \
  X(TVMFFIAnyViewToOwnedAny)                   \
  X(TVMFFIErrorMoveFromRaised)                 \
  X(TVMFFIErrorSetRaised)                      \
  X(TVMFFIErrorSetRaisedFromCStr)              \
  X(TVMFFIErrorSetRaisedFromCStrParts)         \
  X(TVMFFIErrorCreate)                         \
  X(TVMFFIErrorCreateWithCauseAndExtraContext) \
  X(TVMFFIBacktrace)                           \
  X(TVMFFIStringFromByteArray)                 \
  X(TVMFFIBytesFromByteArray)                  \
  X(TVMFFIHandleInitOnce)                      \
  X(TVMFFIHandleDeinitOnce)
