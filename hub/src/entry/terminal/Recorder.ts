import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';
import { recordingMarks } from '@corral/contract';
import { chunkPlace, digestAfter, firstDigest } from '../../auth/recording-chain.ts';
import { createVault, type Vault } from '../../platform/vault/vault.ts';
import { maxPartBytes, type MomentKind, Part, sizeText } from './moments.ts';
import type { Size } from './terminal-frames.ts';

const compress = promisify(zstdCompress);

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
  /** How long a part that cannot be stored holds the terminal up before it ends it, in milliseconds; 0 where it does neither. */
  readonly patienceMs: () => number;
  /** Stores parts; the last that is stored, where there are some of these numbers. */
  store(next: NextParts): Promise<{ readonly number: number; readonly digest: Buffer } | undefined>;
  /** A monotonic clock in milliseconds. */
  readonly nowMs: () => number;
  /** Output is missing from here on. */
  onGap(): void;
  /** Whether a required part waits to be stored again. */
  onHeld(isHeld: boolean): void;
  onFailed(): void;
}

const flushEveryMs = 2_000;
/** How many parts wait until output does, and how many are stored at a time: each time costs a commit. */
const [mostWaiting, mostAtOnce] = [8, 4];
const answerWithinMs = 2_000;
const againMs = 500;

/** Records the output and the sizes of a terminal in sealed parts whose digests are a chain. What is typed is not recorded. */
export class Recorder {
  readonly #parts: RecorderParts;
  readonly #vault: Vault;
  readonly #startedMs: number;
  readonly #waiting: CompressedPart[] = [];
  #part: Part | undefined;
  #size: Size | undefined;
  #hasOutput = false;
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
    if (this.#isOver) return;
    if (!this.#hasOutput && this.#size !== undefined) this.#add('resize', sizeText(this.#size));
    this.#hasOutput = true;
    this.#add('output', bytes);
  }

  resize(size: Size): void {
    this.#size = size;
    if (this.#hasOutput && !this.#isOver) this.#add('resize', sizeText(size));
  }

  /** Stores what there is, as long as the store answers. */
  async finish(): Promise<void> {
    this.#flush();
    await this.#storing;
    if (this.#isInGap) await this.#tryToStore([]);
    this.#isOver = true;
    this.#settle();
  }

  get #atMs(): number {
    return this.#parts.nowMs() - this.#startedMs;
  }

  #add(kind: MomentKind, body: Uint8Array): void {
    for (let at = 0; at < body.length;) {
      this.#part ??= new Part();
      const taken = this.#part.add(kind, this.#atMs, body.subarray(at));
      if (taken === undefined) this.#flush();
      else at += taken;
    }
    this.#flushing ??= setTimeout(() => this.#flush(), flushEveryMs);
  }

  #flush(): void {
    clearTimeout(this.#flushing);
    this.#flushing = undefined;
    if (this.#part === undefined) return;
    this.#waiting.push(compressedPart(this.#part));
    this.#part = undefined;
    if (!this.#isStoring) this.#storing = this.#storeAll();
  }

  async #storeAll(): Promise<void> {
    this.#isStoring = true;
    while (this.#waiting.length > 0) {
      const some = this.#waiting.slice(0, mostAtOnce);
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

  async #storeSome(some: readonly CompressedPart[]): Promise<void> {
    const { patienceMs, nowMs } = this.#parts;
    const sinceMs = nowMs();
    while (!this.#isOver && !(await this.#tryToStore(some))) {
      if (patienceMs() === 0) {
        this.#missed();
        this.#isOver = this.#isFull(some);
        break;
      }
      this.#hold(true);
      if (nowMs() - sinceMs >= patienceMs()) return this.#fail();
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

  #fail(): void {
    this.#missed();
    this.#isOver = true;
    this.#parts.onFailed();
  }

  /** Stores parts; a mark of the gap before them comes first. */
  async #tryToStore(some: readonly CompressedPart[]): Promise<boolean> {
    const { patienceMs, nowMs } = this.#parts;
    const isTooSoon = some.length > 0 && patienceMs() === 0 && nowMs() < this.#tryAgainAtMs;
    if (isTooSoon || this.#isFull(some)) return false;
    const all = this.#isInGap ? [this.#mark(), ...some] : some;
    const compressed = await Promise.all(all.map(({ bytes }) => bytes)).catch(() => undefined);
    if (compressed === undefined || !(await within(this.#store(all, compressed), answerWithinMs)))
      return false;
    this.#isInGap = false;
    return true;
  }

  #isFull(some: readonly CompressedPart[]): boolean {
    const { room } = this.#parts;
    if (some.length === 0) return false;
    const sizeBytes = some.reduce((sum, { plainBytes }) => sum + plainBytes, 0);
    return this.#recordedBytes + sizeBytes > room.plainBytes || this.#storedBytes >= room.storedBytes;
  }

  #mark(): CompressedPart {
    const part = new Part();
    part.add('mark', this.#atMs, Buffer.from(recordingMarks.gap));
    return compressedPart(part);
  }

  async #store(all: readonly CompressedPart[], compressed: readonly Buffer[]): Promise<boolean> {
    const { sessionId, store } = this.#parts;
    let digest = this.#digest;
    const chunks = all.map(({ plainBytes }, index) => {
      const bytes = compressed[index] as Buffer;
      digest = digestAfter(digest, bytes);
      const { bytes: sealed } = this.#vault.seal(bytes, chunkPlace(sessionId, this.#number + index));
      return { sealed, digest, plainBytes };
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

interface CompressedPart {
  readonly plainBytes: number;
  readonly bytes: Promise<Buffer>;
}

/** Compresses a part, while those before it are stored. */
function compressedPart({ bytes }: Part): CompressedPart {
  const compressed = compress(bytes, {
    chunkSize: maxPartBytes,
    params: { [constants.ZSTD_c_compressionLevel]: 1 },
  });
  // Whoever stores it sees the error.
  compressed.catch(() => undefined);
  return { plainBytes: bytes.length, bytes: compressed };
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
