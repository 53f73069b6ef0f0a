#include "mortise/viewer/view_server.h"

#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/version.hpp>
#include <chrono>
#include <list>
#include <mutex>

#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/viewer/protocol/write_message.h"
#include "mortise/viewer/view_token.h"
#include "mortise/viewer/viewer_page.h"
#include "mortise/viewer/web_socket.h"

namespace mortise::viewer {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using tcp = asio::ip::tcp;

constexpr int kMaxConnections = 16;
constexpr std::chrono::seconds kPatience{30};
constexpr std::size_t kLargestRequest = 64 * 1024;
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; img-src data: "
    "blob:; "
    "connect-src 'self' ws://127.0.0.1:* ws://localhost:* data: blob:; worker-src blob:; base-uri 'none'; form-action "
    "'none'; frame-ancestors 'none'";

/// The pages that may show ours within them, once that is allowed.
constexpr std::string_view kNoFrames = "frame-ancestors 'none'",
                           kOwnFrames =
                               "frame-ancestors http://127.0.0.1:* http://localhost:* https://127.0.0.1:* "
                               "https://localhost:* vscode-webview: vscode-file:";

std::string textOf(beast::string_view view) { return {view.data(), view.size()}; }

using Request = http::request<http::empty_body>;
using Response = http::response<http::string_body>;

}  // namespace

struct ViewServer::State {
  class Connection;
  std::list<Connection*> waiting;  ///< For a request, the longest first. Outlives the context, which holds them.
  asio::io_context context{1};
  tcp::acceptor acceptor{context};
  mutable std::mutex filesMutex;
  std::vector<ViewFile> files;
  std::string page, token;
  std::uint16_t port = 0;
  int connections = 0, pages = 0;
  std::atomic<bool> framed{false};
  ViewSession* session = nullptr;

  void accept();
  bool ours(const Request& request, std::string& reason) const;
  Response answer(const Request& request) const;
  Response listAnswer(const Request& request) const;
  Response fileAnswer(const Request& request, const std::string& path) const;
};

namespace {

Response response(const Request& request, http::status status, std::string type, std::string body) {
  Response out(status, request.version());
  out.set(http::field::content_type, type);
  out.set(http::field::cache_control, "no-store");
  out.set("X-Content-Type-Options", "nosniff");
  out.set("Referrer-Policy", "no-referrer");
  out.set("Content-Security-Policy", kPolicy);
  out.keep_alive(request.keep_alive());
  out.body() = std::move(body);
  out.prepare_payload();
  return out;
}

void allowFramesIn(Response& response) {
  std::string policy = textOf(response["Content-Security-Policy"]);
  const std::size_t at = policy.find(kNoFrames);
  if (at == std::string::npos) return;
  response.set("Content-Security-Policy", policy.replace(at, kNoFrames.size(), kOwnFrames));
}

}  // namespace

/// One browser's connection: requests one after the other.
class ViewServer::State::Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, State& server) : stream_(std::move(socket)), server_(server) { ++server_.connections; }
  ~Connection() {
    server_.waiting.remove(this);
    --server_.connections;
  }

  /// Ends a connection that waits.
  void drop() {
    server_.waiting.remove(this);
    stream_.close();
  }

  void read() {
    server_.waiting.push_back(this);
    parser_.emplace();
    parser_->header_limit(kLargestRequest);
    parser_->body_limit(0);
    stream_.expires_after(kPatience);
    http::async_read(stream_, buffer_, *parser_, [self = shared_from_this()](beast::error_code code, std::size_t) {
      self->server_.waiting.remove(self.get());
      if (code) return;
      if (boost::beast::websocket::is_upgrade(self->parser_->get()) && self->upgrade()) return;
      self->write();
    });
  }

 private:
  /// To a WebSocket, where the session is asked for by one of our pages.
  bool upgrade() {
    std::string reason;
    const Request& request = parser_->get();
    if (server_.session == nullptr || request.target() != "/session" || !server_.ours(request, reason)) return false;
    State& server = server_;
    ++server.connections;  // This connection is gone when the other one is there.
    std::make_shared<WebSocket>(std::move(stream_), *server.session, server.token, ++server.pages, [&server] {
      --server.connections;
    })->start(parser_->release());
    return true;
  }

  void write() {
    response_ = server_.answer(parser_->get());
    if (server_.framed) allowFramesIn(response_);
    http::async_write(stream_, response_, [self = shared_from_this()](beast::error_code code, std::size_t) {
      if (!code && self->response_.keep_alive()) self->read();
    });
  }

  beast::tcp_stream stream_;
  State& server_;
  beast::flat_buffer buffer_{kLargestRequest + 4096};
  std::optional<http::request_parser<http::empty_body>> parser_;
  Response response_;
};

void ViewServer::State::accept() {
  acceptor.async_accept([this](beast::error_code code, tcp::socket socket) {
    if (code == asio::error::operation_aborted) return;
    // Beyond the limit the one that has asked for nothing the longest makes room; where all are busy, the new one is
    // closed at once.
    if (!code && connections >= kMaxConnections && !waiting.empty()) {
      waiting.front()->drop();
      std::make_shared<Connection>(std::move(socket), *this)->read();
    } else if (!code && connections < kMaxConnections) {
      std::make_shared<Connection>(std::move(socket), *this)->read();
    }
    accept();
  });
}

/// Says whether the request is for this server by its own name, and from no other page.
bool ViewServer::State::ours(const Request& request, std::string& reason) const {
  const std::string own = "127.0.0.1:" + std::to_string(port), local = "localhost:" + std::to_string(port);
  const std::string host = textOf(request[http::field::host]);
  if (host != own && host != local) {
    reason = "this server answers to " + own + " alone\n";
    return false;
  }
  if (request.count(http::field::origin) == 0) return true;
  const std::string origin = textOf(request[http::field::origin]);
  if (origin == "http://" + own || origin == "http://" + local) return true;
  reason = "pages of another origin may not read this\n";
  return false;
}

Response ViewServer::State::listAnswer(const Request& request) const {
  message::LogList list;
  if (session != nullptr) {
    list.session = session->kind();
    list.version = session->version();
  }
  const std::lock_guard lock(filesMutex);
  for (const ViewFile& file : files) {
    message::ListedLog& log = list.logs.emplace_back();
    log.name = file.name;
    log.path = "log/" + std::to_string(list.logs.size() - 1);
    if (!file.overlays.isNull()) log.overlays = message::Overlays{file.overlays};
  }
  return response(request, http::status::ok, "application/json", jsonOf(std::move(list)));
}

Response ViewServer::State::answer(const Request& request) const {
  std::string reason;
  if (!ours(request, reason)) return response(request, http::status::forbidden, "text/plain", reason);
  if (request.method() != http::verb::get)
    return response(request, http::status::method_not_allowed, "text/plain", "only GET is answered\n");
  const std::string target = textOf(request.target());
  if (target == "/") return response(request, http::status::ok, "text/html; charset=utf-8", page);
  const std::string given = textOf(request[http::field::authorization]);
  if (!isToken(given, "Bearer " + token))
    return response(request, http::status::unauthorized, "text/plain",
                    "the token is missing or wrong: open the whole address that `mortise view` printed\n");
  if (target == "/logs") return listAnswer(request);
  std::string path;
  {
    const std::lock_guard lock(filesMutex);
    for (std::size_t i = 0; i < files.size(); ++i)
      if (target == "/log/" + std::to_string(i)) path = files[i].path;
  }
  if (!path.empty()) return fileAnswer(request, path);
  return response(request, http::status::not_found, "text/plain", "there is nothing here\n");
}

Response ViewServer::State::fileAnswer(const Request& request, const std::string& path) const {
  try {
    return response(request, http::status::ok, "application/octet-stream", readFile(path));
  } catch (const Error& error) {
    return response(request, http::status::internal_server_error, "text/plain", std::string(error.what()) + "\n");
  }
}

ViewServer::ViewServer(std::vector<ViewFile> files, std::uint16_t port, ViewSession* session)
    : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.files = std::move(files);
  s.session = session;
  s.page = viewerPage();
  s.token = newToken();
  const tcp::endpoint endpoint(asio::ip::address_v4::loopback(), port);
  beast::error_code code;
  s.acceptor.open(endpoint.protocol(), code);
  if (!code) s.acceptor.set_option(asio::socket_base::reuse_address(true), code);
  if (!code) s.acceptor.bind(endpoint, code);
  if (!code) s.acceptor.listen(asio::socket_base::max_listen_connections, code);
  if (code)
    throw Error("port " + std::to_string(port) + " cannot be used: " + code.message(), {},
                "name another one, or none to take any that is free");
  s.port = s.acceptor.local_endpoint().port();
}

ViewServer::~ViewServer() = default;

void ViewServer::allowFrames() { state_->framed = true; }

std::uint16_t ViewServer::port() const { return state_->port; }

std::string ViewServer::address() const {
  return "http://127.0.0.1:" + std::to_string(state_->port) + "/#token=" + state_->token;
}

void ViewServer::show(std::vector<ViewFile> files) {
  const std::lock_guard lock(state_->filesMutex);
  state_->files = std::move(files);
}

void ViewServer::run(const std::function<bool()>& stopRequested) {
  state_->accept();
  while (!stopRequested()) {
    state_->context.restart();
    state_->context.run_for(std::chrono::milliseconds(100));
  }
}

}  // namespace mortise::viewer
