# Every library from outside, as one target each; a missing one is named by its Debian package.
#
#   rlc_llvm      LLVM 19                                (jit/cpu alone)
#   rlc_isl       isl and gmp                            (compiler/polyhedral alone)
#   rlc_antlr     the ANTLR 4 runtime                    (compiler/syntax alone)
#                 RLC_ANTLR_COMMAND runs the ANTLR tool: ${RLC_ANTLR_COMMAND} -Dlanguage=Cpp ...
#                 RLC_ANTLR_PORT fits what it made to the runtime: ${RLC_ANTLR_PORT} FOLDER/RlLexer ...
#   rlc_tbb, rlc_cli11, rlc_fmt, rlc_json, rlc_toml
#   rlc_jemalloc  the memory allocator                   (tools' rlc alone)
#
# All of them are system includes, so that a warning is always about our own code.

function(rlc_missing what package)
  message(FATAL_ERROR
    "${what} was not found: install the package ${package} "
    "(./build.sh deps installs all that is missing)")
endfunction()

# rlc_imported(TARGET PACKAGE INCLUDE file LIBRARIES a b ... [INCLUDE_SUFFIX dir])
function(rlc_imported target package)
  cmake_parse_arguments(ARG "" "INCLUDE;INCLUDE_SUFFIX" "LIBRARIES" ${ARGN})
  find_path(${target}_INCLUDE_DIR ${ARG_INCLUDE} PATH_SUFFIXES ${ARG_INCLUDE_SUFFIX})
  mark_as_advanced(${target}_INCLUDE_DIR)
  if(NOT ${target}_INCLUDE_DIR)
    rlc_missing(${ARG_INCLUDE} ${package})
  endif()
  add_library(${target} INTERFACE)
  target_include_directories(${target} SYSTEM INTERFACE ${${target}_INCLUDE_DIR})
  foreach(library ${ARG_LIBRARIES})
    find_library(${target}_${library}_LIBRARY ${library})
    mark_as_advanced(${target}_${library}_LIBRARY)
    if(NOT ${target}_${library}_LIBRARY)
      rlc_missing(lib${library} ${package})
    endif()
    target_link_libraries(${target} INTERFACE ${${target}_${library}_LIBRARY})
  endforeach()
endfunction()

find_package(Threads REQUIRED)

# LLVM: only the headers' folder and the libraries of its configuration are used.
if(NOT TARGET LLVM)
  set(CMAKE_MESSAGE_LOG_LEVEL WARNING)  # it looks for libraries that only static LLVM needs
  find_package(LLVM 19.1 CONFIG QUIET HINTS /usr/lib/llvm-19)
  unset(CMAKE_MESSAGE_LOG_LEVEL)
endif()
if(NOT LLVM_FOUND)
  rlc_missing("LLVM 19" llvm-19-dev)
elseif(NOT TARGET LLVM)
  message(FATAL_ERROR "LLVM ${LLVM_VERSION} at ${LLVM_DIR} has no shared library")
endif()
add_library(rlc_llvm INTERFACE)
target_include_directories(rlc_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_compile_definitions(rlc_llvm INTERFACE __STDC_CONSTANT_MACROS __STDC_FORMAT_MACROS
                                              __STDC_LIMIT_MACROS)
if(NOT LLVM_ENABLE_RTTI)
  target_compile_options(rlc_llvm INTERFACE -fno-rtti)
endif()

rlc_imported(rlc_gmp libgmp-dev INCLUDE gmp.h LIBRARIES gmp)
rlc_imported(rlc_isl libisl-dev INCLUDE isl/cpp.h LIBRARIES isl)
target_link_libraries(rlc_isl INTERFACE rlc_gmp)

rlc_imported(rlc_antlr libantlr4-runtime-dev INCLUDE antlr4-runtime.h INCLUDE_SUFFIX antlr4-runtime
             LIBRARIES antlr4-runtime)

# A program with the property RLC_ARCHIVES has what it needs of LLVM, isl and ANTLR in itself where
# their archives are (RLC_HAS_ARCHIVES): it starts in a third of the time that it takes to relocate
# LLVM's shared library, and runs where none of them is installed. Never both in one program, nor
# beside sanitizers, which would see a part of their code. isl is LLVM's own copy, which the shared
# library has too: its integers are machine words while they fit.
set(RLC_HAS_ARCHIVES FALSE)
find_library(RLC_ANTLR_ARCHIVE libantlr4-runtime.a)
find_library(RLC_ISL_ARCHIVE libPollyISL.a HINTS ${LLVM_LIBRARY_DIR})
find_library(RLC_ZLIB_LIBRARY NAMES z libz.so.1)
find_library(RLC_ZSTD_LIBRARY NAMES zstd libzstd.so.1)
mark_as_advanced(RLC_ANTLR_ARCHIVE RLC_ISL_ARCHIVE RLC_ZLIB_LIBRARY RLC_ZSTD_LIBRARY)
if(RLC_ANTLR_ARCHIVE AND RLC_ISL_ARCHIVE AND RLC_ZLIB_LIBRARY AND RLC_ZSTD_LIBRARY AND NOT RLC_SANITIZE
   AND EXISTS ${LLVM_TOOLS_BINARY_DIR}/llvm-config)
  execute_process(COMMAND ${LLVM_TOOLS_BINARY_DIR}/llvm-config --link-static --libfiles orcjit passes native
                  OUTPUT_VARIABLE rlc_llvm_archives ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE rlc_llvm_status)
  if(rlc_llvm_status EQUAL 0)
    set(RLC_HAS_ARCHIVES TRUE)
    string(REGEX REPLACE "[ \n]+" ";" rlc_llvm_archives "${rlc_llvm_archives}")
  endif()
endif()
# rlc_either(TARGET SHARED ARCHIVE...)
function(rlc_either target shared)
  target_link_libraries(${target} INTERFACE
    "$<IF:$<BOOL:$<TARGET_PROPERTY:RLC_ARCHIVES>>,${ARGN},${shared}>")
endfunction()
if(RLC_HAS_ARCHIVES)
  set_target_properties(rlc_isl rlc_antlr PROPERTIES INTERFACE_LINK_LIBRARIES "")
  rlc_either(rlc_llvm LLVM ${rlc_llvm_archives} ${RLC_ZLIB_LIBRARY} ${RLC_ZSTD_LIBRARY})
  rlc_either(rlc_isl "${rlc_isl_isl_LIBRARY};rlc_gmp" ${RLC_ISL_ARCHIVE})
  rlc_either(rlc_antlr ${rlc_antlr_antlr4-runtime_LIBRARY} ${RLC_ANTLR_ARCHIVE})
else()
  target_link_libraries(rlc_llvm INTERFACE LLVM)
  if(NOT RLC_SANITIZE)
    message(STATUS "LLVM's, isl's or ANTLR's archives (llvm-19-dev, libpolly-19-dev, libantlr4-runtime-dev) were not found: "
                   "rlc is linked with the shared libraries, and takes longer to start")
  endif()
endif()
target_link_libraries(rlc_antlr INTERFACE Threads::Threads)

find_package(Python3 QUIET COMPONENTS Interpreter)
if(NOT Python3_FOUND)
  rlc_missing("Python 3 (for the parser's build and the tests)" python3)
endif()

find_program(RLC_ANTLR_TOOL NAMES antlr4 antlr)
find_program(RLC_JAVA java)
if(NOT RLC_ANTLR_TOOL)
  rlc_missing("the ANTLR 4 tool" antlr4)
elseif(NOT RLC_JAVA)
  rlc_missing("a Java runtime (for the ANTLR 4 tool)" default-jre-headless)
endif()
set(RLC_ANTLR_COMMAND ${RLC_ANTLR_TOOL})
# A runtime from 4.10 on beside an older tool (Ubuntu 24.04): what the tool makes is ported.
set(RLC_ANTLR_PORT ${CMAKE_COMMAND} -E true)
if(EXISTS ${rlc_antlr_INCLUDE_DIR}/atn/SerializedATNView.h)
  set(RLC_ANTLR_PORT ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/grammar/port_to_runtime.py)
endif()

function(rlc_wrap target package imported)
  if(NOT TARGET ${imported})
    rlc_missing(${imported} ${package})
  endif()
  add_library(${target} INTERFACE)
  target_link_libraries(${target} INTERFACE ${imported})
endfunction()

find_package(TBB CONFIG QUIET)
rlc_wrap(rlc_tbb libtbb-dev TBB::tbb)
find_package(CLI11 CONFIG QUIET)
rlc_wrap(rlc_cli11 libcli11-dev CLI11::CLI11)
find_package(fmt CONFIG QUIET)
rlc_wrap(rlc_fmt libfmt-dev fmt::fmt)
find_package(nlohmann_json CONFIG QUIET)
rlc_wrap(rlc_json nlohmann-json3-dev nlohmann_json::nlohmann_json)
rlc_imported(rlc_toml libtomlplusplus-dev INCLUDE toml++/toml.h)  # headers alone

# In place of the C library's malloc: a fifth of the compiler's time.
find_library(RLC_JEMALLOC_ARCHIVE libjemalloc_pic.a)
mark_as_advanced(RLC_JEMALLOC_ARCHIVE)
add_library(rlc_jemalloc INTERFACE)
if(RLC_JEMALLOC_ARCHIVE AND NOT RLC_SANITIZE)
  target_link_libraries(rlc_jemalloc INTERFACE ${RLC_JEMALLOC_ARCHIVE} Threads::Threads)
elseif(NOT RLC_SANITIZE)
  message(STATUS "libjemalloc-dev was not found: rlc allocates by the C library, and compiles more slowly")
endif()

find_package(GTest CONFIG QUIET)
if(NOT TARGET GTest::gtest_main)
  rlc_missing(GoogleTest libgtest-dev)
endif()
find_package(benchmark CONFIG QUIET)
if(NOT TARGET benchmark::benchmark)
  rlc_missing("Google Benchmark" libbenchmark-dev)
endif()
