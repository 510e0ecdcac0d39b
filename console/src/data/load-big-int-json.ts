/** Loads the parser for answers with integers that a number would round. */
export const loadBigIntJson = () => import('./big-int-json.ts');
