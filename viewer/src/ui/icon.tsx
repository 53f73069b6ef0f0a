// Pictures of buttons, by what they stand for here.
import arrowDown from 'lucide-static/icons/arrow-down.svg';
import arrowUp from 'lucide-static/icons/arrow-up.svg';
import axes from 'lucide-static/icons/axis-3d.svg';
import bookmark from 'lucide-static/icons/bookmark.svg';
import box from 'lucide-static/icons/box.svg';
import camera from 'lucide-static/icons/camera.svg';
import chevronDown from 'lucide-static/icons/chevron-down.svg';
import chevronRight from 'lucide-static/icons/chevron-right.svg';
import help from 'lucide-static/icons/circle-question-mark.svg';
import plot from 'lucide-static/icons/chart-line.svg';
import mass from 'lucide-static/icons/circle-dot.svg';
import inertia from 'lucide-static/icons/square-dashed.svg';
import look from 'lucide-static/icons/crosshair.svg';
import download from 'lucide-static/icons/download.svg';
import eye from 'lucide-static/icons/eye.svg';
import eyeOff from 'lucide-static/icons/eye-off.svg';
import opacity from 'lucide-static/icons/circle-dashed.svg';
import open from 'lucide-static/icons/folder-open.svg';
import grid from 'lucide-static/icons/grid-3x3.svg';
import pull from 'lucide-static/icons/hand.svg';
import layers from 'lucide-static/icons/layers.svg';
import link from 'lucide-static/icons/link.svg';
import commanded from 'lucide-static/icons/locate.svg';
import tree from 'lucide-static/icons/list-tree.svg';
import fit from 'lucide-static/icons/maximize.svg';
import moon from 'lucide-static/icons/moon.svg';
import panelLeft from 'lucide-static/icons/panel-left.svg';
import panelRight from 'lucide-static/icons/panel-right.svg';
import pause from 'lucide-static/icons/pause.svg';
import play from 'lucide-static/icons/play.svg';
import plus from 'lucide-static/icons/plus.svg';
import sensors from 'lucide-static/icons/radar.svg';
import redo from 'lucide-static/icons/redo-2.svg';
import loop from 'lucide-static/icons/repeat.svg';
import views from 'lucide-static/icons/rotate-3d.svg';
import path from 'lucide-static/icons/route.svg';
import measure from 'lucide-static/icons/ruler.svg';
import padding from 'lucide-static/icons/expand.svg';
import section from 'lucide-static/icons/scissors.svg';
import search from 'lucide-static/icons/search.svg';
import details from 'lucide-static/icons/sliders-horizontal.svg';
import plan from 'lucide-static/icons/spline.svg';
import stepBack from 'lucide-static/icons/step-back.svg';
import stepForward from 'lucide-static/icons/step-forward.svg';
import sun from 'lucide-static/icons/sun.svg';
import labels from 'lucide-static/icons/tag.svg';
import trash from 'lucide-static/icons/trash-2.svg';
import undo from 'lucide-static/icons/undo-2.svg';
import movie from 'lucide-static/icons/video.svg';
import close from 'lucide-static/icons/x.svg';

const FILES = {
  arrowDown, arrowUp, axes, bookmark, box, camera, chevronDown, chevronRight, help, plot, mass, inertia, look, download, eye, eyeOff, opacity, grid, pull, layers, link, commanded, tree, fit,
  moon, panelLeft, panelRight, pause, play, plus, sensors, redo, loop, views, path, measure, padding, section, search, details, plan, stepBack, stepForward, sun, labels, trash, undo,
  movie, close, open,
};

export type IconName = keyof typeof FILES;

/** What is within the file's outer element. */
const shapesOf = (svg: string): string => svg.slice(svg.indexOf('>', svg.indexOf('<svg')) + 1, svg.lastIndexOf('</svg>')).trim();

export function Icon(props: {name: IconName}) {
  return <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" dangerouslySetInnerHTML={{__html: shapesOf(FILES[props.name])}} />;
}
