/// The viewer's server under libFuzzer: what anybody on this machine can send to its port, and what a page with the
/// token can. Of each input the first byte says how it is sent: as the bytes of a connection, as bytes behind a
/// WebSocket's handshake, or, line by line, as whole messages of a page that poses a robot or watches a run. Every
/// connection must come to an end.

#include <arpa/inet.h>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

#include "mortise/base/log.h"
#include "mortise/viewer/live_run.h"
#include "mortise/viewer/posing/pose_session.h"
#include "mortise/viewer/view_server.h"
#include "mortise/viewer/viewer_page.h"

namespace mortise::viewer {

/// In place of the built page, which is not what is tested.
std::string viewerPage() { return "<!doctype html><meta content=\"script-src 'sha256-none'\">"; }

}  // namespace mortise::viewer

namespace {

using namespace mortise;

/// An arm of three links and a ball: enough for every message to mean something.
std::shared_ptr<const World> makeWorld() {
  auto world = std::make_shared<World>();
  RobotDescription arm;
  arm.name = "arm";
  for (int i = 0; i < 3; ++i) {
    Link& link = arm.links.emplace_back();
    link.name = "link" + std::to_string(i);
    link.parent = i - 1;
    link.axis = Vector3d::UnitZ();
    link.X_PL0.p = Vector3d(i > 0 ? 0.5 : 0, 0, 0);
    link.qMin = -2;
    link.qMax = 2;
    link.inertia.mass = 1;
    arm.joints.push_back({JointType::normal, i, -1});
    Driver& driver = arm.drivers.emplace_back();
    driver.links = {i};
    driver.qMin = -2;
    driver.qMax = 2;
  }
  world->robots.emplace_back();
  world->robots.back().name = "arm";
  world->robots.back().robot = Robot::compile(std::move(arm));
  world->robots.back().q = VectorXd::Zero(3);
  world->objects.emplace_back();
  world->objects.back().name = "ball";
  world->objects.back().inertia.mass = 1;
  world->objects.back().geometry =
      std::make_shared<const Geometry>(AxisAlignedBoxShape{Vector3d(-1, 3, -1), Vector3d(1, 4, 1)});
  return world;
}

/// A server that runs until the program ends.
class Served {
 public:
  explicit Served(viewer::ViewSession& session) : server_({}, 0, &session) {
    const std::string address = server_.address();
    token = address.substr(address.find('=') + 1);
    to_.sin_family = AF_INET;
    to_.sin_port = htons(server_.port());
    to_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    std::thread([this] { server_.run([] { return false; }); }).detach();
  }

  int connect() const {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    const timeval patience = {8, 0};
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    // A hundred thousand connections would use up the ports if each stayed for a minute.
    const linger reset = {1, 0};
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    if (::connect(socket, reinterpret_cast<const sockaddr*>(&to_), sizeof to_) != 0) std::abort();
    return socket;
  }
  std::string host() const { return "Host: 127.0.0.1:" + std::to_string(ntohs(to_.sin_port)) + "\r\n"; }

  std::string token;

 private:
  viewer::ViewServer server_;
  sockaddr_in to_ = {};
};

void put(int socket, std::string_view bytes) { (void)!send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL); }

/// Up to the empty line behind the headers; what comes behind it stays.
void readHeaders(int socket) {
  std::string answer;
  for (char c = 0; !answer.ends_with("\r\n\r\n"); answer += c)
    if (recv(socket, &c, 1, 0) != 1) return;
}

/// To the end of the connection, which must come.
void readAll(int socket) {
  shutdown(socket, SHUT_WR);
  std::array<char, 65536> buffer;
  ssize_t some = 1;
  while (some > 0) some = recv(socket, buffer.data(), buffer.size(), 0);
  if (some < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
    std::fprintf(stderr, "the server keeps a connection that has nothing more to say\n");
    std::abort();
  }
}

/// A whole message, masked as those of browsers are.
std::string textFrame(std::string_view text) {
  std::string frame = "\x81";
  if (text.size() < 126) {
    frame += static_cast<char>(0x80 | text.size());
  } else {
    frame += '\xfe';
    frame += static_cast<char>(text.size() >> 8);
    frame += static_cast<char>(text.size() & 255);
  }
  constexpr std::string_view kMask = "\x12\x34\x56\x78";
  frame += kMask;
  for (std::size_t i = 0; i < text.size(); ++i) frame += static_cast<char>(text[i] ^ kMask[i % 4]);
  return frame;
}

void beginSession(const Served& served, int socket) {
  put(socket, "GET /session HTTP/1.1\r\n" + served.host() +
                  "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
                  "dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
  readHeaders(socket);
  put(socket, textFrame(served.token));
}

void sendAs(char how, const Served& served, std::string_view rest) {
  const int socket = served.connect();
  if (how == 'r') {
    put(socket, rest);
  } else if (how == 'h') {
    put(socket, "GET /session HTTP/1.1\r\n" + served.host() + std::string(rest));
  } else {
    beginSession(served, socket);
    if (how == 'f') put(socket, rest);
    for (std::size_t from = 0; how != 'f' && from < rest.size();) {
      const std::size_t end = std::min(rest.find('\n', from), rest.size());
      put(socket, textFrame(rest.substr(from, end - from)));
      from = end + 1;
    }
  }
  readAll(socket);
  close(socket);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // Their threads use them to the end.
  static const std::shared_ptr<const World> world = makeWorld();
  static NullLog log;
  static auto* pose = new Served(*new viewer::PoseSession(world, {}, {}));
  static auto* live = new Served(*new viewer::LiveRun(*world, log, {}));
  if (size == 0) return 0;
  const char how = "rhfpl"[(data[0] & 7) % 5];  // For the digits 0 to 4.
  sendAs(how, how == 'l' ? *live : *pose, {reinterpret_cast<const char*>(data) + 1, size - 1});
  return 0;
}
