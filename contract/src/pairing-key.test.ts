import { expect, test } from 'vitest';
import { readPairingKey, writePairingKey } from './pairing-key.ts';

const parts = { selector: '7K2M01', secret: 'X4TB' };

test.each(['7K2M01-X4TB', '7k2m01x4tb', '7K2MOI-X4TB', ' 7k2mol x4tb ', '7K2M01-x4tb'])(
  'a pairing key is read as people type it: %s',
  (typed) => expect(readPairingKey(typed)).toEqual(parts),
);

test.each(['', '7K2M01-X4T', '7K2M01-X4TBB', '7K2M01-X4TU', '7K2M--01X4TB', '7K2M0é-X4TB', '７K2M01-X4TB'])(
  'what is no pairing key is not read: %s',
  (typed) => expect(readPairingKey(typed)).toBeUndefined(),
);

test('a pairing key is shown with its dash', () => expect(writePairingKey(parts)).toBe('7K2M01-X4TB'));
