import { ByteReader, type Channel } from '@corral/multiplex';

/** What the hub sends to a terminal. */
export type TerminalInput =
  | { readonly type: 'Data'; readonly bytes: Uint8Array }
  | { readonly type: 'Resize'; readonly cols: number; readonly rows: number };

const types = { data: 0, resize: 1, exit: 2 } as const;
const maxFrameBytes = 1_048_577;
const resizeBytes = 4;
/** Frames to the hub hold at most so much data. */
const maxDataBytes = 4_096;
const withinFrameMs = 60_000;

/** The frames of a channel, until it ends. Throws at a length or a type that none has, and when a frame takes a minute. */
export async function* readTerminalInput(channel: Channel): AsyncGenerator<TerminalInput> {
  const reader = new ByteReader(channel);
  for (;;) {
    const head = await reader.read(4);
    if (head === null) return;
    const sizeBytes = new DataView(head.buffer, head.byteOffset, 4).getUint32(0);
    if (sizeBytes === 0 || sizeBytes > maxFrameBytes) throw new Error(`a frame of ${sizeBytes} bytes`);
    const tooLate = setTimeout(() => channel.abort('a frame took a minute'), withinFrameMs);
    try {
      const frame = await reader.read(sizeBytes);
      if (frame === null) return;
      yield inputOf(frame);
    } finally {
      clearTimeout(tooLate);
    }
  }
}

function inputOf(frame: Uint8Array): TerminalInput {
  const body = frame.subarray(1);
  if (frame[0] === types.data) return { type: 'Data', bytes: body };
  if (frame[0] !== types.resize || body.length !== resizeBytes) throw new Error('a frame of another type');
  const view = new DataView(body.buffer, body.byteOffset, resizeBytes);
  return { type: 'Resize', cols: view.getUint16(0), rows: view.getUint16(2) };
}

/** Sends what a shell wrote. Rejected when the channel ends. */
export async function writeOutput(channel: Channel, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; at += maxDataBytes)
    await channel.write(frameOf(types.data, bytes.subarray(at, at + maxDataBytes)));
}

/** Sends how a shell ended. Rejected when the channel ends. */
export async function writeExit(channel: Channel, status: number): Promise<void> {
  const body = Buffer.alloc(4);
  body.writeInt32BE(status);
  await channel.write(frameOf(types.exit, body));
}

function frameOf(type: number, body: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(5 + body.length);
  frame.writeUInt32BE(1 + body.length);
  frame.writeUInt8(type, 4);
  frame.set(body, 5);
  return frame;
}
