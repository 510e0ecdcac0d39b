import type { CheckPace } from '../asset-storage.ts';
import type { MinimumProgress } from '../watch-progress.ts';

/** How much and how long a store may answer; its owner may be anybody. Times in milliseconds. */
export interface StoreLimits {
  /** How long the answer to a request takes at most, with its repetitions; of one for the bytes of an object only its beginning. */
  readonly answerMs: number;
  /** How long a store takes at most, after the last byte, to store what it was sent, or to join the parts of an upload. */
  readonly storingMs: number;
  /** How fast it must send and take the bytes of objects. Only the time counts in which the hub waits for it. */
  readonly progress: MinimumProgress;
  /** How fast the bytes come that are checked. */
  readonly checkPace: CheckPace;
  /** How often progress is checked. */
  readonly checkEveryMs: number;
  /** The monotonic clock by which it is checked. */
  readonly nowMs: () => number;
  /** The bytes of an answer that is not an object, and of an error. */
  readonly maxAnswerBytes: number;
  readonly maxErrorBytes: number;
}

/** The limits of a hub in production. A list of 1000 objects with the longest keys has 2 MiB. */
export const defaultStoreLimits: StoreLimits = {
  answerMs: 30_000,
  storingMs: 300_000,
  progress: { stallMs: 30_000, windowMs: 60_000, minWindowBytes: 524_288 },
  // The largest asset, 64 GiB, takes less than two and a half hours.
  checkPace: { graceMs: 600_000, bytesPerSec: 8_388_608 },
  checkEveryMs: 5_000,
  nowMs: () => performance.now(),
  maxAnswerBytes: 4_194_304,
  maxErrorBytes: 65_536,
};
