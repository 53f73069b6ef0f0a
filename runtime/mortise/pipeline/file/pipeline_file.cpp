#include "mortise/pipeline/file/pipeline_file.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/base/position.h"
#include "mortise/loading/resource_path.h"
#include "mortise/loading/script_host.h"
#include "mortise/modeling/xml_root.h"
#include "mortise/pipeline/file/key_path.h"
#include "mortise/pipeline/file/lock_file.h"
#include "mortise/pipeline/file/variables.h"
#include "mortise/plugin/library.h"
#include "mortise/settings/parse_setting.h"
#include "mortise/settings/permissions.h"
#include "mortise/text/article.h"
#include "mortise/text/suggest.h"

namespace mortise {

namespace {

/// `- report` means `- report: {}`.
void normalizeStages(Value& root) {
  Value* stages = root.find("stages");
  if (stages == nullptr || !stages->isList()) return;
  for (Value& stage : stages->items()) {
    if (!stage.isString()) continue;
    Value map = Value::map();
    map.setPosition(stage.position());
    Value settings = Value::map();
    settings.setPosition(stage.position());
    map.entries().push_back({stage.asString(), std::move(settings), stage.position()});
    stage = std::move(map);
  }
}

/// Makes each file of Python that names components a plugin of the pipeline.
void addScripts(Value& root) {
  std::vector<Value> files;
  const auto visit = [&](const std::string& type, const SourcePosition& where) {
    if (!namesScript(type)) return;
    files.emplace_back(scriptFile(type));
    files.back().setPosition(where);
  };
  if (const Value* components = root.find("components"))
    for (const Value& component : components->items())
      for (const char* key : {"controller", "sensor", "recorder", "estimator"}) {
        const Value* named = component.isMap() ? component.find(key) : nullptr;
        if (named != nullptr && named->isMap()) named = named->find("name");
        if (named != nullptr && named->isString()) visit(named->asString(), named->position());
      }
  if (const Value* stages = root.find("stages"))
    for (const Value& stage : stages->items())
      for (const Value::Entry& entry : stage.entries()) visit(entry.key, entry.keyPosition);
  for (Value& file : files) {
    const Value* known = root.find("plugins");
    Value list = Value::list();
    if (known != nullptr && known->isList())
      list = *known;
    else if (known != nullptr && !known->isNull())
      list.push_back(*known);
    const auto same = [&](const Value& item) { return item.isString() && item.asString() == file.asString(); };
    if (std::none_of(list.items().begin(), list.items().end(), same)) list.push_back(std::move(file));
    root.set("plugins", std::move(list));
  }
}

/// Maps and keys that a setting made on its way have no position yet.
void fillPositions(Value& node, std::string_view path, const SourcePosition& where) {
  if (!node.position().known()) node.setPosition(where);
  if (path.empty()) return;
  const auto dot = path.find('.');
  const std::string head(path.substr(0, dot));
  const std::string_view tail = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  for (Value::Entry& entry : node.entries()) {
    if (entry.key != head) continue;
    if (!entry.keyPosition.known()) entry.keyPosition = where;
    fillPositions(entry.value, tail, where);
  }
  for (std::size_t i = 0; i < node.items().size(); ++i)
    if (std::to_string(i) == head) fillPositions(node.items()[i], tail, where);
}

/// A variable that the pipeline does not declare is used nowhere in it: the name is a slip.
void requireDeclared(const Value& root, const std::string& path) {
  constexpr std::string_view kPrefix = "variables.";
  if (!path.starts_with(kPrefix)) return;
  const std::string name = path.substr(kPrefix.size(), path.find('.', kPrefix.size()) - kPrefix.size());
  std::vector<std::string> names;
  if (const Value* variables = root.find("variables"))
    for (const Value::Entry& entry : variables->entries()) names.push_back(entry.key);
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  throw Error("the pipeline declares no variable '" + name + "'", onCommandLine("--set", path),
              names.empty() ? std::string("it has no 'variables'") : suggestAndList(name, names));
}

void applySetting(PipelineFile& file, const std::string& text, Diagnostics& diagnostics) {
  try {
    AssignedSetting setting = parseSetting(text);
    const std::string path = resolveKeyPath(file.root, setting.path);
    requireDeclared(file.root, path);
    // A stage or map without settings is null in the file; a setting below it makes it a map.
    Value& stored = file.root.setPath(path, setting.value);
    const SourcePosition where = onCommandLine("--set", setting.path);
    stored.setPosition(where);
    fillPositions(file.root, path, where);
    setting.path = path;
    file.settings.push_back(std::move(setting));
  } catch (const Error& error) {
    SourcePosition where = error.where();
    if (where.origin != Origin::commandLine) where = onCommandLine("--set " + text);
    diagnostics.error(error.message(), where, error.hint());
  }
}

/// Throws `Error` that names the command for files that are simulated rather than run.
void refuseWorld(const std::string& path, const std::string& text) {
  static const std::vector<std::string> kModels = {".xml", ".urdf", ".rob", ".obj", ".env"};
  const std::string extension = std::filesystem::path(path).extension().string();
  const bool model = std::find(kModels.begin(), kModels.end(), extension) != kModels.end();
  const std::size_t begin = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  const bool xml = begin != std::string::npos && text[begin] == '<';
  const std::string_view root = xml ? xmlRootName(std::string_view(text).substr(begin, 4096)) : std::string_view();
  if (!model && root != "world" && root != "robot") return;
  const std::string what = root == "world" ? "world" : root == "robot" || extension == ".rob" ? "robot" : "model";
  throw Error("this is " + withArticle(what) + ", not a pipeline", {path, 1, 1, {}},
              "`mortise sim " + path + "` simulates it; a pipeline is a YAML file that names it as its 'world'");
}

/// Says whether a file is a folder, a script or begins as shared libraries do; nothing of it is run.
bool mayBePlugin(const std::string& file) {
  std::error_code code;
  if (std::filesystem::is_directory(file, code) || Library::isScript(file) || file.ends_with(".so")) return true;
  std::ifstream in(file, std::ios::binary);
  char head[4] = {};
  return in.read(head, sizeof head) && std::string_view(head, sizeof head) ==
                                           "\x7f"
                                           "ELF";
}

/// In flow style (`{a: ${b}}`) YAML takes the brace of a variable for its own.
Value readPipelineYaml(const std::string& path) {
  const std::string text = readFile(path);
  refuseWorld(path, text);
  try {
    return parseYaml(text, path);
  } catch (const Error& error) {
    if (!error.hint().empty() || text.find("${") == std::string::npos) throw;
    throw Error(error.message(), error.where(), "between { } or [ ], quote variables: \"${name}\"");
  }
}

}  // namespace

PipelineFile loadPipelineFile(const std::string& path, const std::vector<std::string>& settings,
                              Diagnostics& diagnostics) {
  PipelineFile file;
  file.path = path;
  file.base = path;
  file.written = readPipelineYaml(path);
  if (!file.written.isMap())
    throw Error("a pipeline is a map of settings; this file holds " + std::string(Value::typeName(file.written.type())),
                {path, 1, 1, {}}, "start with the line 'mortise: 1'");
  setOrigin(file.written, file.written.contains("locked") ? Origin::lock : Origin::pipeline);
  normalizeStages(file.written);
  file.root = file.written;
  for (const std::string& text : settings) applySetting(file, text, diagnostics);
  normalizeStages(file.root);
  expandVariables(file.root, diagnostics);
  addScripts(file.root);
  if (const Value* folder = file.root.find("relative_to"); folder != nullptr && folder->isString()) {
    const std::filesystem::path own(path);
    const std::filesystem::path from = lockedFolder(file.root, path);
    file.base = (from / folder->asString() / own.filename()).lexically_normal().string();
  }
  return file;
}

std::vector<std::string> PipelineFile::plugins(Diagnostics& diagnostics) const {
  std::vector<std::string> found;
  const Value* list = root.find("plugins");
  if (list == nullptr || list->isNull()) return found;
  const auto add = [&](const Value& item) {
    if (!item.isString()) {
      diagnostics.error("expected the name of a plugin file or folder", item.position());
      return;
    }
    try {
      found.push_back(ResourcePath().find(item.asString(), base));
      if (!mayBePlugin(found.back()))
        diagnostics.error("plugin: '" + item.asString() + "' is no plugin: it is neither a shared library nor Python",
                          item.position(), "name a .so file, a .py file, or a folder that holds some");
    } catch (const Error& error) {
      diagnostics.error("plugin: " + error.message(), item.position(), error.hint());
    }
  };
  if (list->isList())
    for (const Value& item : list->items()) add(item);
  else
    add(*list);
  return found;
}

}  // namespace mortise
