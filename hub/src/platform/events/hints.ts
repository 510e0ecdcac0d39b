import { events as catalogue, type DomainEvent, type EventName } from '@corral/contract';
import { z } from 'zod';

/** A message between nodes: events, a notice that events are missing, a ping, or the answer to a ping. */
export type Hint =
  | { readonly events: readonly DomainEvent[] }
  | { readonly isMissed: true }
  | { readonly ping: string }
  | PresentNode;

/** The answer of a node to a ping. */
export interface PresentNode {
  /** The ping that it answers. */
  readonly answers: string;
  /** The name of the node. */
  readonly node: string;
  /** The clock of its machine, in milliseconds since 1970. */
  readonly timeMs: number;
}

/** The largest message, in bytes; a message server may allow less. */
export const maxHintBytes = 64 * 1024;
const maxEventsInHint = 256;
const maxTextLength = 128;

/** Any program that reaches the message server may have sent one without a signature. Names that only a newer hub knows are left out. */
const hintSchema = z.union([
  z.object({ isMissed: z.literal(true) }),
  z.object({ ping: z.string().max(maxTextLength) }),
  z.object({
    answers: z.string().max(maxTextLength),
    node: z.string().max(maxTextLength),
    timeMs: z.number(),
  }),
  z.object({
    events: z
      .array(
        z.object({
          name: z.string().max(maxTextLength),
          // The release before sends times with an offset, of events that a node left behind.
          at: z.iso.datetime({ offset: true }).max(40),
          data: z.record(z.string().max(40), z.union([z.string().max(maxTextLength), z.boolean()])),
        }),
      )
      .max(maxEventsInHint),
  }),
]);

const carried = /(?:Id|^status)$/;

/** Hints for the node that holds the connection of a device, whichever that is. */
const forAnyNode: ReadonlySet<EventName> = new Set<EventName>(['devices_OperationWorkAvailable']);

/** Whether other nodes follow the event: it makes a page stale, is in the log, or is for whichever node holds a device. The rest is work for the node that publishes it. */
export function isForOthers({ name }: DomainEvent): boolean {
  const { persistence, stale } = catalogue[name];
  return persistence === 'log' || Object.keys(stale).length > 0 || forAnyNode.has(name);
}

/** The hint of an event: of its data, only ids, flags and states leave the node. Equal hints of events that no log keeps need to be sent only once. */
export function hintOf({ name, data, at }: DomainEvent): {
  readonly json: string;
  readonly sameAs: string | undefined;
} {
  const short = Object.fromEntries(
    Object.entries(data).filter(
      ([key, value]) =>
        typeof value === 'boolean' ||
        (typeof value === 'string' && carried.test(key) && value.length <= maxTextLength),
    ),
  );
  const sameAs = catalogue[name].persistence === 'hint' ? `${name} ${JSON.stringify(short)}` : undefined;
  return { json: JSON.stringify({ name, at, data: short }), sameAs };
}

/** The hint that events are missing. */
export const missedHint = Buffer.from('{"isMissed":true}');

/** A message that asks every node whether it is there. */
export const pingHint = (ping: string): Buffer => Buffer.from(JSON.stringify({ ping }));

/** The message with the answer of a node. */
export const presentHint = ({ answers, node, timeMs }: PresentNode): Buffer =>
  Buffer.from(JSON.stringify({ answers, node: node.slice(0, maxTextLength), timeMs }));

/** Messages of at most so many bytes with these events, in order. One that is too big becomes a hint that events are missing. */
export function encodeHints(jsons: readonly string[], maxBytes: number): Buffer[] {
  const messages: Buffer[] = [];
  let some: string[] = [];
  let bytes = 0;
  const end = (): void => {
    if (some.length > 0) messages.push(Buffer.from(`{"events":[${some.join(',')}]}`));
    some = [];
    bytes = '{"events":[]}'.length;
  };
  end();
  for (const json of jsons) {
    const own = Buffer.byteLength(json) + 1;
    if (bytes + own > maxBytes || some.length === maxEventsInHint) end();
    if (bytes + own > maxBytes) messages.push(missedHint);
    else {
      some.push(json);
      bytes += own;
    }
  }
  end();
  return messages;
}

/** The hint in a message; undefined if it is none. */
export function decodeHint(message: Uint8Array): Hint | undefined {
  if (message.length > maxHintBytes) return undefined;
  const parsed = hintSchema.safeParse(parseJson(message));
  if (!parsed.success) return undefined;
  if (!('events' in parsed.data)) return parsed.data;
  const known = parsed.data.events.filter(({ name }) => Object.hasOwn(catalogue, name));
  const actor = { actor: 'System', kind: 'System' } as const;
  return { events: known.map(({ name, at, data }) => ({ name: name as EventName, at, data, actor })) };
}

function parseJson(message: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(message).toString());
  } catch {
    return undefined;
  }
}
