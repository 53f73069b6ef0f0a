#include "mortise/plugin/elf_file.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <fstream>

#include "mortise/base/error.h"
#include "mortise/base/hex.h"

namespace mortise {

namespace {

/// Bounds-checked reads from the file. Not a mapping: a library may be linked anew while it is looked at.
class Image {
 public:
  explicit Image(const std::string& path) : path_(path), stream_(path, std::ios::binary) {
    if (!stream_) throw Error("cannot read '" + path + "': " + std::strerror(errno));
    stream_.seekg(0, std::ios::end);
    size_ = static_cast<std::uint64_t>(std::max<std::streamoff>(stream_.tellg(), 0));
  }

  template <typename T>
  T read(std::uint64_t at) {
    T value;
    read(at, &value, sizeof(T));
    return value;
  }
  std::string bytes(std::uint64_t at, std::uint64_t size) {
    if (at > size_ || size_ - at < size) damaged();
    std::string result(size, '\0');
    read(at, result.data(), size);
    return result;
  }
  /// Up to the next zero.
  std::string text(std::uint64_t at) {
    std::string result;
    while (at < size_) {
      const std::string chunk = bytes(at, std::min<std::uint64_t>(256, size_ - at));
      const auto end = chunk.find('\0');
      result += chunk.substr(0, end);
      if (end != std::string::npos) return result;
      at += chunk.size();
    }
    damaged();
  }
  std::uint64_t size() const { return size_; }
  [[noreturn]] void damaged() const {
    throw Error("'" + path_ + "' is damaged: it ends before the data that its headers announce", {},
                "build or copy it again");
  }

 private:
  void read(std::uint64_t at, void* data, std::uint64_t size) {
    if (at > size_ || size_ - at < size) damaged();
    stream_.seekg(static_cast<std::streamoff>(at));
    stream_.read(static_cast<char*>(data), static_cast<std::streamsize>(size));
    if (!stream_) damaged();
  }

  std::string path_;
  std::ifstream stream_;
  std::uint64_t size_ = 0;
};

std::uint64_t alignedTo4(std::uint64_t size) { return (size + 3) & ~std::uint64_t{3}; }

std::string buildIdIn(Image& image, std::uint64_t at, std::uint64_t size) {
  std::uint64_t offset = 0;
  while (offset + sizeof(Elf64_Nhdr) <= size) {
    const auto note = image.read<Elf64_Nhdr>(at + offset);
    const std::uint64_t name = offset + sizeof(Elf64_Nhdr);
    const std::uint64_t description = name + alignedTo4(note.n_namesz);
    const std::uint64_t next = description + alignedTo4(note.n_descsz);
    if (next > size) break;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && image.bytes(at + name, 4) == std::string("GNU", 4))
      return hexText(image.bytes(at + description, note.n_descsz));
    offset = next;
  }
  return {};
}

/// Checks the header and returns the segments.
std::vector<Elf64_Phdr> readSegments(Image& image, const std::string& path) {
  constexpr unsigned char byteOrder = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
  Elf64_Ehdr header = {};
  if (image.size() >= sizeof(header)) header = image.read<Elf64_Ehdr>(0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != byteOrder)
    throw Error("'" + path + "' is not a shared library: it does not start with the header of a 64-bit ELF file", {},
                "give the .so file that the linker wrote");
  if (header.e_type != ET_DYN) throw Error("'" + path + "' is an ELF file, but not a shared library");
  std::vector<Elf64_Phdr> segments;
  for (std::uint64_t i = 0; i < header.e_phnum; ++i)
    segments.push_back(image.read<Elf64_Phdr>(header.e_phoff + i * header.e_phentsize));
  return segments;
}

std::string buildIdIn(Image& image, const std::vector<Elf64_Phdr>& segments) {
  for (const auto& segment : segments) {
    if (segment.p_type != PT_NOTE) continue;
    const std::string found = buildIdIn(image, segment.p_offset, segment.p_filesz);
    if (!found.empty()) return found;
  }
  return {};
}

}  // namespace

std::string readBuildId(const std::string& path) {
  Image image(path);
  return buildIdIn(image, readSegments(image, path));
}

ElfFile readElfFile(const std::string& path) {
  Image image(path);
  const std::vector<Elf64_Phdr> segments = readSegments(image, path);
  ElfFile result;
  result.buildId = buildIdIn(image, segments);

  // Dynamic tables hold addresses; loadable segments say where in the file those lie.
  const auto fileOffset = [&](std::uint64_t address) -> std::uint64_t {
    for (const auto& segment : segments)
      if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz)
        return address - segment.p_vaddr + segment.p_offset;
    image.damaged();
  };

  for (const auto& segment : segments) {
    if (segment.p_type != PT_DYNAMIC) continue;

    std::uint64_t strings = 0, symbols = 0, gnuHash = 0, sysvHash = 0;
    std::vector<std::uint64_t> needed;
    for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= segment.p_filesz; at += sizeof(Elf64_Dyn)) {
      const auto entry = image.read<Elf64_Dyn>(segment.p_offset + at);
      if (entry.d_tag == DT_NULL) break;
      if (entry.d_tag == DT_NEEDED) needed.push_back(entry.d_un.d_val);
      if (entry.d_tag == DT_STRTAB) strings = fileOffset(entry.d_un.d_ptr);
      if (entry.d_tag == DT_SYMTAB) symbols = fileOffset(entry.d_un.d_ptr);
      if (entry.d_tag == DT_GNU_HASH) gnuHash = fileOffset(entry.d_un.d_ptr);
      if (entry.d_tag == DT_HASH) sysvHash = fileOffset(entry.d_un.d_ptr);
    }
    if (strings == 0) continue;
    for (const auto name : needed) result.needed.push_back(image.text(strings + name));
    if (symbols == 0) continue;

    // The symbol table's length is written nowhere but in the hash tables.
    std::uint64_t count = 0;
    if (sysvHash != 0) {
      count = image.read<std::uint32_t>(sysvHash + 4);
    } else if (gnuHash != 0) {
      const auto buckets = image.read<std::uint32_t>(gnuHash);
      const auto first = image.read<std::uint32_t>(gnuHash + 4);
      const auto bloomWords = image.read<std::uint32_t>(gnuHash + 8);
      const std::uint64_t bucketTable = gnuHash + 16 + 8 * std::uint64_t{bloomWords};
      const std::uint64_t chains = bucketTable + 4 * std::uint64_t{buckets};
      std::uint32_t last = 0;
      for (std::uint32_t i = 0; i < buckets; ++i)
        last = std::max(last, image.read<std::uint32_t>(bucketTable + 4 * std::uint64_t{i}));
      if (last >= first && last != 0) {
        while ((image.read<std::uint32_t>(chains + 4 * (std::uint64_t{last} - first)) & 1) == 0) ++last;
        count = std::uint64_t{last} + 1;
      }
    }
    for (std::uint64_t i = 1; i < count; ++i) {
      const auto symbol = image.read<Elf64_Sym>(symbols + i * sizeof(Elf64_Sym));
      const auto binding = ELF64_ST_BIND(symbol.st_info);
      if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx == SHN_ABS || binding == STB_LOCAL) continue;
      result.exported.push_back(image.text(strings + symbol.st_name));
    }
  }
  std::sort(result.exported.begin(), result.exported.end());
  return result;
}

}  // namespace mortise
