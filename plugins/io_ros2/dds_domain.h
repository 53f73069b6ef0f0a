#pragma once

#include <dds/dds.h>
#include <memory>
#include <string>
#include <vector>

namespace mortise::ros2 {

/// Where others are looked for.
struct DomainOptions {
  int id = 0;              ///< 0 to 232.
  bool localOnly = false;  ///< Only programs on this computer are found, through the loopback interface.
};

/// A domain of DDS in this process, shared by all who use it; it ends with the last of them.
class DdsDomain {
 public:
  /// Throws `Error` where DDS cannot be started, and where the domain is in use with other options.
  static std::shared_ptr<DdsDomain> join(const DomainOptions& options);
  ~DdsDomain();
  DdsDomain(const DdsDomain&) = delete;
  DdsDomain& operator=(const DdsDomain&) = delete;

  dds_entity_t participant() const { return participant_; }

 private:
  explicit DdsDomain(const DomainOptions& options);

  DomainOptions options_;
  dds_entity_t domain_ = 0;  ///< 0: the one that comes with the participant.
  dds_entity_t participant_ = 0;
};

/// What ROS 2 takes from the environment: ROS_DOMAIN_ID, and ROS_LOCALHOST_ONLY or ROS_AUTOMATIC_DISCOVERY_RANGE.
/// Throws `Error` for a number that is none.
DomainOptions domainFromEnvironment();

/// "what: what DDS says".
std::string ddsError(const std::string& what, dds_return_t code);

}  // namespace mortise::ros2
