import type { Socket } from 'node:net';
import { PreparingClient } from './PreparingClient.ts';

/** The server's `statement_timeout`, in milliseconds. */
export const statementTimeoutMs = 30_000;
/** Time for the answer to arrive after the statement has ended. */
const graceMs = 10_000;

/** Lets the statements of a transaction take longer: run this text in it unchanged. */
export const longStatements = { text: "set local statement_timeout = '10min'", timeoutMs: 600_000 };

/** PostgreSQL's code for a change in a transaction that may only read. */
const readOnlyTransaction = '25006';

/** The part of the library's connection that is used here. */
interface WireConnection {
  readonly stream: Socket;
  on(name: 'errorMessage', listener: (error: { readonly code?: string }) => void): void;
}

/**
 * A connection that is destroyed when the server is silent for longer than a statement may take. A machine that vanishes does not close its
 * connections, so its clients would otherwise wait until TCP gives up, which may be never.
 */
export class WatchedClient extends PreparingClient {
  /** Since when the oldest statement waits for its answer, on the monotonic clock; undefined while none does. */
  #waitsSinceMs: number | undefined;
  #answerTimeoutMs = statementTimeoutMs + graceMs;
  #isCorked = false;

  /** Starts the timeout; to be called once, when the connection is open. */
  watch(answerTimeoutMs = this.#answerTimeoutMs): void {
    const stream = this.#stream;
    this.#answerTimeoutMs = answerTimeoutMs;
    this.on('drain', () => void (this.#waitsSinceMs = undefined));
    stream.setTimeout(answerTimeoutMs);
    // A statement that was asked a moment ago may not be sent yet: until then the connection was idle. One that was sent waits for the whole time, as timers count it.
    stream.on('timeout', () => {
      const waitedMs = performance.now() - (this.#waitsSinceMs ?? Infinity);
      if (waitedMs > (stream.timeout ?? 0) / 2) this.break();
    });
    // A server that became a standby accepts no changes: a new connection may reach the one that does.
    this.#connection.on('errorMessage', ({ code }) => {
      if (code === readOnlyTransaction) this.break();
    });
  }

  /** Destroys the connection as one whose server does not answer. */
  break(): void {
    this.#stream.destroy(new Error('The database does not answer.'));
  }

  override query(config: unknown, values?: unknown, callback?: unknown): never {
    this.#waitsSinceMs ??= performance.now();
    this.#sendTogether();
    if (config === longStatements.text) this.#stream.setTimeout(longStatements.timeoutMs + graceMs);
    else if (config === 'commit' || config === 'rollback') this.#stream.setTimeout(this.#answerTimeoutMs);
    return super.query(config, values, callback);
  }

  /** What is asked in one turn of the event loop, such as BEGIN and the first statement, is sent together, so that the server process wakes once for it. */
  #sendTogether(): void {
    if (this.#isCorked) return;
    const stream = this.#stream;
    this.#isCorked = true;
    stream.cork();
    process.nextTick(() => {
      this.#isCorked = false;
      stream.uncork();
    });
  }

  get #stream(): Socket {
    return this.#connection.stream;
  }

  get #connection(): WireConnection {
    return (this as unknown as { connection: WireConnection }).connection;
  }
}
