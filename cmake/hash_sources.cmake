# Writes one hash of FILES (separated by |) to OUTPUT, a header: NAMESPACE::kSourceHash.
string(REPLACE "|" ";" FILES "${FILES}")
set(all "")
foreach(file ${FILES})
  file(SHA256 ${file} hash)
  string(APPEND all ${hash})
endforeach()
string(SHA256 hash "${all}")
file(WRITE ${OUTPUT} "#pragma once\n\n#include <string_view>\n\nnamespace ${NAMESPACE} {\n"
     "constexpr std::string_view kSourceHash = \"${hash}\";\n}  // namespace ${NAMESPACE}\n")
