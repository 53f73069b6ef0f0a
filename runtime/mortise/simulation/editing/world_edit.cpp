#include "mortise/simulation/editing/world_edit.h"

#include <algorithm>
#include <vector>

#include "mortise/base/value_text.h"
#include "mortise/json/json_writer.h"
#include "mortise/simulation/context/recorded_settings.h"

namespace mortise {

namespace {

constexpr const char* kForms =
    "write edit: {body: NAME, position: [0, 0, 1], mass: 2 kg, friction: 0.3}, {body: ROBOT, driver: NAME, servo_p: "
    "100}, {add: NAME, box: [0.1, 0.1, 0.1], mass: 1 kg, position: [0, 0, 1]} or {remove: NAME}";

Error wrong(const std::string& message, const Value& value, const char* key = nullptr) {
  const Value* at = key != nullptr && value.isMap() ? value.find(key) : nullptr;
  return Error(message, at != nullptr && at->position().known() ? at->position() : value.position(), kForms);
}

/// Checks a change of something that is there.
void checkBody(const WorldEdit& edit, const Value& value) {
  for (const char* key : {"box", "sphere", "cylinder", "file"})
    if (edit.record().contains(key))
      throw wrong(std::string("'") + key + "' is the shape of an object that comes: it goes with 'add'", value, key);
  if (edit.changesGains() && edit.driver.isNull())
    throw wrong("'servo_p', 'servo_i' and 'servo_d' are gains of a 'driver', which is missing", value);
  if (!edit.changesGains() && !edit.driver.isNull())
    throw wrong("nothing of the driver changes: 'servo_p', 'servo_i' or 'servo_d' is missing", value, "driver");
  if (!edit.configuration.isNull() && (edit.position || edit.rotation || edit.velocity || edit.angularVelocity))
    throw wrong("'configuration' says where all of a robot is, and excludes 'position', 'rotation' and velocities",
                value, "configuration");
  if (!edit.places() && !edit.changesWorld()) throw wrong("nothing changes", value);
}

/// Checks an object that comes.
void checkAdded(const WorldEdit& edit, const Value& value) {
  if (edit.add->empty()) throw wrong("an object that comes needs a name", value, "add");
  const int shapes = (edit.box ? 1 : 0) + (edit.sphere ? 1 : 0) + (edit.cylinder ? 1 : 0) + (edit.file ? 1 : 0);
  if (shapes != 1)
    throw wrong("an object that comes has one shape: 'box', 'sphere', 'cylinder' or 'file'", value, "add");
  if (!edit.mass && !edit.file) throw wrong("an object that comes needs a 'mass'", value, "add");
  if (!edit.driver.isNull() || edit.changesGains() || !edit.configuration.isNull())
    throw wrong("a rigid object has no drivers and no configuration", value, "add");
  if (edit.box && !(edit.box->minCoeff() > 0)) throw wrong("the edges of a box are above 0 m", value, "box");
  if (edit.cylinder && !(std::min((*edit.cylinder)[0], (*edit.cylinder)[1]) > 0))
    throw wrong("radius and height of a cylinder are above 0 m", value, "cylinder");
}

}  // namespace

void WorldEdit::bind(SettingBinder& b) {
  b.add("body", body, "What changes: an object, a terrain, a robot or a link such as arm[elbow].");
  b.add("add", add, "Name of a rigid object that comes.");
  b.add("remove", remove, "The rigid object that goes.");
  b.add("position", position, "Where an object, or a robot's floating base, is from then on.", {.unit = "m"});
  b.add("rotation", rotation, "Its roll, pitch and yaw.", {.unit = "rad"});
  b.add("velocity", velocity, "Its velocity; by default that of before.", {.unit = "m/s"});
  b.add("angular_velocity", angularVelocity, "Its angular velocity; by default that of before.", {.unit = "rad/s"});
  b.add("configuration", configuration, "Configuration of a robot from then on; it is at rest there.");
  b.add("mass", mass, "Mass of an object or a link; its inertia follows in proportion.",
        {.min = 1e-9, .max = 1e9, .unit = "kg"});
  b.add("friction", friction, "Friction of the surface.", {.min = 0});
  b.add("restitution", restitution, "Restitution of the surface.", {.min = 0, .max = 1});
  b.add("stiffness", stiffness, "Stiffness of each contact point of the surface.", {.min = 0, .unit = "N/m"});
  b.add("damping", damping, "Damping of each contact point of the surface.", {.min = 0, .unit = "N*s/m"});
  b.add("driver", driver, "Driver of the robot, by name or index, whose servo gets other gains.");
  b.add("servo_p", servoP, "Gain of its servo, for the position.", {.min = 0});
  b.add("servo_i", servoI, "Gain of its servo, for the integral.", {.min = 0});
  b.add("servo_d", servoD, "Gain of its servo, for the velocity.", {.min = 0});
  b.add("box", box, "Edges of a box that comes, about its origin.", {.unit = "m"});
  b.add("sphere", sphere, "Radius of a sphere that comes, about its origin.", {.min = 1e-9, .unit = "m"});
  b.add("cylinder", cylinder, "Radius and height of a cylinder that comes, about its origin, along z.", {.unit = "m"});
  b.add("file", file, "File of a rigid object, or of a shape, that comes.");
}

Value WorldEdit::record() const { return recordedSettings(*this); }

std::string WorldEdit::text() const {
  std::string what = "edit ";
  Value rest = record();
  if (add) {
    what += "add " + *add;
  } else if (!remove.isNull()) {
    what += "remove " + remove.text();
  } else {
    what += body.text();
  }
  for (const char* key : {"add", "remove", "body"}) rest.erase(key);
  std::string keys;
  for (const Value::Entry& entry : rest.entries())
    keys += (keys.empty() ? ": " : ", ") + entry.key + " " +
            (entry.value.isScalar() ? entry.value.text() : toJson(entry.value, -1));
  return what + keys;
}

WorldEdit worldEditFrom(const Value& value) {
  if (!value.isMap()) throw wrong("an edit is a map", value);
  auto edit = readSettings<WorldEdit>(value, "an edit");
  const int forms = (edit.body.isNull() ? 0 : 1) + (edit.add ? 1 : 0) + (edit.remove.isNull() ? 0 : 1);
  if (forms != 1) throw wrong("an edit has one of the keys 'body', 'add' and 'remove'", value);
  if (edit.add)
    checkAdded(edit, value);
  else if (!edit.body.isNull())
    checkBody(edit, value);
  else if (edit.record().size() != 1)
    throw wrong("of an object that goes nothing else can change", value, "remove");
  return edit;
}

}  // namespace mortise
