#include "error.h"

#include <new>

namespace tvm {
namespace ffi {

const char* Error::what() const noexcept {
  return reinterpret_cast<const TVMFFIErrorCell*>(static_cast<TVMFFIObject*>(get()) + 1)->message.data;
}

void ThrowRaised() {
  TVMFFIObjectHandle error = nullptr;
  TVMFFIErrorMoveFromRaised(&error);
  if (error == nullptr) Throw("InternalError", "a function failed without an error");
  throw Error(error);
}

void Throw(const char* kind, const std::string& message) {
  TVMFFIByteArray kind_bytes = {kind, std::strlen(kind)}, text = {message.data(), message.size()};
  TVMFFIObjectHandle error = nullptr;
  if (TVMFFIErrorCreate(&kind_bytes, &text, TVMFFIBacktrace(nullptr, 0, nullptr, 0), &error) != 0) {
    throw std::bad_alloc();
  }
  throw Error(error);
}

int RaiseCurrent() noexcept {
  try {
    throw;
  } catch (const Error& e) {
    if (e.get() != nullptr) {
      TVMFFIErrorSetRaised(e.get());
    } else {
      TVMFFIErrorSetRaisedFromCStr("InternalError", "an Error that was moved from was thrown");
    }
  } catch (const std::bad_alloc&) {
    TVMFFIErrorSetRaisedFromCStr("MemoryError", "out of memory in C++");
  } catch (const std::exception& e) {
    TVMFFIErrorSetRaisedFromCStr("InternalError", e.what());
  } catch (...) {
    TVMFFIErrorSetRaisedFromCStr("InternalError", "an exception of a type unknown here");
  }
  return -1;
}

String::String(const char* data, size_t size) {
  TVMFFIByteArray bytes = {data, size};
  TVMFFIAny value;
  CheckCall(TVMFFIStringFromByteArray(&bytes, &value));
  *this = String(value);
}

const char* String::data() const {
  if (!IsObject()) return raw().v_bytes;
  return reinterpret_cast<const TVMFFIByteArray*>(raw().v_obj + 1)->data;
}

size_t String::size() const {
  if (!IsObject()) return raw().small_str_len;
  return reinterpret_cast<const TVMFFIByteArray*>(raw().v_obj + 1)->size;
}

}  // namespace ffi
}  // namespace tvm
