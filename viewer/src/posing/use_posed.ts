// Shows the posed world of the server's messages in the scene and in the panel.
import {useEffect, useReducer, useState} from 'preact/hooks';
import type {State} from '../data/protocol';
import {useEvent} from '../page/use_event';
import type {Posing} from './posing';
import {stateText} from './pose_state';
import {showPose} from './show_pose';

/** Whether the server is there. `onChange`: the scene is to be drawn anew. */
export function usePosed(posing: Posing, onChange: () => void): boolean {
  const {client, view, panel, resources, selected} = posing;
  const [connected, setConnected] = useState(true);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const show = (state: State) => {
    showPose(posing, state, posing.item?.holds ?? []);
    onChange();
  };
  useEvent(client.events, 'connected', setConnected);
  useEvent(client.events, 'problem', (text) => posing.change({message: text}));
  useEvent(client.events, 'state', (state) => {
    if (state.added !== undefined) posing.choose(state.added);
    show(state);
    posing.change({path: state.path ?? null, message: stateText(state, (id) => posing.entities[id].name)});
    if (state.mesh) view.setMesh(state.mesh.points, state.mesh.triangles, selected);
    else if (state.resources) view.setMesh([], []);
    document.body.dataset.ready = 'true';
    redraw(0);
  });
  useEffect(() => client.connect(), []);
  // What is chosen shows its contacts.
  useEffect(() => { if (client.state) show(client.state); }, [panel.chosen, resources]);
  return connected;
}
