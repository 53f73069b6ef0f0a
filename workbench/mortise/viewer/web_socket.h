#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "mortise/viewer/view_session.h"

namespace mortise::viewer {

/// Equal, in a time that does not tell where they differ.
bool sameSecret(std::string_view a, std::string_view b);

/// One page's connection to the session. The first message is the token; others are JSON. What the session has to say
/// is sent when the page has acknowledged what it got before ({"type": "drawn"}), so the page sets the pace.
class WebSocket : public std::enable_shared_from_this<WebSocket> {
 public:
  using Request = boost::beast::http::request<boost::beast::http::empty_body>;

  /// `ended`: called when the connection is gone.
  WebSocket(boost::beast::tcp_stream stream, ViewSession& session, std::string token, int page,
            std::function<void()> ended);
  ~WebSocket();

  /// The request was checked: its Host and Origin are right.
  void start(Request request);
  /// Says whether the page has not shown its token yet.
  bool isStranger() const { return !joined_; }
  /// Ends the connection at once.
  void drop();
  /// Tells the page that the server ends, and ends the connection.
  void end();

 private:
  void read();
  void take(const std::string& text);
  void applyMessages(const PageMessage& message);
  void send(ViewPacket packet);
  void write();
  void sendNews();
  void wait();
  void close(boost::beast::websocket::close_code code, const char* reason);

  boost::beast::websocket::stream<boost::beast::tcp_stream> stream_;
  boost::asio::steady_timer timer_;
  ViewSession& session_;
  std::string token_;
  int page_;
  std::function<void()> ended_;
  Request request_;
  boost::beast::flat_buffer buffer_;
  std::deque<ViewPacket> queue_;  ///< The first one is being written.
  bool joined_ = false, writing_ = false, closed_ = false;
  int credit_ = 0;  ///< Packets that the page may still get.
  std::chrono::steady_clock::time_point eagerUntil_;
};

}  // namespace mortise::viewer
