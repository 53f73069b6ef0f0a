// The colors of what is drawn, each declared once.

/** Colors of logs that are shown together, by index, and of whatever else is told apart: Petroff's ten, which people with weak sight for colors can tell apart, too. */
export const PALETTE = [0x3f90da, 0xffa90e, 0xbd1f01, 0x832db6, 0x94a4a2, 0xa96b59, 0xe76300, 0xb9ac70, 0x717581, 0x92dadd] as const;

/** The same for thin curves, with a contrast of 3:1 to the panel behind them. From the seventh on, curves repeat them and are dashed. */
export const CURVES = {
  light: [0x2f7fd0, 0xc87d00, 0xbd1f01, 0x832db6, 0x879694, 0xa96b59],
  dark: [0x4a98e6, 0xffa90e, 0xd9402f, 0x8f52c4, 0xb7c3c1, 0xb98a78],
} as const;

export const cssOf = (color: number): string => '#' + color.toString(16).padStart(6, '0');

/** The color of a log everywhere: shapes, contacts, paths, the tree, plots. */
export const logColor = (log: number): number => PALETTE[log % PALETTE.length];

/** How a log's curve is drawn. */
export function curveStyle(log: number, dark: boolean): {color: string; dashed: boolean} {
  const colors = dark ? CURVES.dark : CURVES.light;
  return {color: cssOf(colors[log % colors.length]), dashed: log >= colors.length};
}

/** Contact forces and points: of a log that is shown alone, and of one of several. */
export const CONTACT = 0xe8710a;
export const contactColor = (log: number, several = log > 0): number => (several ? logColor(log) : CONTACT);

/** Bodies in contact in a posed world: with their own robot, and with anything else. */
export const SELF_COLLISION = 0xb00000, COLLISION = 0xb05000;

export const trailColor = (log: number): number => logColor(log);

/** Robots where their controllers want them, and along a path. */
export const COMMANDED = 0x30a46c, GHOST = 0x3f90da;

/** Handles that people pull, and the marks of posing: goals, contacts of holds, the polygon of balance. */
export const MARK = 0xd6007f;

export const AXES = [0xe5484d, 0x30a46c, 0x3e63dd] as const;
export const CENTER_OF_MASS = 0xa96b59, INERTIA = 0x832db6;
export const RAY = 0xbd1f01, FRUSTUM = 0x3d5a80, PADDING = 0xffa90e, MESH = 0x1f5fa8, COLLISION_SHAPE = 0x3f90da;

/** What is selected: an outline, and one around it that is seen on any color. */
export const SELECTED = {light: 0x1c62c9, dark: 0x7fb2ff, around: 0xffffff} as const;
