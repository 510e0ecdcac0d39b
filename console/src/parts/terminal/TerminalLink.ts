import type {
  TerminalClientMessage,
  TerminalEnd,
  TerminalHubMessage,
  TerminalPerson,
  TerminalRole,
} from '@corral/contract';
import type { TerminalSize } from './xterm.ts';

/** How a tab stands in a terminal. */
export interface LinkState {
  readonly phase: 'connecting' | 'open' | 'lost' | 'ended';
  readonly role: TerminalRole | undefined;
  readonly people: readonly TerminalPerson[];
  /** Why input waits. */
  readonly held: Extract<TerminalHubMessage, { type: 'Held' }> | undefined;
  /** Whether output is missing in the recording. */
  readonly hasGap: boolean;
  /** Why it ended, a sentence, and the exit status of the shell. */
  readonly end:
    | { readonly reason?: TerminalEnd; readonly message: string; readonly status?: number }
    | undefined;
}

/** How a tab enters a terminal and what it is told. */
export interface LinkOptions {
  readonly sessionId: string;
  /** Gets a ticket. Rejected where there is none. */
  readonly join: () => Promise<{ readonly ticket: string; readonly role: TerminalRole }>;
  /** Whether an error of `join` may pass. */
  readonly isTemporary: (error: unknown) => boolean;
  /** Tells that everything comes again, before it does. */
  readonly onRestart: () => void;
  /** Takes output; `drawn` is called once it is drawn. */
  readonly onOutput: (bytes: Uint8Array, drawn: () => void) => void;
  /** Takes the size that the terminal has for those who watch. */
  readonly onSize: (size: TerminalSize) => void;
  readonly onChange: (state: LinkState) => void;
  readonly messageOf: (error: unknown) => string;
  readonly lost: string;
}

const types = { data: 0, resize: 1, exit: 2 } as const;
const headBytes = 5;
const maxPieceBytes = 65_536;
/** How much is drawn before the hub is told. */
const drawnStepBytes = 65_536;
const presentEveryMs = 5_000;
const retryEveryMs = 1_500;
/** The hub keeps a session without anybody for a minute. */
const giveUpAfterMs = 60_000;

/** The connection of a tab with a terminal; it comes back by itself when it is lost. */
export class TerminalLink {
  readonly #options: LinkOptions;
  #state: LinkState = {
    phase: 'connecting',
    role: undefined,
    people: [],
    held: undefined,
    hasGap: false,
    end: undefined,
  };
  #socket: WebSocket | undefined;
  #size: TerminalSize | undefined;
  #drawnBytes = 0;
  #toldBytes = 0;
  #timers: ReturnType<typeof setTimeout>[] = [];
  #lostAtMs: number | undefined;
  #isClosed = false;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  /** Enters, for the first time with a ticket if there is one. */
  async connect(ticket?: string): Promise<void> {
    try {
      const entry =
        ticket === undefined ? await this.#options.join() : { ticket, role: 'Types' as TerminalRole };
      if (!this.#isClosed) this.#open(entry);
    } catch (error) {
      if (this.#isClosed) return;
      if (this.#options.isTemporary(error)) this.#retry();
      else this.#end({ message: this.#options.messageOf(error) });
    }
  }

  /** Types into the shell. */
  type(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += maxPieceBytes)
      this.#send(types.data, bytes.subarray(at, at + maxPieceBytes));
  }

  /** Says the size of the screen. */
  resize(size: TerminalSize): void {
    this.#size = size;
    const body = new DataView(new ArrayBuffer(4));
    body.setUint16(0, size.cols);
    body.setUint16(2, size.rows);
    this.#send(types.resize, new Uint8Array(body.buffer));
  }

  /** Leaves; the terminal itself stays. */
  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#socket?.close();
  }

  #open({ ticket, role }: { ticket: string; role: TerminalRole }): void {
    const path = `/api/v1/terminal/${this.#options.sessionId}?ticket=${encodeURIComponent(ticket)}`;
    const socket = new WebSocket(path.replace(/^/, location.origin.replace(/^http/, 'ws')));
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    socket.onopen = () => {
      this.#lostAtMs = undefined;
      [this.#drawnBytes, this.#toldBytes] = [0, 0];
      this.#options.onRestart();
      this.#tell({ type: 'Drawn', bytes: 0 });
      if (role === 'Types' && this.#size !== undefined) this.resize(this.#size);
      this.#change({ phase: 'open', role });
      this.#tellPresence(socket);
    };
    socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) =>
      typeof data === 'string' ? this.#hear(data) : this.#take(new Uint8Array(data));
    socket.onclose = () => {
      if (this.#socket !== socket || this.#isClosed || this.#state.phase === 'ended') return;
      this.#socket = undefined;
      this.#retry();
    };
  }

  #retry(): void {
    const now = performance.now();
    this.#lostAtMs ??= now;
    if (now - this.#lostAtMs > giveUpAfterMs) return this.#end({ message: this.#options.lost });
    this.#change({ phase: 'lost' });
    this.#timers = [setTimeout(() => void this.connect(), retryEveryMs)];
  }

  #hear(text: string): void {
    const message = JSON.parse(text) as TerminalHubMessage;
    if (message.type === 'People') this.#change({ people: message.people });
    else if (message.type === 'Held') this.#change({ held: message });
    else if (message.type === 'Goes on') this.#change({ held: undefined });
    else if (message.type === 'Gap') this.#change({ hasGap: true });
    else if (message.type === 'Size') this.#options.onSize(message);
    else this.#end(message);
  }

  #take(frame: Uint8Array): void {
    if (frame[headBytes - 1] !== types.data) return;
    const bytes = frame.subarray(headBytes);
    const socket = this.#socket;
    this.#options.onOutput(bytes, () => {
      if (this.#socket !== socket) return;
      this.#drawnBytes += bytes.length;
      if (this.#drawnBytes - this.#toldBytes < drawnStepBytes) return;
      this.#toldBytes = this.#drawnBytes;
      this.#tell({ type: 'Drawn', bytes: this.#drawnBytes });
    });
  }

  #end(end: NonNullable<LinkState['end']>): void {
    this.#change({ phase: 'ended', end, held: undefined });
  }

  #change(change: Partial<LinkState>): void {
    this.#state = { ...this.#state, ...change };
    this.#options.onChange(this.#state);
  }

  #tellPresence(socket: WebSocket): void {
    if (this.#state.role !== 'Watches') return;
    const tell = (): void => {
      if (this.#socket !== socket || this.#isClosed) return;
      if (document.visibilityState === 'visible') this.#tell({ type: 'Present' });
      this.#timers = [setTimeout(tell, presentEveryMs)];
    };
    tell();
  }

  #tell(message: TerminalClientMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #send(type: number, body: Uint8Array): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    const frame = new Uint8Array(headBytes + body.length);
    new DataView(frame.buffer).setUint32(0, body.length + 1);
    frame[headBytes - 1] = type;
    frame.set(body, headBytes);
    this.#socket.send(frame);
  }
}
