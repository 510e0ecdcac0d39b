/** Loads what draws a hint, before the first one is wanted. */
export const loadTooltip = () => import('./TooltipPopup.tsx');
