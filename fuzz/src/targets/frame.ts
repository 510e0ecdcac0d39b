import { decodeFrame, encodeFrame, ProtocolViolation, type Frame } from '@corral/multiplex';
import { sampleFrame } from '../frames.ts';
import { assertThat, type Target } from '../target.ts';

/** The frame decoder: any bytes are a frame or a violation, and encoding a frame gives the same bytes. */
export const frameTarget: Target = {
  name: 'frame',
  count: () => 1,
  sample: sampleFrame,
  run(input) {
    const frame = decoded(input);
    if (typeof frame === 'string') return frame;
    const again = encodeFrame(frame);
    assertThat(again.length <= input.length, 'a frame is never longer than what it was read from');
    assertThat(
      again.every((byte, index) => byte === input[index]),
      'a frame is written as it was read, except for what follows its fields',
    );
    assertThat(again.length === input.length || !hasRest(frame), 'a rest field takes the rest');
    return frame.kind;
  },
};

function decoded(input: Uint8Array): Frame | string {
  try {
    return decodeFrame(input);
  } catch (error) {
    if (error instanceof ProtocolViolation) return error.message;
    throw error;
  }
}

const hasRest = ({ kind }: Frame): boolean =>
  !['ChannelAccept', 'ChannelAdjust', 'Ping', 'Pong'].includes(kind);
