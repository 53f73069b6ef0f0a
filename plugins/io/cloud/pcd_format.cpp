#include "cloud/pcd_format.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>

#include "common/geometry_text.h"
#include "common/lzf.h"
#include "mortise/base/files.h"
#include "mortise/base/interruption.h"
#include "mortise/base/position.h"
#include "mortise/text/article.h"

namespace mortise::io {

namespace {

constexpr std::size_t kMaxColumns = 65536;

struct Column {
  std::string name;  ///< "_" for padding.
  char type = 'F';
  std::size_t size = 4;
  std::vector<double> values;  ///< Empty for padding.
};

struct Header {
  std::vector<Column> columns;
  std::optional<std::size_t> points, width, height;
  std::size_t fieldsAt = 0;  ///< Offset of the line FIELDS.
  std::string_view encoding;
  std::size_t encodingAt = 0;

  std::size_t bytesPerPoint() const {
    std::size_t sum = 0;
    for (const Column& column : columns) sum += column.size;
    return sum;
  }
};

class PcdReader {
 public:
  PcdReader(const TextFile& file, Cursor& cursor, Diagnostics& diagnostics)
      : file_(file), cursor_(cursor), diagnostics_(diagnostics) {}

  PointCloud read() {
    readHeader();
    const std::size_t count = numPoints();
    if (header_.encoding == "ascii") {
      readText(count);
    } else if (header_.encoding == "binary") {
      readRows(count);
    } else if (header_.encoding == "binary_compressed") {
      readCompressed(count);
    } else {
      throw Error("'" + std::string(header_.encoding.substr(0, 40)) + "' is not an encoding of points",
                  file_.position(header_.encodingAt), "it is ascii, binary or binary_compressed");
    }
    return assemble(count);
  }

 private:
  std::vector<std::string_view> wordsOfLine() {
    std::vector<std::string_view> words;
    while (words.size() < kMaxColumns) {
      const std::string_view word = cursor_.wordOnLine();
      if (word.empty()) break;
      words.push_back(word);
    }
    return words;
  }

  std::size_t size(std::string_view word, std::size_t at, const std::string& what) const {
    const auto value = parseInteger(word);
    if (!value || *value < 0)
      throw Error("expected " + what + ", found '" + std::string(word.substr(0, 40)) + "'", file_.position(at));
    return static_cast<std::size_t>(*value);
  }

  /// The words of a line of the header, and where it is.
  struct Entries {
    std::vector<std::string_view> words;
    std::size_t at = 0;
  };
  struct Fields {
    Entries names, sizes, types, counts;
  };

  void readHeader() {
    Fields fields;
    for (;;) {
      if (!cursor_.skipSpace()) throw Error("the header ends before DATA", cursor_.position());
      const std::size_t at = cursor_.offset();
      const std::string_view keyword = cursor_.wordOnLine();
      cursor_.skipBlank();
      const std::size_t valueAt = cursor_.offset();
      if (keyword == "DATA") {
        header_.encodingAt = valueAt;
        header_.encoding = cursor_.wordOnLine();
        cursor_.skipLine();
        break;
      }
      Entries entries{wordsOfLine(), at};
      cursor_.skipLine();
      readEntry(keyword, std::move(entries), valueAt, fields);
    }
    if (fields.names.words.empty()) throw Error("the header has no FIELDS", file_.position(header_.encodingAt));
    checkLengths(fields);
    for (std::size_t i = 0; i < fields.names.words.size(); ++i) addColumns(fields, i);
  }

  void readEntry(std::string_view keyword, Entries entries, std::size_t valueAt, Fields& fields) {
    const auto& words = entries.words;
    const auto number = [&](const std::string& what) {
      return size(words.empty() ? std::string_view() : words[0], valueAt, what);
    };
    if (keyword == "FIELDS" || keyword == "COLUMNS") {
      header_.fieldsAt = entries.at;
      fields.names = std::move(entries);
    } else if (keyword == "SIZE") {
      fields.sizes = std::move(entries);
    } else if (keyword == "TYPE") {
      fields.types = std::move(entries);
    } else if (keyword == "COUNT") {
      fields.counts = std::move(entries);
    } else if (keyword == "WIDTH") {
      header_.width = number("the width of the cloud");
    } else if (keyword == "HEIGHT") {
      header_.height = number("the height of the cloud");
    } else if (keyword == "POINTS") {
      header_.points = number("the number of points");
    } else if (keyword == "VIEWPOINT") {
      noteViewpoint(words, entries.at);
    } else if (keyword == "VERSION") {
      if (words.empty() || (words[0] != "0.7" && words[0] != ".7"))
        diagnostics_.warning("this is not version 0.7 of the format; it is read as if it were",
                             file_.position(entries.at));
    } else {
      throw Error("'" + std::string(keyword.substr(0, 40)) + "' is not a keyword of a PCD header",
                  file_.position(entries.at));
    }
  }

  void checkLengths(const Fields& fields) const {
    const auto check = [&](const Entries& entries, const char* keyword, std::size_t at, bool required) {
      const std::size_t length = entries.words.size(), expected = fields.names.words.size();
      if (entries.words.empty() ? required : length != expected)
        throw Error(std::string(keyword) + " has " + std::to_string(length) + " entries for " +
                        std::to_string(expected) + " fields",
                    file_.position(at));
    };
    const bool text = header_.encoding == "ascii";
    check(fields.sizes, "SIZE", fields.sizes.words.empty() ? header_.fieldsAt : fields.sizes.at, !text);
    check(fields.types, "TYPE", fields.types.words.empty() ? header_.fieldsAt : fields.types.at, !text);
    check(fields.counts, "COUNT", fields.counts.at, false);
  }

  /// Adds the columns of field `i`, as many as its count says.
  void addColumns(const Fields& fields, std::size_t i) {
    const auto& [sizes, sizesAt] = fields.sizes;
    const auto& [types, typesAt] = fields.types;
    const auto& [counts, countsAt] = fields.counts;
    Column column;
    column.name = fields.names.words[i];
    if (!sizes.empty()) column.size = size(sizes[i], sizesAt, "the size of a field");
    if (!types.empty()) column.type = types[i].size() == 1 ? types[i][0] : '?';
    const bool real = column.type == 'F' && (column.size == 4 || column.size == 8);
    const bool integer = (column.type == 'I' || column.type == 'U') &&
                         (column.size == 1 || column.size == 2 || column.size == 4 || column.size == 8);
    if (!real && !integer)
      throw Error("field '" + column.name.substr(0, 40) + "' has a type that does not exist: TYPE " +
                      (types.empty() ? std::string("F") : std::string(types[i].substr(0, 20))) + " of SIZE " +
                      std::to_string(column.size),
                  file_.position(types.empty() ? sizesAt : typesAt), "types are F 4, F 8, and I or U of 1, 2, 4 or 8");
    const std::size_t count = counts.empty() ? 1 : size(counts[i], countsAt, "the count of a field");
    if (count > kMaxColumns || header_.columns.size() + count > kMaxColumns)
      throw Error("a point has more than " + std::to_string(kMaxColumns) + " numbers", file_.position(countsAt));
    for (std::size_t k = 0; k < count; ++k) {
      Column one = column;
      if (count > 1 && column.name != "_") one.name += "_" + std::to_string(k);
      header_.columns.push_back(std::move(one));
    }
  }

  void noteViewpoint(const std::vector<std::string_view>& words, std::size_t at) {
    const double identity[7] = {0, 0, 0, 1, 0, 0, 0};
    for (std::size_t i = 0; i < words.size() && i < 7; ++i)
      if (parseReal(words[i]) != identity[i]) {
        diagnostics_.note("the viewpoint is not applied: points stay in the frame of the file", file_.position(at));
        return;
      }
  }

  /// Checked against what is left of the file.
  std::size_t numPoints() const {
    const bool both = header_.width && header_.height;
    if (!header_.points && !both) throw Error("the header has no POINTS", file_.position(header_.encodingAt));
    if (both && *header_.height != 0 && *header_.width > std::numeric_limits<int>::max() / *header_.height)
      throw Error("the header promises more points than the file can hold", file_.position(header_.encodingAt));
    const std::size_t count = header_.points ? *header_.points : *header_.width * *header_.height;
    if (both && count != *header_.width * *header_.height)
      throw Error("POINTS is " + std::to_string(count) + ", WIDTH x HEIGHT is " +
                      std::to_string(*header_.width * *header_.height),
                  file_.position(header_.encodingAt));
    if (header_.columns.empty()) throw Error("a point has no numbers", file_.position(header_.fieldsAt));
    // A number in text takes a digit and what parts it from the next.
    const std::size_t perPoint = header_.encoding == "ascii" ? 2 * header_.columns.size() : header_.bytesPerPoint();
    if (header_.encoding != "binary_compressed" && count > cursor_.remaining() / perPoint + 1)
      throw Error("the header promises " + std::to_string(count) + " points, more than the file can hold",
                  file_.position(header_.encodingAt), "the file may have been cut off, or the header is wrong");
    return count;
  }

  void readText(std::size_t count) {
    for (Column& column : header_.columns)
      if (column.name != "_") column.values.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      cursor_.skipSpace();
      for (Column& column : header_.columns) {
        if (!cursor_.skipBlank())
          throw Error(
              "point " + std::to_string(i) + " has fewer than " + std::to_string(header_.columns.size()) + " numbers",
              cursor_.position());
        const double value = cursor_.real("a number of a point");
        if (column.name != "_") column.values.push_back(value);
      }
      if (cursor_.skipBlank())
        throw Error(
            "point " + std::to_string(i) + " has more than " + std::to_string(header_.columns.size()) + " numbers",
            cursor_.position());
    }
  }

  static double decode(const char* bytes, const Column& column) {
    const auto as = [bytes](auto value) {
      std::memcpy(&value, bytes, sizeof(value));
      return static_cast<double>(value);
    };
    if (column.type == 'F') return column.size == 4 ? as(float{}) : as(double{});
    if (column.type == 'U')
      return column.size == 1   ? as(std::uint8_t{})
             : column.size == 2 ? as(std::uint16_t{})
             : column.size == 4 ? as(std::uint32_t{})
                                : as(std::uint64_t{});
    return column.size == 1   ? as(std::int8_t{})
           : column.size == 2 ? as(std::int16_t{})
           : column.size == 4 ? as(std::int32_t{})
                              : as(std::int64_t{});
  }

  void readRows(std::size_t count) {
    const std::size_t stride = header_.bytesPerPoint();
    if (count > cursor_.remaining() / stride)
      throw Error("the header promises " + std::to_string(count) + " points, the file has room for " +
                      std::to_string(cursor_.remaining() / stride),
                  file_.position(header_.encodingAt), "the file may have been cut off");
    const char* begin = file_.text().data() + cursor_.offset();
    std::size_t offset = 0;
    for (Column& column : header_.columns) {
      interruptionPoint();
      if (column.name != "_") {
        column.values.resize(count);
        for (std::size_t i = 0; i < count; ++i) column.values[i] = decode(begin + i * stride + offset, column);
      }
      offset += column.size;
    }
    cursor_.skip(count * stride);
  }

  void readCompressed(std::size_t count) {
    std::uint32_t sizes[2] = {0, 0};  // Compressed, expanded.
    const SourcePosition where = file_.position(header_.encodingAt);
    if (cursor_.remaining() < sizeof(sizes)) throw Error("the file ends before the compressed points", where);
    std::memcpy(sizes, file_.text().data() + cursor_.offset(), sizeof(sizes));
    cursor_.skip(sizeof(sizes));
    const std::size_t stride = header_.bytesPerPoint();
    if (sizes[1] % stride != 0 || sizes[1] / stride != count)
      throw Error("the compressed points are " + std::to_string(sizes[1]) + " bytes long; " + std::to_string(count) +
                      " points take " + std::to_string(count) + " x " + std::to_string(stride),
                  where);
    if (sizes[0] > cursor_.remaining())
      throw Error("the file ends within the compressed points", where, "it may have been cut off");
    const std::string_view packed = std::string_view(file_.text()).substr(cursor_.offset(), sizes[0]);
    const auto bytes = expandLzf(packed, sizes[1]);
    if (!bytes) throw Error("the compressed points are damaged", where);
    cursor_.skip(sizes[0]);
    // Field by field here, not point by point.
    std::size_t offset = 0;
    for (Column& column : header_.columns) {
      if (column.name != "_") {
        column.values.resize(count);
        for (std::size_t i = 0; i < count; ++i)
          column.values[i] = decode(bytes->data() + offset + i * column.size, column);
      }
      offset += column.size * count;
    }
  }

  /// Colors often stand as the bits of an integer in a float.
  static void unpackColor(Column& column) {
    if (column.type != 'F' || column.size != 4) return;
    bool packed = false;
    for (const double value : column.values)
      packed = packed || !std::isfinite(value) || value < 0 || (value > 0 && value < 1);
    if (!packed) return;
    for (double& value : column.values)
      value = static_cast<double>(std::bit_cast<std::uint32_t>(static_cast<float>(value)) & 0xffffffu);
  }

  PointCloud assemble(std::size_t count) {
    const Column* coordinates[3] = {nullptr, nullptr, nullptr};
    const char* names[3] = {"x", "y", "z"};
    for (Column& column : header_.columns) {
      for (int i = 0; i < 3; ++i)
        if (column.name == names[i]) coordinates[i] = &column;
      if (column.name == "rgb" || column.name == "rgba") unpackColor(column);
    }
    for (int i = 0; i < 3; ++i)
      if (coordinates[i] == nullptr)
        throw Error(std::string("the points have no field '") + names[i] + "'", file_.position(header_.fieldsAt));
    PointCloud cloud;
    std::vector<bool> keep(count, true);
    cloud.points.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      const Vector3d p(coordinates[0]->values[i], coordinates[1]->values[i], coordinates[2]->values[i]);
      keep[i] = p.allFinite();
      if (keep[i]) cloud.points.push_back(p);
    }
    for (Column& column : header_.columns) {
      interruptionPoint();
      if (column.name == "_" || &column == coordinates[0] || &column == coordinates[1] || &column == coordinates[2])
        continue;
      if (cloud.points.size() != count) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < count; ++i)
          if (keep[i]) column.values[kept++] = column.values[i];
        column.values.resize(kept);
      }
      cloud.properties.push_back({std::move(column.name), std::move(column.values)});
    }
    if (cloud.points.size() != count) {
      diagnostics_.warning(
          std::to_string(count - cloud.points.size()) + " points without finite coordinates are left out",
          file_.position(header_.encodingAt));
    } else if (header_.width && header_.height && *header_.height > 1) {
      cloud.columns = static_cast<int>(*header_.width);
      cloud.rows = static_cast<int>(*header_.height);
    }
    return cloud;
  }

  const TextFile& file_;
  Cursor& cursor_;
  Diagnostics& diagnostics_;
  Header header_;
};

}  // namespace

PointCloud readPcd(const TextFile& file, Cursor& cursor, Diagnostics& diagnostics) {
  return PcdReader(file, cursor, diagnostics).read();
}

GeometryPtr PcdFormat::readGeometry(ReadContext& context) {
  const TextFile file(context.path, context.content());
  Cursor cursor(file);
  return std::make_shared<Geometry>(readPcd(file, cursor, context.diagnostics), 0, context.path);
}

void PcdFormat::writeGeometry(const Geometry& geometry, const std::string& path) {
  const auto* cloud = geometry.as<PointCloud>();
  if (cloud == nullptr)
    throw Error(withArticle(geometry.typeName()) + " is not a point cloud", inFile(path),
                "meshes are written to .off, .obj, .stl, .ply or .tri");
  GeometryText text;
  text.cloud(*cloud);
  writeFile(path, text.take());
}

}  // namespace mortise::io
