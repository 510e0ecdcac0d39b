/** The traffic of one forwarded port, seen from this machine. */
export class Traffic {
  openCount = 0;
  /** Open connections whose way to the device is interrupted. */
  waitingCount = 0;
  totalCount = 0;
  sentBytes = 0;
  receivedBytes = 0;

  /** Counts the bytes of one connection. */
  readonly observer = {
    onSent: (sizeBytes: number): void => void (this.sentBytes += sizeBytes),
    onReceived: (sizeBytes: number): void => void (this.receivedBytes += sizeBytes),
  };
}
