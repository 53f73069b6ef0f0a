#include "mortise/viewer/protocol/write_message.h"

#include <concepts>

#include "mortise/json/json_writer.h"

namespace mortise::viewer {

namespace {

/// Writes what a message binds, key by key.
class JsonBinder {
 public:
  explicit JsonBinder(JsonWriter& out) : out_(out) {}

  template <typename T>
  JsonBinder& add(std::string_view name, T& variable, std::string_view) {
    out_.key(name);
    write(variable);
    return *this;
  }
  template <typename T>
  JsonBinder& add(std::string_view name, std::optional<T>& variable, std::string_view summary) {
    return variable ? add(name, *variable, summary) : *this;
  }
  template <typename E>
  JsonBinder& choice(std::string_view name, E& variable, const std::vector<std::pair<std::string, E>>& values,
                     std::string_view) {
    out_.key(name);
    for (const auto& [text, value] : values)
      if (variable == value) out_.string(text);
    return *this;
  }

 private:
  void write(bool value) { out_.boolean(value); }
  template <std::integral T>
  requires(!std::same_as<T, bool>) void write(T value) { out_.integer(static_cast<std::int64_t>(value)); }
  void write(double value) { out_.number(value); }
  void write(const std::string& value) { out_.string(value); }
  void write(message::FiniteOrNull value) { out_.number(value.value); }
  void write(const message::SensorDescriptions& list) { out_.value(list.value); }
  void write(const message::Overlays& list) { out_.value(list.value); }
  void write(const Vector3d& v) { writeList(v); }
  template <typename T, std::size_t N>
  void write(const std::array<T, N>& list) {
    writeList(list);
  }
  template <typename T>
  void write(std::vector<T>& list) {
    writeList(list);
  }
  template <typename S>
  requires requires(S& s, JsonBinder& b) { s.bind(b); }
  void write(S& part) {
    out_.beginMap();
    part.bind(*this);
    out_.endMap();
  }

  template <typename List>
  void writeList(List& list) {
    out_.beginList();
    for (auto& item : list) write(item);
    out_.endList();
  }

  JsonWriter& out_;
};

}  // namespace

std::string jsonOf(ServerMessage message) {
  std::string text;
  JsonWriter out(text);
  JsonBinder binder(out);
  out.beginMap();
  std::visit(
      [&](auto& part) {
        out.key("type");
        out.string(part.type);
        part.bind(binder);
      },
      message);
  out.endMap();
  return text;
}

std::string jsonOf(message::LogList list) {
  std::string text;
  JsonWriter out(text);
  JsonBinder binder(out);
  out.beginMap();
  list.bind(binder);
  out.endMap();
  return text;
}

}  // namespace mortise::viewer
