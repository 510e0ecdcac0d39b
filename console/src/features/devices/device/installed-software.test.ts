import { expect, test } from 'vitest';
import { installedSoftware } from './installed-software.ts';

const said = (value: unknown) => installedSoftware({ 'corral.installed': { value } });

test('what a device writes as installed is shown only where a head has room for it', () => {
  expect(said({ package: 'press', version: '2.4.1' })).toBe('press 2.4.1');
  for (const version of ['', 'x'.repeat(101), 2.4, null])
    expect(said({ package: 'press', version })).toBeUndefined();
  expect(said('2.4.1')).toBeUndefined();
  expect(installedSoftware({})).toBeUndefined();
});
