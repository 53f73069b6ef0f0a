// Texts that face the eye.
import * as THREE from 'three';

const TEXT_HEIGHT = 64, TEXT_MARGIN = 8;
/** Of a picture's height, a pixel of one of usual size. */
const PIXEL = 1 / 1200;

/** `size`: of its letters, meters, or, where it keeps its size on the screen, pixels. */
export function textSprite(text: string, color: string, opacity: number, size: number, pixels = false): THREE.Sprite {
  const canvas = document.createElement('canvas'), context = canvas.getContext('2d')!;
  const font = `${TEXT_HEIGHT}px Inter, system-ui, sans-serif`, lines = text.split('\n');
  context.font = font;
  canvas.width = Math.ceil(Math.max(1, ...lines.map((line) => context.measureText(line).width))) + 2 * TEXT_MARGIN;
  canvas.height = Math.ceil(1.25 * TEXT_HEIGHT * lines.length) + 2 * TEXT_MARGIN;
  context.font = font;
  context.fillStyle = color;
  context.textBaseline = 'top';
  lines.forEach((line, i) => context.fillText(line, TEXT_MARGIN, TEXT_MARGIN + 1.25 * TEXT_HEIGHT * i));
  const texture = new THREE.CanvasTexture(canvas);
  texture.colorSpace = THREE.SRGBColorSpace;
  const sprite = new THREE.Sprite(new THREE.SpriteMaterial({map: texture, transparent: true, opacity, depthTest: false, toneMapped: false, sizeAttenuation: !pixels}));
  const scale = (pixels ? PIXEL * size : size) / TEXT_HEIGHT;
  sprite.scale.set(scale * canvas.width, scale * canvas.height, 1);
  return sprite;
}
