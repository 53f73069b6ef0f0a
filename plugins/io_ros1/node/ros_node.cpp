#include "ros_node.h"

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <limits>
#include <map>
#include <mutex>
#include <pthread.h>
#include <ros/callback_queue.h>
#include <ros/console.h>
#include <ros/network.h>
#include <ros/ros.h>
#include <ros/xmlrpc_manager.h>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>

#include "raw_message.h"

namespace mortise::io_ros1 {

namespace {

/// Longest wait of a call for a master that does not answer, s.
constexpr double kRetryTimeout = 0.5;
constexpr auto kWatchInterval = std::chrono::milliseconds(500);
constexpr std::size_t kMaxNotices = 100;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string masterOf(const NodeOptions& options) {
  if (!options.master.empty()) return options.master;
  const std::string uri = environment("ROS_MASTER_URI");
  return uri.empty() ? "http://localhost:11311" : uri;
}

/// Signals are for the program's own threads; those that begin while this lives get none.
class NoSignals {
 public:
  NoSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~NoSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

/// The master's process id; 0 where none answers.
int masterProcess() {
  XmlRpc::XmlRpcValue request, response, payload;
  request[0] = ros::this_node::getName();
  if (!ros::master::execute("getPid", request, response, payload, false)) return 0;
  return payload.getType() == XmlRpc::XmlRpcValue::TypeInt ? int(payload) : 1;
}

class Node final : public RosNode, private ros::console::LogAppender {
 public:
  explicit Node(const NodeOptions& options) {
    const NoSignals masked;
    static std::string first;  // roscpp keeps the master that it was started with.
    const std::string wanted = masterOf(options);
    if (!first.empty() && wanted != first)
      throw std::runtime_error("this process has been a node of the ROS master at " + first +
                               " and cannot become one of " + wanted + "\nuse one master in a process");
    if (first.empty()) start(options, wanted);
    first = wanted;
    ros::master::setRetryTimeout(ros::WallDuration(kRetryTimeout));
    masterProcess_ = masterProcess();
    if (masterProcess_ == 0)
      throw std::runtime_error(
          "no ROS master answers at " + wanted +
          "\nstart one with `roscore`, or say where it is: ROS_MASTER_URI, or the setting `master`");
    ros::start();
    ros::console::register_appender(this);
    handle_ = std::make_unique<ros::NodeHandle>();
    handle_->setCallbackQueue(&queue_);
    spinner_ = std::thread([this] { spin(); });
    watcher_ = std::thread([this] { watch(); });
  }

  ~Node() override {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    changed_.notify_all();
    watcher_.join();
    spinner_.join();
    ros::console::deregister_appender(this);
    subscriptions_.clear();
    publications_.clear();
    handle_.reset();
    ros::shutdown();
  }

  int advertise(const TopicOptions& options) override {
    ros::AdvertiseOptions wanted(options.topic, static_cast<std::uint32_t>(std::max(1, options.depth)), options.md5,
                                 options.type, options.definition);
    wanted.latch = options.latched;
    const ros::Publisher publisher = call(options.topic, [&] { return handle_->advertise(wanted); });
    const std::lock_guard lock(mutex_);
    publications_[++last_] = {options, publisher};
    return last_;
  }

  bool hasSubscribers(int publication) const override {
    const std::lock_guard lock(mutex_);
    const auto found = publications_.find(publication);
    return found != publications_.end() && found->second.publisher.getNumSubscribers() > 0;
  }

  bool publish(int publication, const unsigned char* data, std::size_t size) override {
    ros::Publisher publisher;
    {
      const std::lock_guard lock(mutex_);
      const auto found = publications_.find(publication);
      if (found == publications_.end()) return false;
      publisher = found->second.publisher;
    }
    if (!publisher || size > std::numeric_limits<std::uint32_t>::max() - 8) return false;
    publisher.publish(OutgoingBytes{data, size});
    return true;
  }

  void endPublication(int publication) override {
    ros::Publisher ended;  // Taken off the master without the lock.
    const std::lock_guard lock(mutex_);
    const auto found = publications_.find(publication);
    if (found == publications_.end()) return;
    ended = found->second.publisher;
    publications_.erase(found);
  }

  int subscribe(const TopicOptions& options, BytesHandler handler) override {
    auto shared = std::make_shared<Handler>(std::move(handler));
    const ros::Subscriber subscriber = call(options.topic, [&] { return subscribeTo(options, shared); });
    const std::lock_guard lock(mutex_);
    subscriptions_[++last_] = {options, std::move(shared), subscriber};
    return last_;
  }

  void endSubscription(int subscription) override {
    ros::Subscriber ended;
    std::shared_ptr<Handler> handler;
    {
      const std::lock_guard lock(mutex_);
      const auto found = subscriptions_.find(subscription);
      if (found == subscriptions_.end()) return;
      ended = found->second.subscriber;
      handler = found->second.handler;
      subscriptions_.erase(found);
    }
    handler->end();
    ended.shutdown();
  }

  int listen() override {
    const std::lock_guard lock(noticeMutex_);
    notices_[++lastListener_];
    return lastListener_;
  }

  std::vector<NodeNotice> takeNotices(int listener) override {
    const std::lock_guard lock(noticeMutex_);
    std::vector<NodeNotice> taken;
    taken.swap(notices_[listener]);
    return taken;
  }

  void endListening(int listener) override {
    const std::lock_guard lock(noticeMutex_);
    notices_.erase(listener);
  }

 private:
  /// Calls what is to be called until somebody wants no more.
  class Handler {
   public:
    explicit Handler(BytesHandler handler) : handler_(std::move(handler)) {}
    void operator()(const unsigned char* data, std::size_t size) {
      const std::lock_guard lock(mutex_);
      if (handler_) handler_(data, size);
    }
    void end() {
      const std::lock_guard lock(mutex_);
      handler_ = nullptr;
    }

   private:
    std::mutex mutex_;
    BytesHandler handler_;
  };
  struct Publication {
    TopicOptions options;
    ros::Publisher publisher;
  };
  struct Subscription {
    TopicOptions options;
    std::shared_ptr<Handler> handler;
    ros::Subscriber subscriber;
  };

  static void start(const NodeOptions& options, const std::string& master) {
    ros::M_string remapped;
    remapped["__master"] = master;
    if (!options.ip.empty()) remapped["__ip"] = options.ip;
    ros::init(remapped, "mortise",
              ros::init_options::NoSigintHandler | ros::init_options::NoRosout | ros::init_options::AnonymousName);
  }

  template <typename F>
  static auto call(const std::string& topic, const F& function) -> decltype(function()) {
    const NoSignals masked;
    try {
      return function();
    } catch (const ros::Exception& error) {
      throw std::runtime_error("ROS refuses the topic '" + topic + "': " + error.what() + "\nname another topic");
    }
  }

  ros::Subscriber subscribeTo(const TopicOptions& options, const std::shared_ptr<Handler>& handler) {
    ros::SubscribeOptions wanted(options.topic, static_cast<std::uint32_t>(std::max(1, options.depth)), options.md5,
                                 options.type);
    wanted.helper = boost::make_shared<BytesHelper>(
        [handler](const unsigned char* data, std::size_t size) { (*handler)(data, size); });
    wanted.callback_queue = &queue_;
    wanted.transport_hints = ros::TransportHints().tcpNoDelay();
    return handle_->subscribe(wanted);
  }

  void spin() {
    while (!isStopped()) queue_.callAvailable(ros::WallDuration(0.05));
  }

  bool isStopped() const {
    const std::lock_guard lock(mutex_);
    return stopped_;
  }

  /// Asks the master for its process id again and again: one that is gone is said, one that is new is told the topics.
  void watch() {
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, kWatchInterval, [this] { return stopped_; })) {
      lock.unlock();
      const int process = masterProcess();
      if (process == 0 && masterProcess_ != 0)
        say({true,
             "the ROS master at " + ros::master::getURI() +
                 " does not answer any more; connections go on, new ones wait until there is a master again: start "
                 "it with `roscore`"});
      if (process != 0 && process != masterProcess_) registerAgain();
      masterProcess_ = process;
      if (process != 0) compareTypes();
      lock.lock();
    }
  }

  void registerAgain() {
    std::vector<TopicOptions> published, subscribed;
    {
      const std::lock_guard lock(mutex_);
      for (const auto& [id, publication] : publications_) published.push_back(publication.options);
      for (const auto& [id, subscription] : subscriptions_) subscribed.push_back(subscription.options);
    }
    for (const TopicOptions& topic : published) registerWith("registerPublisher", topic);
    for (const TopicOptions& topic : subscribed) connect(topic.topic, registerWith("registerSubscriber", topic));
    say({false, "a ROS master answers at " + ros::master::getURI() + " again; " + std::to_string(published.size()) +
                    " publications and " + std::to_string(subscribed.size()) +
                    " subscriptions are registered with it"});
  }

  /// Says which of our subscriptions get nothing because their topics have messages of another type: the publisher
  /// refuses us, and roscpp says nothing of that. Says also when that is over. The master keeps the type of a publisher
  /// that has left, so that its list of types counts only where somebody publishes whom we are not connected to.
  void compareTypes() {
    std::map<std::string, std::string> ours;
    std::map<std::string, std::uint32_t> connected;
    {
      const std::lock_guard lock(mutex_);
      for (const auto& [id, subscription] : subscriptions_) {
        ours[subscription.options.topic] = subscription.options.type;
        connected[subscription.options.topic] = subscription.subscriber.getNumPublishers();
      }
    }
    XmlRpc::XmlRpcValue request, response, types, state;
    request[0] = ros::this_node::getName();
    if (ours.empty() || !ros::master::execute("getTopicTypes", request, response, types, false) ||
        !ros::master::execute("getSystemState", request, response, state, false))
      return;
    std::map<std::string, std::string> typeOf;
    for (int i = 0; types.getType() == XmlRpc::XmlRpcValue::TypeArray && i < types.size(); ++i)
      typeOf[types[i][0]] = std::string(types[i][1]);
    const std::map<std::string, std::uint32_t> publishers = publishersOf(state);
    for (const auto& [topic, type] : ours) {
      const auto published = publishers.find(topic);
      const std::string& other = typeOf[topic];
      const bool wrong = published != publishers.end() && published->second > connected[topic] && !other.empty() &&
                         other != "*" && other != type;
      const bool right = published != publishers.end() && (other == type || connected[topic] > 0);
      compareType(topic, type, wrong ? other : std::string(), right);
    }
  }

  /// How many publish each topic, from the master's state: lists of [topic, [node, ...]], publishers first.
  static std::map<std::string, std::uint32_t> publishersOf(XmlRpc::XmlRpcValue& state) {
    std::map<std::string, std::uint32_t> publishers;
    if (state.getType() != XmlRpc::XmlRpcValue::TypeArray || state.size() < 1) return publishers;
    for (int i = 0; i < state[0].size(); ++i)
      publishers[state[0][i][0]] = static_cast<std::uint32_t>(state[0][i][1].size());
    return publishers;
  }

  /// `wrong`: the type of a publisher that we get nothing of; empty: there is none. `right`: there is one that we get
  /// messages of.
  void compareType(const std::string& topic, const std::string& type, const std::string& wrong, bool right) {
    std::string& said = wrongTypes_[topic];
    if (said == wrong) return;
    const std::string before = std::exchange(said, wrong);
    if (wrong.empty())
      say({false, right ? "messages of the type " + type + " on " + topic + " come here now"
                        : "nobody publishes messages of the type " + before + " on " + topic + " any more"});
    else
      say({true, "what is published on " + topic + " is of the type " + wrong + " and not of " + type +
                     ", so nothing of it comes here; name another topic"});
  }

  /// Returns what the master answers: of a subscription, the addresses of those who publish.
  static std::vector<std::string> registerWith(const char* method, const TopicOptions& topic) {
    XmlRpc::XmlRpcValue request, response, payload;
    request[0] = ros::this_node::getName();
    request[1] = topic.topic;
    request[2] = topic.type;
    request[3] = ros::XMLRPCManager::instance()->getServerURI();
    std::vector<std::string> publishers;
    if (!ros::master::execute(method, request, response, payload, false) ||
        payload.getType() != XmlRpc::XmlRpcValue::TypeArray)
      return publishers;
    for (int i = 0; i < payload.size(); ++i) publishers.push_back(std::string(payload[i]));
    return publishers;
  }

  /// Tells roscpp who publishes a topic, as a master does: these, and those it is connected to, who may not know the
  /// new master.
  static void connect(const std::string& topic, std::vector<std::string> publishers) {
    std::string host;
    std::uint32_t port = 0;
    if (!ros::network::splitURI(ros::XMLRPCManager::instance()->getServerURI(), host, port)) return;
    XmlRpc::XmlRpcClient self(host.c_str(), static_cast<int>(port), "/");
    XmlRpc::XmlRpcValue caller, connections;
    caller[0] = ros::this_node::getName();
    if (self.execute("getBusInfo", caller, connections) && connections.getType() == XmlRpc::XmlRpcValue::TypeArray &&
        connections.size() == 3) {
      // Each has a number, the peer's address, a direction, a transport and the topic.
      for (int i = 0; i < connections[2].size(); ++i)
        if (std::string(connections[2][i][2]) == "i" && std::string(connections[2][i][4]) == topic)
          publishers.push_back(std::string(connections[2][i][1]));
    }
    std::sort(publishers.begin(), publishers.end());
    publishers.erase(std::unique(publishers.begin(), publishers.end()), publishers.end());
    XmlRpc::XmlRpcValue update, answer;
    update[0] = ros::this_node::getName();
    update[1] = topic;
    update[2].setSize(static_cast<int>(publishers.size()));
    for (std::size_t i = 0; i < publishers.size(); ++i) update[2][static_cast<int>(i)] = publishers[i];
    self.execute("publisherUpdate", update, answer);
  }

  /// Complaints of roscpp, such as of peers that mean another type, are for the user of the topics.
  void log(ros::console::Level level, const char* text, const char*, const char*, int) override {
    if (level < ros::console::levels::Warn || text == nullptr) return;
    {
      const std::lock_guard lock(noticeMutex_);
      if (complaints_.size() >= kMaxNotices || !complaints_.insert(text).second) return;
    }
    say({true, std::string("ROS says: ") + text});
  }

  void say(const NodeNotice& notice) {
    const std::lock_guard lock(noticeMutex_);
    for (auto& [listener, notices] : notices_)
      if (notices.size() < kMaxNotices) notices.push_back(notice);
  }

  ros::CallbackQueue queue_;
  std::unique_ptr<ros::NodeHandle> handle_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool stopped_ = false;
  int last_ = 0;
  std::map<int, Publication> publications_;
  std::map<int, Subscription> subscriptions_;
  int masterProcess_ = 0;
  std::map<std::string, std::string> wrongTypes_;  ///< What was said, by topic; of the watching thread.

  std::mutex noticeMutex_;
  int lastListener_ = 0;
  std::map<int, std::vector<NodeNotice>> notices_;
  std::set<std::string> complaints_;

  std::thread spinner_, watcher_;
};

}  // namespace

std::shared_ptr<RosNode> RosNode::join(const NodeOptions& options) {
  static std::mutex mutex;
  static std::weak_ptr<RosNode> current;
  static std::string master;
  const std::lock_guard lock(mutex);
  if (std::shared_ptr<RosNode> node = current.lock()) {
    if (masterOf(options) != master)
      throw std::runtime_error("this process is a node of the ROS master at " + master + " and cannot be one of " +
                               masterOf(options) + " as well\nuse one master in a process");
    return node;
  }
  const auto node = std::make_shared<Node>(options);
  master = masterOf(options);
  current = node;
  return node;
}

}  // namespace mortise::io_ros1
