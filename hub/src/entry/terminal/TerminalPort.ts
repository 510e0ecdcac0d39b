/** Receives what a client of a terminal sends, in order. The next message waits for the promise. */
export interface PortListener {
  onFrame(message: Uint8Array): Promise<void> | undefined;
  onText(text: string): Promise<void> | undefined;
  /** The client takes output again. */
  onDrain(): void;
  onClosed(): void;
}

/** The way to a client of a terminal: its WebSocket, or a channel to the node that has it. */
export interface TerminalPort {
  /** How many bytes were sent and are not taken yet. */
  readonly waitingBytes: number;
  attach(listener: PortListener): void;
  send(message: Uint8Array | string): void;
  /** Ends it after what was sent; at once where the client broke the rules. */
  close(violation?: string): void;
}
