import { sha256 } from '@noble/hashes/sha2.js';

/** A message of the worker about the one file that it hashes. */
export type HashMessage =
  | { readonly doneBytes: number }
  | { readonly digest: string }
  /** The file has changed or can no longer be read. */
  | { readonly isUnreadable: true };

const sliceBytes = 4 * 1_048_576;

self.onmessage = ({ data: file }: MessageEvent<File>): void => {
  void hash(file).catch(() => post({ isUnreadable: true }));
};

function post(message: HashMessage): void {
  self.postMessage(message);
}

/** Reads the file in slices, since it may be larger than the memory. */
async function hash(file: File): Promise<void> {
  const running = sha256.create();
  for (let offset = 0; offset < file.size; offset += sliceBytes) {
    const slice = await file.slice(offset, offset + sliceBytes).arrayBuffer();
    running.update(new Uint8Array(slice));
    post({ doneBytes: Math.min(file.size, offset + sliceBytes) });
  }
  const hex = [...running.digest()].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  post({ digest: `sha256_${hex}` });
}
