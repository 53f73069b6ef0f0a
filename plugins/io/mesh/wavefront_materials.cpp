#include "mesh/wavefront_materials.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "mesh/appearance_builder.h"
#include "mortise/base/error.h"
#include "mortise/text/normalize.h"
#include "text/text_file.h"

namespace mortise::io {

namespace {

/// The longest library that is read: what materials say takes some hundred bytes each.
constexpr std::size_t kMaxBytes = std::size_t{16} << 20;

/// Options of maps, and how many words follow each at most.
constexpr std::array<std::pair<std::string_view, int>, 12> kMapOptions = {{{"-blendu", 1},
                                                                           {"-blendv", 1},
                                                                           {"-boost", 1},
                                                                           {"-mm", 2},
                                                                           {"-o", 3},
                                                                           {"-s", 3},
                                                                           {"-t", 3},
                                                                           {"-texres", 1},
                                                                           {"-clamp", 1},
                                                                           {"-bm", 1},
                                                                           {"-imfchan", 1},
                                                                           {"-type", 1}}};

std::string_view restOfLine(Cursor& cursor) {
  cursor.skipBlank();
  const std::string_view rest = cursor.rest();
  return trimmed(rest.substr(0, std::min(rest.find('\n'), rest.size())));
}

/// The name of the file behind the options of a map.
std::string mapFile(std::string_view text) {
  while (text.starts_with('-')) {
    const std::string_view word = text.substr(0, text.find_first_of(" \t"));
    const auto option =
        std::find_if(kMapOptions.begin(), kMapOptions.end(), [&](const auto& each) { return each.first == word; });
    if (option == kMapOptions.end()) break;
    text = trimmed(text.substr(word.size()));
    for (int i = 0; i < option->second; ++i) {
      const std::string_view value = text.substr(0, text.find_first_of(" \t"));
      if (option->second > 1 && !parseReal(value)) break;
      text = trimmed(text.substr(value.size()));
    }
  }
  std::string file(text);
  std::replace(file.begin(), file.end(), '\\', '/');
  return file;
}

class MaterialReader {
 public:
  MaterialReader(const TextFile& file, ReadContext& context, std::map<std::string, WavefrontMaterial>& materials)
      : file_(file), context_(context), materials_(materials) {}

  void read() {
    Cursor cursor(file_);
    while (cursor.skipSpace()) {
      const std::size_t begin = cursor.offset();
      const std::string_view keyword = cursor.word();
      if (keyword == "newmtl")
        beginMaterial(std::string(restOfLine(cursor)), begin);
      else if (current_ != nullptr)
        readProperty(keyword, restOfLine(cursor), begin);
      cursor.skipLine();
    }
  }

 private:
  void beginMaterial(const std::string& name, std::size_t at) {
    const auto [known, isNew] = materials_.try_emplace(name);
    current_ = isNew ? &known->second : nullptr;
    if (!isNew)
      context_.diagnostics.warning("there are two materials '" + name + "'; the first one is taken",
                                   file_.position(at));
  }

  void readProperty(std::string_view keyword, std::string_view rest, std::size_t at) {
    const std::string name = lowerCase(std::string(keyword));
    if (name == "kd") {
      readColor(rest, at);
    } else if (name == "d" || name == "tr") {
      const std::string_view word = rest.substr(0, rest.find_first_of(" \t"));
      if (const auto value = parseReal(word); value && std::isfinite(*value))
        current_->color[3] = static_cast<float>(std::clamp(name == "d" ? *value : 1 - *value, 0.0, 1.0));
    } else if (name == "map_kd") {
      current_->texture = findTexture(mapFile(rest), file_.path(), file_.position(at), context_);
      // A map multiplies the color, but programs that write one often leave the color black.
      if (!current_->texture.empty() && current_->color[0] + current_->color[1] + current_->color[2] == 0)
        current_->color = {1, 1, 1, current_->color[3]};
    } else if (name.starts_with("map_") || name == "bump" || name == "disp" || name == "decal" || name == "refl" ||
               name == "norm") {
      if (undrawn_.insert(name).second)
        context_.diagnostics.note("'" + std::string(keyword) +
                                      "' is not drawn: materials have a color, an opacity and "
                                      "a texture of colors (map_Kd)",
                                  file_.position(at));
    }
  }

  void readColor(std::string_view rest, std::size_t at) {
    std::vector<double> numbers;
    while (!rest.empty() && numbers.size() < 3) {
      const std::string_view word = rest.substr(0, rest.find_first_of(" \t"));
      const auto value = parseReal(word);
      if (!value || !std::isfinite(*value)) break;
      numbers.push_back(*value);
      rest = trimmed(rest.substr(word.size()));
    }
    if (numbers.size() == 1) numbers.resize(3, numbers[0]);  // Gray, as the format has it.
    if (numbers.size() != 3)
      return context_.diagnostics.warning("'Kd' is not a color (red, green and blue from 0 to 1); it is not used",
                                          file_.position(at));
    const Rgba color = colorFromNumbers(numbers, false);
    std::copy(color.begin(), color.begin() + 3, current_->color.begin());
  }

  const TextFile& file_;
  ReadContext& context_;
  std::map<std::string, WavefrontMaterial>& materials_;
  WavefrontMaterial* current_ = nullptr;
  std::set<std::string> undrawn_;
};

}  // namespace

void readWavefrontMaterials(const std::string& reference, const SourcePosition& where, ReadContext& context,
                            std::map<std::string, WavefrontMaterial>& materials) {
  try {
    const std::string path = context.loader.find(reference, context.path);
    const TextFile file(path);
    if (file.text().size() > kMaxBytes) throw Error("the file is larger than materials explain", file.position(0));
    MaterialReader(file, context, materials).read();
  } catch (const Error& error) {
    context.diagnostics.warning("the materials of '" + reference + "' are not used: " + error.message(), where,
                                error.hint());
  }
}

}  // namespace mortise::io
