#include "mortise/pipeline/file/key_path.h"

#include <charconv>
#include <optional>
#include <vector>

#include "mortise/text/suggest.h"

namespace mortise {

namespace {

/// Returns the names that an entry of a list answers to.
std::vector<std::string> namesOf(const Value& item) {
  std::vector<std::string> names;
  for (const char* key : {"name", "controller", "sensor", "recorder"})
    if (const Value* value = item.find(key); value != nullptr && value->isString()) names.push_back(value->asString());
  if (item.isMap() && item.size() == 1 && names.empty()) {
    const Value::Entry& stage = item.entries().front();
    names.push_back(stage.key);
    if (const Value* save = stage.value.find("save"); save != nullptr && save->isString())
      names.push_back(save->asString());
  }
  return names;
}

std::optional<std::size_t> indexOf(std::string_view text) {
  std::size_t index = 0;
  const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (code != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return index;
}

class Resolver {
 public:
  explicit Resolver(std::string_view path) : full_(path) {}

  std::string resolve(const Value& root) {
    step(root, full_);
    return std::move(done_);
  }

 private:
  void append(std::string_view part) {
    if (!done_.empty()) done_ += '.';
    done_ += part;
  }

  void step(const Value& node, std::string_view rest) {
    if (rest.empty()) return;
    const auto dot = rest.find('.');
    const std::string_view head = rest.substr(0, dot);
    const std::string_view tail = dot == std::string_view::npos ? std::string_view() : rest.substr(dot + 1);
    if (node.isList()) {
      entry(node, rest);
      return;
    }
    append(head);
    const Value* next = node.find(head);
    if (next != nullptr)
      step(*next, tail);
    else if (!tail.empty())
      append(tail);
  }

  /// Names may hold dots ("acme.Gravity"), so ever longer beginnings of `rest` are tried.
  void entry(const Value& list, std::string_view rest) {
    std::vector<std::string> all;
    for (const Value& item : list.items())
      for (std::string& name : namesOf(item)) all.push_back(std::move(name));
    for (auto dot = rest.find('.');; dot = rest.find('.', dot + 1)) {
      const std::string_view head = rest.substr(0, dot);
      const std::string_view tail = dot == std::string_view::npos ? std::string_view() : rest.substr(dot + 1);
      std::vector<std::size_t> matches;
      if (const auto index = indexOf(head); index && *index < list.size()) {
        matches.push_back(*index);
      } else {
        for (std::size_t i = 0; i < list.size(); ++i)
          for (const std::string& name : namesOf(list[i]))
            if (name == head) {
              matches.push_back(i);
              break;
            }
      }
      if (matches.size() > 1) {
        std::string indices;
        for (const std::size_t i : matches)
          indices += (indices.empty() ? "" : ", ") + (done_.empty() ? "" : done_ + ".") + std::to_string(i);
        throw Error("'" + std::string(head) + "' in '" + std::string(full_) + "' could be any of " + indices,
                    list.position(), "use the index instead of the name");
      }
      if (matches.size() == 1) {
        descend(list, matches.front(), tail);
        return;
      }
      if (dot == std::string_view::npos) break;
    }
    const std::string_view head = rest.substr(0, rest.find('.'));
    throw Error("there is no entry '" + std::string(head) + "' in '" + done_ + "'", list.position(),
                suggestFrom(head, all));
  }

  void descend(const Value& list, std::size_t index, std::string_view tail) {
    const bool stages = done_ == "stages";
    append(std::to_string(index));
    const Value& item = list[index];
    // A stage's settings lie one level deeper, below the name of the stage.
    if (stages && item.isMap() && item.size() == 1) {
      const Value::Entry& stage = item.entries().front();
      if (tail == stage.key || tail.starts_with(stage.key + ".")) {
        step(item, tail);
        return;
      }
      append(stage.key);
      if (stage.value.isMap() || stage.value.isList())
        step(stage.value, tail);
      else if (!tail.empty())
        append(tail);
      return;
    }
    step(item, tail);
  }

  std::string_view full_;
  std::string done_;
};

}  // namespace

std::string resolveKeyPath(const Value& pipeline, std::string_view path) { return Resolver(path).resolve(pipeline); }

}  // namespace mortise
