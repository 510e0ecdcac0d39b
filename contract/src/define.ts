import type { z } from 'zod';
import type { LiveTopic } from './live-topics.ts';

/** Which calls get an audit row: all; those of people; or none, where only devices or the hub call, continuously. */
export type AuditRule = 'recorded' | 'people' | 'none';

/** The default maximum size of an input as JSON, in bytes; a definition may set a higher one. */
export const defaultMaxInputBytes = 65_536;

/** The definition of one action; its key in the catalogue is its wire name. */
export interface ActionDefinition<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  /** Queries change nothing; commands do. */
  readonly kind: 'query' | 'command';
  /** One sentence for the API reference. */
  readonly doc: string;
  readonly input: Input;
  readonly output: Output;
  readonly audit: AuditRule;
  /** The topics that make the answer of a query stale; none for a command. */
  readonly reads: readonly LiveTopic[];
  /** How large the input may be as JSON, in bytes. */
  readonly maxInputBytes: number;
}

interface ActionOptions<Input, Output> {
  readonly doc: string;
  readonly input: Input;
  readonly output: Output;
}

interface QueryOptions<Input, Output> extends ActionOptions<Input, Output> {
  /** Empty if no live topic affects the answer. */
  readonly reads: readonly LiveTopic[];
  /** `defaultMaxInputBytes` unless given. */
  readonly maxInputBytes?: number;
}

interface CommandOptions<Input, Output> extends ActionOptions<Input, Output> {
  readonly audit?: AuditRule;
  /** `defaultMaxInputBytes` unless given. */
  readonly maxInputBytes?: number;
}

/** Defines an action that changes nothing; it gets no audit row. */
export function query<Input extends z.ZodType, Output extends z.ZodType>(
  options: QueryOptions<Input, Output>,
): ActionDefinition<Input, Output> & { readonly kind: 'query' } {
  return { kind: 'query', audit: 'none', maxInputBytes: defaultMaxInputBytes, ...options };
}

/** Defines an action that changes state; each call gets an audit row unless `audit` says otherwise. */
export function command<Input extends z.ZodType, Output extends z.ZodType>(
  options: CommandOptions<Input, Output>,
): ActionDefinition<Input, Output> & { readonly kind: 'command' } {
  return { kind: 'command', audit: 'recorded', reads: [], maxInputBytes: defaultMaxInputBytes, ...options };
}
