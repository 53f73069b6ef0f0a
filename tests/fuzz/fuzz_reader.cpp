#include "fuzz_reader.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <unistd.h>
#include <zlib.h>

#include "cloud/heightmap_format.h"
#include "cloud/pcd_format.h"
#include "cloud/volume_format.h"
#include "common/gray_image.h"
#include "joint_limits.h"
#include "mesh/geom_format.h"
#include "mesh/group_format.h"
#include "mesh/off_format.h"
#include "mesh/ply_format.h"
#include "mesh/stl_format.h"
#include "mesh/tri_format.h"
#include "mesh/wavefront_format.h"
#include "messages/request_message.h"
#include "messages/scene_message.h"
#include "mortise/base/error.h"
#include "mortise/base/units.h"
#include "mortise/base/value_text.h"
#include "mortise/geometry/transform_geometry.h"
#include "mortise/json/json_writer.h"
#include "mortise/model/robot.h"
#include "mortise/modeling/world_compiler.h"
#include "mortise/plugin/side_car.h"
#include "mortise/settings/parse_setting.h"
#include "resource/motion_formats.h"
#include "resource/resource_json.h"
#include "resource/resource_text.h"
#include "rob/rob_format.h"
#include "srdf.h"
#include "urdf/urdf_format.h"
#include "world/rigid_object_format.h"
#include "world/world_format.h"

namespace mortise::fuzz {

namespace {

using namespace io_moveit;

[[noreturn]] void broken(const char* promise) {
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

void require(bool held, const char* promise) {
  if (!held) broken(promise);
}

/// Stands for everything that a file may refer to.
class Stand final : public ResourceLoader {
 public:
  std::string find(std::string_view reference, std::string_view) override {
    throw Error("cannot find '" + std::string(reference) + "'");
  }
  std::optional<FileContent> contentOf(const std::string&) override { return std::nullopt; }
  Resource load(FileContent content, std::string_view reference, std::string_view, Diagnostics&) override {
    if (reference.starts_with("no")) throw Error("cannot find '" + std::string(reference) + "'");
    if (content == FileContent::geometry)
      return std::make_shared<const Geometry>(AxisAlignedBoxShape{}, 0, "cube.geom");
    if (content == FileContent::robot) {
      RobotDescription robot;
      robot.name = "one";
      robot.links.resize(1);
      robot.links[0].name = "link";
      return robot;
    }
    if (content == FileContent::rigidObject) return RigidObject();
    if (content == FileContent::terrain) return Terrain();
    if (content == FileContent::configuration) return VectorXd(VectorXd::Zero(3));
    if (content == FileContent::trajectory) return Trajectory();
    throw Error("there is no such file");
  }
};

void check(const TriangleMesh& mesh) {
  for (const Vector3d& p : mesh.vertices) require(p.allFinite(), "vertices are finite");
  for (const auto& t : mesh.triangles)
    for (const int vertex : t)
      require(vertex >= 0 && static_cast<std::size_t>(vertex) < mesh.vertices.size(), "triangles name vertices");
}

void check(const Geometry& geometry) {
  if (const auto* mesh = geometry.as<TriangleMesh>()) check(*mesh);
  if (const auto* cloud = geometry.as<PointCloud>()) {
    for (const Vector3d& p : cloud->points) require(p.allFinite(), "points are finite");
    for (const auto& property : cloud->properties)
      require(property.values.size() == cloud->points.size(), "a property has a number for each point");
    if (cloud->rows > 0)
      require(static_cast<std::size_t>(cloud->rows) * static_cast<std::size_t>(cloud->columns) == cloud->points.size(),
              "rows and columns hold all points");
  }
  if (const auto* group = geometry.as<GeometryGroup>())
    for (const GeometryPtr& part : group->parts) check(*part);
}

void use(const GeometryPtr& geometry) {
  require(geometry != nullptr, "a reader returns a shape");
  check(*geometry);
  geometry->bounds();
  transformed(*geometry, AffineMap::scaling(Vector3d(1, -2, 1)));
}

/// A file of this process alone, gone with it.
const std::string& scratchFile() {
  static const struct Scratch {
    std::string path = "/dev/shm/mortise_fuzz_" + std::to_string(::getpid());
    ~Scratch() { ::unlink(path.c_str()); }
  } scratch;
  return scratch.path;
}

const std::string& onDisk(const std::string& bytes) {
  std::ofstream(scratchFile(), std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return scratchFile();
}

using Reader = std::function<void(const std::string& bytes)>;

/// A reader that takes the bytes from memory.
template <typename Use>
Reader fromMemory(Use use) {
  return [use](const std::string& bytes) {
    Stand loader;
    Diagnostics diagnostics;
    ReadContext context{"fuzzed", loader, diagnostics, std::make_shared<const std::string>(bytes)};
    use(context);
  };
}

/// A reader that opens the file.
template <typename Use>
Reader fromDisk(Use use) {
  return [use](const std::string& bytes) {
    Stand loader;
    Diagnostics diagnostics;
    ReadContext context{onDisk(bytes), loader, diagnostics};
    use(context);
  };
}

template <typename Format>
void readGeometry(ReadContext& context) {
  use(Format().readGeometry(context));
}

void compile(RobotDescription robot, const ReadContext& context) {
  if (!context.diagnostics.hasErrors()) Robot::compile(std::move(robot));
}

void readRob(ReadContext& context) {
  compile(std::get<RobotDescription>(io::RobFormat().read(FileContent::robot, context)), context);
}

void readUrdf(ReadContext& context) { compile(io::readUrdf(context), context); }

void readWorld(ReadContext& context) {
  const auto world = std::get<WorldDescription>(io::WorldFormat().read(FileContent::world, context));
  if (!context.diagnostics.hasErrors()) WorldCompiler().compile(world, context.diagnostics);
}

/// What was read can be written as JSON, and reading that gives the same JSON.
void use(const Resource& resource) {
  Diagnostics diagnostics;
  const std::string text = toJson(io::jsonValue(resource, true, diagnostics));
  const io::JsonFile again(io::TextFile("written", text));
  const Resource back = io::readJsonResource(again, again.root(), diagnostics);
  require(toJson(io::jsonValue(back, true, diagnostics)) == text, "JSON that was written reads back as the same");
}

/// The same for the text of its own that a kind has.
Reader textReader(FileContent kind) {
  return fromMemory([kind](ReadContext& context) {
    const io::TextFile file(context.path, context.content());
    const Resource resource = io::readResourceText(kind, file, context.diagnostics);
    use(resource);
    const std::string text = io::resourceText(resource, context.diagnostics);
    Diagnostics diagnostics;
    std::string again;
    try {
      again = io::resourceText(io::readResourceText(kind, io::TextFile("written", text), diagnostics), diagnostics);
    } catch (const Error& error) {
      broken(error.what());
    }
    require(again == text, "a resource that was written reads back as the same");
  });
}

template <typename Format>
Reader resourceReader(FileContent kind) {
  return fromMemory([kind](ReadContext& context) { use(Format().read(kind, context)); });
}

void readJson(ReadContext& context) {
  const io::JsonFile file(io::TextFile(context.path, context.content()));
  if (io::jsonKind(file.root()) == FileContent::library)
    io::JsonFormat().read(FileContent::library, context);
  else
    use(io::readJsonResource(file, file.root(), context.diagnostics));
}

std::string bigEndian(std::uint32_t word) {
  word = __builtin_bswap32(word);
  return {reinterpret_cast<const char*>(&word), sizeof(word)};
}

std::string pngChunk(const std::string& type, const std::string& data) {
  const std::string body = type + data;
  const auto crc = ::crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
  return bigEndian(static_cast<std::uint32_t>(data.size())) + body + bigEndian(static_cast<std::uint32_t>(crc));
}

/// Checksums and compression would keep the fuzzer out of PNG: so bytes that begin with 'R' are width, height, depth,
/// type of colors and the filtered rows of an image that is packed here, and other PNG images get their checksums
/// right.
void readImage(const std::string& bytes) {
  const std::string magic = "\x89PNG\r\n\x1a\n";
  std::string image = bytes;
  if (bytes.size() > 6 && bytes[0] == 'R') {
    std::string packed(::compressBound(bytes.size() - 6), '\0');
    uLongf size = packed.size();
    ::compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()) + 6,
                bytes.size() - 6, 1);
    packed.resize(size);
    const auto byte = [&bytes](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    const std::string header = bigEndian(byte(1)) + bigEndian(byte(2)) + bytes.substr(3, 2) + std::string(2, '\0') +
                               std::string(1, static_cast<char>(byte(5) & 1));
    image = magic + pngChunk("IHDR", header) + pngChunk("IDAT", packed) + pngChunk("IEND", "");
  } else if (bytes.starts_with(magic)) {
    image = magic;
    for (std::size_t at = magic.size(); bytes.size() - at >= 12;) {
      std::uint32_t length;
      std::memcpy(&length, bytes.data() + at, sizeof(length));
      length = __builtin_bswap32(length);
      if (length > bytes.size() - at - 12) break;
      image += pngChunk(bytes.substr(at + 4, 4), bytes.substr(at + 8, length));
      at += 12 + length;
    }
  }
  const io::GrayImage read = io::readGrayImage(onDisk(image));
  require(read.pixels.size() == static_cast<std::size_t>(read.width) * static_cast<std::size_t>(read.height),
          "an image has a number for each pixel");
}

/// Asks for everything that a value may be.
void use(const Value& value) {
  const auto attempt = [](const auto& action) {
    try {
      action();
    } catch (const Error&) {
    }
  };
  attempt([&] { value.asReal(); });
  attempt([&] { value.asInteger(); });
  attempt([&] { value.asReals(); });
  attempt([&] { value.asStrings(); });
  attempt([&] {
    std::string problem;
    for (const char* unit : {"s", "rad", "m", "Hz", ""}) parseQuantity(value.asString(), unit, problem);
  });
  toJson(value);
}

/// Groups of whatever it holds, for a robot that it may be about.
void readSrdfFile(const std::string& bytes) {
  Diagnostics diagnostics;
  const Srdf srdf = readSrdf(bytes, "fuzzed", diagnostics);
  NamedJoints joints = readNamedJoints(
      "<robot name='r'><link name='b'/><link name='l'/><link name='t'/><joint name='a' type='revolute'><parent "
      "link='b'/><child link='l'/></joint><joint name='p' type='fixed'><parent link='l'/><child link='t'/></joint>"
      "</robot>",
      "robot");
  for (const SrdfGroup& group : srdf.groups)
    for (const int joint : jointsOfGroup(srdf, group.name, joints, diagnostics))
      require(joint >= 0 && joint < static_cast<int>(joints.joints.size()), "groups name joints");
  srdf.disables("l", "t");
  try {
    joints = readNamedJoints(bytes, "fuzzed");
  } catch (const Error&) {
    return;
  }
  for (const SrdfGroup& group : srdf.groups) jointsOfGroup(srdf, group.name, joints, diagnostics);
}

void readSceneFile(const std::string& bytes) {
  Stand loader;
  Diagnostics diagnostics;
  const SceneMessage scene = readScene(parseYaml(bytes, "fuzzed"), "fuzzed", loader, diagnostics);
  for (const ObjectMessage& object : scene.objects)
    for (const GeometryPtr& shape : object.shapes) use(shape);
  for (const std::string& a : scene.matrix.names) scene.matrix.allows(a, "l");
}

void readRequestFile(const std::string& bytes) {
  Stand loader;
  Diagnostics diagnostics;
  const Value value = parseYaml(bytes, "fuzzed");
  readRequest(value, "fuzzed", loader, diagnostics);
  readJointLimits(value, diagnostics);
}

/// What is read can be written, and reads back as the same.
void readYaml(const std::string& bytes) {
  const Value value = parseYaml(bytes, "fuzzed");
  use(value);
  const std::string text = toYaml(value);
  std::optional<Value> again;
  try {
    again = parseYaml(text, "written");
  } catch (const Error& error) {
    broken(error.what());
  }
  require(toYaml(*again) == text, "YAML that was written reads back as the same");
}

const std::map<std::string, Reader>& readers() {
  static const std::map<std::string, Reader> all = {
      {"off", fromMemory(readGeometry<io::OffFormat>)},
      {"obj", fromMemory(readGeometry<io::WavefrontFormat>)},
      {"stl", fromMemory(readGeometry<io::StlFormat>)},
      {"ply", fromMemory(readGeometry<io::PlyFormat>)},
      {"tri", fromMemory(readGeometry<io::TriFormat>)},
      {"geom", fromMemory(readGeometry<io::GeomFormat>)},
      {"group", fromMemory(readGeometry<io::GroupFormat>)},
      {"pcd", fromMemory(readGeometry<io::PcdFormat>)},
      {"heightmap", fromMemory(readGeometry<io::HeightmapFormat>)},
      {"volume", fromMemory(readGeometry<io::ImplicitSurfaceFormat>)},
      {"image", readImage},
      {"rob", fromDisk(readRob)},
      {"urdf", fromDisk(readUrdf)},
      {"world", fromDisk(readWorld)},
      {"rigid_object",
       fromDisk([](ReadContext& context) { io::RigidObjectFormat().read(FileContent::rigidObject, context); })},
      {"terrain", fromDisk([](ReadContext& context) { io::TerrainFormat().read(FileContent::terrain, context); })},
      {"config", textReader(FileContent::configuration)},
      {"configs", textReader(FileContent::configurations)},
      {"path", textReader(FileContent::trajectory)},
      {"milestones", textReader(FileContent::hermiteTrajectory)},
      {"multipath", resourceReader<io::MultiPathFormat>(FileContent::multipath)},
      {"ik_goal", textReader(FileContent::ikGoal)},
      {"hold", textReader(FileContent::hold)},
      {"stance", textReader(FileContent::stance)},
      {"grasp", resourceReader<io::GraspFormat>(FileContent::grasp)},
      {"transform", textReader(FileContent::transform)},
      {"matrix", textReader(FileContent::matrix)},
      {"integers", textReader(FileContent::integers)},
      {"numbers", textReader(FileContent::numbers)},
      {"vector3", textReader(FileContent::vector3)},
      {"matrix3", textReader(FileContent::matrix3)},
      {"json", fromMemory(readJson)},
      {"library", fromMemory([](ReadContext& context) { io::LibraryFormat().read(FileContent::library, context); })},
      {"manifest", [](const std::string& bytes) { readSideCar(onDisk(bytes)); }},
      {"yaml", readYaml},
      {"srdf", readSrdfFile},
      {"scene", readSceneFile},
      {"request", readRequestFile},
      {"setting", [](const std::string& bytes) { use(parseSetting(bytes).value); }},
  };
  return all;
}

}  // namespace

std::vector<std::string> kinds() {
  std::vector<std::string> names;
  for (const auto& [name, reader] : readers()) names.push_back(name);
  return names;
}

void readAs(const std::string& kind, const std::uint8_t* data, std::size_t size) {
  const auto reader = readers().find(kind);
  require(reader != readers().end(), "the kind of file exists");
  try {
    reader->second(std::string(reinterpret_cast<const char*>(data), size));
  } catch (const Error&) {
    // What a reader is meant to do with a bad file.
  } catch (const std::exception& e) {
    broken(e.what());
  }
}

}  // namespace mortise::fuzz
