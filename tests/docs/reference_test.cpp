#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <set>

#include "mortise/base/files.h"

namespace mortise::docs {
namespace {

/// What a reader of plugins/io knows, taken from its source: `pattern`'s first group, wherever it stands.
std::set<std::string> knownTo(const std::vector<std::string>& sources, const std::string& pattern) {
  std::set<std::string> names;
  const std::regex expression(pattern);
  for (const std::string& source : sources) {
    const std::string text = readFile(std::string(MORTISE_SOURCE_DIR) + "/plugins/io/" + source);
    for (std::sregex_iterator match(text.begin(), text.end(), expression), last; match != last; ++match)
      names.insert((*match)[1]);
  }
  EXPECT_GE(names.size(), 5u) << pattern;
  return names;
}

/// The names in one list of the source: what stands in quotes behind `name` up to the next semicolon.
std::set<std::string> listed(const std::string& source, const std::string& name) {
  const std::string text = readFile(std::string(MORTISE_SOURCE_DIR) + "/plugins/io/" + source);
  const std::size_t begin = text.find(name);
  EXPECT_NE(begin, std::string::npos) << name;
  const std::string list = text.substr(begin, text.find(';', begin) - begin);
  std::set<std::string> names;
  const std::regex quoted("\"([^\"]+)\"");
  for (std::sregex_iterator match(list.begin(), list.end(), quoted), last; match != last; ++match)
    names.insert((*match)[1]);
  EXPECT_FALSE(names.empty()) << name;
  return names;
}

/// Every name stands on the page as code: `name`, or within a longer piece of code.
void expectOn(const std::string& page, const std::set<std::string>& names) {
  const std::string text = readFile(std::string(MORTISE_SOURCE_DIR) + "/docs/" + page);
  for (const std::string& name : names) {
    const std::regex code("`[^`\\n]*\\b" + name + "\\b[^`\\n]*`", std::regex::icase);
    EXPECT_TRUE(std::regex_search(text, code)) << "docs/" << page << " does not explain '" << name << "'";
  }
}

constexpr const char* kAttribute =
    "lement\\.(?:text|real|reals|finite|nonNegative|integer|flag|vector3|countedReals|has)\\(\"(\\w+)\"";

TEST(Reference, HasEveryAttributeOfWorldFiles) {
  expectOn("world_xml.md",
           knownTo({"world/world_reader.cpp", "world/world_simulation_reader.cpp", "common/pose_xml.cpp"}, kAttribute));
  expectOn("world_xml.md",
           knownTo({"world/world_reader.cpp", "world/world_simulation_reader.cpp"}, "(?:name|kind) == \"(\\w+)\""));
  expectOn("world_xml.md", listed("world/world_reader.cpp", "element.expect({"));
  expectOn("world_xml.md", listed("world/world_simulation_reader.cpp", "kTypes = {"));
}

TEST(Reference, HasEveryKeywordOfRobotFiles) {
  expectOn("rob.md", knownTo({"rob/rob_parser.cpp"}, "add\\(\"(\\w+)\""));
  expectOn("rob.md", knownTo({"rob/rob_parser.cpp"}, "\\{\"(\\w+)\", JointType::"));
  expectOn("rob.md", listed("rob/rob_parser.cpp", "vector<std::string> kTypes = {"));
}

TEST(Reference, HasEveryKeywordOfObjectsTerrainsAndPrimitives) {
  expectOn("rigid_object.md", listed("world/rigid_object_format.cpp", "kObjectKeys = {"));
  expectOn("rigid_object.md", listed("world/rigid_object_format.cpp", "kTerrainKeys = {"));
  expectOn("rigid_object.md", listed("mesh/geom_format.cpp", "kShapeTypes = {"));
}

TEST(Reference, HasEveryAttributeOfKlamptInUrdf) {
  expectOn("formats.md", knownTo({"urdf/urdf_klampt.cpp"}, kAttribute));
}

}  // namespace
}  // namespace mortise::docs
