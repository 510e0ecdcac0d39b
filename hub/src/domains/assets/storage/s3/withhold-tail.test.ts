import { expect, test } from 'vitest';
import { inPieces, sampleContent } from '../../../../../test/stored-bytes.ts';
import { ContentHash } from '../content-hash.ts';
import { withholdTail } from './withhold-tail.ts';

test('the last 64 KiB come only once all bytes are right', async () => {
  for (const sizeBytes of [0, 1, 65_536, 65_537, 1_000_000])
    for (const pieceBytes of [1000, 65_536, 300_000]) {
      const content = sampleContent(sizeBytes);
      const send = async (bytes: Buffer) => {
        const sent: Uint8Array[] = [];
        let isVerified = false;
        const pieces = withholdTail(
          inPieces(bytes, pieceBytes),
          content,
          new ContentHash(),
          () => (isVerified = true),
        );
        try {
          for await (const piece of pieces) {
            sent.push(piece);
            const sentBytes = sent.reduce((sum, { length }) => sum + length, 0);
            if (!isVerified) expect(sentBytes).toBeLessThanOrEqual(Math.max(0, sizeBytes - 65_536));
          }
        } catch {
          expect(isVerified).toBe(false);
          return undefined;
        }
        return Buffer.concat(sent);
      };
      expect((await send(content.bytes))?.equals(content.bytes)).toBe(true);
      if (sizeBytes > 0)
        expect(await send(Buffer.from(content.bytes.map((byte) => byte ^ 1)))).toBeUndefined();
      expect(await send(Buffer.alloc(sizeBytes + 1))).toBeUndefined();
    }
});
