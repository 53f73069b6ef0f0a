#include "mortise/plugin/side_car.h"

#include <charconv>
#include <cstring>
#include <filesystem>

#include "mortise/base/files.h"
#include "mortise/base/random.h"
#include "mortise/base/value_text.h"
#include "mortise/plugin/abi.h"
#include "mortise/plugin/declaration_check.h"
#include "mortise/plugin/elf_image.h"
#include "mortise/plugin/library.h"
#include "mortise/text/hex.h"

namespace mortise {

namespace {

constexpr int kSideCarVersion = 1;

template <std::size_t N>
std::string fieldText(const char (&field)[N]) {
  return std::string(field, strnlen(field, N));
}

std::string versionText(std::int16_t major, std::int16_t minor) {
  return std::to_string(major) + "." + std::to_string(minor);
}

/// Strings that look like numbers or keywords ("1.0", "true") must come back as strings.
std::string stringOf(const Value& value) { return value.isString() ? value.asString() : value.text(); }

InterfaceVersion readVersion(const Value& value) {
  const std::string text = stringOf(value);
  InterfaceVersion version;
  const char* end = text.data() + text.size();
  auto result = std::from_chars(text.data(), end, version.major);
  if (result.ec == std::errc() && result.ptr != end && *result.ptr == '.')
    result = std::from_chars(result.ptr + 1, end, version.minor);
  else
    result.ec = std::errc::invalid_argument;
  if (result.ec != std::errc() || result.ptr != end)
    throw Error("'" + text + "' is not an interface version such as 1.0", value.position());
  return version;
}

std::uint32_t readCount(const Value& map, std::string_view key) {
  const Value& value = map.at(key);
  const auto number = value.asInteger();
  if (number < 0 || number > 0xffffffffLL)
    throw Error("'" + std::string(key) + "' must be a count, not " + value.text(), value.position());
  return static_cast<std::uint32_t>(number);
}

Value abiToValue(const MortiseAbiTag& abi) {
  Value value = Value::map();
  value.set("cxx_abi", fieldText(abi.cxxAbi));
  value.set("standard_library", fieldText(abi.standardLibrary));
  value.set("pointer_size", static_cast<std::int64_t>(abi.pointerSize));
  value.set("scalar_size", static_cast<std::int64_t>(abi.scalarSize));
  value.set("eigen_max_align", static_cast<std::int64_t>(abi.eigenMaxAlign));
  value.set("eigen_version", static_cast<std::int64_t>(abi.eigenVersion));
  value.set("sanitizers", fieldText(abi.sanitizers));
  value.set("kernel", static_cast<std::int64_t>(abi.kernelMajor));
  Value interfaces = Value::map();
  for (int i = 0; i < kNumKinds; ++i)
    interfaces.set(kindName(static_cast<Kind>(i)), versionText(abi.interfaces[i].major, abi.interfaces[i].minor));
  value.set("interfaces", std::move(interfaces));
  return value;
}

MortiseAbiTag abiFromValue(const Value& value) {
  MortiseAbiTag abi = {};
  abi.size = sizeof(MortiseAbiTag);
  detail::copyText(abi.cxxAbi, stringOf(value.at("cxx_abi")).c_str());
  detail::copyText(abi.standardLibrary, stringOf(value.at("standard_library")).c_str());
  abi.pointerSize = readCount(value, "pointer_size");
  abi.scalarSize = readCount(value, "scalar_size");
  abi.eigenMaxAlign = readCount(value, "eigen_max_align");
  abi.eigenVersion = readCount(value, "eigen_version");
  detail::copyText(abi.sanitizers, stringOf(value.at("sanitizers")).c_str());
  abi.kernelMajor = readCount(value, "kernel");
  const Value& interfaces = value.at("interfaces");
  for (int i = 0; i < kNumKinds; ++i) {
    const Value* version = interfaces.find(kindName(static_cast<Kind>(i)));
    if (version == nullptr) continue;
    const InterfaceVersion read = readVersion(*version);
    abi.interfaces[i].major = read.major;
    abi.interfaces[i].minor = read.minor;
  }
  return abi;
}

ComponentInfo componentFromValue(const Value& value, const SideCar& sideCar) {
  ComponentInfo info;
  const Value& kindValue = value.at("kind");
  const auto kind = kindFromName(stringOf(kindValue));
  if (!kind) throw Error("'" + kindValue.text() + "' is not a kind of component", kindValue.position());
  info.kind = *kind;
  info.name = stringOf(value.at("name"));
  if (const Value* aliases = value.find("aliases"))
    for (const auto& alias : aliases->items()) info.aliases.push_back(stringOf(alias));
  info.interface = readVersion(value.at("interface"));
  if (const Value* summary = value.find("summary")) info.summary = stringOf(*summary);
  if (const Value* documentation = value.find("documentation")) info.documentation = stringOf(*documentation);
  info.schema = Schema::fromValue(value.at("schema"));
  const Value* attributes = value.find("attributes");
  info.attributes = attributes != nullptr ? *attributes : Value::map();
  info.package = sideCar.package;
  info.version = sideCar.version;
  return info;
}

}  // namespace

std::string sideCarPath(const std::string& library) {
  std::filesystem::path path(library);
  return path.replace_extension(".mortise.yaml").string();
}

LibraryIdentity identify(const std::string& library) {
  LibraryIdentity identity;
  identity.file = std::filesystem::path(library).filename().string();
  const std::string bytes = readFile(library);
  identity.size = bytes.size();
  identity.hash = hexText(hashBytes(bytes.data(), bytes.size()));
  if (!Library::isScript(library)) identity.buildId = readBuildId(library);
  return identity;
}

std::string staleness(const SideCar& sideCar, const std::string& library) {
  const auto& written = sideCar.library;
  if (!written.buildId.empty()) {
    const std::string now = readBuildId(library);
    if (!now.empty())
      return now == written.buildId ? std::string() : "build id " + now + " instead of " + written.buildId;
  }
  const std::string bytes = readFile(library);
  if (bytes.size() != written.size)
    return std::to_string(bytes.size()) + " bytes instead of " + std::to_string(written.size);
  const std::string hash = hexText(hashBytes(bytes.data(), bytes.size()));
  return hash == written.hash ? std::string() : "hash " + hash + " instead of " + written.hash;
}

ComponentInfo componentInfo(const ComponentDeclaration& declaration, const MortisePluginManifest& manifest) {
  ComponentInfo info;
  info.kind = declaration.kind;
  info.name = declaration.name;
  info.aliases = declaration.aliases;
  info.summary = declaration.summary;
  info.documentation = declaration.documentation;
  info.schema = declaration.schema;
  info.attributes = declaration.attributes;
  info.interface = declaration.interface;
  info.package = manifest.package;
  info.version = manifest.version;
  return info;
}

SideCar describe(const Library& library) {
  const auto& manifest = library.manifest();
  SideCar sideCar;
  sideCar.package = manifest.package;
  sideCar.version = manifest.version;
  sideCar.license = manifest.license != nullptr ? manifest.license : "";
  sideCar.abi = manifest.abi;
  sideCar.library = identify(library.path());
  for (const auto& component : library.components()) sideCar.components.push_back(componentInfo(component, manifest));
  return sideCar;
}

void requireSound(const SideCar& sideCar) {
  for (const ComponentInfo& info : sideCar.components)
    if (const std::vector<std::string> faults = declarationFaults(info); !faults.empty()) throw Error(faults.front());
}

std::string sideCarText(const SideCar& sideCar) {
  Value root = Value::map();
  root.set("mortise", kSideCarVersion);
  root.set("package", sideCar.package);
  root.set("version", sideCar.version);
  root.set("license", sideCar.license);
  Value library = Value::map();
  library.set("file", sideCar.library.file);
  library.set("size", static_cast<std::int64_t>(sideCar.library.size));
  library.set("build_id", sideCar.library.buildId);
  library.set("hash", sideCar.library.hash);
  root.set("library", std::move(library));
  root.set("abi", abiToValue(sideCar.abi));
  Value components = Value::list();
  for (const auto& info : sideCar.components) {
    Value component = Value::map();
    component.set("kind", kindName(info.kind));
    component.set("name", info.name);
    component.set("aliases", Value(info.aliases));
    component.set("interface", versionText(info.interface.major, info.interface.minor));
    component.set("summary", info.summary);
    component.set("documentation", info.documentation);
    component.set("schema", info.schema.toValue());
    component.set("attributes", info.attributes);
    components.push_back(std::move(component));
  }
  root.set("components", std::move(components));
  return "# Written by `mortise plugins describe`; describes one build of the library and is replaced with it.\n" +
         toYaml(root);
}

SideCar readSideCar(const std::string& path) {
  const Value root = parseYaml(readFile(path), path);
  if (!root.isMap() || !root.contains("mortise"))
    throw Error("this is not the side-car manifest of a plugin: it has no 'mortise: 1'", {path, 1, 1, {}});
  const Value& version = root.at("mortise");
  if (version.asInteger() != kSideCarVersion)
    throw Error("side-car manifest of version " + version.text() + "; this program reads version " +
                    std::to_string(kSideCarVersion),
                version.position());
  SideCar sideCar;
  sideCar.package = stringOf(root.at("package"));
  sideCar.version = stringOf(root.at("version"));
  if (const Value* license = root.find("license")) sideCar.license = stringOf(*license);
  const Value& library = root.at("library");
  sideCar.library.file = stringOf(library.at("file"));
  if (sideCar.library.file.find('/') != std::string::npos || sideCar.library.file.empty())
    throw Error("a side-car names a library in its own folder, not '" + sideCar.library.file + "'",
                library.at("file").position());
  const auto size = library.at("size").asInteger();
  if (size < 0) throw Error("a library cannot have a negative size", library.at("size").position());
  sideCar.library.size = static_cast<std::uint64_t>(size);
  if (const Value* buildId = library.find("build_id")) sideCar.library.buildId = stringOf(*buildId);
  sideCar.library.hash = stringOf(library.at("hash"));
  sideCar.abi = abiFromValue(root.at("abi"));
  for (const auto& component : root.at("components").items())
    sideCar.components.push_back(componentFromValue(component, sideCar));
  return sideCar;
}

}  // namespace mortise
