// The version of selfsame, by semantic versioning: of libselfsame.so, the Go module, the tool and the Python package.
// It is written in this file alone. The versions of the tvm-ffi C ABI (c_api.h) and of the tie table (tie.h) are others:
// they change when the layouts and functions change that separately compiled code shares.
#ifndef SELFSAME_VERSION_H_
#define SELFSAME_VERSION_H_

#define SELFSAME_VERSION "0.2.0"

#endif  // SELFSAME_VERSION_H_
