// Every test program contains this file: all preconditions are checked in it, and in the programs that it starts.

#include <cstdlib>

#include "mortise/base/expect.h"

namespace mortise {
namespace {

const bool kChecked = [] {
  setPreconditionChecks(true);
  setenv("MORTISE_CHECKS", "1", 1);
  return true;
}();

}  // namespace
}  // namespace mortise
