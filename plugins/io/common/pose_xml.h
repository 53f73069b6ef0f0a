#pragma once

#include "mortise/model/placement.h"
#include "text/xml_file.h"

namespace mortise::io {

/// The pose that an element's attributes describe: translation or position (translation wins), rotateRPY, rotateMoment,
/// rotateX, rotateY, rotateZ, whatever their order. With `scaled` also `scale`, one number or three.
Placement readPlacement(XmlElement& element, bool scaled);
/// Warns about an angle of more than a turn, which is seldom meant: files give radians.
void doubtAngle(XmlElement& element, const char* attribute, double angle);
void writePlacement(const Placement& placement, tinyxml2::XMLElement& element);

/// Numbers with blanks between them, each with the fewest digits that read back to the same bits.
std::string realsText(const double* values, int count);
inline std::string vectorText(const Vector3d& v) { return realsText(v.data(), 3); }

}  // namespace mortise::io
