#include "mortise/loading/format_list.h"

#include <string>

#include "mortise/base/error.h"

namespace mortise {

const std::vector<const ComponentInfo*>& FormatList::all() const {
  const void* libraries = &registry_.libraries();
  if (listed_ == libraries) return formats_;
  listed_ = libraries;
  formats_.clear();
  try {
    for (const std::string& name : registry_.namesOf(Kind::format))
      formats_.push_back(registry_.find(Kind::format, name));
    return formats_;
  } catch (const Error&) {  // Two libraries of a folder offer one: the first is listed.
    formats_.clear();
  }
  for (const ComponentInfo& info : registry_.components())
    if (info.kind == Kind::format) formats_.push_back(&info);
  return formats_;
}

}  // namespace mortise
