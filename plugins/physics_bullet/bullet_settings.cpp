#include "bullet_settings.h"

namespace mortise::bullet {

void BulletSettings::bind(SettingBinder& b) {
  b.choice("articulation", maximal, {{"reduced", false}, {"maximal", true}},
           "How robots are modeled: by joint positions (reduced), or as rigid bodies with joints that the solver holds "
           "together (maximal).");
  b.add("iterations", iterations, "Maximum sweeps of the contact solver per step.", {.min = 1, .max = 100000});
  b.add("erp", erp, "Fraction of the position error of a joint or joint stop that is corrected in a step.",
        {.min = 0, .max = 1});
  b.add("contact_erp", contactErp, "Fraction of a rigid contact's penetration that is corrected in a step.",
        {.min = 0, .max = 1, .aliases = {"contactErp"}});
  b.add("cfm", cfm, "Constraint force mixing of rigid contacts and of joints between free bodies. Absent: the world's.",
        {.min = 0});
  b.add("tolerance", tolerance, "The solver is done when no contact changes its velocity by more in a sweep.",
        {.min = 0, .unit = "m/s"});
  b.add("warm_start", warmStart, "Scaling factor of the last step's contact impulses that the solver starts from.",
        {.min = 0, .max = 1, .aliases = {"warmStart"}});
  b.add("bounce_speed", bounceSpeed, "Contacts that close slower than this do not bounce.",
        {.min = 0, .unit = "m/s", .aliases = {"bounceSpeed"}});
  b.add("max_correction_speed", maxCorrectionSpeed, "Maximum speed at which penetration is pushed out.",
        {.min = 0, .unit = "m/s", .aliases = {"maxCorrectionSpeed"}});
  b.add("margin", margin,
        "Layer around convex hulls and triangle meshes that Bullet's distance queries need; counts as solid against "
        "round "
        "shapes and meshes, not between boxes and hulls.",
        {.min = 0, .max = 0.1, .unit = "m"});
  const std::vector<std::pair<std::string, MovingMeshes>> meshes = {{"hull", MovingMeshes::hull},
                                                                    {"gimpact", MovingMeshes::gimpact}};
  b.choice("moving_meshes", objectMeshes, meshes, "Non-convex meshes of objects that move.",
           {.aliases = {"movingMeshes"}});
  b.choice("robot_meshes", robotMeshes, meshes, "Non-convex meshes of robot links.", {.aliases = {"robotMeshes"}});
}

}  // namespace mortise::bullet
