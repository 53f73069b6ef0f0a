// Shows in a view what a program draws, marks and asks for, and tells the program what is dragged and clicked.
import * as THREE from 'three';
import type {ProgramClient} from '../../data/program_client';
import type {Bodies, Camera} from '../../data/protocol';
import {DrawingScene} from './drawings';
import type {HandleMode} from '../marks/handles';
import type {View} from '../view';

export class ProgramDrawer {
  readonly scene = new DrawingScene();
  private readonly outside: {changed: () => void; camera: () => THREE.Camera};
  private readonly ends: (() => void)[];
  private hidden: number[] = [];
  private bodies: Bodies = {type: 'bodies', bodies: []};
  private camera: Camera | null = null;
  private ready = false;
  private fitted = false;
  private dragged: string | null = null;
  private mode: HandleMode = 'move';
  private clicked: [number, number] = [0, 0];

  /** `onDraggable`: other drawings can be dragged than before. */
  constructor(private readonly program: ProgramClient, private readonly view: View, private readonly onDraggable: (names: string[]) => void) {
    this.outside = view.attach(this.scene.root);
    const {events} = program, {handles} = view, remember = (event: PointerEvent) => void (this.clicked = [event.clientX, event.clientY]);
    view.canvas.addEventListener('pointerdown', remember, {capture: true});
    this.ends = [
      events.on('drawings', (news) => {
        this.scene.take(news, handles.dragging ? this.dragged : null);
        this.changed();
      }),
      events.on('reset', () => {
        this.scene.clear();
        this.show({type: 'bodies', bodies: []});
        this.changed();
      }),
      events.on('bodies', (bodies) => this.show(bodies)),
      events.on('camera', (camera) => this.look(camera)),
      handles.events.on('move', (T) => this.move(T, false)),
      handles.events.on('end', () => this.move(this.scene.get(this.dragged ?? '')?.T, true)),
      view.events.on('select', (id) => this.pick(id)),
      () => view.canvas.removeEventListener('pointerdown', remember, {capture: true}),
    ];
  }

  /** Handles appear at a drawing; null: at none. */
  drag(name: string | null, mode: HandleMode = 'move'): void {
    this.dragged = name;
    this.mode = mode;
    this.showHandles();
  }

  private showHandles(): void {
    this.view.handles.show(this.dragged === null ? null : this.scene.get(this.dragged)?.T ?? null, this.mode);
  }

  /** The world's shapes are there, and its first picture: what came before is done again. */
  begin(): void {
    this.ready = true;
    this.show(this.bodies);
    if (this.camera) this.look(this.camera);
    this.changed();
  }

  end(): void { for (const end of this.ends) end(); }

  private changed(): void {
    const names = this.scene.draggable().map(({name}) => name);
    if (this.dragged !== null && !names.includes(this.dragged)) this.drag(null);
    // Handles are where the program has moved what they are at.
    else if (this.dragged !== null && !this.view.handles.dragging) this.showHandles();
    this.onDraggable(names);
    this.fitOnce();
    this.outside.changed();
  }

  /** Where the world is empty, the first that is drawn is looked at. */
  private fitOnce(): void {
    if (this.fitted || !this.ready || this.view.logs.some(({shapes}) => shapes.bodies.size > 0)) return;
    const box = this.scene.bounds();
    if (box.isEmpty()) return;
    this.fitted = true;
    const center = box.getCenter(new THREE.Vector3()), distance = Math.max(1.4 * box.getSize(new THREE.Vector3()).length(), 0.2);
    const eye = new THREE.Vector3(1, -1.3, 0.8).normalize().multiplyScalar(distance).add(center);
    this.look({type: 'camera', position: eye.toArray(), target: center.toArray()});
  }

  private look(camera: Camera): void {
    const {position, target} = camera;
    this.camera = camera;
    if (!this.ready) return;
    const distance = new THREE.Vector3(...position).distanceTo(new THREE.Vector3(...target));
    this.fitted = true;
    this.view.camera3d = [...position, ...target, distance / 500, Math.max(distance * 50, 100)];
  }

  private show(looks: Bodies): void {
    const {bodies} = looks;
    this.bodies = looks;
    if (!this.ready) return;
    for (const id of this.hidden) this.view.setVisible(id, true);
    this.hidden = bodies.filter(({hidden}) => hidden).map(({id}) => id);
    for (const id of this.hidden) this.view.setVisible(id, false);
    this.view.setTints(new Map(bodies.flatMap(({id, color}) => (color ? [[id, new THREE.Color(color).getHex()] as const] : []))));
  }

  private move(T: number[] | undefined, done: boolean): void {
    if (this.dragged === null || !T) return;
    this.scene.move(this.dragged, T);
    this.program.send({type: 'dragged', name: this.dragged, T, done});
    this.outside.changed();
  }

  private pick(id: number): void {
    if (this.view.handles.dragging) return;
    const box = this.view.canvas.getBoundingClientRect(), caster = new THREE.Raycaster();
    caster.setFromCamera(new THREE.Vector2(
        (2 * (this.clicked[0] - box.left)) / box.width - 1, 1 - (2 * (this.clicked[1] - box.top)) / box.height), this.outside.camera());
    this.program.send({type: 'picked', id, origin: caster.ray.origin.toArray(), direction: caster.ray.direction.toArray()});
  }
}
