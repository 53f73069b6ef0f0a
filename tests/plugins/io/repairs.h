#pragma once

/// Every kind of place where readers repair, skip, default or guess, with a small file that has it.

#include <string>
#include <vector>

#include "mortise/component/file_content.h"

namespace mortise::test {

struct Repair {
  std::string kind;  ///< What it is called in the tests.
  FileContent content;
  std::string file;  ///< Its extension chooses the reader.
  std::string text;
  std::string said;  ///< In the message, and in the source that says it.
  /// Where the message points to; 0: the whole file.
  int line = 0;
};

inline std::string urdfOf(const std::string& more) {
  return "<robot name=\"r\">\n<link name=\"base\"/>\n" + more + "\n</robot>\n";
}

/// A link 'a' that hangs at 'base' by joint 'j'.
inline std::string hangingLink(const std::string& link, const std::string& joint, const char* type = "revolute") {
  return "<link name=\"a\">" + link + "</link>\n<joint name=\"j\" type=\"" + type +
         "\"><parent link=\"base\"/><child link=\"a\"/>" + joint + "</joint>";
}

inline std::string worldOf(const std::string& inside) { return "<world>\n" + inside + "\n</world>\n"; }

inline const std::vector<Repair>& repairs() {
  static const std::string inertial =
      "<inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>";
  static const std::string axis = "<axis xyz=\"0 0 1\"/>";
  static const std::string limit = "<limit lower=\"-1\" upper=\"1\" effort=\"3\" velocity=\"1\"/>";
  static const std::string cloud =
      "FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 2\nHEIGHT 1\nPOINTS 2\nDATA ascii\n0 0 0\n";
  static const std::string triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  static const std::vector<Repair> all = {
      {"urdf_inertia_terms", FileContent::robot, "a.urdf",
       urdfOf(hangingLink("<inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" iyz=\"0\" iyy=\"1\" "
                          "izz=\"1\"/></inertial>",
                          axis + limit)),
       "'; it is taken as 0", 3},
      {"urdf_limits_swapped", FileContent::robot, "a.urdf",
       urdfOf(hangingLink(inertial, axis + "<limit lower=\"1\" upper=\"-1\" effort=\"3\" velocity=\"1\"/>")),
       "the lower limit lies above the upper limit", 4},
      {"urdf_effort_negative", FileContent::robot, "a.urdf",
       urdfOf(hangingLink(inertial, axis + "<limit lower=\"-1\" upper=\"1\" effort=\"-3\" velocity=\"1\"/>")),
       " is negative; it is taken as unlimited", 4},
      {"urdf_limit_incomplete", FileContent::robot, "a.urdf",
       urdfOf(hangingLink(inertial, axis + "<limit lower=\"-1\" upper=\"1\" velocity=\"1\"/>")), "'; it is unlimited",
       4},
      {"urdf_axis_length", FileContent::robot, "a.urdf", urdfOf(hangingLink(inertial, "<axis xyz=\"0 2 0\"/>" + limit)),
       "; other programs normalize the axis", 4},
      {"urdf_prismatic_unlimited", FileContent::robot, "a.urdf", urdfOf(hangingLink(inertial, axis, "prismatic")),
       "' is prismatic and has no <limit>; it is unlimited", 4},
      {"urdf_materials_twice", FileContent::robot, "a.urdf",
       urdfOf("<material name=\"m\"><color rgba=\"1 0 0 1\"/></material>\n"
              "<material name=\"m\"><color rgba=\"0 1 0 1\"/></material>"),
       "there are two materials '", 4},
      {"urdf_color_incomplete", FileContent::robot, "a.urdf",
       urdfOf("<material name=\"m\">\n<color rgba=\"1 0\"/></material>"),
       "<color> is not a color: expected rgba=\"RED GREEN BLUE OPACITY\", from 0 to 1; it is not used", 4},
      {"urdf_color_too_bright", FileContent::robot, "a.urdf",
       urdfOf("<material name=\"m\">\n<color rgba=\"255 0 0 1\"/></material>"),
       "a color has numbers that are not from 0 to 1; the nearest that are are taken", 4},
      {"urdf_texture_without_file", FileContent::robot, "a.urdf",
       urdfOf("<material name=\"m\">\n<texture filename=\"\"/></material>"), "<texture> names no file; it is not used",
       4},
      // Meshes that are their own libraries of materials.
      {"wavefront_materials_twice", FileContent::library, "a.obj", "mtllib a.obj\nnewmtl a\nnewmtl a\n" + triangle,
       "'; the first one is taken", 3},
      {"wavefront_color_incomplete", FileContent::library, "a.obj", "mtllib a.obj\nnewmtl a\nKd x\n" + triangle,
       "'Kd' is not a color (red, green and blue from 0 to 1); it is not used", 3},
      {"wavefront_materials_missing", FileContent::library, "a.obj", "mtllib gone.mtl\n" + triangle,
       "the materials of '", 1},
      {"wavefront_texture_missing", FileContent::library, "a.obj",
       "mtllib a.obj\nnewmtl a\nmap_Kd gone.png\n" + triangle, "the texture '", 3},
      {"wavefront_coordinates_not_finite", FileContent::library, "a.obj", "vt nan nan\n" + triangle,
       "texture coordinates are not finite; 0 is taken", 1},
      {"wavefront_material_unknown", FileContent::library, "a.obj", "mtllib a.obj\nnewmtl a\nusemtl b\n" + triangle,
       "no material is called '", 3},
      {"urdf_mimic_absent", FileContent::robot, "a.urdf",
       urdfOf(hangingLink(inertial, axis + limit + "<mimic joint=\"nix\"/>")), "' to follow; the joint '", 4},
      {"urdf_mimic_zero", FileContent::robot, "a.urdf",
       urdfOf(hangingLink(inertial, axis + limit) + "\n<link name=\"b\">" + inertial +
              "</link>\n<joint name=\"k\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/>" + axis + limit +
              "<mimic joint=\"j\" multiplier=\"0\"/></joint>"),
       "' follows with the multiplier 0; it is fixed", 6},
      {"urdf_mimic_limits", FileContent::robot, "a.urdf",
       urdfOf(hangingLink(inertial, axis + limit) + "\n<link name=\"b\">" + inertial +
              "</link>\n<joint name=\"k\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/>" + axis +
              "<limit lower=\"5\" upper=\"6\" effort=\"3\" velocity=\"1\"/><mimic joint=\"j\"/></joint>"),
       "' leave the joint it follows nowhere to go; they do not count", 6},
      {"urdf_mesh_unnamed", FileContent::robot, "a.urdf",
       urdfOf(
           hangingLink(inertial + "<collision><geometry><mesh filename=\"\"/></geometry></collision>", axis + limit)),
       "<mesh> names no file; the shape is left out", 3},
      {"urdf_klampt_twice", FileContent::robot, "a.urdf",
       urdfOf(hangingLink(inertial, axis + limit) + "\n<klampt/>\n<klampt/>"),
       "only the first <klampt> counts; this one is ignored", 6},
      {"urdf_klampt_sensors_twice", FileContent::robot, "a.urdf",
       urdfOf(hangingLink(inertial, axis + limit) + "\n<klampt>\n<sensors><JointPositionSensor name=\"q\"/></sensors>\n"
                                                    "<sensors/></klampt>"),
       " already; this element is ignored", 7},
      {"urdf_klampt_link_absent", FileContent::robot, "a.urdf",
       urdfOf(hangingLink(inertial, axis + limit) + "\n<klampt>\n<link name=\"nix\" physical=\"0\"/></klampt>"),
       "'; these settings are ignored", 6},
      {"rob_rotation", FileContent::robot, "a.rob",
       "links \"a\"\nparents -1\nTParent 2 0 0 0 1 0 0 0 1 0 0 0\nmass 1\n", "; it is used as it is", 3},
      {"rob_scaled_sensors", FileContent::robot, "a.rob",
       "links \"a\"\nparents -1\nTParent 1 0 0 0 1 0 0 0 1 0 0 0\nmass 1\nscale 2\n"
       "property sensors <sensors><JointPositionSensor name=\"q\"/></sensors>\n",
       "'scale' leaves the places of the robot's sensors as they are written"},
      {"world_attribute", FileContent::world, "a.xml", worldOf("<terrain file=\"cube.off\" foo=\"1\"/>"),
       "'; it is ignored", 2},
      {"world_element", FileContent::world, "a.xml", worldOf("<terrain file=\"cube.off\"><foo/></terrain>"),
       "; it is ignored", 2},
      {"world_object_element", FileContent::world, "a.xml",
       worldOf("<object name=\"o\"><geometry file=\"cube.off\"/><physics mass=\"1\"/></object>"),
       "<object> is read as <rigidObject>; Klamp't passes over it here", 2},
      {"world_state_twice", FileContent::world, "a.xml", worldOf("<state data=\"AA==\"/>\n<state data=\"AA==\"/>"),
       "only one <state> counts: the first, or that of <simulation>", 3},
      {"world_simulation_twice", FileContent::world, "a.xml", worldOf("<simulation/>\n<simulation/>"),
       "only the first <simulation> counts", 3},
      {"world_texture_projection", FileContent::world, "a.xml",
       worldOf("<terrain file=\"cube.off\"><display texture_projection=\"foo\"/></terrain>"),
       "' is no texture projection; xy is taken", 2},
      {"world_translate_twice", FileContent::world, "a.xml",
       worldOf("<rigidObject name=\"o\"><geometry file=\"cube.off\" translation=\"0 0 1\" translate=\"0 0 "
               "2\"/><physics mass=\"1\"/></rigidObject>"),
       "<geometry> has both 'translation' and 'translate'; the second is ignored", 2},
      {"world_index_absent", FileContent::world, "a.xml",
       worldOf("<terrain file=\"cube.off\"/>\n<simulation>\n<terrain index=\"5\"><geometry "
               "kFriction=\"1\"/></terrain></simulation>"),
       " with index ", 4},
      {"world_name_absent", FileContent::world, "a.xml",
       worldOf("<terrain file=\"cube.off\"/>\n<simulation>\n<terrain name=\"nix\"><geometry "
               "kFriction=\"1\"/></terrain></simulation>"),
       "'; the entry is ignored", 4},
      {"world_preshrink_everywhere", FileContent::world, "a.xml",
       worldOf("<terrain file=\"cube.off\"/>\n<simulation>\n<terrain index=\"0\"><geometry padding=\"0.001\" "
               "preshrink=\"2\"/></terrain></simulation>"),
       "<geometry> preshrink: 2 shrinks the shape in simulation alone, as 1 does; planning and pictures keep the whole "
       "shape",
       4},
      {"terrain_friction_key", FileContent::terrain, "a.env", "mesh \"cube.off\"\nfriction 0.5\n",
       "'friction' is read as 'kFriction'; Klamp't writes the one and reads the other", 2},
      {"primitive_trailing", FileContent::geometry, "a.geom", "Sphere 0 0 0 1\nfoo\n",
       "what follows the primitive is ignored", 2},
      {"group_trailing", FileContent::geometry, "a.group", "Group\n1\nPrimitive\nPoint 1 2 3\nfoo\n",
       "what follows the last part is ignored", 5},
      {"grid_trailing", FileContent::geometry, "a.vol", "0 0 0\n1 1 1\n1 1 1\n0.5\nfoo\n",
       "what follows the grid is ignored", 5},
      {"stl_header_only", FileContent::geometry, "a.stl", std::string(80, 'x'),
       "the file ends behind its header; it is read as a mesh without triangles"},
      {"cloud_version", FileContent::geometry, "a.pcd", "VERSION 0.5\n" + cloud + "1 1 1\n",
       "this is not version 0.7 of the format; it is read as if it were", 1},
      {"cloud_points_left_out", FileContent::geometry, "a.pcd", "VERSION 0.7\n" + cloud + "nan nan nan\n",
       " points without finite coordinates are left out", 9},
      {"vector_trailing", FileContent::configuration, "a.config", "2 0 1\nfoo\n",
       "what follows the first vector is ignored", 2},
      {"numbers_trailing", FileContent::vector3, "a.vector3", "1 2 3\nfoo\n", "what follows is ignored", 2},
      {"hold_trailing", FileContent::hold, "a.hold",
       "begin hold\nlink = 1\ncontacts = 0 0 0  0 0 1  0.5\nposition = 0 0 0  0 0 0\nend\nfoo\n",
       "what follows 'end' is ignored", 6},
      {"hold_key_twice", FileContent::hold, "a.hold",
       "begin hold\nlink = 1\nlink = 2\ncontacts = 0 0 0  0 0 1  0.5\nposition = 0 0 0  0 0 0\nend\n",
       "' is given twice; the last one counts", 3},
      {"hold_without_point", FileContent::hold, "a.hold", "begin hold\nlink = 1\ncontacts = 0 0 0  0 0 1  0.5\nend\n",
       "the hold keeps no point in place; Klamp't does not read it", 1},
      {"library_type_unknown", FileContent::library, "a.xml",
       "<resource_library>\n<Foo name=\"a\">1</Foo>\n</resource_library>\n", "there is no resource of type <", 2},
  };
  return all;
}

}  // namespace mortise::test
