#include "mortise/viewer/http/file_answer.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sys/stat.h>
#include <zlib.h>

#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "mortise/hash/hash.h"
#include "mortise/text/hex.h"

namespace mortise::viewer {

namespace {

/// The most that is read at once: who wants more asks again.
constexpr std::uint64_t kLargestPart = 64 * 1024 * 1024;

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

/// Digits alone; what is too large for the type is its largest value.
std::optional<std::uint64_t> numberFrom(std::string_view text) {
  if (text.empty() || text.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  std::uint64_t value = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc::result_out_of_range)
    return UINT64_MAX;
  return value;
}

std::string gzip(const std::string& text) {
  z_stream stream = {};
  constexpr int kGzip = 15 + 16;
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw Error("the viewer's page cannot be compressed");
  std::string out(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
  // zlib does not write there, whatever the type says.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int result = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (result != Z_STREAM_END) throw Error("the viewer's page cannot be compressed");
  return out;
}

}  // namespace

WantedBytes wantedBytes(std::string_view header, std::uint64_t size) {
  constexpr std::string_view kUnit = "bytes=";
  if (!header.starts_with(kUnit)) return {};
  const std::string_view range = trimmed(header.substr(kUnit.size()));
  const std::size_t dash = range.find('-');
  if (dash == std::string_view::npos) return {};
  const std::string_view from = trimmed(range.substr(0, dash)), to = trimmed(range.substr(dash + 1));
  const auto first = numberFrom(from), last = numberFrom(to);
  if ((!from.empty() && !first) || (!to.empty() && !last) || (!first && !last)) return {};
  if (first && last && *last < *first) return {};
  if (!first) {
    // The last bytes.
    if (*last == 0 || size == 0) return {WantedBytes::Kind::none, {}};
    return {WantedBytes::Kind::part, {size - std::min(*last, size), size - 1}};
  }
  if (*first >= size) return {WantedBytes::Kind::none, {}};
  return {WantedBytes::Kind::part, {*first, std::min(last.value_or(size - 1), size - 1)}};
}

ServedFile::ServedFile(std::string file) : path(std::move(file)) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) throw Error("there is no file", inFile(path));
  size = static_cast<std::uint64_t>(status.st_size);
  const std::uint64_t what[] = {static_cast<std::uint64_t>(status.st_ino), size,
                                static_cast<std::uint64_t>(status.st_mtim.tv_sec),
                                static_cast<std::uint64_t>(status.st_mtim.tv_nsec)};
  tag = "\"" + hexText(fnv1a(what, sizeof what)) + "\"";
}

std::string ServedFile::bytes(const ByteRange& range) const {
  std::ifstream in(path, std::ios::binary);
  std::string out(static_cast<std::size_t>(std::min(range.last - range.first + 1, kLargestPart)), '\0');
  in.seekg(static_cast<std::streamoff>(range.first));
  if (!in.read(out.data(), static_cast<std::streamsize>(out.size())))
    throw Error("the file cannot be read, or has become shorter", inFile(path));
  return out;
}

ServedPage::ServedPage(std::string page)
    : html(std::move(page)), packed(gzip(html)), tag("\"" + hexText(fnv1a(html.data(), html.size())) + "\"") {}

bool listHas(std::string_view header, std::string_view entry) {
  for (std::size_t at = 0; at <= header.size();) {
    const std::size_t end = std::min(header.find(',', at), header.size());
    std::string_view item = header.substr(at, end - at);
    const std::size_t semicolon = std::min(item.find(';'), item.size());
    const std::string_view name = trimmed(item.substr(0, semicolon)), weight = trimmed(item.substr(semicolon));
    const bool refused =
        weight.find("q=0") != std::string_view::npos && weight.find_first_of("123456789") == std::string_view::npos;
    if (name == entry) return !refused;
    at = end + 1;
  }
  return false;
}

}  // namespace mortise::viewer
