#pragma once

#include <vector>

#include "mortise/plugin/registry.h"

namespace mortise {

/// All formats of a registry, also when more are found later. What other kinds of components say stays unread. Belongs
/// to one thread.
class FormatList {
 public:
  /// `registry` must outlive this.
  explicit FormatList(const Registry& registry) : registry_(registry) {}
  const std::vector<const ComponentInfo*>& all() const;

 private:
  const Registry& registry_;
  mutable const void* listed_ =
      nullptr;  ///< The registry's list of libraries, which is another one when more are found.
  mutable std::vector<const ComponentInfo*> formats_;
};

}  // namespace mortise
