#include "mortise/appearance/visual_library.h"

#include <cmath>

#include "mortise/base/error.h"

namespace mortise {

namespace {

constexpr const char *kMesh = "mesh", *kColors = "colors", *kCoordinates = "texture_coordinates", *kColor = "color",
                     *kTexture = "texture";

template <typename T>
const T& as(const ResourceItem& item) {
  const T* value = std::get_if<T>(&item.value);
  if (value == nullptr) throw Error("'" + item.name + "' of a mesh is of another kind");
  return *value;
}

Rgba colorFrom(double r, double g, double b, double a) {
  Rgba color;
  const double numbers[4] = {r, g, b, a};
  for (std::size_t k = 0; k < 4; ++k)
    color[k] = std::isfinite(numbers[k]) ? static_cast<float>(std::min(std::max(numbers[k], 0.0), 1.0)) : 0;
  return color;
}

VisualMeshData meshFrom(const GeometryPtr& geometry) {
  VisualMeshData data;
  if (geometry == nullptr) throw Error("a mesh has no shape");
  if (const auto* cloud = geometry->as<PointCloud>()) {
    data.vertices = cloud->points;
  } else if (const auto* mesh = geometry->as<TriangleMesh>()) {
    data.vertices = mesh->vertices;
    data.triangles = mesh->triangles;
  } else {
    throw Error("a mesh is neither triangles nor points");
  }
  for (const Vector3d& v : data.vertices)
    if (!v.allFinite()) throw Error("a vertex has a coordinate that is not finite");
  const int count = static_cast<int>(data.vertices.size());
  for (const auto& triangle : data.triangles)
    for (const int corner : triangle)
      if (corner < 0 || corner >= count) throw Error("a triangle names a vertex that does not exist");
  return data;
}

void expectRows(const ResourceItem& item, const Eigen::MatrixXd& rows, const VisualMeshData& data,
                Eigen::Index columns) {
  if (rows.rows() != static_cast<Eigen::Index>(data.vertices.size()) || rows.cols() != columns)
    throw Error("'" + item.name + "' of a mesh is not one row a vertex");
}

void readInto(const ResourceItem& item, VisualPart& part) {
  if (item.name == kColors) {
    const auto& rows = as<Eigen::MatrixXd>(item);
    expectRows(item, rows, part.data, 4);
    for (Eigen::Index i = 0; i < rows.rows(); ++i)
      part.data.colors.push_back(colorFrom(rows(i, 0), rows(i, 1), rows(i, 2), rows(i, 3)));
  } else if (item.name == kCoordinates) {
    const auto& rows = as<Eigen::MatrixXd>(item);
    expectRows(item, rows, part.data, 2);
    for (Eigen::Index i = 0; i < rows.rows(); ++i) {
      const Eigen::Vector2f at = rows.row(i).transpose().cast<float>();
      part.data.textureCoordinates.push_back(at.allFinite() ? at : Eigen::Vector2f(Eigen::Vector2f::Zero()));
    }
  } else if (item.name == kColor) {
    const auto& numbers = as<std::vector<double>>(item);
    if (numbers.size() != 4) throw Error("the color of a mesh is not four numbers");
    part.color = colorFrom(numbers[0], numbers[1], numbers[2], numbers[3]);
  } else if (item.name == kTexture) {
    part.textureFile = item.file;
    for (const int byte : as<std::vector<int>>(item)) part.textureBytes += static_cast<char>(byte);
  }
}

}  // namespace

ResourceLibrary libraryOf(const std::vector<VisualPart>& parts) {
  ResourceLibrary library;
  const auto add = [&](const char* name, Resource value, const std::string& file = {}) {
    library.items.push_back({name, file, std::move(value)});
  };
  for (const VisualPart& part : parts) {
    const VisualMeshData& data = part.data;
    const auto count = static_cast<Eigen::Index>(data.vertices.size());
    Geometry::Data shape;
    if (data.triangles.empty())
      shape = PointCloud{data.vertices};
    else
      shape = TriangleMesh{data.vertices, data.triangles};
    add(kMesh, std::make_shared<const Geometry>(std::move(shape)));
    if (!data.colors.empty()) {
      Eigen::MatrixXd rows(count, 4);
      for (Eigen::Index i = 0; i < count; ++i)
        for (Eigen::Index k = 0; k < 4; ++k)
          rows(i, k) = data.colors[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)];
      add(kColors, std::move(rows));
    }
    if (!data.textureCoordinates.empty()) {
      Eigen::MatrixXd rows(count, 2);
      for (Eigen::Index i = 0; i < count; ++i)
        rows.row(i) = data.textureCoordinates[static_cast<std::size_t>(i)].transpose().cast<double>();
      add(kCoordinates, std::move(rows));
    }
    if (part.color) add(kColor, std::vector<double>(part.color->begin(), part.color->end()));
    if (!part.textureFile.empty() || !part.textureBytes.empty()) {
      std::vector<int> bytes;
      for (const char byte : part.textureBytes) bytes.push_back(static_cast<unsigned char>(byte));
      add(kTexture, std::move(bytes), part.textureFile);
    }
  }
  return library;
}

std::vector<VisualPart> partsFrom(const ResourceLibrary& library) {
  std::vector<VisualPart> parts;
  for (const ResourceItem& item : library.items) {
    if (item.name == kMesh) {
      parts.push_back({meshFrom(as<GeometryPtr>(item)), std::nullopt, {}, {}});
      continue;
    }
    if (parts.empty()) throw Error("'" + item.name + "' stands before any mesh");
    readInto(item, parts.back());
  }
  return parts;
}

}  // namespace mortise
