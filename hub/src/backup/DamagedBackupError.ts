/** Something in a backup is not as it was written. The message is one sentence for the operator. */
export class DamagedBackupError extends Error {
  override readonly name = 'DamagedBackupError';
}
