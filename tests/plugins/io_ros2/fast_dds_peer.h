#pragma once

/// The other side of DDS, by another vendor: Fast DDS, ROS 2's default. It sends and takes bytes, and knows no message.

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace mortise::test {

class FastDdsPeer {
 public:
  /// Says whether this build has Fast DDS.
  static bool available();

  /// On the loopback interface alone.
  explicit FastDdsPeer(int domain);
  ~FastDdsPeer();

  void publish(const std::string& topic, const std::string& type, bool reliable);
  void subscribe(const std::string& topic, const std::string& type, bool reliable, bool transientLocal);
  /// Readers that the publisher is connected with.
  int matchedReaders() const;
  int matchedWriters() const;
  void send(std::span<const std::byte> bytes);
  /// What came since the last call.
  std::vector<std::vector<std::byte>> take();

 private:
  class Entities;
  std::unique_ptr<Entities> entities_;
};

}  // namespace mortise::test
