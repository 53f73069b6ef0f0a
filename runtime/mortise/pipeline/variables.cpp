#include "mortise/pipeline/variables.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "mortise/base/suggest.h"

namespace mortise {

namespace {

constexpr std::size_t kMaxText = 1 << 20;  // Variables that double each other must end in a message.

class Expander {
 public:
  Expander(const Value& variables, Diagnostics& diagnostics) : variables_(variables), diagnostics_(diagnostics) {
    for (const Value::Entry& entry : variables.entries()) names_.push_back(entry.key);
  }

  void expand(Value& value) {
    if (value.isString()) {
      if (value.asString().find("${") != std::string::npos) {
        const SourcePosition position = value.position();
        Value replaced = expandText(value.asString(), position);
        replaced.setPosition(position);
        value = std::move(replaced);
      }
      return;
    }
    for (Value& item : value.items()) expand(item);
    for (Value::Entry& entry : value.entries()) expand(entry.value);
  }

  /// All of them, so that a mistake in an unused one shows too.
  void expandAll() {
    for (const std::string& name : names_) variable(name, {});
  }

 private:
  Value expandText(const std::string& text, const SourcePosition& where) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
      const auto start = text.find('$', at);
      if (start == std::string::npos) {
        result += text.substr(at);
        break;
      }
      result += text.substr(at, start - at);
      if (text.compare(start, 3, "$${") == 0) {
        result += "${";
        at = start + 3;
        continue;
      }
      if (text.compare(start, 2, "${") != 0) {
        result += '$';
        at = start + 1;
        continue;
      }
      const auto end = text.find('}', start);
      if (end == std::string::npos) {
        diagnostics_.error("'${' is not closed in '" + text + "'", where,
                           "write ${name}, or $${ for the characters ${");
        return Value(text);
      }
      const Value* value = variable(text.substr(start + 2, end - start - 2), where);
      if (value == nullptr) return Value();
      if (start == 0 && end + 1 == text.size()) return *value;
      if (!value->isScalar()) {
        diagnostics_.error("variable '" + text.substr(start + 2, end - start - 2) + "' is " +
                               std::string(Value::typeName(value->type())) + " and cannot be part of a text",
                           where, "use it alone, without other characters around it");
        return Value();
      }
      result += value->text();
      at = end + 1;
      if (result.size() > kMaxText) {
        diagnostics_.error("the text becomes longer than " + std::to_string(kMaxText) + " characters", where);
        return Value();
      }
    }
    return Value(result);
  }

  /// The variable with everything in it replaced; nullptr after reporting why there is none.
  const Value* variable(const std::string& name, const SourcePosition& where) {
    if (const auto found = done_.find(name); found != done_.end())
      return found->second.bad ? nullptr : &found->second.value;
    const Value* raw = variables_.find(name);
    if (raw == nullptr) {
      const std::string near = didYouMean(name, names_);
      diagnostics_.error("there is no variable '" + name + "'", where, near.empty() ? listNames(names_) : near);
      return nullptr;
    }
    if (const auto begin = std::find(active_.begin(), active_.end(), name); begin != active_.end()) {
      std::string chain;
      for (auto it = begin; it != active_.end(); ++it) chain += "${" + *it + "} -> ";
      diagnostics_.error("variables refer to each other in a circle: " + chain + "${" + name + "}", raw->position());
      done_[name].bad = true;
      return nullptr;
    }
    active_.push_back(name);
    Value value = *raw;
    const int errors = diagnostics_.errorCount();
    expand(value);
    active_.pop_back();
    Done& done = done_[name];
    done.bad = done.bad || diagnostics_.errorCount() > errors;
    done.value = std::move(value);
    return done.bad ? nullptr : &done.value;
  }

  struct Done {
    Value value;
    bool bad = false;
  };

  const Value& variables_;
  Diagnostics& diagnostics_;
  std::vector<std::string> names_;
  std::vector<std::string> active_;
  std::map<std::string, Done> done_;
};

}  // namespace

void expandVariables(Value& root, Diagnostics& diagnostics) {
  static const Value kNone = Value::map();
  const Value* given = root.find("variables");
  if (given != nullptr && !given->isMap() && !given->isNull())
    diagnostics.error("'variables' must be a map of names and values", given->position());
  const Value variables = given != nullptr && given->isMap() ? *given : kNone;
  Expander expander(variables, diagnostics);
  expander.expandAll();
  for (Value::Entry& entry : root.entries())
    if (entry.key != "variables") expander.expand(entry.value);
}

}  // namespace mortise
