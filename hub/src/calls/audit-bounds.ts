import type { Json } from '@corral/contract';

/** The longest text in the audit log, in bytes of UTF-8. */
export const maxAuditedTextBytes = 256;
/** The data of one row as JSON, in bytes: with its actor and its ids a row stays below 4 KiB. */
export const maxAuditedDataBytes = 3_584;

/** Replaces omitted values. */
const ellipsis = '…';
const ellipsisBytes = Buffer.byteLength(ellipsis);
const numberBytes = 24;
/** Space for the `…` in every object and list that is still open when the row is full, and for the key that exceeds it. */
const marksBytes = 600;
const encoder = new TextEncoder();

/** Limits the data of an audit row: texts to 256 bytes, and all data to 3.5 KiB of JSON. Omitted parts are replaced by `…`. */
export function bounded(data: Readonly<Record<string, Json>>): Record<string, Json> {
  return keepObject(data, { leftBytes: maxAuditedDataBytes - marksBytes });
}

interface Budget {
  leftBytes: number;
}

/** A text of at most 256 bytes, cut between characters. */
function cutText(text: string): string {
  if (text.length * 3 <= maxAuditedTextBytes || Buffer.byteLength(text) <= maxAuditedTextBytes) return text;
  const { read } = encoder.encodeInto(text, new Uint8Array(maxAuditedTextBytes - ellipsisBytes));
  return text.slice(0, read) + ellipsis;
}

function keep(value: Json, budget: Budget): Json {
  if (typeof value === 'string') return keepText(value, budget);
  if (Array.isArray(value)) return keepList(value, budget);
  if (typeof value === 'object' && value !== null) return keepObject(value, budget);
  budget.leftBytes -= numberBytes;
  return value;
}

function keepText(value: string, budget: Budget): string {
  const text = cutText(value);
  const bytes = Buffer.byteLength(JSON.stringify(text)) + 1;
  const isKept = bytes <= budget.leftBytes;
  budget.leftBytes -= isKept ? bytes : ellipsisBytes + 3;
  return isKept ? text : ellipsis;
}

function keepList(items: readonly Json[], budget: Budget): Json[] {
  const kept: Json[] = [];
  budget.leftBytes -= 3;
  for (const item of items) {
    if (isExhausted(budget)) return [...kept, ellipsis];
    kept.push(keep(item, budget));
  }
  return kept;
}

function keepObject(fields: Readonly<Record<string, Json>>, budget: Budget): Record<string, Json> {
  const kept: [string, Json][] = [];
  budget.leftBytes -= 3;
  for (const [key, value] of Object.entries(fields)) {
    if (isExhausted(budget)) {
      kept.push([ellipsis, ellipsis]);
      break;
    }
    budget.leftBytes -= Buffer.byteLength(JSON.stringify(key)) + 1;
    kept.push([key, keep(value, budget)]);
  }
  return Object.fromEntries(kept);
}

function isExhausted({ leftBytes }: Budget): boolean {
  return leftBytes <= 0;
}
