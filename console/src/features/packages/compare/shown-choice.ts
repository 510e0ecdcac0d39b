/** The choices that are no default, as they are in an address. */
export const otherShownFiles = ['all', 'same', 'changed', 'added', 'removed'] as const;

/** Which files of a comparison show: by default all that differ. */
export type ShownFiles = 'changes' | (typeof otherShownFiles)[number];
