/** The origin of a call in a session whose user has just proved who it is. */
export const justProved = { steppedUpAt: '9999-01-01T00:00:00Z' } as const;
