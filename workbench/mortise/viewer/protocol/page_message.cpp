#include "mortise/viewer/protocol/page_message.h"

#include <map>
#include <string_view>
#include <vector>

#include "mortise/settings/settings.h"
#include "mortise/text/suggest.h"

namespace mortise::viewer {

namespace {

/// A message as it stands in its map: with its type, and keys that all of its kind have.
template <typename Common, typename Request>
struct Written {
  std::string type;
  Common common;
  Request request;

  void bind(SettingBinder& b) {
    b.add("type", type, "The kind of message.");
    common.bind(b);
    request.bind(b);
  }
  void check() const {
    if constexpr (requires { request.check(); }) request.check();
  }
};

struct Nothing {
  template <typename Binder>
  void bind(Binder&) {}
};

template <typename Common, typename Request>
Written<Common, Request> read(const Value& given) {
  return readSettings<Written<Common, Request>>(given, "a message '" + std::string(Request::type) + "'");
}

using Reader = PageMessage (*)(const Value&);
using Readers = std::map<std::string_view, Reader>;

/// Adds requests that have no keys in common.
template <typename... Requests>
void addPlain(Readers& readers, const std::variant<Requests...>*) {
  using Any = std::variant<Requests...>;
  (readers.emplace(Requests::type,
                   [](const Value& given) { return PageMessage(Any(read<Nothing, Requests>(given).request)); }),
   ...);
}

template <typename... Requests>
void addPosing(Readers& readers, const std::variant<Requests...>*) {
  (readers.emplace(Requests::type,
                   [](const Value& given) {
                     auto written = read<message::PoseCommon, Requests>(given);
                     return PageMessage(message::PoseMessage{written.common, std::move(written.request)});
                   }),
   ...);
}

const Readers& allReaders() {
  static const Readers readers = [] {
    Readers all;
    all.emplace(message::Drawn::type,
                [](const Value& given) { return PageMessage(read<Nothing, message::Drawn>(given).request); });
    addPlain(all, static_cast<const message::LiveRequest*>(nullptr));
    addPlain(all, static_cast<const message::ProgramRequest*>(nullptr));
    addPosing(all, static_cast<const message::PoseRequest*>(nullptr));
    return all;
  }();
  return readers;
}

}  // namespace

std::string typeOf(const PageMessage& message) {
  const auto name = [](const auto& request) { return std::string(request.type); };
  if (const auto* live = std::get_if<message::LiveRequest>(&message)) return std::visit(name, *live);
  if (const auto* program = std::get_if<message::ProgramRequest>(&message)) return std::visit(name, *program);
  if (const auto* pose = std::get_if<message::PoseMessage>(&message)) return std::visit(name, pose->request);
  return std::string(message::Drawn::type);
}

PageMessage readPageMessage(const Value& given) {
  const Value* type = given.isMap() ? given.find("type") : nullptr;
  if (type == nullptr || !type->isString())
    throw Error("'type' of a message is missing: expected a string", given.position(),
                "every message is a map with it");
  const auto found = allReaders().find(type->asString());
  if (found != allReaders().end()) return found->second(given);
  std::vector<std::string> names;
  for (const auto& [name, reader] : allReaders()) names.emplace_back(name);
  throw Error("'type' of a message: there is no '" + type->asString() + "'", type->position(),
              didYouMean(type->asString(), names));
}

}  // namespace mortise::viewer
