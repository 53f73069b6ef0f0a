#include "mortise/plugin/elf_file.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <elf.h>

#include "mortise/base/error.h"
#include "mortise/base/resources.h"

namespace mortise {

namespace {

/// Bounds-checked reads from the file's bytes.
class Image {
 public:
  Image(const std::string& path, const std::string& bytes) : path_(path), bytes_(bytes) {}

  template <typename T>
  T read(std::uint64_t at) const {
    if (at > bytes_.size() || bytes_.size() - at < sizeof(T)) damaged();
    T value;
    std::memcpy(&value, bytes_.data() + at, sizeof(T));
    return value;
  }
  std::string_view view(std::uint64_t at, std::uint64_t size) const {
    if (at > bytes_.size() || bytes_.size() - at < size) damaged();
    return std::string_view(bytes_).substr(at, size);
  }
  std::string text(std::uint64_t at) const {
    if (at >= bytes_.size()) damaged();
    const auto end = bytes_.find('\0', at);
    if (end == std::string::npos) damaged();
    return bytes_.substr(at, end - at);
  }
  [[noreturn]] void damaged() const {
    throw Error("'" + path_ + "' is damaged: it ends before the data that its headers announce", {},
                "build or copy it again");
  }

 private:
  const std::string& path_;
  const std::string& bytes_;
};

std::string hexadecimal(std::string_view bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    text += digits[static_cast<unsigned char>(c) >> 4];
    text += digits[static_cast<unsigned char>(c) & 15];
  }
  return text;
}

std::uint64_t alignedTo4(std::uint64_t size) { return (size + 3) & ~std::uint64_t{3}; }

std::string buildIdIn(const Image& image, std::uint64_t at, std::uint64_t size) {
  std::uint64_t offset = 0;
  while (offset + sizeof(Elf64_Nhdr) <= size) {
    const auto note = image.read<Elf64_Nhdr>(at + offset);
    const std::uint64_t name = offset + sizeof(Elf64_Nhdr);
    const std::uint64_t description = name + alignedTo4(note.n_namesz);
    const std::uint64_t next = description + alignedTo4(note.n_descsz);
    if (next > size) break;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && image.view(at + name, 4) == std::string_view("GNU", 4))
      return hexadecimal(image.view(at + description, note.n_descsz));
    offset = next;
  }
  return {};
}

}  // namespace

ElfFile readElfFile(const std::string& path) {
  const std::string bytes = readFile(path);
  const Image image(path, bytes);
  constexpr unsigned char byteOrder = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
  if (bytes.size() < sizeof(Elf64_Ehdr) || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0 ||
      static_cast<unsigned char>(bytes[EI_CLASS]) != ELFCLASS64 ||
      static_cast<unsigned char>(bytes[EI_DATA]) != byteOrder)
    throw Error("'" + path + "' is not a shared library: it does not start with the header of a 64-bit ELF file", {},
                "give the .so file that the linker wrote");
  const auto header = image.read<Elf64_Ehdr>(0);
  if (header.e_type != ET_DYN) throw Error("'" + path + "' is an ELF file, but not a shared library");

  ElfFile result;
  std::vector<Elf64_Phdr> segments;
  for (int i = 0; i < header.e_phnum; ++i)
    segments.push_back(image.read<Elf64_Phdr>(header.e_phoff + static_cast<std::uint64_t>(i) * header.e_phentsize));

  // Dynamic tables hold addresses; loadable segments say where in the file those lie.
  const auto fileOffset = [&](std::uint64_t address) -> std::uint64_t {
    for (const auto& segment : segments)
      if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz)
        return address - segment.p_vaddr + segment.p_offset;
    image.damaged();
  };

  for (const auto& segment : segments) {
    if (segment.p_type == PT_NOTE && result.buildId.empty())
      result.buildId = buildIdIn(image, segment.p_offset, segment.p_filesz);
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
