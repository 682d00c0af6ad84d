// Graphs as pictures, by Graphviz.
#pragma once

#include <string>

namespace rlc::explain {

struct Drawing {
  std::string svg;      // "<svg ...>...</svg>"; empty where there is none
  std::string problem;  // why
};

// Runs `dot`, where the graphviz package is installed; gives up after some seconds.
Drawing draw(const std::string& dot);

}  // namespace rlc::explain
