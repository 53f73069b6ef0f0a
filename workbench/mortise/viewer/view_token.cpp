#include "mortise/viewer/view_token.h"

#include <cstdint>
#include <sys/random.h>

#include "mortise/base/error.h"
#include "mortise/text/hex.h"

namespace mortise::viewer {

std::string newToken() {
  std::uint64_t bits[2];
  if (::getrandom(bits, sizeof bits, 0) != static_cast<ssize_t>(sizeof bits))
    throw Error("the system gives no random numbers for the viewer's token");
  return hexText(bits[0]) + hexText(bits[1]);
}

bool isToken(std::string_view given, std::string_view token) {
  unsigned difference = given.size() == token.size() ? 0 : 1;
  for (std::size_t i = 0; i < given.size() && i < token.size(); ++i)
    difference |= static_cast<unsigned char>(given[i]) ^ static_cast<unsigned char>(token[i]);
  return difference == 0;
}

}  // namespace mortise::viewer
