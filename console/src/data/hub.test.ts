import { afterEach, expect, test, vi } from 'vitest';
import { hubOverHttp } from './hub.ts';
import { createQueryClient } from './query-client.ts';
import { actionQuery } from './action-query.ts';

const deviceId = 'd_9fKqW2x9RvHy8cBq1sw7Fd' as never;

afterEach(() => void vi.unstubAllGlobals());

/** A hub whose answers are these texts, one a call. */
function hubAnswering(...texts: readonly string[]) {
  const left = [...texts];
  vi.stubGlobal('fetch', async () => new Response(left.shift()));
  return hubOverHttp({ onVersion: () => {}, onLiveCursor: () => {} });
}

test('integers that no number can hold are bigints in an answer, also after it was read again', async () => {
  const properties = (value: string) => `{"properties":{"at":{"name":"at","value":${value}}}}`;
  const hub = hubAnswering(
    properties('{"ns":[1764252000123456789,-9007199254740993,1],"same":18446744073709551615}'),
    properties('{"ns":[1764252000123456788,-9007199254740993,1],"same":18446744073709551615}'),
  );
  const client = createQueryClient({ hub });
  const query = actionQuery('devices_QueryDeviceProperties', { deviceId }, { staleTime: 0 });
  const valueOf = async () => (await client.fetchQuery(query)).properties['at']?.value;
  expect(await valueOf()).toEqual({
    ns: [1764252000123456789n, -9007199254740993n, 1],
    same: 18446744073709551615n,
  });
  expect(await valueOf()).toEqual({
    ns: [1764252000123456788n, -9007199254740993n, 1],
    same: 18446744073709551615n,
  });
});

test.each([
  ['1.0', 1],
  ['-0', -0],
  ['1e21', 1e21],
  ['1000000000000000000000', 1e21],
  ['0.12345678901234567890', 0.123_456_789_012_345_68],
  ['9007199254740992', 2 ** 53],
  ['"9007199254740993"', '9007199254740993'],
])('reads %s as JSON.parse does', async (text, value) => {
  const hub = hubAnswering(`{"jwt":"","url":[${text}]}`);
  expect(await hub.invoke('devices_IssueDeviceHttpProxyToken', { deviceId })).toEqual({
    jwt: '',
    url: [value],
  });
});

test('a bigint is not sent rounded: the call fails', async () => {
  const hub = hubAnswering('{}');
  const metadata = { serial: 9007199254740993n } as never;
  await expect(hub.invoke('devices_SetDeviceMetadata', { deviceId, metadata })).rejects.toThrow(TypeError);
});
