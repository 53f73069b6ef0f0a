// How the controls of a program look.
export const CUSTOM_STYLE = `
.custom { position: absolute; right: 8px; top: 56px; z-index: 2; width: min(280px, calc(100% - 16px)); max-height: calc(100% - 72px); overflow: auto;
  padding: 8px 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--panel); color: var(--text); }
.custom summary { cursor: pointer; font-weight: 600; min-height: 24px; }
.custom-group { margin: 8px 0; padding: 4px 8px; border: 1px solid var(--line); border-radius: 6px; min-width: 0; }
.custom-control { display: flex; align-items: center; gap: 8px; min-height: 32px; }
.custom-control > span { flex: 1 1 35%; min-width: 0; overflow-wrap: anywhere; }
.custom-control input:not([type=checkbox]), .custom-control select { flex: 1 1 45%; min-width: 0; min-height: 32px; }
.custom-control output { flex: none; min-width: 44px; text-align: right; font-variant-numeric: tabular-nums; }
.custom-control.check input { width: 18px; height: 18px; margin: 0; }
.custom-button { width: 100%; min-height: 32px; margin: 2px 0; }
.custom-control button { min-height: 32px; }
.custom-control button[aria-pressed=true] { background: var(--chosen); }
.custom-label { margin: 4px 0; overflow-wrap: anywhere; white-space: pre-wrap; }
`;
