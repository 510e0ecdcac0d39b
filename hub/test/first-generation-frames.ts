/** The first byte of each kind of frame. */
export const tags = {
  hello: 0x00,
  request: 0x10,
  accept: 0x11,
  reject: 0x12,
  data: 0x13,
  adjust: 0x14,
  close: 0x15,
  closed: 0x17,
  ping: 0x20,
  pong: 0x21,
  connectionClose: 0xff,
} as const;

const magic = [27, 27, 46, 134, 44, 205, 244, 157, 82, 109, 227, 13, 167, 171, 225, 140];
/** The bytes of a frame: tag, then numbers of 8 or 4 bytes, then the rest. */
export function frame(
  tag: number,
  ids: readonly number[] = [],
  credits: readonly number[] = [],
  rest: string | Uint8Array = '',
): Buffer {
  const fixed = Buffer.alloc(1 + 8 * ids.length + 4 * credits.length);
  fixed[0] = tag;
  ids.forEach((id, index) => fixed.writeBigUInt64BE(BigInt(id), 1 + 8 * index));
  credits.forEach((credit, index) => fixed.writeUInt32BE(credit, 1 + 8 * ids.length + 4 * index));
  return Buffer.concat([fixed, typeof rest === 'string' ? Buffer.from(rest) : rest]);
}

/** A Hello with the right magic. */
export const helloFrame = (): Buffer => Buffer.from([tags.hello, ...magic]);
