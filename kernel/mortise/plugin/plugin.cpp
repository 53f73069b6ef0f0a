#include "mortise/plugin/plugin.h"

#include <algorithm>
#include <utility>

namespace mortise {

namespace {

/// "vendor.Name" or "Name": letters, digits, '_' and '-', in parts joined by single dots. `others`: further characters
/// that are allowed.
bool wellFormed(const std::string& name, std::string_view others = {}) {
  bool partEmpty = true;
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                        c == '-' || others.find(c) != std::string_view::npos;
    if (c == '.' && partEmpty) return false;
    if (c != '.' && !letter) return false;
    partEmpty = c == '.';
  }
  return !partEmpty;
}

void requireWellFormed(const std::string& name, const char* what, std::string_view others = {}) {
  if (!wellFormed(name, others))
    throw Error("'" + name + "' cannot be the " + what + " of a component", {},
                "use letters, digits, '_' and '-', with dots between parts: acme.Damper");
}

/// Side-cars hold them as text.
Value namesOf(const std::vector<FileContent>& contents) {
  Value names = Value::list();
  for (const FileContent content : contents) names.push_back(contentName(content));
  return names;
}

}  // namespace

ComponentBuilder& ComponentBuilder::alias(std::string name) {
  // Klamp't's names of planners: "rrt*", "ompl:rrt*".
  requireWellFormed(name, "alias", ":*");
  declaration_.aliases.push_back(std::move(name));
  return *this;
}

ComponentBuilder& ComponentBuilder::summary(std::string text) {
  declaration_.summary = std::move(text);
  return *this;
}

ComponentBuilder& ComponentBuilder::documentation(std::string markdown) {
  declaration_.documentation = std::move(markdown);
  return *this;
}

ComponentBuilder& ComponentBuilder::parameter(std::string name, Value defaultValue, std::string summary,
                                              ParameterOptions options) {
  declaration_.schema.parameter(std::move(name), std::move(defaultValue), std::move(summary), std::move(options));
  return *this;
}

ComponentBuilder& ComponentBuilder::parameter(std::string name, ParameterType type, std::string summary,
                                              ParameterOptions options) {
  declaration_.schema.parameter(std::move(name), type, std::move(summary), std::move(options));
  return *this;
}

ComponentBuilder& ComponentBuilder::allowOtherKeys() {
  declaration_.schema.allowOtherKeys();
  return *this;
}

ComponentBuilder& ComponentBuilder::extensions(std::vector<std::string> extensions) {
  return attribute("extensions", Value(extensions));
}

ComponentBuilder& ComponentBuilder::reads(const std::vector<FileContent>& contents) {
  return attribute("reads", namesOf(contents));
}

ComponentBuilder& ComponentBuilder::writes(const std::vector<FileContent>& contents) {
  return attribute("writes", namesOf(contents));
}

ComponentBuilder& ComponentBuilder::saves(const std::vector<ResultKind>& kinds) {
  Value names = Value::list();
  for (const ResultKind kind : kinds) names.push_back(std::string(resultKindName(kind)));
  return attribute("saves", std::move(names));
}

ComponentBuilder& ComponentBuilder::role(std::string_view role, std::string_view calledAs) {
  const auto entry = [&](const char* attribute, Value empty) -> Value& {
    if (!declaration_.attributes.contains(attribute)) declaration_.attributes.set(attribute, std::move(empty));
    return *declaration_.attributes.find(attribute);
  };
  entry("roles", Value::list()).push_back(Value(std::string(role)));
  if (!calledAs.empty()) entry("role_names", Value::map()).set(role, std::string(calledAs));
  return *this;
}

ComponentBuilder& ComponentBuilder::attribute(std::string name, Value value) {
  declaration_.attributes.set(name, std::move(value));
  return *this;
}

ComponentBuilder PluginBuilder::declare(Kind kind, std::string name, void* (*create)(const ComponentContext&),
                                        void (*destroy)(void*)) {
  requireWellFormed(name, "name");
  for (const auto& other : declarations_)
    if (other.kind == kind && other.name == name)
      throw Error("the plugin declares " + std::string(kindName(kind)) + " '" + name + "' twice");
  ComponentDeclaration declaration;
  declaration.kind = kind;
  declaration.name = std::move(name);
  declaration.interface = interfaceVersion(kind);
  declaration.create = create;
  declaration.destroy = destroy;
  declarations_.push_back(std::move(declaration));
  return ComponentBuilder(declarations_.back());
}

}  // namespace mortise
