/** Loads the code of the tooltip popup. */
export const loadTooltip = () => import('./TooltipPopup.tsx');
