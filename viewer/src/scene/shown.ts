// What is shown besides the shapes.

export interface Shown {
  contacts: boolean;
  frames: boolean;
  masses: boolean;
  wireframe: boolean;
  grid: boolean;
  trails: boolean;
  sensors: boolean;
  padding: boolean;
  inertias: boolean;
  plans: boolean;
  commanded: boolean;
}

export const NOTHING: Shown = {
  contacts: false, frames: false, masses: false, wireframe: false, grid: false, trails: false, sensors: false, padding: false,
  inertias: false, plans: false, commanded: false,
};

export const SHOWN_AT_FIRST: Shown = {...NOTHING, contacts: true, grid: true, trails: true, sensors: true, plans: true};
