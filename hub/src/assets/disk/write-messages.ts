/** Blocks of shared memory that are written behind each other. */
export interface BlocksToWrite {
  /** The descriptor of the open file. */
  readonly fd: number;
  readonly blocks: readonly Uint8Array[];
  /** Where the first one goes. */
  readonly position: number;
}

/** How the write ended: with the error of the system if it failed, as its call and code. */
export type WriteOutcome =
  | 'written'
  | { readonly message: string; readonly code: string | undefined; readonly syscall: string | undefined };
