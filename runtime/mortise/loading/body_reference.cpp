#include "mortise/loading/body_reference.h"

#include <string>
#include <vector>

#include "mortise/base/error.h"
#include "mortise/text/suggest.h"

namespace mortise {

int findBody(const World& world, const Value& reference) {
  if (!reference.isScalar() || reference.isNull())
    throw Error("expected the name or id of a body, found " + std::string(Value::typeName(reference.type())));
  const std::string wanted = reference.text();
  std::vector<std::string> names;
  std::vector<int> matches;
  for (int id = 0; id < world.numIds(); ++id) {
    names.push_back(world.nameOf(id));
    if (names.back() == wanted) matches.push_back(id);
  }
  if (matches.size() == 1) return matches.front();
  if (matches.size() > 1) {
    std::string ids;
    for (const int id : matches) ids += (ids.empty() ? "" : ", ") + std::to_string(id);
    throw Error("several things are called '" + wanted + "'", {}, "use one of their ids: " + ids);
  }
  if (reference.isInteger()) {
    if (reference.asInteger() >= 0 && reference.asInteger() < world.numIds())
      return static_cast<int>(reference.asInteger());
    throw Error("nothing has the id " + wanted, {}, "ids run from 0 to " + std::to_string(world.numIds() - 1));
  }
  throw Error("there is no body '" + wanted + "'", {}, suggestAndList(wanted, names));
}

}  // namespace mortise
