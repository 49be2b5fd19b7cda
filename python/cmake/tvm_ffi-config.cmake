# find_package(tvm_ffi CONFIG) for the runtime and the headers in this Python package:
#
#   tvm_ffi::header   the C and C++ headers
#   tvm_ffi::shared   the headers and the runtime library
#
# and the functions of the published package's file that build a library for Python: tvm_ffi_configure_target and
# tvm_ffi_install, in functions.cmake beside this one.
#
# The library is always the one of this package, also where the published one is installed: a process has one runtime. The
# headers are the published ones, which a wheel of this package brings along and a development install finds.
#
# CMake finds this file with -Dtvm_ffi_ROOT="$(python -m selfsame_ffi.config --cmakedir)".
get_filename_component(_selfsame_package "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(tvm_ffi_INCLUDE_DIR "${_selfsame_package}/include")
if(NOT EXISTS "${tvm_ffi_INCLUDE_DIR}/tvm/ffi/c_api.h")
  find_package(Python COMPONENTS Interpreter REQUIRED)
  execute_process(
    COMMAND "${Python_EXECUTABLE}" -m selfsame_ffi.config --includedir
    OUTPUT_VARIABLE tvm_ffi_INCLUDE_DIR OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
endif()
set(tvm_ffi_DLPACK_INCLUDE_DIR "${tvm_ffi_INCLUDE_DIR}")
set(tvm_ffi_LIB_FILES "${_selfsame_package}/lib/libtvm_ffi.so")
unset(_selfsame_package)

if(NOT TARGET tvm_ffi::header)
  add_library(tvm_ffi::header INTERFACE IMPORTED)
  set_target_properties(tvm_ffi::header PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${tvm_ffi_INCLUDE_DIR}"
    INTERFACE_COMPILE_FEATURES cxx_std_17)
  add_library(tvm_ffi::shared SHARED IMPORTED)
  set_target_properties(tvm_ffi::shared PROPERTIES
    IMPORTED_LOCATION "${tvm_ffi_LIB_FILES}"
    IMPORTED_SONAME libtvm_ffi.so
    INTERFACE_LINK_LIBRARIES tvm_ffi::header)
endif()

include("${CMAKE_CURRENT_LIST_DIR}/functions.cmake")
