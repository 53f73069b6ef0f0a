#pragma once

/// State that OMPL shares between all who use it in a process: random seeds and the log.

#include <mutex>
#include <random>

#include "mortise/base/random.h"
#include "mortise/component/host.h"
#include "seed_source.h"

namespace mortise::ompl_planners {

/// While one exists, what OMPL does on this thread takes its seeds from `random` and its messages go to the log of
/// `host`: errors as warnings, everything else as debugging; to nobody when there is no host. Where OMPL was loaded
/// before the plugin, and its generators cannot be given seeds one by one, sessions wait for each other and seed OMPL's
/// own generator of seeds. It gives the same ones.
class OmplSession final : private ompl_random::SeedSource {
 public:
  OmplSession(RandomStream& random, Host* host);
  ~OmplSession() override;
  OmplSession(const OmplSession&) = delete;
  OmplSession& operator=(const OmplSession&) = delete;

 private:
  std::uint32_t nextSeed() override;

  /// The generator with which OMPL makes seeds.
  std::ranlux24_base seeds_;
  ompl_random::SeedSource* before_ = nullptr;
  Host* hostBefore_ = nullptr;
  bool mutedBefore_ = false;
  std::unique_lock<std::recursive_mutex> alone_;
};

}  // namespace mortise::ompl_planners
