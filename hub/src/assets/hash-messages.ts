/** What the thread that hashes is told about a hash, by its number. */
export type ToThread =
  | { readonly kind: 'block'; readonly id: number; readonly bytes: Uint8Array }
  | { readonly kind: 'end' | 'drop'; readonly id: number };

/** What it answers to a block and to an end, in the order of these. */
export type FromThread = 'hashed' | { readonly digest: Uint8Array; readonly chunkDigests: Uint8Array };

/** What a hash came to. */
export interface Digests {
  readonly digest: Buffer;
  readonly chunkDigests: Buffer;
}
