#include "mortise/pipeline/file/variables.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "mortise/text/suggest.h"

namespace mortise {

namespace {

// Variables that double each other must end in a message, and far from the end of memory.
constexpr std::size_t kMaxText = 1 << 20;
constexpr std::size_t kMaxValues = 1 << 20;
constexpr std::size_t kMaxReferences = 100;

constexpr std::size_t kMaxListed = 100;  ///< Variables without use that are told one by one.

/// Roughly what a value takes of memory, in the size of a small one.
std::size_t countValues(const Value& value) {
  constexpr std::size_t kTextOfOne = 64;
  std::size_t count = 1 + (value.isString() ? value.asString().size() / kTextOfOne : 0);
  for (const Value& item : value.items()) count += countValues(item);
  for (const Value::Entry& entry : value.entries()) count += countValues(entry.value);
  return count;
}

class Expander {
 public:
  Expander(const Value& variables, Diagnostics& diagnostics) : diagnostics_(diagnostics) {
    for (const Value::Entry& entry : variables.entries()) {
      names_.push_back(entry.key);
      written_.emplace(entry.key, &entry.value);
      places_.emplace(entry.key, entry.keyPosition.known() ? entry.keyPosition : entry.value.position());
    }
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

  void sayUnused() {
    std::size_t unused = 0;
    for (const std::string& name : names_)
      if (!used_.contains(name) && ++unused <= kMaxListed)
        diagnostics_.warning("variable '" + name + "' is used nowhere", places_.at(name),
                             "write ${" + name + "} where its value belongs, or remove it");
    if (unused > kMaxListed)
      diagnostics_.warning(std::to_string(unused - kMaxListed) + " further variables are used nowhere",
                           places_.at(names_.front()), "is this the file that was meant?");
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
      const std::string name = text.substr(start + 2, end - start - 2);
      used_.insert(name);
      const Value* value = variable(name, where);
      if (value == nullptr) return Value();
      if (start == 0 && end + 1 == text.size()) return mayCopy(done_.at(name).size, name, where) ? *value : Value();
      if (!value->isScalar()) {
        diagnostics_.error("variable '" + name + "' is " + std::string(Value::typeName(value->type())) +
                               " and cannot be part of a text",
                           where, "use it alone, without other characters around it");
        return Value();
      }
      result += value->text();
      at = end + 1;
      if (!mayCopy(value->text().size() / 64, name, where)) return Value();
      if (result.size() > kMaxText) {
        diagnostics_.error("the text becomes longer than " + std::to_string(kMaxText) + " characters", where);
        return Value();
      }
    }
    return Value(result);
  }

  /// False, after saying so once, when the copies of variables so far have become too many.
  bool mayCopy(std::size_t size, const std::string& name, const SourcePosition& where) {
    copied_ += size;
    if (copied_ <= kMaxValues) return true;
    if (!full_)
      diagnostics_.error(
          "with '${" + name + "}' the copies of variables become more than " + std::to_string(kMaxValues) + " values",
          where, "do variables that are lists or maps repeat each other?");
    full_ = true;
    return false;
  }

  /// The variable with everything in it replaced; nullptr after reporting why there is none.
  const Value* variable(const std::string& name, const SourcePosition& where) {
    if (const auto found = done_.find(name); found != done_.end())
      return found->second.bad ? nullptr : &found->second.value;
    const auto written = written_.find(name);
    if (written == written_.end()) {
      diagnostics_.error("there is no variable '" + name + "'", where, suggestFrom(name, names_));
      return nullptr;
    }
    if (const auto begin = std::find(active_.begin(), active_.end(), name); begin != active_.end()) {
      std::string chain;
      for (auto it = begin; it != active_.end(); ++it) chain += "${" + *it + "} -> ";
      diagnostics_.error("variables refer to each other in a circle: " + chain + "${" + name + "}",
                         written->second->position());
      done_[name].bad = true;
      return nullptr;
    }
    if (active_.size() >= kMaxReferences) {
      if (!std::exchange(tooDeep_, true))
        diagnostics_.error("variables refer to each other more than " + std::to_string(kMaxReferences) +
                               " deep, from '" + active_.front() + "' on",
                           written->second->position(), "write the value out where it is used");
      done_[name].bad = true;
      return nullptr;
    }
    active_.push_back(name);
    Value value = *written->second;
    const int errors = diagnostics_.errorCount();
    expand(value);
    active_.pop_back();
    Done& done = done_[name];
    done.bad = done.bad || tooDeep_ || diagnostics_.errorCount() > errors;
    done.size = countValues(value);
    done.value = std::move(value);
    return done.bad ? nullptr : &done.value;
  }

  struct Done {
    Value value;
    std::size_t size = 1;  ///< Number of values it holds, itself included.
    bool bad = false;
  };

  Diagnostics& diagnostics_;
  std::vector<std::string> names_;
  std::vector<std::string> active_;
  std::map<std::string, const Value*> written_;
  std::map<std::string, SourcePosition> places_;
  std::set<std::string> used_;
  std::map<std::string, Done> done_;
  std::size_t copied_ = 0;               ///< Values that variables were replaced with so far.
  bool full_ = false, tooDeep_ = false;  ///< Each is said once.
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
  expander.sayUnused();
}

}  // namespace mortise
