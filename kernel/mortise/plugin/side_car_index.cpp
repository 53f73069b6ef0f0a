#include "mortise/plugin/side_car_index.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <span>
#include <sys/stat.h>
#include <utility>

#include "mortise/base/bytes.h"
#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/hash/hash.h"
#include "mortise/plugin/side_car_bytes.h"
#include "mortise/text/hex.h"

namespace mortise {

namespace fs = std::filesystem;

namespace {

constexpr const char* kIndexName = "plugins.index";
// Begins every index; the number grows with any change of what follows. The size of the ABI tag and the kernel's
// version stand behind it.
constexpr std::string_view kIndexMagic = "mortise plugins.index 3";

/// Sums up every byte, eight at a time: byte by byte it would take as long as reading what the index says.
std::uint64_t checksumOf(std::string_view bytes) {
  std::uint64_t sum = kFnvStart ^ bytes.size();
  while (bytes.size() >= sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof(word));
    sum = splitMixBits(sum ^ word) + kSplitMixIncrement;
    bytes.remove_prefix(sizeof(word));
  }
  return fnv1a(bytes.data(), bytes.size(), sum);
}

std::span<const std::byte> bytesOf(std::string_view text) { return std::as_bytes(std::span(text)); }

std::string_view textOf(const ByteWriter& out) {
  return {reinterpret_cast<const char*>(out.bytes().data()), out.bytes().size()};
}

}  // namespace

SideCarIndex::SideCarIndex(std::string folder) : folder_(std::move(folder)) {
  if (auto entries = read((fs::path(folder_) / kIndexName).string())) {
    shipped_ = std::move(*entries);
    inFolder_ = true;
  }
  if (const std::string file = cacheFile(); !file.empty())
    if (auto entries = read(file)) kept_ = std::move(*entries);
}

std::optional<SideCarOutline> SideCarIndex::outline(const std::string& sideCar, const std::string& library) const {
  const auto now = stampOf(sideCar), libraryNow = stampOf(library);
  if (!now || !libraryNow) return std::nullopt;
  for (const Entries* entries : {&shipped_, &kept_}) {
    const auto at = entries->find(sideCar);
    if (at == entries->end() || at->second.sideCar != *now || at->second.library != *libraryNow) continue;
    try {
      return readSideCarOutline(at->second.text, at->second.content);
    } catch (const std::exception&) {  // Damaged: the side-car itself says what is right.
      continue;
    }
  }
  return std::nullopt;
}

std::optional<SideCar> SideCarIndex::find(const std::string& sideCar, const std::string& library) const {
  std::optional<SideCarOutline> found = outline(sideCar, library);
  if (!found) return std::nullopt;
  for (std::size_t i = 0; i < found->unread.size(); ++i) readUnread(found->unread[i], found->sideCar.components[i]);
  return std::move(found->sideCar);
}

void SideCarIndex::add(const std::string& sideCar, const std::string& library, const SideCar& content) {
  const auto now = stampOf(sideCar), libraryNow = stampOf(library);
  if (!now || !libraryNow) return;
  ByteWriter out;
  writeSideCarBytes(content, out);
  const auto text = std::make_shared<const std::string>(textOf(out));
  kept_[sideCar] = {*now, *libraryNow, text, *text};
  changed_ = true;
}

void SideCarIndex::keep() const {
  const std::string file = cacheFile();
  if (!changed_ || file.empty()) return;
  Entries current;
  for (const auto& [path, entry] : kept_)
    if (stampOf(path) == entry.sideCar) current.insert({path, entry});
  std::error_code code;
  fs::create_directories(fs::path(file).parent_path(), code);
  try {
    write(file, current);
  } catch (const Error&) {  // A full disk or a folder that is only read: the next command reads the side-cars again.
  }
}

void SideCarIndex::writeToFolder() const {
  Entries all;
  for (const Entries* entries : {&shipped_, &kept_})
    for (const auto& [path, entry] : *entries)
      if (stampOf(path) == entry.sideCar) all[path] = entry;
  write((fs::path(folder_) / kIndexName).string(), all);
}

std::optional<SideCarIndex::FileStamp> SideCarIndex::stampOf(const std::string& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return FileStamp{static_cast<std::uint64_t>(status.st_size), static_cast<std::uint64_t>(status.st_ino),
                   static_cast<std::int64_t>(status.st_mtim.tv_sec) * 1000000000 + status.st_mtim.tv_nsec};
}

std::optional<SideCarIndex::Entries> SideCarIndex::read(const std::string& file) {
  std::error_code code;
  if (!fs::is_regular_file(file, code)) return std::nullopt;
  try {
    const auto text = std::make_shared<const std::string>(readFile(file));
    const std::string_view full = *text;
    if (full.size() < sizeof(std::uint64_t)) return std::nullopt;
    std::string_view rest = full.substr(0, full.size() - sizeof(std::uint64_t));
    ByteReader end(bytesOf(full.substr(rest.size())));
    if (end.get<std::uint64_t>() != checksumOf(rest)) return std::nullopt;
    ByteReader head(bytesOf(rest));
    if (head.getString() != kIndexMagic || head.get<std::uint64_t>() != sizeof(MortiseAbiTag)) return std::nullopt;
    rest.remove_prefix(head.position());
    Entries entries;
    while (!rest.empty()) {
      ByteReader in(bytesOf(rest));
      std::string path = in.getString();
      Entry entry;
      in.get(entry.sideCar);
      in.get(entry.library);
      const auto size = in.get<std::uint64_t>();
      rest.remove_prefix(in.position());
      if (size > rest.size()) return std::nullopt;
      entry.text = text;
      entry.content = rest.substr(0, size);
      rest.remove_prefix(size);
      entries.insert({std::move(path), entry});
    }
    return entries;
  } catch (const Error&) {
    return std::nullopt;
  }
}

void SideCarIndex::write(const std::string& file, const Entries& entries) {
  ByteWriter out;
  out.put(kIndexMagic);
  out.put(static_cast<std::uint64_t>(sizeof(MortiseAbiTag)));
  for (const auto& [path, entry] : entries) {
    out.put(std::string_view(path));
    out.put(entry.sideCar);
    out.put(entry.library);
    out.put(entry.content);
  }
  out.put(checksumOf(textOf(out)));
  writeFile(file, textOf(out));
}

std::string SideCarIndex::cacheFile() const {
  // The XDG base directory specification: relative values are to be ignored.
  fs::path root;
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && cache[0] == '/')
    root = cache;
  else if (const char* home = std::getenv("HOME"); home != nullptr && home[0] == '/')
    root = fs::path(home) / ".cache";
  else
    return {};
  const std::string name = hexText(fnv1a(folder_.data(), folder_.size())) + ".index";
  return (root / "mortise" / "plugins" / name).string();
}

}  // namespace mortise
