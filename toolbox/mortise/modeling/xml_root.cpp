#include "mortise/modeling/xml_root.h"

#include <algorithm>

namespace mortise {

std::string_view xmlRootName(std::string_view head) {
  std::size_t at = 0;
  while ((at = head.find('<', at)) != std::string_view::npos) {
    const std::string_view rest = head.substr(at);
    if (rest.starts_with("<!--")) {
      const std::size_t end = head.find("-->", at + 4);
      if (end == std::string_view::npos) return {};
      at = end + 3;
    } else if (rest.starts_with("<?") || rest.starts_with("<!")) {
      const std::size_t end = head.find('>', at);
      if (end == std::string_view::npos) return {};
      at = end + 1;
    } else {
      const std::size_t end = std::min(head.find_first_of(" \t\r\n/>", at + 1), head.size());
      return head.substr(at + 1, end - at - 1);
    }
  }
  return {};
}

}  // namespace mortise
