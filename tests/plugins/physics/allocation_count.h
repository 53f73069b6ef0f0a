#pragma once

namespace mortise::test {

/// How often C++ code of this process, plugins included, has allocated so far. ODE itself uses malloc and does not
/// count.
long allocationCount();

}  // namespace mortise::test
