/** Loads the code of the palette, which is not part of the first screen. */
export const loadPalette = () => import('./CommandPalette.tsx');
