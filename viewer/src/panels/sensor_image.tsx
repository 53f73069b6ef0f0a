// The image of a camera, small and, after a click, large: with its size, its angles of view, and what is under the mouse.
import {useState} from 'preact/hooks';
import type {SensorDescription} from '../data/log';
import {Tool} from '../ui/controls';
import {Dialog} from '../ui/dialog';

const DEGREES = 180 / Math.PI;

/** The color of a pixel, as text. */
function pixelAt(image: HTMLImageElement, x: number, y: number): string {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d')!;
  context.drawImage(image, x, y, 1, 1, 0, 0, 1, 1);
  const [r, g, b] = context.getImageData(0, 0, 1, 1).data;
  return r === g && g === b ? `gray ${r} of 255` : `red ${r}, green ${g}, blue ${b} of 255`;
}

type Camera = NonNullable<SensorDescription['camera']>;

/** Angles of a pixel from where the camera points. */
function anglesAt({fx, fy, cx, cy}: Camera, x: number, y: number): string {
  const right = Math.atan2(x - cx, fx) * DEGREES, down = Math.atan2(y - cy, fy) * DEGREES;
  return `; ${right.toFixed(1)}° right, ${down.toFixed(1)}° down`;
}

/** What a camera sees: its size, its angles, and how far. */
function viewOf({width, height, fx, fy, near, far}: Camera): string {
  const view = [2 * Math.atan(width / 2 / fx), 2 * Math.atan(height / 2 / fy)].map((angle) => `${(angle * DEGREES).toFixed(1)}°`).join(' × ');
  return `${width} × ${height} px, sees ${view}, from ${near} m${far === null ? '' : ` to ${far} m`}`;
}

/** `camera`: where it is known. */
function Large(props: {url: string; title: string; camera?: Camera; onClose: () => void}) {
  const {camera} = props;
  const [under, setUnder] = useState(''), [size, setSize] = useState('');
  const look = (event: MouseEvent) => {
    const image = event.currentTarget as HTMLImageElement, box = image.getBoundingClientRect();
    const x = Math.min(Math.max(Math.floor((event.clientX - box.left) / box.width * image.naturalWidth), 0), image.naturalWidth - 1);
    const y = Math.min(Math.max(Math.floor((event.clientY - box.top) / box.height * image.naturalHeight), 0), image.naturalHeight - 1);
    setUnder(`pixel ${x}, ${y}: ${pixelAt(image, x, y)}${camera ? anglesAt(camera, x, y) : ''}`);
  };
  return (
    <Dialog class="picture-large" label={props.title} onClose={props.onClose}>
      <header><b>{props.title}</b><small>{camera ? viewOf(camera) : size}</small><Tool icon="close" label="close" onClick={props.onClose} /></header>
      <img src={props.url} alt={`what ${props.title} sees`} onMouseMove={look} onMouseLeave={() => setUnder('')}
        onLoad={({currentTarget: {naturalWidth, naturalHeight}}) => setSize(`${naturalWidth} × ${naturalHeight} px`)} />
      <footer>{under || 'the mouse shows what a pixel holds'}</footer>
    </Dialog>);
}

export function SensorImage(props: {url: string | null; name: string; camera?: Camera; title: string}) {
  const {url, name, camera, title} = props;
  const [large, setLarge] = useState(false);
  if (!url) return <small>no image yet</small>;
  return (
    <>
      <button type="button" class="image" aria-label={`${title}, larger`} onClick={() => setLarge(true)}><img src={url} alt={`what ${name} sees`} /></button>
      {large && <Large url={url} title={title} camera={camera} onClose={() => setLarge(false)} />}
    </>);
}
