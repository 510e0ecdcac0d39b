import type { Actor } from '@corral/contract';
import type { CallContext, CallOrigin } from './handler.ts';
import type { Refusal } from './Refusal.ts';

/** What only the hub itself does, for its doors and jobs. Nobody outside can call it, so it checks no rights and its input needs no schema. */
export interface Internal<Given, Answer, Prepared = unknown> {
  /** What the logs and the metrics call it. */
  readonly name: string;
  /** Whether it only reads; it then runs without a transaction. */
  readonly isQuery?: true;
  /** Whether each run gets a row in the audit log. */
  readonly isRecorded?: true;
  /** As of a handler. */
  readonly isForAnonymous?: true;
  /** As of a handler. */
  prepare?(context: CallContext<Given>): Promise<Prepared>;
  /** As of a handler. */
  isOneStatement?(prepared: Prepared): boolean;
  /** As of a handler. */
  readonly isBulk?: true;
  run(context: CallContext<Given>, prepared: Prepared): Promise<Answer | Refusal>;
}

/** What an internal function is given. */
export type Given<Function> = Function extends Internal<infer Input, infer _, infer _> ? Input : never;
/** What an internal function answers. */
export type Answer<Function> = Function extends Internal<infer _, infer Output, infer _> ? Output : never;

/** Runs internal functions. They go through the stages of an action: audit row, transaction, events; rejections are `ActionError`s. */
export interface InternalRunner {
  run<Given, Answer, Prepared>(
    caller: HubCaller,
    internal: Internal<Given, Answer, Prepared>,
    ...input: [Given] extends [void] ? [] : [Given]
  ): Promise<Answer>;
}

/** The hub, or a node of it, and on whose behalf it calls. */
export interface HubCaller {
  readonly actor: Extract<Actor, { actor: 'System' | 'ClusterNode' }>;
  readonly origin: CallOrigin;
}
