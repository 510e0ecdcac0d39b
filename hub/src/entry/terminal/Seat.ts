import type { TerminalHubMessage, TerminalRole } from '@corral/contract';
import { amounts } from '../../limits/amounts.ts';
import type { TerminalPort } from './TerminalPort.ts';
import { frameOf, frameTypes } from './terminal-frames.ts';

/** Who is in a terminal by which login session or token; ids are raw. */
export interface Holder {
  readonly userId: string;
  readonly loginSessionId: string | undefined;
  readonly tokenId: string | undefined;
}

let seats = 0;

/** A tab or a command line in a terminal. */
export class Seat {
  readonly key = String((seats += 1));
  readonly port: TerminalPort;
  readonly holder: Holder;
  readonly name: string;
  readonly role: TerminalRole;
  /** Whether it may be the second person. */
  isApprover: boolean;
  /** Whether it may let the terminal go on where output cannot be recorded. */
  readonly mayWaive: boolean;
  /** What is typed and not sent to the device. */
  readonly #input: Uint8Array[] = [];
  #inputBytes = 0;
  #inputRoom: PromiseWithResolvers<void> | undefined;
  #sentBytes = 0;
  #drawnBytes: number | undefined;

  constructor(
    port: TerminalPort,
    {
      holder,
      name,
      role,
      isApprover,
      mayWaive,
    }: Pick<Seat, 'holder' | 'name' | 'role' | 'isApprover' | 'mayWaive'>,
  ) {
    this.port = port;
    this.holder = holder;
    this.name = name;
    this.role = role;
    this.isApprover = isApprover;
    this.mayWaive = mayWaive;
  }

  /** Sends output in frames. */
  output(bytes: Uint8Array): void {
    this.#sentBytes += bytes.length;
    this.port.send(frameOf(frameTypes.data, bytes));
  }

  tell(message: TerminalHubMessage): void {
    this.port.send(JSON.stringify(message));
  }

  drawn(bytes: number): void {
    this.#drawnBytes = Math.min(Math.max(this.#drawnBytes ?? 0, bytes), this.#sentBytes);
  }

  /** Whether output waits for it. While its own input waits, its notes of what it has drawn wait behind that. */
  get isAhead(): boolean {
    return this.#aheadBytes >= amounts.terminalUndrawn.max;
  }

  /** Whether it takes output too slowly for a watcher. */
  get isBehind(): boolean {
    return this.#aheadBytes >= 2 * amounts.terminalUndrawn.max;
  }

  get #aheadBytes(): number {
    const undrawn =
      this.#drawnBytes === undefined || this.#inputRoom !== undefined
        ? 0
        : this.#sentBytes - this.#drawnBytes;
    return Math.max(undrawn, this.port.waitingBytes);
  }

  /** Keeps what was typed; the client may type on when the promise is fulfilled. */
  typed(message: Uint8Array): Promise<void> | undefined {
    this.#input.push(message);
    this.#inputBytes += message.length;
    if (this.#inputBytes < amounts.terminalInput.max) return undefined;
    this.#inputRoom ??= Promise.withResolvers();
    return this.#inputRoom.promise;
  }

  /** Whether what comes next is typed, and no size. */
  get typesNext(): boolean {
    return this.#input[0]?.[4] === frameTypes.data;
  }

  /** Takes what was typed first. */
  takeInput(): Uint8Array | undefined {
    const message = this.#input.shift();
    this.#inputBytes -= message?.length ?? 0;
    if (this.#inputBytes < amounts.terminalInput.max) this.#letType();
    return message;
  }

  /** Drops what was typed. */
  drop(): void {
    this.#input.length = 0;
    this.#inputBytes = 0;
    this.#letType();
  }

  #letType(): void {
    this.#inputRoom?.resolve();
    this.#inputRoom = undefined;
  }
}
