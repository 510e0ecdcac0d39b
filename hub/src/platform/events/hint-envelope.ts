import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * The version of the messages that this hub sends. A hub also reads the versions of the release before it and sends what that release reads, so a new version is sent one
 * release after it can be read. The tag, the signature and the place of the version are the same in all versions.
 */
export const hintVersion = 1;

/** The first byte of a signed message; no JSON begins with it. */
const signedTag = 1;
const digestBytes = 32;
const senderBytes = 8;
const versionAt = 1 + digestBytes;
const senderAt = versionAt + 1;
const numberAt = senderAt + senderBytes;
const timeAt = numberAt + 8;
const bodyAt = timeAt + 8;

/** How many bytes an envelope adds to a message. */
export const envelopeBytes = bodyAt;

/** The fields of a message, before its signature is verified. */
export interface Envelope {
  readonly version: number;
  /** A random id of the process that sent it, as hex. */
  readonly sender: string;
  /** Grows with each message of the sender. */
  readonly number: bigint;
  /** By the clock of the database, in milliseconds since 1970. */
  readonly sentAtMs: number;
  readonly body: Uint8Array;
}

/** Signs the messages of this process with a key that all nodes have (HMAC with SHA-256). */
export class EnvelopeWriter {
  readonly sender = randomBytes(senderBytes);
  readonly #key: Buffer;
  readonly #timeMs: () => number;
  #number = 0n;

  /** `timeMs` is the time of the database. */
  constructor(key: Buffer, timeMs: () => number) {
    this.#key = key;
    this.#timeMs = timeMs;
  }

  /** The message with the time and a number of its own, signed. */
  write(body: Uint8Array, version = hintVersion): Buffer {
    const head = Buffer.alloc(bodyAt);
    head[0] = signedTag;
    head[versionAt] = version;
    this.sender.copy(head, senderAt);
    head.writeBigUInt64BE((this.#number += 1n), numberAt);
    head.writeDoubleBE(this.#timeMs(), timeAt);
    const message = Buffer.concat([head, body]);
    digestOf(this.#key, message).copy(message, 1);
    return message;
  }
}

/** Reads an envelope without checking its signature; undefined for a message without one. */
export function readEnvelope(message: Uint8Array): Envelope | undefined {
  if (message[0] !== signedTag || message.length < bodyAt) return undefined;
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.length);
  return {
    version: bytes[versionAt] ?? 0,
    sender: bytes.toString('hex', senderAt, numberAt),
    number: bytes.readBigUInt64BE(numberAt),
    sentAtMs: bytes.readDoubleBE(timeAt),
    body: bytes.subarray(bodyAt),
  };
}

/** Whether a message that has an envelope was signed with this key. */
export function isSignedWith(key: Buffer, message: Uint8Array): boolean {
  return timingSafeEqual(digestOf(key, message), message.subarray(1, versionAt));
}

function digestOf(key: Buffer, message: Uint8Array): Buffer {
  return createHmac('sha256', key).update(message.subarray(versionAt)).digest();
}
