#include "mortise/mechanics/contact_source.h"

#include "mortise/base/error.h"

namespace mortise {

void ContactSourceSettings::bind(SettingBinder& b) {
  b.add("stance", stance, "A .stance, .hold or .grasp file with the contacts.", {.aliases = {"grasp"}});
  b.add(
      "contacts", contacts,
      "A YAML or JSON file with a list of contacts, {point: [x, y, z], normal: [x, y, z], friction: 0.5, link: NAME}, "
      "or a file as of `stance`.");
  b.add("touch", touch, "Surfaces that are no farther apart touch, where a world has the contacts.",
        {.min = 0, .unit = "m"});
  b.add("friction", friction, "Coefficient of all contacts, in place of the file's or the world's.",
        {.min = 0, .aliases = {"kFriction"}, .infinite = true});
}

bool ContactSourceSettings::inFile(const SourcePosition& where) const {
  if (stance && contacts) throw Error("'stance' and 'contacts' exclude each other", where, "keep one");
  return stance || contacts;
}

ContactFile ContactSourceSettings::read(ResourceLoader& loader, const RobotDynamics& dynamics, Diagnostics& diagnostics,
                                        const std::string& referringFile) const {
  return readContactFile(loader, stance ? *stance : contacts.value(), dynamics, friction, diagnostics, referringFile);
}

WorldContactOptions ContactSourceSettings::inWorld() const {
  WorldContactOptions options;
  options.touch = touch;
  options.friction = friction;
  return options;
}

}  // namespace mortise
