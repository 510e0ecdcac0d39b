/** What has gone through one forwarded port; bytes as programs here see them. */
export class Traffic {
  openCount = 0;
  totalCount = 0;
  sentBytes = 0;
  receivedBytes = 0;

  /** Counts the bytes of one connection. */
  readonly watch = {
    onSent: (sizeBytes: number): void => void (this.sentBytes += sizeBytes),
    onReceived: (sizeBytes: number): void => void (this.receivedBytes += sizeBytes),
  };
}
