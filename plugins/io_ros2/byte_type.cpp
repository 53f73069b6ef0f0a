#include "byte_type.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <dds/ddsi/ddsi_serdata.h>
#include <dds/ddsi/ddsi_sertype.h>
#include <dds/ddsi/q_radmin.h>
#include <memory>
#include <vector>

namespace mortise::ros2 {

namespace {

/// A sample: bytes with their header of CDR. The protocol reads up to the next multiple of four.
struct ByteSample : ddsi_serdata {
  ByteSample(const ddsi_sertype* type, ddsi_serdata_kind kind, std::size_t count)
      : bytes((count + 3) / 4 * 4), size(count) {
    ddsi_serdata_init(this, type, kind);
    hash = type->serdata_basehash;
  }
  std::vector<std::byte> bytes;
  std::size_t size;
};

const ByteSample* sampleOf(const ddsi_serdata* sample) { return static_cast<const ByteSample*>(sample); }

// Functions that CycloneDDS calls on samples. There are no keys: all samples are of one instance.

bool sameKey(const ddsi_serdata*, const ddsi_serdata*) { return true; }

std::uint32_t sizeOfSample(const ddsi_serdata* sample) { return static_cast<std::uint32_t>(sampleOf(sample)->size); }

/// Fragments of a packet may overlap. nullptr for a sample that is cut.
ddsi_serdata* sampleFromFragments(const ddsi_sertype* type, ddsi_serdata_kind kind, const nn_rdata* fragment,
                                  std::size_t size) {
  auto sample = std::make_unique<ByteSample>(type, kind, size);
  std::size_t have = 0;
  for (; fragment != nullptr && have < size; fragment = fragment->nextfrag) {
    if (fragment->min > have) return nullptr;
    const std::size_t end = std::min<std::size_t>(fragment->maxp1, size);
    if (end <= have) continue;
    const unsigned char* payload = NN_RMSG_PAYLOADOFF(fragment->rmsg, NN_RDATA_PAYLOAD_OFF(fragment));
    std::memcpy(sample->bytes.data() + have, payload + (have - fragment->min), end - have);
    have = end;
  }
  return have == size ? sample.release() : nullptr;
}

ddsi_serdata* sampleFromPieces(const ddsi_sertype* type, ddsi_serdata_kind kind, ddsrt_msg_iovlen_t count,
                               const ddsrt_iovec_t* pieces, std::size_t size) {
  auto sample = std::make_unique<ByteSample>(type, kind, size);
  std::size_t have = 0;
  for (ddsrt_msg_iovlen_t i = 0; i < count && have < size; ++i) {
    const std::size_t length = std::min<std::size_t>(pieces[i].iov_len, size - have);
    std::memcpy(sample->bytes.data() + have, pieces[i].iov_base, length);
    have += length;
  }
  return have == size ? sample.release() : nullptr;
}

ddsi_serdata* sampleFromKey(const ddsi_sertype* type, const ddsi_keyhash*) { return new ByteSample(type, SDK_KEY, 4); }

/// `value` is a span of bytes.
ddsi_serdata* sampleFromValue(const ddsi_sertype* type, ddsi_serdata_kind kind, const void* value) {
  const auto& bytes = *static_cast<const std::span<const std::byte>*>(value);
  auto sample = std::make_unique<ByteSample>(type, kind, bytes.size());
  std::copy(bytes.begin(), bytes.end(), sample->bytes.begin());
  return sample.release();
}

void copySample(const ddsi_serdata* sample, std::size_t offset, std::size_t size, void* out) {
  std::memcpy(out, sampleOf(sample)->bytes.data() + offset, size);
}

ddsi_serdata* lendSample(const ddsi_serdata* sample, std::size_t offset, std::size_t size, ddsrt_iovec_t* out) {
  out->iov_base = const_cast<std::byte*>(sampleOf(sample)->bytes.data() + offset);
  out->iov_len = size;
  return ddsi_serdata_ref(sample);
}

void takeSampleBack(ddsi_serdata* sample, const ddsrt_iovec_t*) { ddsi_serdata_unref(sample); }

bool valueFromSample(const ddsi_serdata*, void*, void**, void*) { return false; }

ddsi_serdata* withoutType(const ddsi_serdata* sample) {
  auto* key = new ByteSample(sample->type, SDK_KEY, 4);
  key->type = nullptr;
  return key;
}

bool valueFromKey(const ddsi_sertype*, const ddsi_serdata*, void*, void**, void*) { return true; }

void freeSample(ddsi_serdata* sample) { delete static_cast<ByteSample*>(sample); }

std::size_t printSample(const ddsi_sertype*, const ddsi_serdata*, char* text, std::size_t size) {
  return static_cast<std::size_t>(std::snprintf(text, size, "(bytes)"));
}

void keyHash(const ddsi_serdata*, ddsi_keyhash* hash, bool) { *hash = {}; }

const ddsi_serdata_ops kSampleFunctions = [] {
  ddsi_serdata_ops functions = {};
  functions.eqkey = sameKey;
  functions.get_size = sizeOfSample;
  functions.from_ser = sampleFromFragments;
  functions.from_ser_iov = sampleFromPieces;
  functions.from_keyhash = sampleFromKey;
  functions.from_sample = sampleFromValue;
  functions.to_ser = copySample;
  functions.to_ser_ref = lendSample;
  functions.to_ser_unref = takeSampleBack;
  functions.to_sample = valueFromSample;
  functions.to_untyped = withoutType;
  functions.untyped_to_sample = valueFromKey;
  functions.free = freeSample;
  functions.print = printSample;
  functions.get_keyhash = keyHash;
  return functions;
}();

// Functions that CycloneDDS calls on types. Samples are never taken as values, so that there is nothing to make or to
// free.

void freeType(ddsi_sertype* type) {
  ddsi_sertype_fini(type);
  delete type;
}

void zeroValues(const ddsi_sertype*, void*, std::size_t) {}

void resizeValues(void** values, const ddsi_sertype*, void*, std::size_t, std::size_t count) {
  std::fill(values, values + count, nullptr);
}

void freeValues(const ddsi_sertype*, void**, std::size_t, dds_free_op_t) {}

bool sameType(const ddsi_sertype*, const ddsi_sertype*) { return true; }

std::uint32_t hashOfType(const ddsi_sertype*) { return 0; }

const ddsi_sertype_ops kTypeFunctions = [] {
  ddsi_sertype_ops functions = {};
  functions.version = ddsi_sertype_v0;
  functions.free = freeType;
  functions.zero_samples = zeroValues;
  functions.realloc_samples = resizeValues;
  functions.free_samples = freeValues;
  functions.equal = sameType;
  functions.hash = hashOfType;
  return functions;
}();

}  // namespace

dds_entity_t createByteTopic(dds_entity_t participant, const std::string& name, const std::string& type) {
  auto* created = new ddsi_sertype{};
  ddsi_sertype_init(created, type.c_str(), &kTypeFunctions, &kSampleFunctions, true);
  created->allowed_data_representation = DDS_DATA_REPRESENTATION_FLAG_XCDR1;
  ddsi_sertype* used = created;
  const dds_entity_t topic = dds_create_topic_sertype(participant, name.c_str(), &used, nullptr, nullptr, nullptr);
  // On success the topic has the reference, or the one of the same type that there was before.
  if (topic < 0) ddsi_sertype_unref(created);
  return topic;
}

dds_return_t writeBytes(dds_entity_t writer, std::span<const std::byte> bytes) { return dds_write(writer, &bytes); }

std::span<const std::byte> bytesOf(const ddsi_serdata* sample) {
  return {sampleOf(sample)->bytes.data(), sampleOf(sample)->size};
}

void releaseSample(ddsi_serdata* sample) { ddsi_serdata_unref(sample); }

}  // namespace mortise::ros2
