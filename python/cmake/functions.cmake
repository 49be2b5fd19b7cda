# Functions for libraries whose classes and functions Python uses. find_package(tvm_ffi) includes this file. Names and
# arguments are those of the published package's CMake files; each switch takes ON or OFF.

# Sets up a library target:
#
#   LINK_HEADER   ON: the headers, as tvm_ffi::header
#   LINK_SHARED   ON: the runtime, as tvm_ffi::shared
#   DEBUG_SYMBOL  ON: on macOS a .dSYM bundle beside the library, which tvm_ffi_install installs
#   MSVC_FLAGS    ON: what the headers need of Microsoft's compiler
#   STUB_DIR      a folder in which Python stubs are refreshed after each build
#   STUB_INIT     OFF: ON writes the files of a new package there, for which:
#   STUB_PKG        the name of the package (the project of scikit-build-core, else the target)
#   STUB_PREFIX     the prefix of the type keys and functions that it shows (STUB_PKG and a dot)
#   STUB_TARGET   python or rust
function(tvm_ffi_configure_target target)
  set(switches LINK_HEADER LINK_SHARED DEBUG_SYMBOL MSVC_FLAGS STUB_INIT)
  cmake_parse_arguments(PARSE_ARGV 1 given "" "${switches};STUB_DIR;STUB_PKG;STUB_PREFIX;STUB_TARGET" "")
  set(where "tvm_ffi_configure_target(${target})")
  if(NOT TARGET "${target}")
    message(FATAL_ERROR "${where}: expected the name of a target")
  endif()
  if(given_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${where}: unknown arguments: ${given_UNPARSED_ARGUMENTS}")
  endif()
  foreach(name IN ITEMS LINK_HEADER LINK_SHARED DEBUG_SYMBOL MSVC_FLAGS)
    if(NOT DEFINED given_${name})
      set(given_${name} ON)
    endif()
  endforeach()
  if(given_STUB_INIT AND NOT given_STUB_DIR)
    message(FATAL_ERROR "${where}: STUB_INIT needs STUB_DIR, the folder of the package")
  endif()
  if(NOT given_STUB_INIT AND (DEFINED given_STUB_PKG OR DEFINED given_STUB_PREFIX))
    message(FATAL_ERROR "${where}: STUB_PKG and STUB_PREFIX need STUB_INIT ON")
  endif()

  # Paths in messages and debug information begin at the project's folder, wherever it is built.
  if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    target_compile_options("${target}" PRIVATE "-ffile-prefix-map=${CMAKE_CURRENT_SOURCE_DIR}/=")
  endif()
  if(given_LINK_HEADER)
    target_link_libraries("${target}" PRIVATE tvm_ffi::header)
  endif()
  if(given_LINK_SHARED)
    target_link_libraries("${target}" PRIVATE tvm_ffi::shared)
  endif()
  if(given_MSVC_FLAGS AND MSVC)
    target_compile_definitions("${target}" PUBLIC WIN32_LEAN_AND_MEAN NOMINMAX _CRT_SECURE_NO_WARNINGS)
    target_compile_options("${target}" PRIVATE /bigobj "$<$<COMPILE_LANGUAGE:C,CXX>:/Zc:inline>")
  endif()
  if(given_DEBUG_SYMBOL AND APPLE)
    find_program(DSYMUTIL dsymutil REQUIRED)
    add_custom_command(TARGET "${target}" POST_BUILD COMMAND "${DSYMUTIL}" "$<TARGET_FILE:${target}>" VERBATIM)
  endif()
  if(given_STUB_DIR)
    _tvm_ffi_refresh_stubs("${target}")
  endif()
endfunction()

# The part of tvm_ffi_configure_target that writes stubs; it reads the variables given_STUB_* of its caller.
macro(_tvm_ffi_refresh_stubs target)
  get_filename_component(folder "${given_STUB_DIR}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
  set(arguments "${folder}" --dlls "$<TARGET_FILE:${target}>")
  if(given_STUB_TARGET)
    list(APPEND arguments --target "${given_STUB_TARGET}")
  endif()
  if(given_STUB_INIT)
    if(NOT DEFINED given_STUB_PKG)
      set(given_STUB_PKG "${target}")
      if(SKBUILD_PROJECT_NAME)
        set(given_STUB_PKG "${SKBUILD_PROJECT_NAME}")
      endif()
    endif()
    if(NOT DEFINED given_STUB_PREFIX)
      set(given_STUB_PREFIX "${given_STUB_PKG}.")
    endif()
    list(APPEND arguments --init-lib "${target}" --init-pypkg "${given_STUB_PKG}" --init-prefix "${given_STUB_PREFIX}")
  endif()
  find_package(Python COMPONENTS Interpreter REQUIRED)
  add_custom_command(
    TARGET "${target}" POST_BUILD
    COMMAND "${Python_EXECUTABLE}" -m selfsame_ffi.stub.cli ${arguments}
    COMMENT "refreshing the stubs in ${folder}" VERBATIM)
endmacro()

# Installs what belongs to a target beside it: on macOS its debug symbols, into DESTINATION (the install prefix).
function(tvm_ffi_install target)
  cmake_parse_arguments(PARSE_ARGV 1 given "" "DESTINATION" "")
  if(NOT TARGET "${target}")
    message(FATAL_ERROR "tvm_ffi_install(${target}): expected the name of a target")
  endif()
  if(NOT DEFINED given_DESTINATION)
    set(given_DESTINATION ".")
  endif()
  if(APPLE)
    install(DIRECTORY "$<TARGET_FILE:${target}>.dSYM" DESTINATION "${given_DESTINATION}" OPTIONAL)
  endif()
endfunction()
