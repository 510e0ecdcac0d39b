import { tags } from './old-frames.ts';
import { opcodes, type RawWebSocket } from './raw-web-socket.ts';

/** Everything the hub has sent behind the upgrade, until it ended its side. */
async function wholeWire(webSocket: RawWebSocket): Promise<Buffer> {
  await webSocket.ended;
  return Buffer.concat(webSocket.wire);
}

/** The hub's WebSocket frames as they stand on the wire: opcode and payload of each, nothing left over. */
export function messagesOf(wire: Buffer): { opcode: number; payload: Buffer }[] {
  const messages = [];
  for (let at = 0; at < wire.length;) {
    const short = wire[at + 1]!;
    const length = short === 126 ? wire.readUInt16BE(at + 2) : short;
    const from = at + (short === 126 ? 4 : 2);
    messages.push({ opcode: wire[at]! & 0x0f, payload: wire.subarray(from, from + length) });
    at = from + length;
  }
  return messages;
}

/** Which frames the hub sent, then why it ended: throws unless its Close frame is the last thing before FIN. */
export async function ending(webSocket: RawWebSocket): Promise<{ tags: number[]; reason: string }> {
  const messages = messagesOf(await wholeWire(webSocket));
  if (!messages.every(({ opcode }) => opcode === opcodes.binary)) throw new Error('not binary alone');
  const last = messages.at(-1)!.payload;
  if (last[0] !== tags.farewell) throw new Error('no Close frame in front of the end');
  return { tags: messages.map(({ payload }) => payload[0]!), reason: last.toString('utf8', 1) };
}
