// CLI11's application by name: reading CLI11 takes a compiler more than a second, and most of what
// takes an application never looks into it.
#pragma once

namespace CLI {
class App;
}
