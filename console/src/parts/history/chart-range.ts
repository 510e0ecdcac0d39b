/** The times that charts can show; a day unless chosen. */
export const ranges = ['24h', '7d', '30d'] as const;
/** See `ranges`. */
export type Range = (typeof ranges)[number];

/** The range as the hub names it. */
export const hubRange = { '24h': 'Day', '7d': 'Week', '30d': 'Month' } as const;
