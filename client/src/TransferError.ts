/** Why a transfer failed. */
export type TransferFault =
  /** The connection broke or the peer did not answer: the same request may succeed later. */
  | 'Interrupted'
  /** The peer answered with an error. */
  | 'Refused'
  /** The bytes are not those that were announced, or the hub knows that its own are not. */
  | 'Damaged'
  /** A file of this machine cannot be read or written, or changed while it was read. */
  | 'Local';

interface TransferErrorOptions extends ErrorOptions {
  readonly status?: number;
  readonly retryAfterMs?: number | undefined;
}

/** A failed upload or download; the message is a sentence for people. */
export class TransferError extends Error {
  readonly fault: TransferFault;
  /** The status of the peer's answer; undefined when there was none. */
  readonly status: number | undefined;
  /** The Retry-After of the peer, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(fault: TransferFault, message: string, options: TransferErrorOptions = {}) {
    super(message, options);
    this.name = 'TransferError';
    this.fault = fault;
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
  }
}

const causes: Readonly<Record<string, string>> = {
  ENOENT: 'it is not there',
  EACCES: 'you may not access it',
  EPERM: 'you may not access it',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is no folder',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your share of the disk is full',
  EROFS: 'the disk is read-only',
  EFBIG: 'the file system takes no file of this size',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'it is a symbolic link',
  EIO: 'the disk failed',
};

/** The error for a failed operation on a file, such as `"a.img" cannot be written: the disk is full.` */
export function fileError(path: string, verb: 'read' | 'written', cause: unknown): TransferError {
  if (cause instanceof TransferError) return cause;
  const { code = '', message } = cause as NodeJS.ErrnoException;
  const isFolderMissing = verb === 'written' && code === 'ENOENT';
  const reason = isFolderMissing ? 'its folder is not there' : (causes[code] ?? message);
  return new TransferError('Local', `${JSON.stringify(path)} cannot be ${verb}: ${reason}.`, { cause });
}
