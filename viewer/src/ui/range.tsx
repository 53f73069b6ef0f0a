// Sliders whose part up to the thumb is colored.

interface RangeProps {
  label: string;
  id?: string;
  min: number;
  max: number;
  value: number;
  /** What is said in place of the number. */
  text?: string;
  onInput: (value: number) => void;
  onDown?: () => void;
  onUp?: () => void;
}

export function Range(props: RangeProps) {
  const {min, max, value} = props, part = max > min ? Math.min(Math.max((value - min) / (max - min), 0), 1) : 0;
  return (
    <input type="range" id={props.id} aria-label={props.label} aria-valuetext={props.text} min={min} max={max} step="any" value={value} style={`--part: ${part}`}
      onPointerDown={props.onDown} onPointerUp={props.onUp} onInput={(e) => props.onInput(Number(e.currentTarget.value))} />);
}
