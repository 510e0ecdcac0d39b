/** A backup is incomplete or was changed after it was written. The message is one sentence for the operator. */
export class DamagedBackupError extends Error {
  override readonly name = 'DamagedBackupError';
}
