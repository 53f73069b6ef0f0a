#include "dds_domain.h"

#include <charconv>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string_view>

#include "mortise/base/error.h"

namespace mortise::ros2 {

namespace {

constexpr int kLastDomain = 232;

/// Programs on this computer find each other by port, for the loopback interface has no multicast.
constexpr const char* kLocalOnly =
    "<General><Interfaces><NetworkInterface name=\"lo\" multicast=\"false\"/></Interfaces>"
    "<AllowMulticast>false</AllowMulticast></General>"
    "<Discovery><ParticipantIndex>auto</ParticipantIndex><MaxAutoParticipantIndex>32</MaxAutoParticipantIndex>"
    "<Peers><Peer address=\"127.0.0.1\"/></Peers></Discovery>";

std::mutex& domainsMutex() {
  static std::mutex mutex;
  return mutex;
}

std::map<int, std::weak_ptr<DdsDomain>>& domains() {
  static std::map<int, std::weak_ptr<DdsDomain>> all;
  return all;
}

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

}  // namespace

std::string ddsError(const std::string& what, dds_return_t code) { return what + ": " + dds_strretcode(code); }

DomainOptions domainFromEnvironment() {
  DomainOptions options;
  if (const std::string_view text = environment("ROS_DOMAIN_ID"); !text.empty()) {
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), options.id);
    if (failure != std::errc() || end != text.data() + text.size() || options.id < 0 || options.id > kLastDomain)
      throw Error("ROS_DOMAIN_ID: expected a number from 0 to 232, found '" + std::string(text) + "'", {},
                  "unset it, or give the setting 'domain'");
  }
  options.localOnly =
      environment("ROS_LOCALHOST_ONLY") == "1" || environment("ROS_AUTOMATIC_DISCOVERY_RANGE") == "LOCALHOST";
  return options;
}

std::shared_ptr<DdsDomain> DdsDomain::join(const DomainOptions& options) {
  const std::lock_guard lock(domainsMutex());
  std::weak_ptr<DdsDomain>& place = domains()[options.id];
  std::shared_ptr<DdsDomain> domain = place.lock();
  if (!domain) {
    domain.reset(new DdsDomain(options));
    place = domain;
  } else if (domain->options_.localOnly != options.localOnly) {
    throw Error("domain " + std::to_string(options.id) + " is in use in this program with another 'localhost_only'", {},
                "give both the same, or another 'domain'");
  }
  return domain;
}

DdsDomain::DdsDomain(const DomainOptions& options) : options_(options) {
  const auto id = static_cast<dds_domainid_t>(options.id);
  if (options.localOnly) {
    domain_ = dds_create_domain(id, kLocalOnly);
    if (domain_ < 0)
      throw Error(ddsError("DDS cannot be started in domain " + std::to_string(options.id), domain_), {},
                  "give another 'domain'");
  }
  dds_qos_t* qos = dds_create_qos();
  constexpr std::string_view kEnclave = "enclave=/;";  // What participants of ROS 2 say of themselves.
  dds_qset_userdata(qos, kEnclave.data(), kEnclave.size());
  participant_ = dds_create_participant(id, qos, nullptr);
  dds_delete_qos(qos);
  if (participant_ >= 0) return;
  const std::string message = ddsError("DDS cannot be started in domain " + std::to_string(options.id), participant_);
  if (domain_ > 0) dds_delete(domain_);
  throw Error(message, {}, "see what CYCLONEDDS_URI says, or set localhost_only: true to use this computer alone");
}

DdsDomain::~DdsDomain() {
  dds_delete(participant_);
  if (domain_ > 0) dds_delete(domain_);
}

}  // namespace mortise::ros2
