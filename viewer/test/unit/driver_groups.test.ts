// Groups of drivers: those of one limb are together, whatever the robot.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {driverGroups} from '../../src/posing/driver_groups';

/** Links as `name parent`; each is moved by a driver of its name, but those of `still`. */
function groupsOf(description: string[], still: string[] = []) {
  const names = description.map((text) => text.split(' ')[0]), parents = description.map((text) => names.indexOf(text.split(' ')[1] ?? ''));
  const links = names.map((_, i) => i).filter((i) => !still.includes(names[i]));
  return driverGroups(links, links.map((i) => names[i]), {parents, names}).map(({name, members}) => [name, members.map((i) => names[links[i]])]);
}

test('an arm is one group', () => {
  assert.deepEqual(groupsOf(['shoulder', 'elbow shoulder', 'wrist elbow']), [['shoulder', ['shoulder', 'elbow', 'wrist']]]);
});

test('a humanoid has a trunk and limbs, with the names that they have in common', () => {
  assert.deepEqual(groupsOf([
    'waist', 'neck waist', 'head neck', 'left_shoulder waist', 'left_elbow left_shoulder', 'right_shoulder waist', 'right_elbow right_shoulder', 'tail waist',
  ]), [
    // A limb of one joint is with what carries it.
    ['waist', ['waist', 'tail']], ['neck', ['neck', 'head']], ['left', ['left_shoulder', 'left_elbow']], ['right', ['right_shoulder', 'right_elbow']],
  ]);
});

test('limbs that begin alike are told by their ends', () => {
  assert.deepEqual(groupsOf(['hip', 'Body_LA hip', 'Body_LB Body_LA', 'Body_LX hip', 'Body_LY Body_LX'], ['hip']),
    [['Body_LA to Body_LB', ['Body_LA', 'Body_LB']], ['Body_LX to Body_LY', ['Body_LX', 'Body_LY']]]);
});

test('what is not moved makes no limb', () => {
  assert.deepEqual(groupsOf(['base', 'camera base', 'joint_a base', 'joint_b joint_a'], ['base', 'camera']), [['joint', ['joint_a', 'joint_b']]]);
});

test('each driver is in one group, in the order of the list', () => {
  let seed = 3;
  const random = (n: number) => (seed = (seed * 16807) % 2147483647) % n;
  for (let round = 0; round < 50; ++round) {
    const count = 1 + random(40), parents = Array.from({length: count}, (_, i) => (i === 0 ? -1 : random(i + 1) - 1)), names = parents.map((_, i) => `l${i}`);
    const links = Array.from({length: 1 + random(30)}, () => random(count + 1) - 1);
    const groups = driverGroups(links, links.map((_, i) => `d${i}`), {parents, names}), members = groups.flatMap((group) => group.members);
    assert.deepEqual([...members].sort((a, b) => a - b), links.map((_, i) => i));
    for (const group of groups) assert.deepEqual(group.members, [...group.members].sort((a, b) => a - b));
  }
});
