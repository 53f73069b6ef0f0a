#include "mortise/inspect/elf_symbols.h"

#include <algorithm>
#include <elf.h>

#include "mortise/plugin/elf_image.h"

namespace mortise {

namespace {

/// Up to the next zero.
std::string textAt(ElfImage& image, std::uint64_t at) {
  std::string result;
  while (at < image.size()) {
    const std::string chunk = image.bytes(at, std::min<std::uint64_t>(256, image.size() - at));
    const auto end = chunk.find('\0');
    result += chunk.substr(0, end);
    if (end != std::string::npos) return result;
    at += chunk.size();
  }
  image.damaged();
}

/// Dynamic tables hold addresses; loadable segments say where in the file those lie.
std::uint64_t fileOffset(const ElfImage& image, std::uint64_t address) {
  for (const ElfSegment& segment : image.segments())
    if (segment.type == PT_LOAD && address >= segment.address && address - segment.address < segment.size)
      return address - segment.address + segment.offset;
  image.damaged();
}

/// Places of the tables in the file; 0: there is none.
struct DynamicTables {
  std::uint64_t strings = 0, symbols = 0, gnuHash = 0, sysvHash = 0;
  std::vector<std::uint64_t> needed;  ///< Offsets into `strings`.
};

DynamicTables readTables(ElfImage& image, const ElfSegment& segment) {
  DynamicTables tables;
  for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= segment.size; at += sizeof(Elf64_Dyn)) {
    const auto entry = image.read<Elf64_Dyn>(segment.offset + at);
    if (entry.d_tag == DT_NULL) break;
    if (entry.d_tag == DT_NEEDED) tables.needed.push_back(entry.d_un.d_val);
    if (entry.d_tag == DT_STRTAB) tables.strings = fileOffset(image, entry.d_un.d_ptr);
    if (entry.d_tag == DT_SYMTAB) tables.symbols = fileOffset(image, entry.d_un.d_ptr);
    if (entry.d_tag == DT_GNU_HASH) tables.gnuHash = fileOffset(image, entry.d_un.d_ptr);
    if (entry.d_tag == DT_HASH) tables.sysvHash = fileOffset(image, entry.d_un.d_ptr);
  }
  return tables;
}

/// The length of the symbol table, which is written nowhere but in the hash tables.
std::uint64_t countSymbols(ElfImage& image, const DynamicTables& tables) {
  if (tables.sysvHash != 0) return image.read<std::uint32_t>(tables.sysvHash + 4);
  if (tables.gnuHash == 0) return 0;
  const auto buckets = image.read<std::uint32_t>(tables.gnuHash);
  const auto first = image.read<std::uint32_t>(tables.gnuHash + 4);
  const auto bloomWords = image.read<std::uint32_t>(tables.gnuHash + 8);
  const std::uint64_t bucketTable = tables.gnuHash + 16 + 8 * std::uint64_t{bloomWords};
  const std::uint64_t chains = bucketTable + 4 * std::uint64_t{buckets};
  std::uint32_t last = 0;
  for (std::uint32_t i = 0; i < buckets; ++i)
    last = std::max(last, image.read<std::uint32_t>(bucketTable + 4 * std::uint64_t{i}));
  if (last < first || last == 0) return 0;
  while ((image.read<std::uint32_t>(chains + 4 * (std::uint64_t{last} - first)) & 1) == 0) ++last;
  return std::uint64_t{last} + 1;
}

}  // namespace

ElfSymbols readElfSymbols(const std::string& path) {
  ElfImage image(path);
  ElfSymbols result;
  for (const ElfSegment& segment : image.segments()) {
    if (segment.type != PT_DYNAMIC) continue;
    const DynamicTables tables = readTables(image, segment);
    if (tables.strings == 0) continue;
    for (const auto name : tables.needed) result.needed.push_back(textAt(image, tables.strings + name));
    if (tables.symbols == 0) continue;
    const std::uint64_t count = countSymbols(image, tables);
    for (std::uint64_t i = 1; i < count; ++i) {
      const auto symbol = image.read<Elf64_Sym>(tables.symbols + i * sizeof(Elf64_Sym));
      const auto binding = ELF64_ST_BIND(symbol.st_info);
      if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx == SHN_ABS || binding == STB_LOCAL) continue;
      result.exported.push_back(textAt(image, tables.strings + symbol.st_name));
    }
  }
  std::sort(result.exported.begin(), result.exported.end());
  return result;
}

}  // namespace mortise
