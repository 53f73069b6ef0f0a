#include "mesh/off_appearance.h"

#include <algorithm>
#include <string_view>

#include "mesh/appearance_builder.h"
#include "mesh/mesh_builder.h"
#include "mortise/base/error.h"
#include "text/text_file.h"

namespace mortise::io {

namespace {

/// The numbers on the rest of a line; whole where none is written with a point.
struct LineNumbers {
  std::vector<double> values;
  bool integers = true;
};

LineNumbers lineNumbers(Cursor& cursor, std::size_t most) {
  LineNumbers line;
  while (line.values.size() < most && cursor.skipBlank()) {
    const std::string_view word = cursor.wordOnLine();
    const auto value = parseReal(word);
    if (!value) break;
    line.values.push_back(*value);
    line.integers = line.integers && parseInteger(word).has_value();
  }
  return line;
}

class OffAppearanceReader {
 public:
  explicit OffAppearanceReader(const TextFile& file) : cursor_(file), file_(file) {}

  std::vector<VisualPart> read() {
    cursor_.skipSpace();
    const std::string_view header = cursor_.word();
    normals_ = header.find("NOFF") != std::string_view::npos;
    const bool colored = header.starts_with("C") || header.starts_with("STC");
    const int vertices = readCount(file_, cursor_, "vertices", kShortestVertex);
    const int faces = readCount(file_, cursor_, "faces", 4);
    cursor_.skipLine();
    if (!colored && !facesHaveColors(vertices)) return {};
    for (int i = 0; i < vertices; ++i) readVertex(colored);
    for (int i = 0; i < faces; ++i) readFace();
    VisualPart part;
    part.data = builder_.take();
    if (part.data.triangles.empty() || part.data.colors.empty()) return {};
    return {std::move(part)};
  }

 private:
  /// Looks ahead at the first face.
  bool facesHaveColors(int vertices) {
    Cursor ahead = cursor_;
    for (int i = 0; i < vertices && ahead.skipSpace(); ++i) ahead.skipLine();
    if (!ahead.skipSpace()) return false;
    const LineNumbers count = lineNumbers(ahead, 1);
    if (count.values.empty() || !(count.values[0] >= 1 && count.values[0] < 1000)) return false;
    const LineNumbers rest = lineNumbers(ahead, static_cast<std::size_t>(count.values[0]) + 4);
    return rest.values.size() >= static_cast<std::size_t>(count.values[0]) + 3;
  }

  void readVertex(bool colored) {
    cursor_.skipSpace();
    const std::size_t begin = cursor_.offset();
    const std::size_t before = normals_ ? 6 : 3;
    const LineNumbers place = lineNumbers(cursor_, before);
    if (place.values.size() < 3) throw Error("expected three coordinates", file_.position(begin));
    builder_.places.emplace_back(place.values[0], place.values[1], place.values[2]);
    int color = -1;
    if (colored) {
      const LineNumbers numbers = lineNumbers(cursor_, 4);
      if (numbers.values.size() >= 3) color = add(numbers);
    }
    colorOf_.push_back(color);
    cursor_.skipLine();
  }

  void readFace() {
    cursor_.skipSpace();
    const std::size_t begin = cursor_.offset();
    const int count = cursor_.integer("the number of corners of a face");
    if (count < 1 || static_cast<std::size_t>(count) > cursor_.remaining())
      throw Error("a face claims " + std::to_string(count) + " corners", file_.position(begin));
    std::vector<AppearanceBuilder::Corner> corners;
    for (int k = 0; k < count; ++k) {
      AppearanceBuilder::Corner corner;
      corner.place = cursor_.integer("a vertex index");
      if (corner.place < 0 || corner.place >= static_cast<int>(builder_.places.size()))
        throw Error("a face names vertex " + std::to_string(corner.place), file_.position(begin));
      corner.color = colorOf_[static_cast<std::size_t>(corner.place)];
      corners.push_back(corner);
    }
    // One number is an index into a table of colors that nobody has.
    if (const LineNumbers numbers = lineNumbers(cursor_, 4); numbers.values.size() >= 3) {
      const int color = add(numbers);
      for (AppearanceBuilder::Corner& corner : corners) corner.color = color;
    }
    builder_.addPolygon(corners);
    cursor_.skipLine();
  }

  int add(const LineNumbers& numbers) {
    // Whole numbers count to 255, unless none is above 1.
    const bool large = *std::max_element(numbers.values.begin(), numbers.values.end()) > 1;
    const Rgba color = colorFromNumbers(numbers.values, numbers.integers && large);
    const auto [known, isNew] = known_.try_emplace(color, static_cast<int>(builder_.colors.size()));
    if (isNew) builder_.colors.push_back(color);
    return known->second;
  }

  Cursor cursor_;
  const TextFile& file_;
  bool normals_ = false;
  AppearanceBuilder builder_;
  std::vector<int> colorOf_;  ///< By vertex; -1: none.
  std::map<Rgba, int> known_;
};

}  // namespace

std::vector<VisualPart> readOffAppearance(ReadContext& context) {
  const TextFile file(context.path, context.content());
  return OffAppearanceReader(file).read();
}

}  // namespace mortise::io
