// How bodies look: what their files say, calm colors where nobody said any, and what the page makes stand out.
import * as THREE from 'three';
import type {Entity, Log} from '../../data/log';
import {COLLISION_SHAPE, PALETTE, logColor} from '../palette';
import {CoatedSurface, Surface} from '../light/surface';
import type {Theme} from '../light/theme';

/** What a node of the scene says of itself; nodes of logs from before have nothing. */
export interface NodeSays {
  visual?: boolean;
  collision?: boolean;
  defaultColor?: boolean;
  /** Of lines along sharp edges and around the whole, pixels; colors as screens show them. */
  edges?: number;
  edgeColor?: number[];
  silhouette?: number;
  silhouetteColor?: number[];
  pointSize?: number;
}

/** Klamp't's colors of what has none, as screens show them. */
const KLAMPT: Record<Entity['kind'], number[]> = {
  terrain: [0.8, 0.6, 0.2], object: [0.4, 0.2, 0.8], link: [0.5, 0.5, 0.5], robot: [0.5, 0.5, 0.5],
};
/** A robot without colors; by turns its links are a little darker and lighter. */
const ROBOT = 0xe0ddd8, DARKER = -0.035, LIGHTER = 0.014;
const ROUGHNESS: Record<Entity['kind'], number> = {terrain: 0.8, object: 0.6, link: 0.42, robot: 0.42};
const COAT = {clearcoat: 0.35, clearcoatRoughness: 0.25};
/** So many objects without colors get one each; more are all alike. */
const TOLD_APART = PALETTE.length;

/** Of logs that lie over the first: how much of their color is the log's, and how much of what is behind is seen. */
const TINTED = 0.85, TINTED_OPACITY = 0.5;

export class Looks {
  private readonly made = new Map<string, THREE.MeshStandardMaterial>();
  private readonly varied = new Map<THREE.Material, Map<string, THREE.MeshStandardMaterial>>();
  /** Of terrains and objects without color, whose color is the theme's. */
  private readonly themed = new Set<THREE.MeshStandardMaterial>();
  private readonly numbers = new Map<number, number>();
  private readonly entities: Map<number, Entity>;
  private wireframe = false;
  private planes: THREE.Plane[] | null = null;
  private plainColor = new THREE.Color();

  constructor(log: Log, private readonly index: number, private readonly coated: boolean) {
    this.entities = new Map(log.world.entities.map((entity) => [entity.id, entity]));
    const objects = log.world.entities.filter((entity) => entity.kind === 'object');
    objects.forEach((entity, i) => this.numbers.set(entity.id, objects.length <= TOLD_APART ? i : -1));
    for (const robot of log.robots) robot.links.forEach((link, i) => this.numbers.set(link.id, i));
  }

  kindOf(id: number): Entity['kind'] { return this.entities.get(id)?.kind ?? 'object'; }

  setTheme(theme: Theme): void {
    this.plainColor.copy(theme.plain);
    for (const material of this.themed) this.put(material, this.plainColor);
  }

  private put(material: THREE.MeshStandardMaterial, color: THREE.Color): void {
    material.color.copy(color);
    if (this.index > 0) material.color.lerp(new THREE.Color(logColor(this.index)), TINTED);
    for (const variant of this.varied.get(material)?.values() ?? []) variant.color.copy(material.color);
  }

  /** Whether a body has the color of those that were given none. */
  isDefault(id: number, given: THREE.MeshStandardMaterial, says: NodeSays): boolean {
    if (says.defaultColor !== undefined) return says.defaultColor;
    if (given.map || given.vertexColors) return false;
    const own = new THREE.Color().setRGB(...(KLAMPT[this.kindOf(id)] as [number, number, number]), THREE.SRGBColorSpace);
    return Math.max(Math.abs(own.r - given.color.r), Math.abs(own.g - given.color.g), Math.abs(own.b - given.color.b)) < 2e-3;
  }

  /** Ours for what a file has. */
  surfaceOf(id: number, given: THREE.MeshStandardMaterial, says: NodeSays, smooth: boolean): THREE.MeshStandardMaterial {
    const kind = this.kindOf(id), unnamed = this.isDefault(id, given, says), number = this.numbers.get(id) ?? -1;
    const own = !unnamed ? 'given' : kind === 'link' ? `link ${number % 2}` : kind === 'object' && number >= 0 ? `object ${number}` : 'themed';
    const key = `${kind} ${own} ${own === 'given' ? given.uuid : ''} ${smooth}`, known = this.made.get(key);
    if (known) return known;
    const material = this.make(kind, given, smooth);
    if (own === 'themed') {
      this.themed.add(material);
      this.put(material, this.plainColor);
    } else {
      this.put(material, own === 'given' ? given.color : kind === 'link' ? robotColor(number) : new THREE.Color(PALETTE[number]));
    }
    material.wireframe = this.wireframe;
    material.clippingPlanes = this.planes;
    this.made.set(key, material);
    return material;
  }

  private make(kind: Entity['kind'], given: THREE.MeshStandardMaterial, smooth: boolean): THREE.MeshStandardMaterial {
    const coat = kind === 'link' && this.coated && this.index === 0;
    const parameters: THREE.MeshStandardMaterialParameters = {
      map: given.map, vertexColors: given.vertexColors, side: THREE.DoubleSide, transparent: given.transparent, opacity: given.opacity,
      depthWrite: given.depthWrite, alphaTest: given.alphaTest, flatShading: !smooth, normalMap: given.normalMap, metalness: given.metalness,
      roughness: given.metalness > 0 ? given.roughness : ROUGHNESS[kind], emissive: given.emissive, clipShadows: true,
    };
    const material = coat ? new CoatedSurface({...parameters, ...COAT}) : new Surface(parameters);
    if (this.index > 0) {
      material.transparent = true;
      material.opacity = TINTED_OPACITY;
      // Where two runs agree, their surfaces would fight for the pixels.
      material.polygonOffset = true;
      material.polygonOffsetFactor = material.polygonOffsetUnits = -this.index;
    }
    return material;
  }

  /** The same in another color, or seen through; collision shapes over others are both. */
  variantOf(plain: THREE.Material, tint: number, opacity: number, over: boolean): THREE.Material {
    if ((tint === 0 && opacity === 1 && !over) || !(plain instanceof THREE.MeshStandardMaterial)) return plain;
    const variants = this.varied.get(plain) ?? new Map<string, THREE.MeshStandardMaterial>(), key = `${tint} ${opacity} ${over}`;
    this.varied.set(plain, variants);
    const known = variants.get(key);
    if (known) return known;
    const material = plain.clone();
    material.emissive.setHex(tint);
    if (over) {
      material.color.setHex(COLLISION_SHAPE);
      material.map = null;
      material.vertexColors = false;
      material.polygonOffset = true;
      material.polygonOffsetFactor = material.polygonOffsetUnits = -1;
    }
    if (opacity < 1 || over) {
      material.transparent = true;
      material.opacity = (over ? 0.35 : plain.opacity) * opacity;
      material.depthWrite = false;
    }
    variants.set(key, material);
    return material;
  }

  private *all(): Iterable<THREE.MeshStandardMaterial> {
    yield* this.made.values();
    for (const variants of this.varied.values()) yield* variants.values();
  }

  setWireframe(wireframe: boolean): void {
    this.wireframe = wireframe;
    for (const material of this.all()) material.wireframe = wireframe;
  }

  /** What is beyond any of the planes is not drawn. */
  setPlanes(planes: THREE.Plane[] | null): void {
    this.planes = planes;
    for (const material of this.all()) material.clippingPlanes = planes;
  }
}

function robotColor(link: number): THREE.Color {
  return new THREE.Color(ROBOT).offsetHSL(0, 0, link % 2 === 0 ? DARKER : LIGHTER);
}
