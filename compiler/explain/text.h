// Stages as text.
#pragma once

#include <string>

#include "compiler/explain/subject.h"

namespace rlc::explain {

std::string passesText(const Subject& subject);   // what each did and did not do, with source lines
std::string changesText(const Subject& subject);  // what the last pass changed in the graph
std::string scheduleText(const Subject& subject);  // the loops, then why some of them run in order
std::string memoryText(const Subject& subject);

}  // namespace rlc::explain
