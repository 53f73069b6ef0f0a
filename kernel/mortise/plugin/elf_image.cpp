#include "mortise/plugin/elf_image.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <elf.h>

#include "mortise/base/error.h"
#include "mortise/text/hex.h"

namespace mortise {

namespace {

std::uint64_t alignedTo4(std::uint64_t size) { return (size + 3) & ~std::uint64_t{3}; }

std::string buildIdIn(ElfImage& image, std::uint64_t at, std::uint64_t size) {
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

}  // namespace

ElfImage::ElfImage(const std::string& path) : path_(path), stream_(path, std::ios::binary) {
  if (!stream_) throw Error("cannot read '" + path + "': " + std::strerror(errno));
  stream_.seekg(0, std::ios::end);
  size_ = static_cast<std::uint64_t>(std::max<std::streamoff>(stream_.tellg(), 0));
  readSegments();
}

void ElfImage::readSegments() {
  constexpr unsigned char byteOrder = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
  Elf64_Ehdr header = {};
  if (size_ >= sizeof(header)) header = read<Elf64_Ehdr>(0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != byteOrder)
    throw Error("'" + path_ + "' is not a shared library: it does not start with the header of a 64-bit ELF file", {},
                "give the .so file that the linker wrote");
  if (header.e_type != ET_DYN) throw Error("'" + path_ + "' is an ELF file, but not a shared library");
  for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
    const auto part = read<Elf64_Phdr>(header.e_phoff + i * header.e_phentsize);
    segments_.push_back({part.p_type, part.p_offset, part.p_vaddr, part.p_filesz});
  }
}

std::string ElfImage::bytes(std::uint64_t at, std::uint64_t size) {
  if (at > size_ || size_ - at < size) damaged();
  std::string result(size, '\0');
  read(at, result.data(), size);
  return result;
}

void ElfImage::damaged() const {
  throw Error("'" + path_ + "' is damaged: it ends before the data that its headers announce", {},
              "build or copy it again");
}

void ElfImage::read(std::uint64_t at, void* data, std::uint64_t size) {
  if (at > size_ || size_ - at < size) damaged();
  stream_.seekg(static_cast<std::streamoff>(at));
  stream_.read(static_cast<char*>(data), static_cast<std::streamsize>(size));
  if (!stream_) damaged();
}

std::string readBuildId(const std::string& path) {
  ElfImage image(path);
  for (const ElfSegment& segment : image.segments()) {
    if (segment.type != PT_NOTE) continue;
    const std::string found = buildIdIn(image, segment.offset, segment.size);
    if (!found.empty()) return found;
  }
  return {};
}

}  // namespace mortise
