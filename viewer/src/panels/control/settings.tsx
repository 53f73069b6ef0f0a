// Settings of controllers and sensors, with boxes that fit what they are.
import type {CommandedSetting} from '../../data/protocol';
import {Typed} from '../../ui/typed';
import {settingFrom} from './arguments';

interface SettingProps { setting: CommandedSetting; owner: string; onSet: (value: unknown) => void }

const shown = ({value, kind}: CommandedSetting): string => {
  const parsed: unknown = JSON.parse(value);
  return kind === 'string' && typeof parsed === 'string' ? parsed : parsed === null ? '' : value;
};

function Box({setting, owner, onSet}: SettingProps) {
  const {name, kind, choices, min, max, changeable} = setting, label = `${owner}: ${name}`, text = shown(setting);
  if (!changeable) return <output title={text}>{text}</output>;
  if (kind === 'boolean') return <input type="checkbox" aria-label={label} checked={text === 'true'} onChange={(e) => onSet(e.currentTarget.checked)} />;
  if (choices.length > 0) {
    return (
      <select aria-label={label} value={text} onChange={(e) => onSet(e.currentTarget.value)}>
        {choices.map((choice) => <option key={choice} value={choice}>{choice}</option>)}</select>);
  }
  const take = (typed: string) => {
    const value = settingFrom(typed, kind);
    if (value !== undefined) onSet(value);
  };
  const bounds = [min === null ? '' : `at least ${min}`, max === null ? '' : `at most ${max}`].filter(Boolean).join(', ');
  return <Typed class="field" aria-label={label} title={bounds} value={text} onSet={take} />;
}

/** One row a setting; those that can change have a box. */
export function Settings(props: {owner: string; settings: CommandedSetting[]; onSet: (name: string, value: unknown) => void}) {
  const {owner, settings, onSet} = props;
  return (
    <>
      {settings.map((setting) => (
        <div class="control-row" key={setting.name} title={setting.help}>
          <span class="name">{setting.name}</span>
          <Box setting={setting} owner={owner} onSet={(value) => onSet(setting.name, value)} />
          <span class="unit">{setting.unit}</span>
        </div>))}
    </>);
}
