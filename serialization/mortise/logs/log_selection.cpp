#include "mortise/logs/log_selection.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "mortise/base/value_text.h"
#include "mortise/text/suggest.h"

namespace mortise::logs {

void checkSelection(const mcap::Reader& reader, const std::vector<std::string>& topics, double start, double end) {
  std::vector<std::string> known;
  for (const auto& [id, channel] : reader.channels()) known.push_back(channel.topic);
  for (const std::string& topic : topics)
    if (std::find(known.begin(), known.end(), topic) == known.end()) {
      const std::string near = didYouMean(topic, known);
      throw Error("there is no topic '" + topic + "'", inFile(reader.path()),
                  (near.empty() ? "" : near + " ") + listNames(known));
    }
  const mcap::Statistics& statistics = reader.statistics();
  if (statistics.messageCount == 0) return;
  const double first = 1e-9 * static_cast<double>(statistics.startTime),
               last = 1e-9 * static_cast<double>(statistics.endTime);
  if (start <= last + 5e-10 && end >= first - 5e-10) return;
  const auto seconds = [](double time) { return formatReal(time, 9) + " s"; };
  throw Error("holds nothing " + (start > last ? "from " + seconds(start) + " on" : "up to " + seconds(end)) +
                  ": it lasts from " + seconds(first) + " to " + seconds(last),
              inFile(reader.path()), "name times within it");
}

}  // namespace mortise::logs
