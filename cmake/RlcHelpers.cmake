# rlc_library(NAME SOURCES a.cpp ... LINKS x y ...): one static library a folder, warnings on.
# rlc_test(NAME SOURCES a_test.cpp ... LINKS x ... [OPTIMIZED]): its GoogleTest binary, registered with CTest; OPTIMIZED where
# tests themselves compute for long.
#
# The presets release, ci and asan compile two dozen files of a target as one (CMAKE_UNITY_BUILD), in a third of the time, as most of it
# is headers: what is local to a file must not have the name of something local to another of its folder. The preset dev compiles each alone.

option(RLC_WERROR "treat warnings as errors" OFF)
option(RLC_ASSERTIONS "let the standard library check that what is read exists" OFF)
option(RLC_SANITIZE "build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
option(RLC_PRESET_FAST "skip optimization of our own code (development builds)" OFF)

find_program(RLC_CCACHE ccache)
if(RLC_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${RLC_CCACHE})
endif()

add_library(rlc_options INTERFACE)
target_include_directories(rlc_options INTERFACE ${CMAKE_SOURCE_DIR})
# Contraction would let the interpreter round otherwise than the code it is the oracle of.
target_compile_options(rlc_options INTERFACE -Wall -Wextra -ffp-contract=off)
if(RLC_WERROR)
  target_compile_options(rlc_options INTERFACE -Werror)
endif()
if(RLC_ASSERTIONS)
  target_compile_definitions(rlc_options INTERFACE _GLIBCXX_ASSERTIONS)
endif()
if(RLC_PRESET_FAST)
  target_compile_options(rlc_options INTERFACE -O1 -g1)
endif()
if(RLC_SANITIZE)
  target_compile_options(rlc_options INTERFACE -fsanitize=address,undefined
                         -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(rlc_options INTERFACE -fsanitize=address,undefined)
endif()
if(NOT CMAKE_CROSSCOMPILING)  # a compiler for other machines doesn't find this one's linkers
  find_program(RLC_LINKER NAMES mold ld.lld)
endif()
if(RLC_LINKER MATCHES "mold$")
  target_link_options(rlc_options INTERFACE -fuse-ld=mold)
elseif(RLC_LINKER)
  target_link_options(rlc_options INTERFACE -fuse-ld=lld)
endif()

# At a fixed address nothing has to be relocated: LLVM's tables are 350 pages that would be written at every start, which takes a fifth of the
# time of a run from the cache.
target_link_options(rlc_options INTERFACE $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)

function(rlc_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC rlc_options ${ARG_LINKS})
endfunction()

function(rlc_test name)
  cmake_parse_arguments(ARG "OPTIMIZED" "" "SOURCES;LINKS" ${ARGN})
  include(GoogleTest)
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE rlc_options ${ARG_LINKS} GTest::gtest GTest::gtest_main)
  if(NOT ARG_OPTIMIZED)
    target_compile_options(${name} PRIVATE -O0)  # a third less to build; what is tested is as it always is
  endif()
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60)
endfunction()

# A header with NAMESPACE::kSourceHash, a hash of these files but tests, made again where one of them changes.
function(rlc_source_hash namespace output files)
  list(FILTER files EXCLUDE REGEX "_test|_benchmark|/testing/")
  string(REPLACE ";" "|" listed "${files}")
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DNAMESPACE=${namespace} "-DFILES=${listed}" -DOUTPUT=${output} -P ${CMAKE_SOURCE_DIR}/cmake/hash_sources.cmake
    DEPENDS ${files} ${CMAKE_SOURCE_DIR}/cmake/hash_sources.cmake VERBATIM)
endfunction()
