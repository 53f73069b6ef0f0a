// What files say that bodies look like: materials, textures, colors, and how worlds are drawn with them.

#include "io_test.h"
#include "mortise/appearance/drawn_world.h"
#include "mortise/images/png_image.h"
#include "mortise/logs/log_scene.h"

namespace mortise::test {
namespace {

/// A square in two triangles, with texture coordinates, the halves in two materials.
constexpr const char* kSquareObj = R"(mtllib square.mtl
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
vt 0 0
vt 1 0
vt 1 1
vt 0 1
usemtl red
f 1/1 2/2 3/3
usemtl wood
f 1/1 3/3 4/4
)";
constexpr const char* kSquareMtl = "newmtl red\nKd 1 0 0\nd 0.5\nnewmtl wood\nKd 0 0 0\nmap_Kd -s 1 1 1 wood.png\n";

class Looks : public IoTest {
 protected:
  void SetUp() override {
    IoTest::SetUp();
    write("wood.png", colorPng(1, 1, std::vector<std::uint32_t>{0x804020}));
  }

  /// The appearance that a mesh file gives; null where it is nothing but a shape.
  VisualShapePtr appearance(const std::string& file) {
    LinkVisual visual;
    visual.mesh = file;
    return files.mesh(visual).appearance;
  }
  std::string saidBy(const std::string& part) const {
    std::string all;
    for (const std::string& each : said)
      if (each.find(part) != std::string::npos) all += each + "\n";
    return all;
  }
  bool wasRead(const std::string& name) const {
    for (const std::string& file : loader.filesRead())
      if (file.ends_with("/" + name)) return true;
    return false;
  }

  std::vector<std::string> said;
  VisualFiles files{loader, [this](const std::string& message) { said.push_back(message); }};
};

TEST_F(Looks, OfWavefrontFilesArePartsByMaterial) {
  write("square.mtl", kSquareMtl);
  const VisualShapePtr shape = appearance(write("square.obj", kSquareObj));
  ASSERT_NE(shape, nullptr);
  ASSERT_EQ(shape->size(), 2U);
  EXPECT_EQ((*shape)[0].material->color, (Rgba{1, 0, 0, 0.5f}));
  EXPECT_EQ((*shape)[0].material->texture, nullptr);
  ASSERT_NE((*shape)[1].material->texture, nullptr);
  EXPECT_EQ((*shape)[1].material->color, (Rgba{1, 1, 1, 1})) << "a black color under a map means nothing";
  EXPECT_EQ((*shape)[1].data->textureCoordinates[0], Eigen::Vector2f(0, 1)) << "from the upper left corner";
  EXPECT_TRUE(said.empty()) << said.front();
  // The shape that collides is what it was.
  EXPECT_EQ(geometry(path("square.obj"))->numVertices(), 4);
}

TEST_F(Looks, MissingOnesAreSaidOnceWithTheirLine) {
  write("square.mtl", "newmtl red\nKd 1 0 0\nnewmtl wood\nKd 0 1 0\nmap_Kd gone.png\nmap_Kd gone.png\n");
  const VisualShapePtr shape = appearance(write("square.obj", kSquareObj));
  ASSERT_NE(shape, nullptr);
  EXPECT_EQ((*shape)[1].material->color, (Rgba{0, 1, 0, 1})) << "it keeps its color";
  EXPECT_EQ((*shape)[1].material->texture, nullptr);
  EXPECT_NE(saidBy("gone.png").find("square.mtl:5"), std::string::npos) << saidBy("");
  appearance(path("square.obj"));
  EXPECT_EQ(said.size(), 2U) << "one a line of the file, and nothing when it is drawn again";
}

TEST_F(Looks, AWavefrontFileWithoutItsMaterialsIsDrawn) {
  const VisualShapePtr shape = appearance(write("square.obj", kSquareObj));
  ASSERT_NE(shape, nullptr);
  EXPECT_EQ(shape->size(), 1U);
  EXPECT_FALSE(shape->front().material);
  EXPECT_NE(saidBy("square.mtl").find("square.obj:1"), std::string::npos) << saidBy("");
}

TEST_F(Looks, HostileMaterialsAreNoCatastrophe) {
  // A library that names itself and the mesh, one that is the mesh, and a material that stands there twice.
  write("square.mtl",
        "mtllib square.mtl\nnewmtl red\nKd 1 0 0\nnewmtl red\nKd 0 0 1\nKd nan nan nan\nnewmtl wood\nd x\nmap_Kd\n");
  std::string mesh = kSquareObj;
  mesh.insert(0, "mtllib square.obj\n");
  mesh += "vt nan nan\nvt 1e300 0\nf 1/5 2/6 3/99\nusemtl nobody\nf 1/1 2/2 4/4\n";
  const VisualShapePtr shape = appearance(write("square.obj", mesh));
  ASSERT_NE(shape, nullptr);
  EXPECT_EQ(shape->front().material->color, (Rgba{1, 0, 0, 1})) << "the first of a name";
  EXPECT_NE(saidBy("two materials 'red'"), "");
  EXPECT_NE(saidBy("not finite"), "");
  EXPECT_NE(saidBy("'nobody'"), "");
  for (const VisualMesh& part : *shape)
    for (const Eigen::Vector2f& at : part.data->textureCoordinates) EXPECT_TRUE(at.allFinite());
}

TEST_F(Looks, TexturesThatAreTooLargeOrNoImagesAreRefused) {
  std::string large = colorPng(1, 1, std::vector<std::uint32_t>{0});
  large[16] = '\x10';
  write("wood.png", large);
  write("square.mtl", kSquareMtl);
  EXPECT_EQ((*appearance(write("square.obj", kSquareObj)))[1].material->texture, nullptr);
  EXPECT_NE(saidBy("more than textures may have"), "");
  write("wood2.png", "GIF89a");
  write("second.mtl", "newmtl wood\nmap_Kd wood2.png\n");
  appearance(write("second.obj", "mtllib second.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl wood\nf 1/1 2/1 3/1\n"));
  EXPECT_NE(saidBy("neither PNG nor JPEG"), "");
}

TEST_F(Looks, ColorsOfOffFiles) {
  const VisualShapePtr vertices =
      appearance(write("a.off", "COFF\n3 1 0\n0 0 0 255 0 0 255\n1 0 0 0 255 0 128\n0 1 0 0 0 255 255\n3 0 1 2\n"));
  ASSERT_NE(vertices, nullptr);
  EXPECT_EQ(vertices->front().data->colors[1], (Rgba{0, 1, 0, 128.0f / 255}));
  const VisualShapePtr faces =
      appearance(write("b.off", "OFF\n4 2 0\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n3 0 1 2 0.5 0.25 1.0\n3 1 3 2 1.0 0 0\n"));
  ASSERT_NE(faces, nullptr);
  ASSERT_EQ(faces->front().data->vertices.size(), 6U) << "each face has its own";
  EXPECT_EQ(faces->front().data->colors[0], (Rgba{0.5f, 0.25f, 1, 1}));
  EXPECT_EQ(appearance(write("c.off", kCubeOff)), nullptr) << "nothing but a shape";
}

TEST_F(Looks, ColorsOfPlyFiles) {
  const std::string head =
      "ply\nformat ascii 1.0\ncomment TextureFile wood.png\nelement vertex 3\nproperty float x\n"
      "property float y\nproperty float z\nproperty uchar red\nproperty uchar green\n"
      "property uchar blue\nproperty float s\nproperty float t\n";
  const std::string body = "0 0 0 255 0 0 0 0\n1 0 0 0 255 0 1 0\n0 1 0 0 0 51 0 1\n";
  const VisualShapePtr shape = appearance(write(
      "a.ply", head + "element face 1\nproperty list uchar int vertex_indices\nend_header\n" + body + "3 0 1 2\n"));
  ASSERT_NE(shape, nullptr);
  EXPECT_EQ(shape->front().data->colors[2], (Rgba{0, 0, 0.2f, 1}));
  EXPECT_EQ(shape->front().data->textureCoordinates[2], Eigen::Vector2f(0, 0));
  EXPECT_NE(shape->front().material->texture, nullptr);
  const auto cloud = geometry(write("b.ply", head + "end_header\n" + body));
  EXPECT_EQ(cloudColors(*cloud->as<PointCloud>())[1], (Color{0, 1, 0}));
}

constexpr const char* kColladaHead =
    R"(<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<library_images><image id="im"><init_from>wood.png</init_from></image></library_images>
<library_effects><effect id="e"><profile_COMMON>
<newparam sid="s"><surface type="2D"><init_from>im</init_from></surface></newparam>
<newparam sid="t"><sampler2D><source>s</source></sampler2D></newparam>
<technique sid="c"><lambert><diffuse>DIFFUSE</diffuse></lambert></technique></profile_COMMON></effect></library_effects>
<library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="9">0 0 0 1 0 0 0 1 0</float_array><technique_common><accessor source="#pa" count="3" stride="3">
<param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<source id="u"><float_array id="ua" count="6">0 0 1 0 0 1</float_array><technique_common><accessor source="#ua" count="3" stride="2">
<param name="S" type="float"/><param name="T" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1" material="mm"><input semantic="VERTEX" source="#v" offset="0"/><input semantic="TEXCOORD" source="#u" offset="1" set="0"/>
<p>0 0 1 1 2 2</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="vs"><node><instance_geometry url="#g"><bind_material><technique_common>
<instance_material symbol="mm" target="#m"/></technique_common></bind_material></instance_geometry></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#vs"/></scene></COLLADA>
)";

std::string collada(const std::string& diffuse) {
  std::string text = kColladaHead;
  return text.replace(text.find("DIFFUSE"), 7, diffuse);
}

TEST_F(Looks, OfColladaFiles) {
  const VisualShapePtr colored = appearance(write("a.dae", collada("<color>0.25 0.5 0.75 1</color>")));
  ASSERT_NE(colored, nullptr) << saidBy("");
  EXPECT_EQ(colored->front().material->color, (Rgba{0.25f, 0.5f, 0.75f, 1}));
  EXPECT_EQ(colored->front().data->textureCoordinates[2], Eigen::Vector2f(0, 0));
  const std::string textured = collada("<texture texture=\"t\" texcoord=\"UV0\"/>");
  const VisualShapePtr image = appearance(write("b.dae", textured));
  ASSERT_NE(image, nullptr);
  EXPECT_NE(image->front().material->texture, nullptr) << saidBy("");
  std::filesystem::remove(path("wood.png"));
  VisualFiles again{loader, [this](const std::string& message) { said.push_back(message); }};
  LinkVisual visual;
  visual.mesh = path("b.dae");
  EXPECT_EQ(again.mesh(visual).appearance->front().material->texture, nullptr);
  EXPECT_NE(saidBy("wood.png").find("b.dae:2"), std::string::npos) << saidBy("");
}

// ---------------------------------------------------------------------------------------------------------------------
// Robots

constexpr const char* kArmUrdf = R"(<robot name="arm">
<material name="blue"><color rgba="0 0 1 0.5"/></material>
<link name="world"/>
<link name="base">
  <visual><origin xyz="0 0 1"/><geometry><mesh filename="square.obj" scale="2 2 2"/></geometry></visual>
  <visual><geometry><sphere radius="0.5"/></geometry><material name="blue"/></visual>
  <collision><geometry><box size="1 1 1"/></geometry></collision>
</link>
<link name="tip">
  <visual><geometry><mesh filename="cube.off"/></geometry><material name="inline"><color rgba="0.25 0.5 0.75 1"/></material></visual>
  <collision><geometry><mesh filename="cube.off"/></geometry></collision>
</link>
<link name="helper"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<joint name="a" type="fixed"><parent link="world"/><child link="base"/></joint>
<joint name="b" type="continuous"><parent link="base"/><child link="tip"/></joint>
<joint name="c" type="fixed"><parent link="tip"/><child link="helper"/></joint>
</robot>
)";

class RobotLooks : public Looks {
 protected:
  void SetUp() override {
    Looks::SetUp();
    write("square.obj", kSquareObj);
    write("square.mtl", kSquareMtl);
    write("cube.off", kCubeOff);
    write("arm.urdf", kArmUrdf);
    write("arm.xml", "<world><robot file=\"arm.urdf\"/></world>");
  }
  static const DrawnBody& bodyOf(const std::vector<DrawnBody>& bodies, int link) {
    for (const DrawnBody& body : bodies)
      if (body.link == link) return body;
    throw std::out_of_range("no such link");
  }
};

TEST_F(RobotLooks, AreReadWhenSomebodyDraws) {
  const World arm = world(path("arm.xml"));
  ASSERT_FALSE(diagnostics.hasErrors()) << problems();
  EXPECT_FALSE(wasRead("square.obj")) << "which only the visual shapes name";
  EXPECT_TRUE(drawnBodies(arm, nullptr).front().parts.front().visual);
  EXPECT_FALSE(wasRead("square.obj"));
  drawnBodies(arm, &files);
  EXPECT_TRUE(wasRead("square.obj"));
  EXPECT_TRUE(wasRead("wood.png"));
}

TEST_F(RobotLooks, StandBesideCollisionShapes) {
  const World arm = world(path("arm.xml"));
  const std::vector<DrawnBody> bodies = drawnBodies(arm, &files);
  const DrawnBody& base = bodyOf(bodies, 0);
  ASSERT_EQ(base.parts.size(), 3U);
  EXPECT_TRUE(base.parts[0].collision);
  EXPECT_FALSE(base.parts[0].visual);
  EXPECT_FALSE(base.parts[1].collision);
  ASSERT_NE(base.parts[1].appearance, nullptr);
  EXPECT_EQ(boundsOf(*base.parts[1].appearance).max, Vector3d(2, 2, 1)) << "scaled, then moved";
  EXPECT_FALSE(base.parts[1].defaultColor);
  EXPECT_EQ(base.parts[2].material.color, (Rgba{0, 0, 1, 0.5f}));
  const DrawnBody& tip = bodyOf(bodies, 1);
  ASSERT_EQ(tip.parts.size(), 1U) << "one shape for both";
  EXPECT_TRUE(tip.parts[0].visual && tip.parts[0].collision);
  EXPECT_EQ(tip.parts[0].material.color, (Rgba{0.25f, 0.5f, 0.75f, 1}));
  EXPECT_EQ(tip.parts[0].geometry, arm.robots[0].robot->link(1).geometry);
  const DrawnBody& helper = bodyOf(bodies, 2);
  ASSERT_EQ(helper.parts.size(), 1U);
  EXPECT_FALSE(helper.parts[0].visual) << "the file shows nothing of it";
  EXPECT_TRUE(said.empty()) << said.front();
}

TEST_F(RobotLooks, DisplayOfTheWorldWins) {
  write("red.xml", "<world><robot file=\"arm.urdf\"><display link=\"base\" color=\"1 0 0\"/></robot></world>");
  const std::vector<DrawnBody> bodies = drawnBodies(world(path("red.xml")), &files);
  for (const VisualMesh& mesh : drawnMeshes(bodyOf(bodies, 0).parts[1], bodyOf(bodies, 0).style, {}))
    EXPECT_EQ(mesh.material->color, (Rgba{1, 0, 0, 1}));
  EXPECT_EQ(bodyOf(bodies, 1).parts[0].material.color, (Rgba{0.25f, 0.5f, 0.75f, 1}));
}

TEST_F(RobotLooks, AMissingMeshIsSaidOnceAndTheShapeIsDrawn) {
  std::filesystem::remove(path("square.obj"));
  write("one.urdf",
        "<robot name='one'><link name='world'/><link name='a'><visual><geometry><mesh filename='gone.dae'/></geometry>"
        "<material name='m'><color rgba='0 1 0 1'/></material></visual>\n<collision><geometry><sphere radius='1'/>"
        "</geometry></collision></link><joint name='j' type='fixed'><parent link='world'/><child "
        "link='a'/></joint></robot>");
  write("one.xml", "<world><robot file=\"one.urdf\"/></world>");
  const World one = world(path("one.xml"));
  const std::vector<DrawnBody> bodies = drawnBodies(one, &files);
  const DrawnPart& part = bodyOf(bodies, 0).parts.at(0);
  EXPECT_TRUE(part.visual && part.collision);
  EXPECT_EQ(part.material.color, (Rgba{0, 1, 0, 1})) << "in the color that it would have";
  drawnBodies(one, &files);
  EXPECT_EQ(said.size(), 1U) << saidBy("");
  EXPECT_NE(saidBy("gone.dae").find("one.urdf:1"), std::string::npos);
}

TEST_F(RobotLooks, SurviveUrdfAndRobFiles) {
  const RobotDescription arm = robot(path("arm.urdf"));
  std::filesystem::create_directories(path("saved"));
  for (const char* name : {"saved/again.urdf", "saved/again.rob"}) {
    loader.write(arm, path(name), diagnostics);
    ASSERT_FALSE(diagnostics.hasErrors()) << problems();
    const RobotDescription again = robot(path(name));
    for (const char* link : {"base", "tip", "helper"}) {
      std::vector<LinkVisual> before = linkVisuals(arm, arm.findLink(link)),
                              after = linkVisuals(again, again.findLink(link));
      ASSERT_EQ(before.size(), after.size()) << name << " " << link;
      for (std::size_t i = 0; i < before.size(); ++i) {
        EXPECT_EQ(before[i].kind, after[i].kind);
        EXPECT_EQ(before[i].color, after[i].color);
        EXPECT_EQ(before[i].size, after[i].size);
        EXPECT_LT((before[i].map.A - after[i].map.A).norm() + (before[i].map.t - after[i].map.t).norm(), 1e-12);
        if (before[i].kind != LinkVisual::Kind::mesh) continue;
        EXPECT_TRUE(std::filesystem::equivalent(loader.find(before[i].mesh, before[i].file),
                                                loader.find(after[i].mesh, after[i].file)))
            << after[i].mesh;
      }
    }
  }
}

TEST_F(RobotLooks, WrongMaterialsAreSaidAndTheRobotIsRead) {
  const std::string text =
      "<robot name='a'><material name='m'><color rgba='1 0'/></material><material name='n'><color rgba='0 1 0 "
      "1'/></material>"
      "<material name='n'><color rgba='1 1 1 7'/></material><material name='t'><texture/></material>"
      "<link name='world'/><link name='b'><visual><geometry><sphere radius='1'/></geometry><material "
      "name='nowhere'/></visual>"
      "</link><joint name='j' type='fixed'><parent link='world'/><child link='b'/></joint></robot>";
  const RobotDescription read = robot(write("a.urdf", text));
  EXPECT_FALSE(diagnostics.hasErrors()) << problems();
  EXPECT_EQ(read.links.size(), 1U);
  for (const char* part :
       {"is not a color", "two materials 'n'", "not from 0 to 1", "names no file", "called 'nowhere'"})
    EXPECT_NE(problems().find(part), std::string::npos) << part << "\n" << problems();
}

TEST_F(RobotLooks, ScenesHaveANodeOfEachKind) {
  const World arm = world(path("arm.xml"));
  const VisualFilesScope scope(files);
  const std::vector<GlbNode> nodes = logs::sceneNodes(arm);
  ASSERT_EQ(nodes.size(), 4U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(nodes[i].collision) << "in the order of ids, as ever";
    EXPECT_EQ(nodes[i].id, arm.linkId(0, static_cast<int>(i)));
  }
  EXPECT_FALSE(nodes[0].visual);
  EXPECT_TRUE(nodes[1].visual);
  EXPECT_FALSE(nodes[2].visual);
  EXPECT_TRUE(nodes[3].visual && !nodes[3].collision);
  EXPECT_EQ(nodes[3].id, nodes[0].id);
  EXPECT_EQ(nodes[3].name, nodes[0].name);
  EXPECT_EQ(nodes[3].shape.size(), 3U) << "two materials of the mesh, and the ball";
  EXPECT_EQ(glbOf(nodes), glbOf(logs::sceneNodes(arm)));
}

TEST_F(RobotLooks, ScenesWithoutFilesAreCollisionShapes) {
  const World arm = world(path("arm.xml"));
  const std::vector<GlbNode> nodes = logs::sceneNodes(arm);
  ASSERT_EQ(nodes.size(), 3U);
  for (const GlbNode& node : nodes) EXPECT_TRUE(node.visual && node.collision && node.defaultColor);
  EXPECT_FALSE(wasRead("square.obj"));
}

// ---------------------------------------------------------------------------------------------------------------------
// Objects

TEST_F(Looks, OfObjectsFollowTheirPlacedShape) {
  write("square.obj", kSquareObj);
  write("square.mtl", kSquareMtl);
  write("w.xml",
        "<world><rigidObject name=\"s\"><geometry mesh=\"square.obj\" scale=\"3\" translation=\"0 0 1\"/></rigidObject>"
        "<terrain file=\"square.obj\"><display texture=\"checker\"/></terrain></world>");
  const World placed = world(path("w.xml"));
  ASSERT_FALSE(diagnostics.hasErrors()) << problems();
  const std::vector<DrawnBody> bodies = drawnBodies(placed, &files);
  const DrawnPart& terrain = bodies[0].parts.at(0);
  const VisualShape laid = drawnMeshes(terrain, bodies[0].style, visualShapeOf(*terrain.geometry));
  EXPECT_EQ(laid.front().material->texture, klamptTexture("checker"));
  const DrawnPart& object = bodies[1].parts.at(0);
  ASSERT_NE(object.appearance, nullptr);
  EXPECT_LT((boundsOf(*object.appearance).max - object.geometry->bounds().max).norm(), 1e-12);
}

TEST_F(Looks, DisplayTexturesThatAreMissingAreSaidWithTheirLine) {
  write("cube.off", kCubeOff);
  write("w.xml",
        "<world>\n<terrain file=\"cube.off\">\n<display texture=\"gone.jpg\" color=\"0 1 0\"/></terrain></world>");
  const World placed = world(path("w.xml"));
  const std::vector<DrawnBody> bodies = drawnBodies(placed, &files);
  EXPECT_EQ(bodies[0].parts.at(0).material.color, (Rgba{0, 1, 0, 1}));
  EXPECT_NE(saidBy("gone.jpg").find("w.xml:3"), std::string::npos) << saidBy("");
}

}  // namespace
}  // namespace mortise::test
