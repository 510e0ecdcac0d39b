import { connect, type Socket } from 'node:net';
import { ids } from '@corral/contract';
import { expect, inject, onTestFinished, test } from 'vitest';
import { assetScene, callUrl, fileOf } from '../../../test/asset-scene.ts';
import {
  begun,
  doubleOfTest,
  mustBeServed,
  sendBytes,
  twoHubs,
  type TwoHubs,
} from '../../../test/two-hubs.ts';

const rounds = inject('figures').repeatedUploads;
const sizeBytes = 3_000_000;
const tus = { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream' };

/** How a connection is lost. */
const losses: readonly ((socket: Socket) => unknown)[] = [
  (socket) => socket.resetAndDestroy(),
  (socket) => socket.end(),
];

/** Sends the head of an upload and a part of its body. */
function sendPart(method: 'PUT' | 'PATCH', url: string, part: Buffer): Promise<Socket> {
  const { hostname, port, pathname, search } = new URL(url);
  const own = method === 'PUT' ? {} : { ...tus, 'upload-offset': 0 };
  const headers = Object.entries({ host: hostname, 'content-length': sizeBytes, ...own });
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(`${method} ${pathname}${search} HTTP/1.1\r\n${lines}\r\n`);
  return new Promise((resolve) => socket.write(part, () => resolve(socket)));
}

interface Round {
  readonly lose: (typeof losses)[number];
  /** How much of the file is sent before the connection is lost. */
  readonly sentBytes: number;
  /** The hub of the repetition: behind a load balancer it may be another one. */
  readonly again: 0 | 1;
}

async function eachRound(work: (round: Round) => Promise<void>): Promise<void> {
  for (let index = 0; index < rounds; index += 1)
    for (const lose of losses) {
      const sentBytes = Math.floor((sizeBytes * (index + 0.5)) / rounds);
      await work({ lose, sentBytes, again: index % 2 === 0 ? 0 : 1 });
    }
}

const places: Readonly<Record<string, () => Promise<TwoHubs>>> = {
  'in a data folder': async () => {
    const scene = await assetScene();
    onTestFinished(() => scene[Symbol.asyncDispose]());
    return { scene, hubs: [scene.hub, scene.hub] };
  },
  'in an object store': async () => twoHubs((await doubleOfTest()).settings),
};

test.each(Object.entries(places))(
  'a file %s is sent again at once when its connection is lost',
  async (_, start) => {
    const both = await start();
    await eachRound(async ({ lose, sentBytes, again }) => {
      const file = fileOf(sizeBytes);
      const { assetId, urls } = await begun(both, file);
      lose(await sendPart('PUT', urls[0], file.bytes.subarray(0, sentBytes)));
      const { status, bytes } = await callUrl(urls[again], { method: 'PUT', body: file.bytes });
      expect([status, bytes.toString()]).toEqual([200, '']);
      await mustBeServed(both.scene, assetId, file);
    });
  },
);

test.each(Object.entries(places))(
  'an upload %s goes on at once when its connection is lost',
  async (_, start) => {
    const both = await start();
    const { db } = both.scene.hub.database;
    await eachRound(async ({ lose, sentBytes, again }) => {
      const file = fileOf(sizeBytes);
      const { assetId, urls } = await begun(both, file);
      const part = await sendPart('PATCH', urls[0], file.bytes.subarray(0, sentBytes));
      const lease = db
        .selectFrom('assets')
        .select('upload_lease')
        .where('asset_id', '=', ids.asset.raw(assetId));
      await expect.poll(async () => (await lease.executeTakeFirst())?.upload_lease).not.toBeNull();
      lose(part);
      const { status, headers } = await callUrl(urls[again], { method: 'HEAD', headers: tus });
      expect(status).toBe(200);
      const rest = await sendBytes(urls[again], file, Number(headers['upload-offset']), sizeBytes);
      expect([rest.status, rest.bytes.toString()]).toEqual([204, '']);
      await mustBeServed(both.scene, assetId, file);
    });
  },
);
