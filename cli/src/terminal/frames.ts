/** What the hub sends of a terminal. */
export type TerminalOutput =
  | { readonly type: 'Data'; readonly bytes: Buffer }
  | { readonly type: 'Exit'; readonly status: number };

const types = { data: 0, resize: 1, exit: 2 } as const;
const headBytes = 5;
const maxPieceBytes = 65_536;

/** The frames that type bytes. */
export function* dataFrames(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += maxPieceBytes)
    yield frameOf(types.data, bytes.subarray(at, at + maxPieceBytes));
}

/** The frame that says the size of the screen. */
export function resizeFrame({ columns, rows }: { columns: number; rows: number }): Buffer {
  const body = Buffer.alloc(4);
  body.writeUInt16BE(columns);
  body.writeUInt16BE(rows, 2);
  return frameOf(types.resize, body);
}

/** Reads a frame of the hub; undefined for one that is not known. */
export function readFrame(frame: Buffer): TerminalOutput | undefined {
  const body = frame.subarray(headBytes);
  if (frame[headBytes - 1] === types.data) return { type: 'Data', bytes: body };
  if (frame[headBytes - 1] === types.exit) return { type: 'Exit', status: body.readInt32BE() };
  return undefined;
}

function frameOf(type: number, body: Buffer): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(body.length + 1);
  head.writeUInt8(type, headBytes - 1);
  return Buffer.concat([head, body]);
}
