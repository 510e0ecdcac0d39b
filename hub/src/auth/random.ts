import { randomBytes, randomFillSync } from 'node:crypto';
import { datedRaw, randomSymbols } from '@corral/contract';

/** Bytes for ids, which are no secrets: the system is asked for as many as some hundred ids take, since each call costs more than the bytes. */
const stock = Buffer.alloc(4_096);
let taken = stock.length;

function bytesOfStock(count: number): Uint8Array {
  if (taken + count > stock.length) {
    randomFillSync(stock);
    taken = 0;
  }
  taken += count;
  return stock.subarray(taken - count, taken);
}

/** The raw part of a new flat id: 22 random symbols. */
export function newRawId(): string {
  return randomSymbols(22, bytesOfStock);
}

/** The raw part of a new dated id for a moment. */
export function newDatedRawId(at: Date): string {
  return datedRaw(at.getTime(), bytesOfStock);
}

/** The raw part of a new secret: 66 random symbols, the first 22 of which are its public id. */
export function newRawSecret(): string {
  return randomSymbols(66, randomBytes);
}
