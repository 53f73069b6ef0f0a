#include "tests/workbench/viewer/typescript_protocol.h"

#include <array>
#include <concepts>
#include <string_view>
#include <variant>

#include "mortise/base/value_text.h"
#include "mortise/viewer/protocol/page_message.h"
#include "mortise/viewer/protocol/write_message.h"

namespace mortise::viewer {

namespace {

/// The name of a type without its namespaces, by what the compiler calls this function.
template <typename T>
std::string typeName() {
  std::string_view name = __PRETTY_FUNCTION__;
  name = name.substr(name.find("T = ") + 4);
  name = name.substr(0, name.find_first_of(";],"));
  return std::string(name.substr(name.rfind(':') + 1));
}

struct TypeText {
  std::string type;   ///< As TypeScript has it.
  std::string shape;  ///< As checks have it.
};

struct Field {
  std::string name;
  TypeText text;
  bool optional = false;
  std::string summary;
};

class Writer;

/// Collects the fields of a struct, and in `Writer` the structs that they are made of.
class FieldBinder {
 public:
  FieldBinder(Writer& writer, bool ofPage) : writer_(writer), ofPage_(ofPage) {}

  template <typename T>
  FieldBinder& add(std::string name, T&, std::string summary, const ParameterOptions& options = {}) {
    fields.push_back({std::move(name), textOf<T>(), ofPage_ && !options.required, std::move(summary)});
    return *this;
  }
  template <typename T>
  FieldBinder& add(std::string name, std::optional<T>&, std::string summary, const ParameterOptions& = {}) {
    fields.push_back({std::move(name), textOf<T>(), true, std::move(summary)});
    return *this;
  }
  template <typename E>
  FieldBinder& choice(std::string name, E& variable,
                      const std::vector<std::pair<std::string, typename detail::Present<E>::type>>& values,
                      std::string summary, const ParameterOptions& options = {}) {
    TypeText text{"", "="};
    for (const auto& [word, value] : values) {
      text.shape += (text.type.empty() ? "" : "|") + word;
      text.type += (text.type.empty() ? "'" : " | '") + word + "'";
    }
    const bool optional = !std::same_as<E, typename detail::Present<E>::type> || (ofPage_ && !options.required);
    (void)variable;
    fields.push_back({std::move(name), std::move(text), optional, std::move(summary)});
    return *this;
  }

  std::vector<Field> fields;

 private:
  template <typename T>
  struct IsVector : std::false_type {};
  template <typename T>
  struct IsVector<std::vector<T>> : std::true_type {};
  template <typename T>
  struct IsArray : std::false_type {};
  template <typename T, std::size_t N>
  struct IsArray<std::array<T, N>> : std::true_type {};

  static TypeText listOf(const TypeText& item) {
    return {(item.type.find('|') == std::string::npos ? item.type : "(" + item.type + ")") + "[]", item.shape + "[]"};
  }
  template <typename T>
  TypeText textOf();

  Writer& writer_;
  bool ofPage_;
};

class Writer {
 public:
  std::string text;                       ///< Declarations, each behind those that it needs.
  std::string messageShapes, partShapes;  ///< Lines of the tables of shapes.

  /// The interface of a part of messages, once.
  template <typename S>
  void part() {
    const std::string name = typeName<S>();
    if (text.find("interface " + name + " ") != std::string::npos) return;
    partShapes += declare<S>(name, name, "");
  }
  /// The interface of a message to pages.
  template <typename S>
  void message() {
    messageShapes += declare<S>(typeName<S>(), std::string(S::type), "  type: '" + std::string(S::type) + "';\n");
  }
  /// Keys that messages of pages have in common.
  template <typename S>
  void common() {
    FieldBinder binder(*this, true);
    S().bind(binder);
    text += "export interface " + typeName<S>() + " {\n" + fieldLines(binder.fields, "  ") + "}\n\n";
  }
  /// One of the messages of pages, as a member of a union.
  template <typename S>
  std::string member() {
    FieldBinder binder(*this, true);
    S().bind(binder);
    const std::string head = "type: '" + std::string(S::type) + "'";
    if (binder.fields.empty()) return "\n  | {" + head + "}";
    return "\n  | {\n      " + head + ";\n" + fieldLines(binder.fields, "      ") + "    }";
  }

 private:
  static std::string fieldLines(const std::vector<Field>& fields, const std::string& indent) {
    std::string lines;
    for (const Field& field : fields)
      lines +=
          indent + field.name + (field.optional ? "?: " : ": ") + field.text.type + ";  // " + field.summary + "\n";
    return lines;
  }
  template <typename S>
  std::string declare(const std::string& name, const std::string& key, const std::string& head) {
    FieldBinder binder(*this, false);
    S().bind(binder);
    text += "export interface " + name + " {\n" + head + fieldLines(binder.fields, "  ") + "}\n\n";
    std::string shapes = "  " + key + ": {";
    for (std::size_t i = 0; i < binder.fields.size(); ++i)
      shapes += (i > 0 ? ", " : "") + binder.fields[i].name + ": '" + binder.fields[i].text.shape +
                (binder.fields[i].optional ? "?" : "") + "'";
    return shapes + "},\n";
  }
};

template <typename T>
TypeText FieldBinder::textOf() {
  if constexpr (std::same_as<T, bool>) {
    return {"boolean", "boolean"};
  } else if constexpr (std::is_arithmetic_v<T>) {
    return {"number", "number"};
  } else if constexpr (std::same_as<T, std::string>) {
    return {"string", "string"};
  } else if constexpr (std::same_as<T, message::FiniteOrNull>) {
    return {"number | null", "number|null"};
  } else if constexpr (std::same_as<T, Vector3d> || std::same_as<T, VectorXd> || std::same_as<T, PoseSetting>) {
    return {"number[]", "number[]"};
  } else if constexpr (std::same_as<T, message::Corners>) {
    return {"number[][]", "number[][]"};
  } else if constexpr (requires { T::typescript; }) {
    return {std::string(T::typescript), "any[]"};
  } else if constexpr (IsVector<T>::value) {
    return listOf(textOf<typename T::value_type>());
  } else if constexpr (IsArray<T>::value) {
    const TypeText item = textOf<typename T::value_type>();
    if (std::tuple_size_v<T> != 2) return listOf(item);
    return {"[" + item.type + ", " + item.type + "]", item.shape + "[]"};
  } else {
    writer_.part<T>();
    return {typeName<T>(), typeName<T>()};
  }
}

template <typename... Requests>
std::string unionOf(Writer& writer, const std::variant<Requests...>*) {
  return (writer.member<Requests>() + ...);
}

template <typename... Messages>
std::string declareAll(Writer& writer, const std::variant<Messages...>*) {
  (writer.message<Messages>(), ...);
  std::string names;
  ((names += (names.empty() ? "" : " | ") + typeName<Messages>()), ...);
  return names;
}

template <typename Names>
std::string wordList(const std::string& constant, const Names& names) {
  std::string words;
  for (const auto& [word, value] : names) words += (words.empty() ? "'" : ", '") + word + "'";
  return "export const " + constant + " = [" + words + "] as const;\n";
}

std::string number(const std::string& constant, double value) {
  return "export const " + constant + " = " + formatReal(value) + ";\n";
}

constexpr std::string_view kHead =
    R"(// The viewer's protocol. Generated from what workbench/mortise/viewer/protocol/ declares:
// MORTISE_UPDATE_PROTOCOL=1 test_workbench_viewer --gtest_filter=ViewerProtocol.* writes it.
import type {Overlay, SensorDescription} from './log';

)";

}  // namespace

std::string typescriptProtocol() {
  std::string out(kHead);
  out += "/** Bytes before a record of a packet, and what its end is padded to. */\n";
  out += number("RECORD_HEAD", kRecordHead) + number("RECORD_ALIGNMENT", kRecordAlignment);
  out += "/** Records from this channel on are images, in the order of the cameras. */\n";
  out += number("FIRST_IMAGE", kFirstImage);
  out += "/** Friction of contacts unless a page says another one. */\n";
  out += number("PICKED_FRICTION", message::kPickedFriction);
  out += "/** Of `discretize`, unless a page says another one, rad or m. */\n";
  out += number("RESOLUTION", message::kResolution);
  out += wordList("KEPT_KINDS", message::keptNames());
  out += wordList("GOAL_POSITIONS", message::positionNames());
  out += wordList("GOAL_ROTATIONS", message::rotationNames()) + "\n";
  Writer writer;
  writer.common<message::PoseCommon>();
  writer.text += "/** To a running simulation or a log. */\nexport type LiveRequest =" +
                 unionOf(writer, static_cast<const message::LiveRequest*>(nullptr)) + ";\n\n";
  writer.text +=
      "export type PoseRequest =" + unionOf(writer, static_cast<const message::PoseRequest*>(nullptr)) + ";\n\n";
  writer.text += "/** To a posed world. */\nexport type PoseMessage = PoseCommon & PoseRequest;\n\n";
  writer.text += "/** To a program that shows something in the page. */\nexport type ProgramRequest =" +
                 unionOf(writer, static_cast<const message::ProgramRequest*>(nullptr)) + ";\n\n";
  writer.text += "/** All that pages say. */\nexport type PageMessage =" + writer.member<message::Drawn>() +
                 "\n  | LiveRequest\n  | PoseMessage\n  | ProgramRequest;\n\n";
  const std::string names = declareAll(writer, static_cast<const ServerMessage*>(nullptr));
  writer.text += "/** All that pages are told. */\nexport type ServerMessage = " + names + ";\n\n";
  writer.part<message::LogList>();
  return out + writer.text +
         "// What the fields of messages and of their parts are; a question mark: one may be missing.\n\n"
         "export const MESSAGE_SHAPES: Record<string, Record<string, string>> = {\n" +
         writer.messageShapes + "};\n\nexport const PART_SHAPES: Record<string, Record<string, string>> = {\n" +
         writer.partShapes + "};\n";
}

}  // namespace mortise::viewer
