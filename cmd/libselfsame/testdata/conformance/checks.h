// Shared by the files of the program: checks that count failures, and the parts that main runs.
#ifndef CHECKS_H_
#define CHECKS_H_

#include <tvm/ffi/tvm_ffi.h>

#include <cstdio>
#include <cstring>
#include <string>

extern int failures;

#define CHECK(condition)                                                \
  do {                                                                  \
    if (!(condition)) {                                                 \
      std::printf("line %d: %s does not hold\n", __LINE__, #condition); \
      failures++;                                                       \
    }                                                                   \
  } while (0)

// The statement must throw an Error of this kind whose message contains the text.
#define CHECK_THROWS(statement, error_kind, text)                                                 \
  do {                                                                                            \
    try {                                                                                         \
      statement;                                                                                  \
      std::printf("line %d: nothing was thrown\n", __LINE__);                                     \
      failures++;                                                                                 \
    } catch (const Error& e) {                                                                    \
      if (e.kind() != (error_kind) || e.message().find(text) == std::string::npos) {              \
        std::printf("line %d: thrown %s: %s\n", __LINE__, e.kind().c_str(), e.message().c_str()); \
        failures++;                                                                               \
      }                                                                                           \
    }                                                                                             \
  } while (0)

inline tvm::ffi::Function Global(const char* name) { return tvm::ffi::Function::GetGlobalRequired(name); }

// types.cc
void Types();
void ChildSlots();
// reflection.cc
void Reflection();
void Attributes();
void AutoInit();
// calls.cc
void Functions();
void ExternalFunctions();
void Errors();
// values.cc
void Values();
void Arrays();
void Counts();
void InitOnce();

#endif  // CHECKS_H_
