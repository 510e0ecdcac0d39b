import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import { chunkPlace, digestAfter, firstDigest } from '../../auth/recording-chain.ts';
import { createVault, type Vault } from '../../platform/vault/vault.ts';
import type { Size } from './terminal-frames.ts';

const deflate = promisify(deflateRaw);

/** The next parts of a recording, as they are stored. */
export interface NextParts {
  /** Of the first. */
  readonly number: number;
  readonly chunks: readonly StoredPart[];
  readonly gaps: number;
}

interface StoredPart {
  readonly sealed: Buffer;
  readonly digest: Buffer;
  readonly plainBytes: number;
}

/** What a recorder depends on. */
export interface RecorderParts {
  /** Raw. */
  readonly sessionId: string;
  readonly key: Buffer;
  readonly room: { readonly plainBytes: number; readonly storedBytes: number };
  /** Whether a part that cannot be stored ends the terminal. */
  readonly isRequired: boolean;
  /** Stores parts; the last that is stored, where there are some of these numbers. */
  store(next: NextParts): Promise<{ readonly number: number; readonly digest: Buffer } | undefined>;
  readonly startedAt: Date;
  /** A monotonic clock in milliseconds. */
  readonly nowMs: () => number;
  /** Output is missing from here on. */
  onGap(): void;
  /** Whether a required part waits to be stored again. */
  onHeld(isHeld: boolean): void;
  onFailed(): void;
}

const maxPartBytes = 65_536;
/** So many characters make less than a part, even if each is written as six. */
const maxTextCharacters = 8_192;
const flushEveryMs = 2_000;
/** How many parts wait until output does, and how many are stored at a time: each time costs a commit. */
const [mostWaiting, mostAtOnce] = [32, 16];
const answerWithinMs = 2_000;
const requiredWithinMs = 10_000;
const againMs = 500;

/** Records the output and the sizes of a terminal as asciicast v2, in sealed parts whose digests are a chain. What is typed is not recorded. */
export class Recorder {
  readonly #parts: RecorderParts;
  readonly #vault: Vault;
  readonly #startedMs: number;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #waiting: string[] = [];
  #lines: string[] = [];
  #lineBytes = 0;
  #size: Size | undefined;
  #hasHeader = false;
  #number = 0;
  #digest = firstDigest;
  #gaps = 0;
  #recordedBytes = 0;
  #storedBytes = 0;
  #isInGap = false;
  #isOver = false;
  #isHeld = false;
  #tryAgainAtMs = -Infinity;
  #flushing: ReturnType<typeof setTimeout> | undefined;
  #isStoring = false;
  #storing: Promise<void> | undefined;
  #room: PromiseWithResolvers<void> | undefined;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
    this.#vault = createVault([parts.key]);
    this.#startedMs = parts.nowMs();
  }

  get gaps(): number {
    return this.#gaps;
  }

  /** Fulfilled when more output may come; undefined if it may now. */
  get whenReady(): Promise<void> | undefined {
    if (this.#isOver || (this.#waiting.length < mostWaiting && !this.#isHeld)) return undefined;
    this.#room ??= Promise.withResolvers();
    return this.#room.promise;
  }

  output(bytes: Uint8Array): void {
    if (!this.#isOver) this.#text(this.#decoder.decode(bytes, { stream: true }));
  }

  resize(size: Size): void {
    this.#size = size;
    if (this.#hasHeader && !this.#isOver) this.#line('r', `${size.cols}x${size.rows}`);
  }

  /** Stores what there is, as long as the store answers. */
  async finish(): Promise<void> {
    if (!this.#isOver) this.#text(this.#decoder.decode());
    this.#flush();
    await this.#storing;
    this.#isOver = true;
    this.#settle();
  }

  #text(text: string): void {
    for (let at = 0; at < text.length;) {
      let end = Math.min(text.length, at + maxTextCharacters);
      // A pair of surrogates stays together.
      if (end < text.length && /[\ud800-\udbff]/.test(text[end - 1] ?? '')) end -= 1;
      this.#line('o', text.slice(at, end));
      at = end;
    }
  }

  #line(kind: 'o' | 'r' | 'm', text: string): void {
    if (!this.#hasHeader) this.#header();
    const secs = Math.max(0, this.#parts.nowMs() - this.#startedMs) / 1000;
    this.#add(`${JSON.stringify([Number(secs.toFixed(6)), kind, text])}\n`);
  }

  #header(): void {
    this.#hasHeader = true;
    const { cols: width, rows: height } = this.#size ?? { cols: 80, rows: 24 };
    const timestamp = Math.floor(this.#parts.startedAt.getTime() / 1000);
    this.#add(`${JSON.stringify({ version: 2, width, height, timestamp })}\n`);
  }

  #add(line: string): void {
    const sizeBytes = Buffer.byteLength(line);
    if (this.#lineBytes + sizeBytes > maxPartBytes) this.#flush();
    this.#lines.push(line);
    this.#lineBytes += sizeBytes;
    this.#flushing ??= setTimeout(() => this.#flush(), flushEveryMs);
  }

  #flush(): void {
    clearTimeout(this.#flushing);
    this.#flushing = undefined;
    if (this.#lines.length === 0) return;
    this.#waiting.push(this.#lines.join(''));
    this.#lines = [];
    this.#lineBytes = 0;
    if (!this.#isStoring) this.#storing = this.#storeAll();
  }

  async #storeAll(): Promise<void> {
    this.#isStoring = true;
    while (this.#waiting.length > 0) {
      const some = this.#waiting.slice(0, mostAtOnce).map((text) => Buffer.from(text));
      if (!this.#isOver) await this.#storeSome(some);
      this.#waiting.splice(0, some.length);
      this.#settle();
    }
    this.#isStoring = false;
  }

  #settle(): void {
    if (!this.#isOver && (this.#waiting.length >= mostWaiting || this.#isHeld)) return;
    this.#room?.resolve();
    this.#room = undefined;
  }

  async #storeSome(some: Buffer[]): Promise<void> {
    const { room, isRequired, nowMs } = this.#parts;
    const sizeBytes = some.reduce((sum, { length }) => sum + length, 0);
    const isFull = this.#recordedBytes + sizeBytes > room.plainBytes || this.#storedBytes >= room.storedBytes;
    if (isFull) return this.#full();
    if (!isRequired) {
      const isStored = nowMs() >= this.#tryAgainAtMs && (await this.#tryToStore(some));
      return isStored ? undefined : this.#missed();
    }
    const untilMs = nowMs() + requiredWithinMs;
    while (!this.#isOver && !(await this.#tryToStore(some))) {
      this.#hold(true);
      if (nowMs() >= untilMs) return this.#fail();
      await new Promise((resolve) => setTimeout(resolve, againMs));
    }
    this.#hold(false);
  }

  #hold(isHeld: boolean): void {
    if (this.#isHeld === isHeld) return;
    this.#isHeld = isHeld;
    this.#parts.onHeld(isHeld);
    this.#settle();
  }

  #missed(): void {
    this.#tryAgainAtMs = this.#parts.nowMs() + answerWithinMs;
    if (this.#isInGap) return;
    this.#isInGap = true;
    this.#gaps += 1;
    this.#parts.onGap();
  }

  #full(): void {
    if (this.#parts.isRequired) return this.#fail();
    this.#missed();
    this.#isOver = true;
  }

  #fail(): void {
    this.#isOver = true;
    this.#parts.onFailed();
  }

  /** Stores parts; a mark of the gap before them comes first. */
  async #tryToStore(some: Buffer[]): Promise<boolean> {
    const all = this.#isInGap ? [this.#mark(), ...some] : some;
    const compressed = await Promise.all(all.map((bytes) => deflate(bytes, { level: 1 })));
    if (!(await within(this.#store(all, compressed), answerWithinMs))) return false;
    this.#isInGap = false;
    return true;
  }

  #mark(): Buffer {
    const secs = Math.max(0, this.#parts.nowMs() - this.#startedMs) / 1000;
    return Buffer.from(
      `${JSON.stringify([Number(secs.toFixed(6)), 'm', 'Output before this is missing'])}\n`,
    );
  }

  async #store(all: readonly Buffer[], compressed: readonly Buffer[]): Promise<boolean> {
    const { sessionId, store } = this.#parts;
    let digest = this.#digest;
    const chunks = all.map((bytes, index) => {
      digest = digestAfter(digest, bytes);
      const place = chunkPlace(sessionId, this.#number + index);
      const { bytes: sealed } = this.#vault.seal(compressed[index] ?? Buffer.alloc(0), place);
      return { sealed, digest, plainBytes: bytes.length };
    });
    const last = await store({ number: this.#number, chunks, gaps: this.#gaps });
    if (last !== undefined && !last.digest.equals(digest)) {
      // An attempt whose answer was lost has stored others.
      [this.#number, this.#digest] = [last.number + 1, last.digest];
      return false;
    }
    this.#number += chunks.length;
    this.#digest = digest;
    for (const { sealed, plainBytes } of chunks) {
      this.#recordedBytes += plainBytes;
      this.#storedBytes += sealed.length;
    }
    return true;
  }
}

/** Whether work is done in time; what comes later, and errors, are none. */
async function within(work: Promise<boolean>, ms: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), ms)));
  try {
    return await Promise.race([work, late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
