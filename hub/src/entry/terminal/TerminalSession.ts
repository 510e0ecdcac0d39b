import {
  type Actor,
  type TerminalClientMessage,
  type TerminalEnd,
  terminalEnds,
  type TerminalHubMessage,
} from '@corral/contract';
import type { Channel } from '@corral/multiplex';
import { amounts } from '../../limits/amounts.ts';
import type { Recorder } from './Recorder.ts';
import { Replay } from './Replay.ts';
import type { Holder, Seat } from './Seat.ts';
import type { SecondPerson } from './SecondPerson.ts';
import { clientFrame, DeviceFrames, exitFrame, type Size } from './terminal-frames.ts';

/** A channel to a terminal on a device. */
export interface DeviceTerminal {
  readonly channel: Channel;
  /** Whether the connection of the device is still there. */
  isConnected(): boolean;
}

/** How a terminal ended. */
export interface Ending {
  readonly reason: TerminalEnd;
  readonly by?: Actor | undefined;
  readonly exitStatus?: number | undefined;
}

/** What a session depends on. */
export interface SessionParts {
  /** Where input flows only while a second person watches. */
  readonly secondPerson: SecondPerson | undefined;
  /** Whether output that cannot be recorded ends it. */
  readonly isRecordingRequired: boolean;
  /** Its recorder. */
  recorderFor(session: TerminalSession): Recorder;
  readonly nowMs: () => number;
  /** Records the end, once it is recorded. */
  onEnded(ending: Ending): Promise<void>;
}

const minuteMs = 60_000;
const heldReasons = {
  Watch: 'An owner of the project has to watch while you type.',
  Recording: 'What the device sends cannot be recorded now.',
} as const;

/** A terminal on a device of this node: its channel, who is in it, and its recording. */
export class TerminalSession {
  readonly #parts: SessionParts;
  readonly #seats = new Set<Seat>();
  readonly #replay = new Replay(amounts.terminalReplay.max);
  readonly #frames: DeviceFrames;
  readonly #recorder: Recorder;
  readonly #startedMs: number;
  #device: DeviceTerminal | undefined;
  #hasOutput = false;
  #exitStatus: number | undefined;
  #isRecordingRequired: boolean;
  #isRecordingHeld = false;
  #held: keyof typeof heldReasons | undefined;
  #lastInputMs: number;
  #emptySinceMs: number | undefined;
  #lastTyper: Holder | undefined;
  #size: Size | undefined;
  #isSending = false;
  #inputRoom: PromiseWithResolvers<void> | undefined;
  #outputRoom: PromiseWithResolvers<void> | undefined;
  #ended: Promise<void> | undefined;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#isRecordingRequired = parts.isRecordingRequired;
    this.#recorder = parts.recorderFor(this);
    this.#startedMs = parts.nowMs();
    this.#lastInputMs = this.#startedMs;
    this.#emptySinceMs = this.#startedMs;
    this.#frames = new DeviceFrames({
      data: (bytes) => this.#output(bytes),
      exit: (status) => (this.#exitStatus = status),
    });
  }

  get hasEnded(): boolean {
    return this.#ended !== undefined;
  }

  get seats(): ReadonlySet<Seat> {
    return this.#seats;
  }

  /** Who typed last, while nobody is in it who may type. */
  get absentTyper(): Holder | undefined {
    return this.#emptySinceMs === undefined ? undefined : this.#lastTyper;
  }

  /** Passes on what the device sends until it ends. */
  async run(device: DeviceTerminal): Promise<void> {
    this.#device = device;
    if (this.hasEnded) return device.channel.abort('the session has ended');
    this.#pump();
    for (let bytes = await device.channel.read(); bytes !== null; bytes = await device.channel.read()) {
      if (this.hasEnded) return;
      if (!this.#frames.push(bytes)) return this.end({ reason: 'DeviceMalformed' });
      if (this.#exitStatus !== undefined) break;
      await this.#whenTaken();
    }
    // The end of a connection ends its channels first.
    await new Promise(setImmediate);
    await this.end({ ...this.#deviceEnd(device), exitStatus: this.#exitStatus });
  }

  #deviceEnd(device: DeviceTerminal): Ending {
    if (this.#exitStatus !== undefined) return { reason: 'Exited' };
    if (!device.isConnected()) return { reason: 'DeviceDisconnected' };
    return { reason: this.#hasOutput ? 'Exited' : 'DeviceRefused' };
  }

  #output(bytes: Uint8Array): void {
    this.#hasOutput = true;
    this.#replay.add(bytes);
    this.#recorder.output(bytes);
    for (const seat of this.#seats) {
      seat.output(bytes);
      if (seat.role === 'Watches' && seat.isBehind) this.leave(seat, 'You watch too slowly. Join again.');
    }
  }

  /** Waits until all who type have taken the output, and the recording has. */
  async #whenTaken(): Promise<void> {
    for (;;) {
      if (this.hasEnded) return;
      const recording = this.#recorder.whenReady;
      if (recording !== undefined) await recording;
      else if ([...this.#seats].some((seat) => seat.role === 'Types' && seat.isAhead)) {
        this.#outputRoom ??= Promise.withResolvers();
        await this.#outputRoom.promise;
      } else return;
    }
  }

  #takesOutput(): void {
    this.#outputRoom?.resolve();
    this.#outputRoom = undefined;
  }

  /** Lets somebody in, who gets the last output first. */
  enter(seat: Seat): void {
    this.#seats.add(seat);
    if (seat.role === 'Types') {
      this.#emptySinceMs = undefined;
      this.#lastTyper = seat.holder;
    }
    this.#tellSize(seat);
    const replayed = this.#replay.bytes();
    if (replayed.length > 0) seat.output(replayed);
    this.#tellPeople();
    if (this.#held !== undefined) seat.tell(heldMessage(this.#held));
    seat.port.attach({
      onFrame: (message) => this.#received(seat, message),
      onText: (text) => void this.#told(seat, text),
      onDrain: () => this.#takesOutput(),
      onClosed: () => this.#left(seat),
    });
    this.tick();
  }

  /** Has somebody leave, with a sentence where a rule was broken. */
  leave(seat: Seat, violation?: string): void {
    seat.port.close(violation);
    this.#left(seat);
  }

  #left(seat: Seat): void {
    if (!this.#seats.delete(seat)) return;
    seat.drop();
    if (seat.isApprover) this.#approverLeft();
    if (seat.role === 'Types' && !this.#hasTyper) this.#emptySinceMs = this.#parts.nowMs();
    this.#takesOutput();
    if (!this.hasEnded) this.#tellPeople();
  }

  /** Notes whether somebody may be the second person. */
  setApprover(seat: Seat, isApprover: boolean): void {
    const wasApprover = seat.isApprover;
    seat.isApprover = isApprover;
    if (wasApprover && !isApprover) this.#approverLeft();
  }

  #approverLeft(): void {
    if ([...this.#seats].some(({ isApprover }) => isApprover)) return;
    this.#parts.secondPerson?.left();
    this.tick();
  }

  get #hasTyper(): boolean {
    return [...this.#seats].some(({ role }) => role === 'Types');
  }

  #tellPeople(): void {
    const people = [...this.#seats].map(({ name, role }) => ({ name, role }));
    for (const seat of this.#seats) seat.tell({ type: 'People', people });
  }

  #received(seat: Seat, message: Uint8Array): Promise<void> | undefined {
    // Whoever was put out may send until its connection is closed.
    if (!this.#seats.has(seat)) return undefined;
    const frame = clientFrame(message);
    if (frame === undefined)
      return void this.leave(seat, 'A message must be one frame of data or of a size.');
    if (seat.role === 'Watches' || this.hasEnded) return undefined;
    if (frame === 'Data') this.#lastInputMs = this.#parts.nowMs();
    // The last time may be a second ago.
    if (this.#parts.secondPerson !== undefined) this.tick();
    const typed = seat.typed(message);
    this.#pump();
    return typed;
  }

  #told(seat: Seat, text: string): void {
    if (!this.#seats.has(seat)) return;
    const message = parsed(text);
    if (message?.type === 'Drawn') {
      seat.drawn(message.bytes);
      this.#takesOutput();
    } else if (message?.type !== 'Present')
      this.leave(seat, 'A text must be one of the messages of terminals.');
    else if (seat.isApprover) {
      this.#parts.secondPerson?.present();
      this.tick();
    }
  }

  /** Sends what was typed to the device, in turns of those who type. */
  #pump(): void {
    if (!this.#isSending) void this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    for (let isAny = true; isAny && this.#device !== undefined && !this.hasEnded;) {
      isAny = false;
      for (const seat of this.#seats) {
        if (this.#held !== undefined && seat.typesNext) await this.#whenUnheld();
        const message = seat.takeInput();
        if (message === undefined) continue;
        isAny = true;
        this.#resized(message);
        // The channel may have ended.
        await this.#device.channel.write(message).catch(() => undefined);
      }
    }
    // In the turn in which nothing was left: what comes next begins again.
    this.#isSending = false;
  }

  #whenUnheld(): Promise<void> {
    this.#inputRoom ??= Promise.withResolvers();
    return this.#inputRoom.promise;
  }

  #resized(message: Uint8Array): void {
    const size = clientFrame(message);
    if (size === undefined || size === 'Data') return;
    if (size.cols === this.#size?.cols && size.rows === this.#size.rows) return;
    this.#size = size;
    this.#recorder.resize(size);
    this.#tellSize();
  }

  /** Tells those who watch, or one of them, how large the terminal is. */
  #tellSize(...given: Seat[]): void {
    if (this.#size === undefined) return;
    for (const seat of given.length > 0 ? given : this.#seats)
      if (seat.role === 'Watches') seat.tell({ type: 'Size', ...this.#size });
  }

  /** For how long output that cannot be recorded holds it up before that ends it, in milliseconds: longer with somebody in it who may let it go on; 0 where it goes on. */
  get recordingPatienceMs(): number {
    if (!this.#isRecordingRequired) return 0;
    const mayBeWaived = !this.hasEnded && [...this.#seats].some(({ mayWaive }) => mayWaive);
    return amounts.terminalUnrecorded.max * (mayBeWaived ? 6_000 : 1_000);
  }

  /** Lets it go on where output cannot be recorded. */
  waiveRecording(): void {
    this.#isRecordingRequired = false;
  }

  /** Notes that the recording waits, or goes on. */
  holdForRecording(isHeld: boolean): void {
    this.#isRecordingHeld = isHeld;
    this.tick();
  }

  /** Notes that output is missing in the recording. */
  noteGap(): void {
    for (const seat of this.#seats) seat.tell({ type: 'Gap' });
  }

  /** Looks whether input may flow, and whether its time is over. */
  tick(): void {
    if (this.hasEnded) return;
    const { nowMs, secondPerson } = this.#parts;
    const now = nowMs();
    const isUnwatched = secondPerson !== undefined && !secondPerson.isPresent;
    const held = this.#isRecordingHeld ? 'Recording' : isUnwatched ? 'Watch' : undefined;
    if (held !== this.#held) this.#setHeld(held);
    if (secondPerson?.isGone === true) return void this.end({ reason: 'ApproverLeft' });
    if (now - this.#startedMs >= amounts.terminalHours.max * 60 * minuteMs)
      return void this.end({ reason: 'TooLong' });
    if (now - this.#lastInputMs >= amounts.terminalIdle.max * minuteMs)
      return void this.end({ reason: 'Idle' });
    const emptyMs = this.#emptySinceMs === undefined ? 0 : now - this.#emptySinceMs;
    if (emptyMs >= amounts.terminalReattach.max * 1000) void this.end({ reason: 'Left' });
  }

  #setHeld(held: keyof typeof heldReasons | undefined): void {
    this.#held = held;
    const message = held === undefined ? ({ type: 'Goes on' } as const) : heldMessage(held);
    for (const seat of this.#seats) seat.tell(message);
    if (held === undefined) this.#letType();
  }

  #letType(): void {
    this.#inputRoom?.resolve();
    this.#inputRoom = undefined;
  }

  /** Ends it: its recording is stored first. */
  end(ending: Ending): Promise<void> {
    this.#ended ??= this.#end(ending);
    return this.#ended;
  }

  async #end(ending: Ending): Promise<void> {
    this.#device?.channel.abort('the session has ended');
    await Promise.resolve();
    this.#takesOutput();
    this.#letType();
    // Before anybody is told, who may look at the recording at once.
    await this.#recorder.finish();
    const { exitStatus, reason } = ending;
    for (const seat of this.#seats) {
      if (exitStatus !== undefined) seat.port.send(exitFrame(exitStatus));
      seat.tell({
        type: 'Ended',
        reason,
        message: terminalEnds[reason],
        ...(exitStatus === undefined ? {} : { status: exitStatus }),
      });
      this.leave(seat);
    }
    await this.#parts.onEnded(ending);
  }
}

const heldMessage = (cause: keyof typeof heldReasons): TerminalHubMessage => ({
  type: 'Held',
  cause,
  reason: heldReasons[cause],
});

function parsed(text: string): TerminalClientMessage | undefined {
  try {
    const message = JSON.parse(text) as Partial<{ type: unknown; bytes: unknown }> | null;
    if (message?.type === 'Present') return { type: 'Present' };
    if (message?.type === 'Drawn' && Number.isSafeInteger(message.bytes) && Number(message.bytes) >= 0)
      return { type: 'Drawn', bytes: Number(message.bytes) };
  } catch {
    // It is no JSON.
  }
  return undefined;
}
