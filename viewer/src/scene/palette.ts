// The colors of what is drawn, each declared once.

/** Colors of logs that are shown together, by index; shapes of the first keep their own. */
const TINTS = [0x000000, 0xff7f0e, 0x2ca02c, 0xd62728, 0x9467bd];

/** Mixed into the colors of the shapes of a log. */
export const tintOf = (log: number): number => TINTS[log % TINTS.length];

/** Contact points and forces of the first log; those of others have its tint. */
const CONTACT = 0x21a045;
export const contactColor = (log: number): number => (log === 0 ? CONTACT : tintOf(log));

/** Bodies in contact in a posed world: with their own robot, and with anything else. */
export const SELF_COLLISION = 0xb00000, COLLISION = 0xb05000;

const TRAIL = 0x1f77b4;
export const trailColor = (log: number): number => (log === 0 ? TRAIL : tintOf(log));

/** Robots where their controllers want them, and along a path. */
export const COMMANDED = 0x21a045, GHOST = 0x1f77b4;

/** Handles that people pull, and the marks of posing: goals, contacts of holds, the polygon of balance. */
export const MARK = 0xd6007f;

export const CENTER_OF_MASS = 0xd62728, INERTIA = 0x8e44ad;
export const RAY = 0xe0662b, FRUSTUM = 0x3d5a80, PADDING = 0xff9f1c, MESH = 0x1f5fa8;
