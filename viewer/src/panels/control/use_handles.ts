// Handles at something of the scene while it moves: a goal of a link, or the place of a body.
import {useEffect, useRef} from 'preact/hooks';
import type {View} from '../../scene/view';

export interface Handled {
  /** Where handles begin: rows of a rotation and a position. */
  T: ArrayLike<number>;
  /** While they are dragged, and once more when they are let go. */
  onMove: (T: number[], done: boolean) => void;
}

/** Handles are there as long as `handled` is; they begin anew where `key` is another one. */
export function useHandles(view: View, key: string, handled: Handled | null): void {
  const latest = useRef(handled), at = useRef<number[] | null>(null);
  latest.current = handled;
  useEffect(() => {
    if (!latest.current) return;
    const {handles} = view;
    at.current = Array.from(latest.current.T);
    handles.show(at.current);
    const stops = [
      handles.events.on('move', (T) => {
        at.current = T;
        latest.current?.onMove(T, false);
      }),
      handles.events.on('end', () => { if (at.current) latest.current?.onMove(at.current, true); }),
    ];
    return () => {
      for (const stop of stops) stop();
      handles.show(null);
    };
  }, [key, handled === null]);
}
