# find_package(tvm_ffi CONFIG) for the runtime and the headers in this Python package:
#
#   tvm_ffi::header   the C and C++ headers
#   tvm_ffi::shared   the headers and the runtime library
#
# CMake finds this file with -Dtvm_ffi_ROOT="$(python -m selfsame_ffi.config --cmakedir)".
get_filename_component(_selfsame_package "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(tvm_ffi_INCLUDE_DIR "${_selfsame_package}/include")
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
