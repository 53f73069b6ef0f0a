// What posing says, over the scene: the last answer, and what collides.
import {Elsewhere} from '../ui/elsewhere';
import {Notice} from '../ui/toasts';
import type {Posing} from './posing';

export function Messages(props: {posing: Posing; connected: boolean}) {
  const {state, entities, panel: {message}, change} = props.posing, collisions = state?.collisions ?? [];
  const pairs = collisions.slice(0, 3).map(([a, b]) => `${entities[a].name} and ${entities[b].name}`).join(', ');
  const place = document.getElementById('pose-messages');
  if (!place) return null;
  return (
    <Elsewhere place={place}>
      {!props.connected && <Notice bad>The server has ended.</Notice>}
      {collisions.length > 0 &&
        <Notice id="collisions" bad>{collisions.length} {collisions.length === 1 ? 'pair collides' : 'pairs collide'}: {pairs}{collisions.length > 3 ? `, and ${collisions.length - 3} more` : ''}</Notice>}
      {message ? <Notice id="message" bad={state?.solved === false || Boolean(state?.problem)} onClose={() => change({message: ''})}>{message}</Notice> :
                 <div id="message" role="status" hidden />}
    </Elsewhere>);
}
