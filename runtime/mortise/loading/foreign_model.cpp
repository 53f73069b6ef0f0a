#include "mortise/loading/foreign_model.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string_view>

#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "mortise/modeling/xml_root.h"
#include "mortise/text/normalize.h"

namespace mortise {

namespace {

constexpr std::size_t kHead = 4096;

std::string lowerExtension(const std::string& path) {
  return lowerCase(std::filesystem::path(path).extension().string());
}

bool isAnyOf(std::string_view text, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

std::string firstBytes(const std::string& path) {
  std::error_code ec;
  if (!std::filesystem::is_regular_file(path, ec)) return {};  // Whatever is read from a pipe is gone.
  std::ifstream file(path, std::ios::binary);
  std::string head(kHead, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  return head;
}

}  // namespace

void refuseForeignModel(const std::string& path) {
  const std::string extension = lowerExtension(path);
  const SourcePosition where = inFile(path);
  if (extension == ".xacro") {
    const std::string target = std::filesystem::path(path).replace_extension().filename().string();
    throw Error("this is a xacro template, not a robot: its macros must be expanded first", where,
                "run `xacro " + path + " > " + (target.ends_with(".urdf") ? target : target + ".urdf") +
                    "` (package xacro of ROS, or `pip install xacro`) and use the result");
  }
  if (isAnyOf(extension, {".usd", ".usda", ".usdc", ".usdz"}))
    throw Error("this is a USD scene, which cannot be read", where,
                "look for the URDF that the robot was made from, and export single shapes as .glb or .obj");
  if (!isAnyOf(extension, {".xml", ".sdf", ".world", ".model", ".urdf", ".mjcf"})) return;
  const std::string head = firstBytes(path);
  const std::string_view root = xmlRootName(head);
  if (root == "sdf" || root == "gazebo")
    throw Error("this is an SDF file, the format of Gazebo, which cannot be read", where,
                "most models were made from URDF: use that file, or convert this one with a tool such as sdf2urdf; a "
                "world is written anew as in docs/formats.md");
  if (root == "mujoco" || root == "mujocoinclude")
    throw Error("this is an MJCF file, the format of MuJoCo, which cannot be read", where,
                "use the URDF of the robot where there is one, or convert this file with a tool such as "
                "mjcf-urdf-simple-converter");
}

}  // namespace mortise
