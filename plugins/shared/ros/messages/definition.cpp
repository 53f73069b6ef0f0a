#include "ros/messages/definition.h"

#include <algorithm>

#include "ros/messages/all_messages.h"

namespace mortise::ros {

std::string Definition::md5Sum() const {
  std::string text = sumConstants_ + sumFields_;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return md5(text);
}

std::string Definition::full(Encoding encoding) const {
  const bool ros1 = encoding == Encoding::ros1;
  std::string text = ros1 ? ros1_ : ros2_;
  for (const Part& part : parts_) {
    const std::string& own = ros1 ? part.ros1 : part.ros2;
    if (own.empty()) continue;  // Times are no messages on ROS 1.
    text += std::string(80, '=') + "\nMSG: " + part.package + "/" + part.name + "\n" + own;
  }
  return text;
}

void Definition::addPart(const Part& part) {
  const bool known = std::any_of(parts_.begin(), parts_.end(), [&part](const Part& other) {
    return other.package == part.package && other.name == part.name;
  });
  if (!known) parts_.push_back(part);
}

template <class M>
const MessageType& messageType() {
  static const MessageType type = [] {
    const Definition definition = Definition::of<M>();
    return MessageType{M::kPackage, M::kName, definition.md5Sum(), definition.full(Encoding::ros1),
                       definition.full(Encoding::cdr)};
  }();
  return type;
}

#define MORTISE_ROS_TYPE(M) template const MessageType& messageType<M>();
MORTISE_ROS_MESSAGES(MORTISE_ROS_TYPE)
#undef MORTISE_ROS_TYPE

const MessageType* findMessageType(std::string_view name) {
#define MORTISE_ROS_FIND(M) \
  if (const MessageType& type = messageType<M>(); type.ros1Name() == name || type.ros2Name() == name) return &type;
  MORTISE_ROS_MESSAGES(MORTISE_ROS_FIND)
#undef MORTISE_ROS_FIND
  return nullptr;
}

}  // namespace mortise::ros
