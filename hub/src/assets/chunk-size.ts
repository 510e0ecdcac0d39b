/** The size of the chunks whose digests are kept beside an asset, in bytes. */
export const chunkBytes = 1_048_576;
