// Logs that the user drops on the page, or chooses.
import {say} from '../ui/toasts';
import type {PageParts} from './parts';
import {useWindowEvent} from './use_event';

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

/** Opens files in place of what is shown, and says why where that is not possible; null: this page opens none. */
export function useOpening({open}: PageParts): ((files: readonly File[]) => void) | null {
  const take = (files: readonly File[]) => {
    if (files.length === 0) return;
    if (!open) return say('This page shows what its server runs. A log is opened on the page of another one.', true);
    say(`${files.map((file) => file.name).join(', ')} ${files.length > 1 ? 'are' : 'is'} read ...`);
    void open(files).catch((error: unknown) => say(error instanceof Error ? error.message : String(error), true));
  };
  // Browsers would go to the file.
  useWindowEvent('dragover', (event) => { if (hasFiles(event)) event.preventDefault(); });
  useWindowEvent('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    take([...event.dataTransfer?.files ?? []]);
  });
  return open ? take : null;
}

/** Lets the user choose logs. */
export function chooseFiles(take: (files: readonly File[]) => void): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = '.mcap';
  input.multiple = true;
  input.addEventListener('change', () => take([...input.files ?? []]));
  input.click();
}
