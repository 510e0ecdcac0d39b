import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { assetScene, fileOf, type AssetScene } from '../../../test/asset-scene.ts';
import { getOf, rawRequests } from '../../../test/raw-requests.ts';

const perSecond = 1;
/** What may come at once: ten times what other requests may. */
const burst = 3 * 10 * perSecond;

let scene: AssetScene;
let signedPath: string;
let source = 1;
beforeAll(async () => {
  scene = await assetScene({
    env: { CORRAL_ANONYMOUS_REQUESTS_PER_SECOND: String(perSecond) },
    // No turn comes back, however slow the machine is.
    nowMs: () => 0,
  });
  const assetId = await scene.upload(fileOf(1000));
  const { pathname, search } = new URL(await scene.downloadUrl(assetId));
  signedPath = pathname + search;
});
const requests = rawRequests(() => scene.hub);
afterAll(async () => {
  requests[Symbol.dispose]();
  await scene[Symbol.asyncDispose]();
});
// Each test has an address whose burst is whole.
beforeEach(() => void (source += 1));

const here = (): string => `127.0.1.${source}`;
const publicFile = (more?: string): string => getOf('/r/fleet/image/stable/image.bin', more);

/** Uses up what the address of the test may send at once. */
async function flood(): Promise<void> {
  const before = await requests.pacedSoFar();
  await Promise.all(Array.from({ length: burst }, () => requests.answered(publicFile(), here())));
  expect(await requests.pacedSoFar()).toBe(before);
}

test('files without a signed URL have a rate of their own, and wait beyond it', async () => {
  await flood();
  expect(await requests.pacedWith(publicFile('Range: bytes=0-9\r\n'), here())).toBe(1);
  expect(await requests.pacedWith(getOf('/r/'), here())).toBe(1);
  expect(await requests.pacedWith(publicFile(), '127.0.2.1')).toBe(0);
  expect(await requests.pacedWith(getOf('/api/config.json'), here())).toBe(0);
});

test('a URL that the hub signed does not wait for them, and one that it did not does', async () => {
  await flood();
  expect(await requests.answered(getOf(signedPath), here())).toMatch(/^HTTP\/1\.1 200 /);
  expect(await requests.pacedWith(getOf(signedPath), here())).toBe(0);
  for (const path of [
    signedPath.replace(/signature=.{4}/, 'signature=AAAA'),
    signedPath.replace(/expires=\d+/, 'expires=1'),
    signedPath.replace(/key=[^&]+/, 'key=x'),
    signedPath.split('?')[0] ?? '',
  ])
    expect(await requests.pacedWith(getOf(path), here())).toBe(1);
});
