/** For how many days an issued certificate is valid. */
export const certificateDays = { min: 1, max: 397 } as const;

/** For how many days foreign certificates count after a project begins to demand issued ones. */
export const foreignCertificateDays = { default: 7, max: 90 } as const;
