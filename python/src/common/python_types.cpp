#include "common/python_types.h"

#include <string_view>

namespace mortise::python {

std::string classText(const PyTypeObject* type) {
  if (type == nullptr) return "";
  const std::string_view name = type->tp_name;
  return std::string(name.substr(name.rfind('.') + 1));
}

std::string withArticle(const std::string& name) {
  const bool vowel = !name.empty() && std::string_view("AEIOU").find(name[0]) != std::string_view::npos;
  return (vowel ? "an " : "a ") + name;
}

}  // namespace mortise::python
