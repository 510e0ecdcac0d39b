import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { ConnectError } from '@corral/client';
import {
  ActionError,
  terminalEnds,
  type Id,
  type TerminalEnd,
  type TerminalHubMessage,
  type TerminalRole,
} from '@corral/contract';
import type { WebSocket } from 'ws';
import { CliError } from '../CliError.ts';
import type { CommandContext } from '../commands/command-context.ts';
import type { Hub } from '../hub/hub.ts';
import { plainText } from '../output/plain-text.ts';
import { dataFrames, readFrame, resizeFrame } from './frames.ts';
import { Keyboard } from './Keyboard.ts';
import { OutputFilter } from './OutputFilter.ts';

/** How a terminal ended for this command. */
export interface TerminalOutcome {
  readonly reason?: TerminalEnd;
  /** Of the shell. */
  readonly status?: number;
  /** Whether the user left. */
  readonly hasLeft?: boolean;
}

const interrupt = 0x03;
const retryEveryMs = 1_000;
const giveUpAfterMs = 60_000;

/**
 * Stays in a terminal, as who types or watches, until it ends or the user leaves; a lost connection comes back within a minute. The terminal of the user is given back as it was in any case.
 * Rejected with a CliError, a ConnectError or an ActionError.
 */
export async function attendTerminal(
  context: CommandContext,
  hub: Hub,
  { sessionId, ...first }: { sessionId: Id<'terminal'>; ticket: string; role: TerminalRole },
): Promise<TerminalOutcome> {
  const attendance = new Attendance(context, first.role);
  try {
    let ticket = first.ticket;
    let lostAtMs: number | undefined;
    for (;;) {
      const outcome = await attendance.visit(hub, sessionId, ticket, () => (lostAtMs = undefined));
      if (outcome !== undefined) return outcome;
      lostAtMs ??= performance.now();
      attendance.note('the connection was lost and comes back by itself; ~. leaves');
      ticket = await again(hub, sessionId, lostAtMs + giveUpAfterMs, attendance);
      if (ticket === '') return { hasLeft: true };
    }
  } finally {
    attendance.close();
  }
}

/** A further ticket; empty when the user has left. */
async function again(
  hub: Hub,
  sessionId: Id<'terminal'>,
  untilMs: number,
  attendance: Attendance,
): Promise<string> {
  for (;;) {
    await delay(retryEveryMs);
    if (attendance.hasLeft) return '';
    try {
      return (await hub.invoke('devices_JoinTerminal', { sessionId })).ticket;
    } catch (error) {
      const isUnreachable =
        error instanceof ConnectError || (error instanceof ActionError && error.cause !== undefined);
      if (!isUnreachable) throw error;
      if (performance.now() > untilMs)
        throw new CliError('The connection to the hub was lost for more than a minute.', undefined, {
          cause: error,
        });
    }
  }
}

/** What lasts over several connections: the keyboard, and what is shown. */
class Attendance {
  readonly #context: CommandContext;
  readonly #keyboard: Keyboard;
  readonly #isWatching: boolean;
  readonly #filter: OutputFilter;
  readonly #decoder = new TextDecoder();
  #socket: WebSocket | undefined;
  /** What was typed before the terminal was entered for the first time. */
  #early: Buffer[] | undefined = [];
  hasLeft = false;

  constructor(context: CommandContext, role: TerminalRole) {
    this.#context = context;
    this.#isWatching = role === 'Watches';
    this.#filter = new OutputFilter();
    this.#keyboard = new Keyboard(context.parts, {
      onKeys: (keys) => this.#typed(keys),
      onLeave: () => this.#leave(),
      onResize: () => this.#sendSize(),
    });
  }

  /** Enters once; undefined when the connection was lost. */
  async visit(
    hub: Hub,
    sessionId: Id<'terminal'>,
    ticket: string,
    onOpen: () => void,
  ): Promise<TerminalOutcome | undefined> {
    const socket = hub.openSocket(`/api/v1/terminal/${sessionId}?ticket=${encodeURIComponent(ticket)}`);
    this.#socket = socket;
    let outcome: TerminalOutcome | undefined;
    socket.on('error', () => undefined);
    socket.on('open', () => {
      onOpen();
      this.#sendSize();
      const early = this.#early ?? [];
      this.#early = undefined;
      for (const keys of early) this.#typed(keys);
    });
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary) outcome = { ...outcome, ...this.#show(socket, data) };
      else outcome = this.#hear(JSON.parse(data.toString()) as TerminalHubMessage) ?? outcome;
    });
    await once(socket, 'close');
    return this.hasLeft ? { hasLeft: true } : outcome?.reason === undefined ? undefined : outcome;
  }

  note(text: string): void {
    this.#context.parts.stderr.write(`\r\n[corral: ${text}]\r\n`);
  }

  close(): void {
    this.#keyboard.close();
    this.#socket?.close();
  }

  #show(socket: WebSocket, message: Buffer): TerminalOutcome | undefined {
    const frame = readFrame(message);
    if (frame?.type === 'Exit') return { status: frame.status };
    if (frame === undefined) return undefined;
    const { stdout } = this.#context.parts;
    const shown = this.#isWatching
      ? this.#filter.push(this.#decoder.decode(frame.bytes, { stream: true }))
      : frame.bytes;
    if (stdout.write(shown)) return undefined;
    socket.pause();
    stdout.once('drain', () => socket.resume());
    return undefined;
  }

  #hear(message: TerminalHubMessage): TerminalOutcome | undefined {
    if (message.type === 'Held') this.note(plainText(message.reason));
    if (message.type === 'Gap') this.note('some output is missing in the recording');
    if (message.type !== 'Ended') return undefined;
    return {
      reason: message.reason,
      ...(message.status === undefined ? {} : { status: message.status }),
    };
  }

  #typed(keys: Buffer): void {
    if (this.#isWatching) {
      if (keys.includes(interrupt)) this.#leave();
      return;
    }
    if (this.#early !== undefined) return void this.#early.push(keys);
    if (this.#socket?.readyState !== this.#socket?.OPEN) return;
    for (const frame of dataFrames(keys)) this.#socket?.send(frame);
  }

  #sendSize(): void {
    if (!this.#isWatching && this.#socket?.readyState === this.#socket?.OPEN)
      this.#socket?.send(resizeFrame(this.#keyboard.size));
  }

  #leave(): void {
    this.hasLeft = true;
    this.#socket?.close();
  }
}

/** Why a terminal ended, as a sentence. */
export const endSentence = (reason: TerminalEnd): string => terminalEnds[reason];
