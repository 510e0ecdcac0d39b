/** Loads the code of the palette; it is no part of the first page. */
export const loadPalette = () => import('./CommandPalette.tsx');
