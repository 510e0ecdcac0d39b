import type { Socket } from 'node:net';
import { PreparingClient } from './PreparingClient.ts';

/** What the server is told of how long one statement may take. */
export const statementTimeoutMs = 30_000;
/** As much longer may an answer be under way. */
const graceMs = 10_000;

/** What lets the statements of a transaction take longer; to be run in it as it is. */
export const longStatements = { text: "set local statement_timeout = '10min'", timeoutMs: 600_000 };

/**
 * A connection that breaks when the server says nothing for longer than a statement may take: a machine that vanishes ends no connection,
 * and whoever waits for it would wait until the network gives up, which may be never.
 */
export class WatchedClient extends PreparingClient {
  #isAsked = false;
  #patienceMs = statementTimeoutMs + graceMs;

  /** To be called once, when it is connected. */
  watch(patienceMs = this.#patienceMs): void {
    const stream = this.#stream;
    this.#patienceMs = patienceMs;
    this.on('drain', () => void (this.#isAsked = false));
    stream.setTimeout(patienceMs);
    stream.on('timeout', () => {
      if (this.#isAsked) stream.destroy(new Error('The database does not answer.'));
    });
  }

  override query(config: unknown, values?: unknown, callback?: unknown): never {
    this.#isAsked = true;
    if (config === longStatements.text) this.#stream.setTimeout(longStatements.timeoutMs + graceMs);
    else if (config === 'commit' || config === 'rollback') this.#stream.setTimeout(this.#patienceMs);
    return super.query(config, values, callback);
  }

  get #stream(): Socket {
    return (this as unknown as { connection: { stream: Socket } }).connection.stream;
  }
}
