// One camera for both projections: what it looks at stays as large when one is changed for the other.
import * as THREE from 'three';

/** Of the upright picture, degrees. */
export const FIELD_OF_VIEW = 35;

/** What three.js asks of a camera, whatever its projection. */
interface EitherKind { isPerspectiveCamera: boolean; isOrthographicCamera: boolean; left: number; right: number; top: number; bottom: number }

export class SceneCamera extends THREE.PerspectiveCamera {
  /** Half of the height that is seen at the target, where lines of sight are parallel. */
  private half = 1;

  constructor() {
    super(FIELD_OF_VIEW, 1, 0.01, 1000);
    this.up.set(0, 0, 1);
  }

  get parallel(): boolean { return (this as unknown as EitherKind).isOrthographicCamera === true; }

  /** Changes the projection; `distance` to what is looked at. */
  setParallel(parallel: boolean, distance: number): void {
    const kind = this as unknown as EitherKind;
    kind.isPerspectiveCamera = !parallel;
    kind.isOrthographicCamera = parallel;
    this.half = distance * Math.tan((this.fov * Math.PI) / 360);
    this.zoom = 1;
    this.updateProjectionMatrix();
  }

  /** Meters that a pixel takes at a distance, in a picture of so many pixels in height. */
  metersPerPixel(distance: number, height: number): number {
    const half = this.parallel ? this.half / this.zoom : distance * Math.tan((this.fov * Math.PI) / 360);
    return (2 * half) / Math.max(height, 1);
  }

  override updateProjectionMatrix(): void {
    // The constructor of the base calls this before there are fields.
    if (this.half === undefined || !this.parallel) {
      super.updateProjectionMatrix();
      return;
    }
    const kind = this as unknown as EitherKind, half = this.half, wide = half * this.aspect, {view} = this;
    Object.assign(kind, {left: -wide, right: wide, top: half, bottom: -half});
    let [left, right, top, bottom] = [-wide, wide, half, -half].map((side) => side / this.zoom);
    if (view?.enabled) {
      const x = (right - left) / view.fullWidth, y = (top - bottom) / view.fullHeight;
      left += x * view.offsetX;
      top -= y * view.offsetY;
      right = left + x * view.width;
      bottom = top - y * view.height;
    }
    this.projectionMatrix.makeOrthographic(left, right, top, bottom, this.near, this.far, this.coordinateSystem);
    this.projectionMatrixInverse.copy(this.projectionMatrix).invert();
  }
}
