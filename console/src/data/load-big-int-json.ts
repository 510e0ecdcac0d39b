/** Loads the parser for answers with integers that a number would round. */
export const loadBigIntJson = (): Promise<typeof import('./big-int-json.ts')> => import('./big-int-json.ts');
