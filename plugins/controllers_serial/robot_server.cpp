#include "robot_server.h"

#include <algorithm>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <csignal>
#include <mutex>
#include <pthread.h>
#include <thread>

#include "client_connection.h"
#include "handler_memory.h"
#include "mortise/base/error.h"

namespace mortise::controllers_serial {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

/// Clients that drive or wait; others are told and sent away.
constexpr std::size_t kMaxClients = 16;
constexpr auto kTick = std::chrono::milliseconds(100);

[[noreturn]] void cannotListen(const remote::Address& address, const std::string& why) {
  throw Error("nothing can listen on " + address.text() + ": " + why, {},
              "stop the program that listens there, or choose another port; port 0 takes any that is free");
}

/// Who listens where in this process: another robot of the same world, most likely, is no other program.
class Listeners {
 public:
  void add(const tcp::endpoint& at, const std::string& owner) {
    const std::lock_guard lock(mutex_);
    all_.emplace_back(at, owner);
  }
  void remove(const tcp::endpoint& at) {
    const std::lock_guard lock(mutex_);
    std::erase_if(all_, [&](const auto& listener) { return listener.first == at; });
  }
  /// Empty when it is none of them.
  std::string ownerOf(const tcp::endpoint& at) const {
    const std::lock_guard lock(mutex_);
    for (const auto& [endpoint, owner] : all_)
      if (endpoint.port() == at.port() &&
          (endpoint.address() == at.address() || endpoint.address().is_unspecified() || at.address().is_unspecified()))
        return owner;
    return {};
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::pair<tcp::endpoint, std::string>> all_;
};

Listeners& listeners() {
  static Listeners all;
  return all;
}

[[noreturn]] void isInUse(const remote::Address& address, const tcp::endpoint& endpoint) {
  const std::string owner = listeners().ownerOf(endpoint);
  if (owner.empty()) cannotListen(address, "another program listens there");
  throw Error("nothing can listen on " + address.text() + ": " + owner + ", of this very program, listens there", {},
              "give each robot a port of its own in 'servAddr'; port 0 takes any that is free");
}

tcp::endpoint resolve(asio::io_context& context, const remote::Address& address) {
  tcp::resolver resolver(context);
  error_code code;
  const auto found = resolver.resolve(address.resolvableHost(), std::to_string(address.port),
                                      tcp::resolver::flags::passive | tcp::resolver::flags::numeric_service, code);
  if (code) cannotListen(address, code.message());
  for (const auto& entry : found)
    if (entry.endpoint().address().is_v4()) return entry.endpoint();
  return found.begin()->endpoint();
}

}  // namespace

class RobotServer::Implementation {
 public:
  Implementation(const ServerOptions& options, Mailbox& mailbox)
      : options_(options), mailbox_(mailbox), acceptor_(context_), timer_(context_), retry_(context_) {
    const tcp::endpoint endpoint = resolve(context_, options.address);
    error_code code;
    acceptor_.open(endpoint.protocol(), code);
    if (!code) acceptor_.set_option(asio::socket_base::reuse_address(true), code);
    if (!code) acceptor_.bind(endpoint, code);
    if (!code) acceptor_.listen(asio::socket_base::max_listen_connections, code);
    if (code == asio::error::address_in_use) isInUse(options.address, endpoint);
    if (code) cannotListen(options.address, code.message());
    options_.address.host = endpoint.address().to_string();
    listeningAt_ = acceptor_.local_endpoint();
    options_.address.port = listeningAt_.port();
    if (!endpoint.address().is_loopback())
      mailbox_.note(LogLevel::warning, "listens on " + options_.address.text() +
                                           ", beyond this machine: anyone who reaches it can drive the robot");
    listeners().add(listeningAt_, options.owner);
    accept();
    tick();
    start();
  }

  ~Implementation() {
    listeners().remove(listeningAt_);
    asio::post(context_, [this] {
      acceptor_.close();
      timer_.cancel();
      retry_.cancel();
      for (const auto& client : clients_) client->close();
      for (const auto& client : leaving_) client->close();
      stopped_ = true;
      context_.stop();
    });
    thread_.join();
  }

  const remote::Address& address() const { return options_.address; }

  void wake() {
    if (wakePending_.exchange(true)) return;
    asio::post(context_, withMemory(wakeMemory_, [this] { onWake(); }));
  }

 private:
  void start() {
    // Signals are for the program's own threads.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    thread_ = std::thread([this] {
      while (!stopped_) {
        try {
          context_.run();
          if (!stopped_) context_.restart();
        } catch (const std::exception& error) {
          mailbox_.note(LogLevel::warning, std::string("the network's thread had to go on after: ") + error.what());
        }
      }
    });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  void accept() {
    acceptor_.async_accept([this](error_code code, tcp::socket socket) {
      if (!acceptor_.is_open()) return;
      if (code) {  // Out of descriptors, most likely: later there may be some.
        retry_.expires_after(kTick);
        retry_.async_wait([this](error_code cancelled) {
          if (!cancelled) accept();
        });
        return;
      }
      welcome(std::move(socket));
      accept();
    });
  }

  void welcome(tcp::socket socket) {
    auto client = std::make_shared<ClientConnection>(std::move(socket), ++lastId_, options_, mailbox_,
                                                     [this](ClientConnection& ended) { onEnd(ended); });
    clients_.push_back(client);
    if (clients_.size() > kMaxClients) {
      client->begin();
      client->replyError("busy", "too many clients wait for this robot; the connection is closed");
      client->dismiss("is one too many");
      return;
    }
    if (clients_.size() == 1)
      makeDriver(*client, 0);
    else
      client->replyError("busy", "another client drives this robot; this one drives when those before it have left");
    client->begin();
  }

  void makeDriver(ClientConnection& client, ClientId left) {
    client.setDrives(true);
    mailbox_.note(LogLevel::info, client.name() + " drives");
    mailbox_.setDriver(client.id(), left);
  }

  void onEnd(ClientConnection& ended) {
    const auto found =
        std::find_if(clients_.begin(), clients_.end(), [&](const auto& client) { return client.get() == &ended; });
    if (found == clients_.end()) return;
    const std::shared_ptr<ClientConnection> client = *found;
    clients_.erase(found);
    if (leaving_.size() >= kMaxClients) {  // A flood of clients does not get to hold on to sockets.
      leaving_.front()->close();
      leaving_.erase(leaving_.begin());
    }
    leaving_.push_back(client);
    if (!client->drives()) return;
    client->setDrives(false);
    mailbox_.note(LogLevel::info, client->name() + " " + client->reason());
    if (clients_.empty())
      mailbox_.setDriver(0, client->id());
    else
      makeDriver(*clients_.front(), client->id());
  }

  void onWake() {
    wakePending_ = false;
    ClientId id = 0;
    std::string frame;
    while (mailbox_.takeReply(id, frame))
      for (const auto& client : clients_)
        if (client->id() == id) client->reply(std::move(frame));
    if (!clients_.empty()) {
      const std::shared_ptr<ClientConnection> driver = clients_.front();  // Pumping may end it.
      driver->pump();
    }
  }

  void tick() {
    timer_.expires_after(kTick);
    timer_.async_wait(withMemory(tickMemory_, [this](error_code code) {
      if (code) return;
      const auto now = ClientConnection::Clock::now();
      for (std::size_t i = 0; i < clients_.size();) {
        const std::shared_ptr<ClientConnection> client = clients_[i];
        client->checkTime(now);
        if (i < clients_.size() && clients_[i] == client) ++i;  // It may have been sent away.
      }
      for (const auto& client : leaving_) client->checkTime(now);
      std::erase_if(leaving_, [](const auto& client) { return client->closed(); });
      tick();
    }));
  }

  ServerOptions options_;
  Mailbox& mailbox_;
  std::shared_ptr<HandlerMemory> wakeMemory_ = std::make_shared<HandlerMemory>();
  std::shared_ptr<HandlerMemory> tickMemory_ = std::make_shared<HandlerMemory>();
  std::atomic<bool> wakePending_ = false, stopped_ = false;
  asio::io_context context_{1};
  tcp::acceptor acceptor_;
  tcp::endpoint listeningAt_;
  asio::steady_timer timer_, retry_;
  std::vector<std::shared_ptr<ClientConnection>> clients_;  ///< In the order in which they came; the first drives.
  std::vector<std::shared_ptr<ClientConnection>> leaving_;
  ClientId lastId_ = 0;
  std::thread thread_;
};

RobotServer::RobotServer(const ServerOptions& options, Mailbox& mailbox)
    : implementation_(std::make_unique<Implementation>(options, mailbox)) {}

RobotServer::~RobotServer() = default;

const remote::Address& RobotServer::address() const { return implementation_->address(); }
void RobotServer::wake() { implementation_->wake(); }

}  // namespace mortise::controllers_serial
