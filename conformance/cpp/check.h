// The test registry of the C++ conformance program: TEST defines and registers a case, CHECK counts and reports.
//
// A case fails when a check in it fails, when it throws, or when the number of live objects of some type changes. Live
// objects are counted if the library has SelfsameLiveObjects, except for a TEST_KEEPS, which registers something for
// the life of the process.
#ifndef CONFORMANCE_CPP_CHECK_H_
#define CONFORMANCE_CPP_CHECK_H_

#include <tvm/ffi/error.h>

#include <exception>
#include <sstream>
#include <string>
#include <type_traits>

namespace conformance {

struct Case {
  const char* area;
  const char* name;
  void (*run)();
  bool keeps;  // may leave live objects: a registration, a process-wide cache
  Case* next;
};

void Register(Case* c);
void Passed();
void Failed(const char* file, int line, const std::string& what);

struct Registration {
  explicit Registration(Case* c) { Register(c); }
};

template <typename T, typename = void>
struct Printable : std::false_type {};
template <typename T>
struct Printable<T, std::void_t<decltype(std::declval<std::ostream&>() << std::declval<const T&>())>> : std::true_type {
};

template <typename T>
std::string Show(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return std::to_string(static_cast<long long>(value));
  } else if constexpr (Printable<T>::value) {
    std::ostringstream out;
    out << value;
    return out.str();
  } else {
    return "<" + std::to_string(sizeof(T)) + " bytes>";
  }
}

inline void Check(bool ok, const char* file, int line, const char* text) {
  if (ok) {
    Passed();
  } else {
    Failed(file, line, text);
  }
}

template <typename A, typename B>
void CheckEqual(const A& got, const B& want, const char* file, int line, const char* text) {
  if (got == want) {
    Passed();
  } else {
    Failed(file, line, std::string(text) + ": got " + Show(got) + ", want " + Show(want));
  }
}

// Returns whether `message` contains `part`.
inline bool Has(const std::string& message, const std::string& part) { return message.find(part) != std::string::npos; }

template <typename F>
void CheckThrows(F&& action, const std::string& kind, const std::string& part, const char* file, int line) {
  try {
    action();
  } catch (const tvm::ffi::Error& e) {
    if (e.kind() == kind && Has(e.message(), part)) {
      Passed();
    } else {
      Failed(file, line, "raised " + e.kind() + ": " + e.message() + "\n      instead of " + kind + ": ..." + part);
    }
    return;
  } catch (const std::exception& e) {
    Failed(file, line, std::string("threw ") + e.what() + " instead of " + kind);
    return;
  }
  Failed(file, line, "nothing was raised, want " + kind);
}

}  // namespace conformance

#define CONFORMANCE_CASE(area, name, keeps)                                                     \
  static void area##_##name();                                                                  \
  static ::conformance::Case area##_##name##_case{#area, #name, area##_##name, keeps, nullptr}; \
  static ::conformance::Registration area##_##name##_registration(&area##_##name##_case);       \
  static void area##_##name()

#define TEST(area, name) CONFORMANCE_CASE(area, name, false)
#define TEST_KEEPS(area, name) CONFORMANCE_CASE(area, name, true)

#define CHECK(...) ::conformance::Check(static_cast<bool>(__VA_ARGS__), __FILE__, __LINE__, #__VA_ARGS__)
#define CHECK_EQ(got, want) ::conformance::CheckEqual((got), (want), __FILE__, __LINE__, #got " == " #want)
// Checks that the statement throws an Error of a kind, with a text in its message.
#define CHECK_RAISES(kind, part, ...) ::conformance::CheckThrows([&]() { __VA_ARGS__; }, kind, part, __FILE__, __LINE__)

#endif  // CONFORMANCE_CPP_CHECK_H_
