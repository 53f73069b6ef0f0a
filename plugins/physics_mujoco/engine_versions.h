#pragma once

/// Differences between MuJoCo's versions, from 2.2 to 4.0. Functions and members are told apart by whether they are
/// there, constants by what CMake finds in the headers; nothing else of the plugin asks for a version.

#include <Eigen/Core>
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <mujoco/mujoco.h>

namespace mortise::mujoco {

#ifdef MORTISE_MUJOCO_HAS_IMPLICITFAST
constexpr int kImplicitFast = mjINT_IMPLICITFAST;
#else
constexpr int kImplicitFast = -1;  ///< Not in this version.
#endif

/// Several contact points for each pair of convex meshes: asked for in early versions, the default in later ones.
inline void setMulticcd(mjOption& options, bool on) {
#ifdef MORTISE_MUJOCO_MULTICCD_IS_DEFAULT
  options.disableflags = on ? options.disableflags & ~mjDSBL_MULTICCD : options.disableflags | mjDSBL_MULTICCD;
#else
  options.enableflags = on ? options.enableflags | mjENBL_MULTICCD : options.enableflags & ~mjENBL_MULTICCD;
#endif
}

/// The joint-space inertia and its factor, at positions for which `mj_comPos` was called.
template <typename Model>
void factorInertia(const Model* m, mjData* d) {
  if constexpr (requires { mj_makeM(m, d); })
    mj_makeM(m, d);
  else
    mj_crb(m, d);
  mj_factorM(m, d);
}

/// Groups of constraints that do not touch are solved apart in later versions.
template <typename Model>
void findIslands(const Model* m, mjData* d) {
  if constexpr (requires { mj_island(m, d); }) mj_island(m, d);
}

/// Implicit integration of the accelerations. 2.2.2 has no function for it but its whole second half of a step, which
/// makes the accelerations once more.
template <typename Model>
void integrateImplicitly(const Model* m, mjData* d) {
  if constexpr (requires { mj_implicit(m, d); })
    mj_implicit(m, d);
  else
    mj_step2(m, d);
}

/// No contacts, and nothing of the last step in the memory that they take.
template <typename Data>
void clearContacts(Data* d) {
  d->ncon = 0;
  if constexpr (requires { d->parena; }) d->parena = 0;
}

/// Between two geoms, of which later versions keep a second record beside other kinds of shapes.
template <typename Contact>
void nameGeoms(Contact& contact, int geom1, int geom2) {
  contact.geom1 = geom1;
  contact.geom2 = geom2;
  if constexpr (requires { contact.flex; }) {
    contact.geom[0] = geom1;
    contact.geom[1] = geom2;
    for (int side = 0; side < 2; ++side) contact.flex[side] = contact.elem[side] = contact.vert[side] = -1;
  }
}

/// Returns the iterations of the last step; later versions count by island.
template <typename Data>
std::uint64_t solverIterations(const Data* d) {
  if constexpr (requires { d->solver_niter; }) {
    int maximum = 0;
    const int islands = std::clamp(static_cast<int>(d->nisland), 1, static_cast<int>(std::size(d->solver_niter)));
    for (int i = 0; i < islands; ++i) maximum = std::max(maximum, static_cast<int>(d->solver_niter[i]));
    return static_cast<std::uint64_t>(maximum);
  } else {
    return static_cast<std::uint64_t>(d->solver_iter);
  }
}

/// After an error that left MuJoCo's functions half way.
template <typename Data>
void unwindStack(Data* d) {
  d->pstack = 0;
  if constexpr (requires { d->pbase; }) d->pbase = 0;
}

/// Adds a file in memory; false when there is no room.
template <typename Files>
bool addFile(Files* files, const char* name, const char* bytes, std::size_t size) {
  if constexpr (requires { mj_addBufferVFS(files, name, bytes, int(size)); }) {
    return mj_addBufferVFS(files, name, bytes, static_cast<int>(size)) == 0;
  } else {
    if (mj_makeEmptyFileVFS(files, name, static_cast<int>(size)) != 0) return false;
    std::copy_n(bytes, size, static_cast<char*>(files->filedata[mj_findFileVFS(files, name)]));
    return true;
  }
}

/// Memory that is not made again while a scene steps.
struct Room {
  std::int64_t rows = 0, contacts = 0, memory = 0;
};

template <typename Model>
Room roomOf(const Model& m) {
  if constexpr (requires { m.narena; })
    return {m.njmax, m.nconmax, m.narena};
  else
    return {m.njmax, m.nconmax, m.nstack};
}

template <typename Model>
void setRoom(Model& m, const Room& room) {
  m.njmax = static_cast<decltype(m.njmax)>(room.rows);
  m.nconmax = static_cast<decltype(m.nconmax)>(room.contacts);
  if constexpr (requires { m.narena; })
    m.narena = static_cast<decltype(m.narena)>(room.memory);
  else
    m.nstack = static_cast<decltype(m.nstack)>(room.memory);
}

/// Returns the memory that so many rows of constraints and contacts need.
template <typename Model>
Room neededRoom(const Model& m, std::int64_t rows, std::int64_t contacts) {
  const std::int64_t n = rows + m.neq + m.nv;
  if constexpr (requires { m.narena; }) {
    // In bytes, for contacts, constraints and scratch. Matrices of all rows are only made by solvers of forces.
    const bool dual = m.opt.solver == mjSOL_PGS || m.opt.noslip_iterations > 0;
    const std::int64_t squares = (dual ? 4 * n * n : 0) + 8 * std::int64_t(m.nv) * m.nv;
    const std::int64_t row = 12 * std::int64_t(m.nv) + 200;
    const std::int64_t others = 400 * (std::int64_t(m.nv) + m.nbody + m.ngeom + m.neq);
    return {rows, contacts,
            4'000'000 + 4 * contacts * std::int64_t(sizeof(mjContact)) +
                std::int64_t(sizeof(mjtNum)) * (squares + n * row + others)};
  } else {
    // In numbers: the stack that MuJoCo's compiler would choose.
    const std::int64_t others =
        std::int64_t(m.nq) + m.nv + m.nu + m.na + m.nbody + m.njnt + m.ngeom + m.nsite + m.neq + m.ntendon + m.nwrap;
    return {rows, contacts,
            std::clamp<std::int64_t>(5 * n * n + 20 * others, 1000, std::numeric_limits<int>::max() / 2)};
  }
}

}  // namespace mortise::mujoco
