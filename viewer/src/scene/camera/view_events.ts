// What a view tells the page.

export interface ViewEvents {
  /** What was clicked; -1: nothing. */
  select: number;
  /** What was clicked twice; -1: nothing. */
  focus: number;
  /** What is under a mouse that rests (-1: nothing), and where it is in the picture. */
  hover: {id: number; x: number; y: number};
  /** A body is pulled: `point` in its frame, `target` in the world. */
  pull: {id: number; point: number[]; target: number[]};
  release: number;
  /** Where surfaces are picked: what was clicked, and the ray there. */
  point: {id: number; origin: number[]; direction: number[]; face: boolean};
  /** Likewise a rectangle that was dragged: what is under its first corner, where the eye is, and the directions to its corners. */
  patch: {id: number; origin: number[]; corners: number[][]};
  /** Drags of a body with the right button: pixels upward from where it began. */
  turnStart: number;
  turn: number;
  turnEnd: undefined;
  /** A picture was drawn whose camera or bodies are not those of the one before: labels go along. */
  drawn: undefined;
}
