import { tags } from './first-generation-frames.ts';
import { opcodes, type RawWebSocket } from './raw-web-socket.ts';

/** All bytes the hub sent after the upgrade, up to its FIN. */
async function allBytes(webSocket: RawWebSocket): Promise<Buffer> {
  await webSocket.ended;
  return Buffer.concat(webSocket.wire);
}

/** Splits the hub's bytes into WebSocket messages: opcode and payload of each. */
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

/** Returns the tags of the frames that the hub sent and the reason of its Close frame. Throws unless the Close frame is last before FIN. */
export async function framesUntilClose(webSocket: RawWebSocket): Promise<{ tags: number[]; reason: string }> {
  const messages = messagesOf(await allBytes(webSocket));
  if (!messages.every(({ opcode }) => opcode === opcodes.binary)) throw new Error('not binary alone');
  const last = messages.at(-1)!.payload;
  if (last[0] !== tags.connectionClose) throw new Error('the last frame is not a Close frame');
  return { tags: messages.map(({ payload }) => payload[0]!), reason: last.toString('utf8', 1) };
}
