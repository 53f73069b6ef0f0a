#include "mesh/wavefront_appearance.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "mesh/appearance_builder.h"
#include "mesh/wavefront_materials.h"
#include "mortise/base/error.h"
#include "mortise/text/normalize.h"
#include "text/text_file.h"

namespace mortise::io {

namespace {

/// Numbers on the rest of the line, six at most: place and color.
std::vector<double> numbersOnLine(Cursor& cursor) {
  std::vector<double> numbers;
  while (numbers.size() < 8 && cursor.skipBlank()) {
    const auto value = parseReal(cursor.wordOnLine());
    if (!value) break;
    numbers.push_back(*value);
  }
  return numbers;
}

/// A line that begins with this word.
bool hasLine(std::string_view text, std::string_view begin) {
  return text.starts_with(begin) || text.find("\n" + std::string(begin)) != std::string_view::npos;
}

/// Says whether the first vertex has a color behind it; where one has, all have.
bool hasColors(const TextFile& file) {
  const std::string_view text = file.text();
  const std::size_t at = text.starts_with("v ") ? 0 : text.find("\nv ");
  if (at == std::string_view::npos) return false;
  Cursor cursor(file, at, text.size());
  cursor.word();
  return numbersOnLine(cursor).size() >= 6;
}

class WavefrontAppearanceReader {
 public:
  WavefrontAppearanceReader(const TextFile& file, ReadContext& context) : file_(file), context_(context) {}

  std::vector<VisualPart> read() {
    Cursor cursor(file_);
    while (cursor.skipSpace()) {
      const std::size_t begin = cursor.offset();
      const std::string_view keyword = cursor.word();
      if (keyword == "v")
        readPlace(cursor, begin);
      else if (keyword == "vt")
        readCoordinate(cursor, begin);
      else if (keyword == "f")
        readFace(cursor);
      else if (keyword == "mtllib")
        readLibraries(textOnLine(cursor), file_.position(begin));
      else if (keyword == "usemtl")
        use(textOnLine(cursor), begin);
      cursor.skipLine();
    }
    finish();
    return std::move(parts_);
  }

 private:
  static std::string textOnLine(Cursor& cursor) {
    cursor.skipBlank();
    const std::string_view rest = cursor.rest();
    return std::string(trimmed(rest.substr(0, std::min(rest.find('\n'), rest.size()))));
  }

  void readPlace(Cursor& cursor, std::size_t begin) {
    const std::vector<double> numbers = numbersOnLine(cursor);
    if (numbers.size() < 3 || !std::isfinite(numbers[0] + numbers[1] + numbers[2]))
      throw Error("expected three coordinates", file_.position(begin));
    builder_.places.emplace_back(numbers[0], numbers[1], numbers[2]);
    const bool colored = numbers.size() >= 6;
    if (colored) {
      const double rgb[3] = {numbers[3], numbers[4], numbers[5]};
      builder_.colors.push_back(colorFromNumbers(rgb, false));
    }
    colorOf_.push_back(colored ? static_cast<int>(builder_.colors.size()) - 1 : -1);
  }

  /// Images begin in the lower left corner here.
  void readCoordinate(Cursor& cursor, std::size_t begin) {
    std::vector<double> numbers = numbersOnLine(cursor);
    numbers.resize(2, 0.0);
    if (!std::isfinite(numbers[0]) || !std::isfinite(numbers[1]) || std::abs(numbers[0]) > 1e6 ||
        std::abs(numbers[1]) > 1e6) {
      if (!warnedOfCoordinates_)
        context_.diagnostics.warning("texture coordinates are not finite; 0 is taken", file_.position(begin));
      warnedOfCoordinates_ = true;
      numbers = {0, 1};
    }
    builder_.coordinates.emplace_back(static_cast<float>(numbers[0]), static_cast<float>(1 - numbers[1]));
  }

  int indexOf(std::string_view word, std::size_t count) const {
    const auto index = parseInteger(word);
    if (!index || *index == 0) return -1;
    const std::int64_t at = *index > 0 ? *index - 1 : static_cast<std::int64_t>(count) + *index;
    return at >= 0 && at < static_cast<std::int64_t>(count) ? static_cast<int>(at) : -1;
  }

  void readFace(Cursor& cursor) {
    corners_.clear();
    while (cursor.skipBlank()) {
      const std::size_t at = cursor.offset();
      const std::string_view word = cursor.wordOnLine();
      const std::size_t slash = std::min(word.find('/'), word.size());
      AppearanceBuilder::Corner corner;
      corner.place = indexOf(word.substr(0, slash), builder_.places.size());
      if (corner.place < 0) throw Error("a face names no vertex", file_.position(at));
      std::string_view rest = word.substr(std::min(slash + 1, word.size()));
      rest = rest.substr(0, rest.find('/'));
      if (!rest.empty()) corner.coordinate = indexOf(rest, builder_.coordinates.size());
      corner.color = colorOf_[static_cast<std::size_t>(corner.place)];
      corners_.push_back(corner);
    }
    builder_.addPolygon(corners_);
  }

  /// Names of files are parted by blanks, but may have some themselves.
  void readLibraries(const std::string& line, const SourcePosition& where) {
    if (!libraries_.insert(line).second) return;
    bool single = line.find_first_of(" \t") == std::string::npos;
    if (!single) {
      try {
        context_.loader.find(line, context_.path);
        single = true;
      } catch (const Error&) {
        single = false;
      }
    }
    if (single) return readWavefrontMaterials(line, where, context_, materials_);
    std::string_view rest = line;
    while (!rest.empty()) {
      const std::string word(rest.substr(0, rest.find_first_of(" \t")));
      readWavefrontMaterials(word, where, context_, materials_);
      rest = trimmed(rest.substr(word.size()));
    }
  }

  void use(const std::string& name, std::size_t at) {
    if (name == material_) return;
    finish();
    material_ = name;
    if (materials_.count(name) == 0 && unknown_.insert(name).second && !libraries_.empty())
      context_.diagnostics.warning(
          "no material is called '" + name.substr(0, 80) + "'; its faces keep the body's color", file_.position(at));
  }

  /// Faces of a material that comes again go to the same part only when they follow each other: parts are few.
  void finish() {
    VisualPart part;
    part.data = builder_.take();
    if (part.data.triangles.empty()) return;
    if (const auto known = materials_.find(material_); known != materials_.end()) {
      part.color = known->second.color;
      part.textureFile = known->second.texture;
    }
    parts_.push_back(std::move(part));
  }

  const TextFile& file_;
  ReadContext& context_;
  AppearanceBuilder builder_;
  std::vector<int> colorOf_;  ///< By place; -1: none.
  std::vector<AppearanceBuilder::Corner> corners_;
  std::map<std::string, WavefrontMaterial> materials_;
  std::set<std::string> libraries_, unknown_;
  std::string material_;
  std::vector<VisualPart> parts_;
  bool warnedOfCoordinates_ = false;
};

/// Joins parts of one look, so that a file that changes its material at each face does not become as many parts.
std::vector<VisualPart> joined(std::vector<VisualPart> parts) {
  std::vector<VisualPart> result;
  std::map<std::tuple<std::optional<Rgba>, std::string, bool, bool>, std::size_t> known;
  for (VisualPart& part : parts) {
    const auto [at, isNew] = known.try_emplace(
        {part.color, part.textureFile, part.data.colors.empty(), part.data.textureCoordinates.empty()}, result.size());
    if (isNew) {
      result.push_back(std::move(part));
      continue;
    }
    VisualMeshData& to = result[at->second].data;
    const int first = static_cast<int>(to.vertices.size());
    to.vertices.insert(to.vertices.end(), part.data.vertices.begin(), part.data.vertices.end());
    to.colors.insert(to.colors.end(), part.data.colors.begin(), part.data.colors.end());
    to.textureCoordinates.insert(to.textureCoordinates.end(), part.data.textureCoordinates.begin(),
                                 part.data.textureCoordinates.end());
    for (const auto& t : part.data.triangles) to.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  }
  return result;
}

}  // namespace

std::vector<VisualPart> readWavefrontAppearance(ReadContext& context) {
  const TextFile file = TextFile(context.path, context.content()).withLinesJoined();
  if (!hasLine(file.text(), "mtllib") && !hasLine(file.text(), "vt") && !hasColors(file)) return {};
  return joined(WavefrontAppearanceReader(file, context).read());
}

}  // namespace mortise::io
