// Knowledge of a page about the program that shows something in it: controls, drawings, looks of bodies, and what people do to them.
import {Events} from './events';
import type {Bodies, Camera, Controls, Drawings, ProgramRequest, ServerMessage} from './protocol';

export interface ProgramEvents {
  /** Controls are others, or have other values. */
  controls: Controls;
  drawings: Drawings;
  bodies: Bodies;
  camera: Camera;
  /** What was there is gone: all of it comes anew. */
  reset: undefined;
}

export class ProgramClient {
  readonly events = new Events<ProgramEvents>();

  constructor(readonly send: (request: ProgramRequest) => void) {}

  /** The server begins anew, as it does where a connection was lost. */
  reset(): void { this.events.emit('reset', undefined); }

  hear(message: ServerMessage): void {
    switch (message.type) {
      case 'controls': return this.events.emit('controls', message);
      case 'drawings': return this.events.emit('drawings', message);
      case 'bodies': return this.events.emit('bodies', message);
      case 'camera': return this.events.emit('camera', message);
      default:
    }
  }
}
