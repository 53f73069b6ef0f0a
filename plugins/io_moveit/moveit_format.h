#pragma once

#include <string_view>

#include "mortise/component/file_format.h"
#include "problem_files.h"

namespace mortise::io_moveit {

/// Folders of planning problems in the formats of MoveIt (`problem_set.h`). The settings name files in place of those
/// of the folder, or all of them when there is no folder.
class MoveItFormat final : public FileFormat {
 public:
  explicit MoveItFormat(const ComponentContext& context) : settings_(context.settings) {}

  double probe(std::string_view path, std::string_view head) const override;
  Resource read(FileContent content, ReadContext& context) override;

 private:
  Settings<MoveItSettings> settings_;
};

}  // namespace mortise::io_moveit
