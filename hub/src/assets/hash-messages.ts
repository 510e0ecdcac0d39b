/** The most bytes that go to the thread at once. */
export const slotBytes = 524_288;
/** What the thread is told about a hash, by its number. */
export type ToThread =
  | {
      readonly kind: 'block';
      readonly id: number;
      readonly slot: number;
      readonly sizeBytes: number;
    }
  | { readonly kind: 'end' | 'drop'; readonly id: number };

/** What the thread answers. */
export type FromThread =
  | { readonly slot: number }
  | { readonly id: number; readonly digest: Uint8Array; readonly chunkDigests: Uint8Array };

/** What a hash came to. */
export interface Digests {
  readonly digest: Buffer;
  readonly chunkDigests: Buffer;
}
