// Views that people keep, in this browser, by the world that they are of.

export interface KeptView { camera: number[] }

const keyOf = (world: string) => `mortise views of ${world}`;

export function keptViews(world: string): KeptView[] {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(world)) ?? '[]') as unknown;
    if (!Array.isArray(kept)) return [];
    return kept.filter((view): view is KeptView => Array.isArray(view?.camera) && view.camera.length >= 8 && view.camera.every(Number.isFinite));
  } catch {
    return [];
  }
}

export function keepViews(world: string, views: KeptView[]): void {
  try {
    localStorage.setItem(keyOf(world), JSON.stringify(views));
  } catch {
    // Some browsers keep nothing for pages of files.
  }
}
