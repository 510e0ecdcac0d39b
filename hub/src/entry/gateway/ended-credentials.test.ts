import { ids, type Id } from '@corral/contract';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { connectLink, isOpen, newDevice, type OpenLink } from '../../../test/device-client.ts';
import {
  commandLineHeaders,
  deviceIdOf,
  gatewayScene,
  type GatewayScene,
} from '../../../test/gateway-scene.ts';
import { deleteDevices } from '../../domains/devices/sql/device-deletion.ts';

let scene: GatewayScene;
beforeAll(async () => void (scene = await gatewayScene()));
afterAll(() => scene[Symbol.asyncDispose]());

async function connected(token: string): Promise<OpenLink> {
  const answer = await connectLink(scene.url, commandLineHeaders(token));
  if (!isOpen(answer)) throw new Error(answer.body.message);
  return answer;
}

const isClosed = ({ connection }: OpenLink) =>
  connection.openChannel('executor').then(
    () => false,
    () => true,
  );

test('the link of a token ends when the token expires, and when another node deletes it', async () => {
  const { hub, owner } = scene;
  const { db } = hub.database;
  const create = () => hub.as(owner, 'users_CreateUserToken', { userId: owner.userId });
  const [expiring, deleted, good] = [await create(), await create(), await create()];
  const links = [
    await connected(expiring.token),
    await connected(deleted.token),
    await connected(good.token),
  ];
  const raw = ({ tokenId }: { tokenId: string }) => ids.userTokenId.raw(tokenId as Id<'userTokenId'>);
  // Without an event, as if it happened elsewhere.
  await db
    .updateTable('user_tokens')
    .set({ expires_at: hub.now() })
    .where('token_id', '=', raw(expiring))
    .execute();
  await db.deleteFrom('user_tokens').where('token_id', '=', raw(deleted)).execute();
  await vi.waitFor(
    async () => expect([await isClosed(links[0]!), await isClosed(links[1]!)]).toEqual([true, true]),
    { interval: 100 },
  );
  expect(await isClosed(links[2]!)).toBe(false);
  links[2]?.connection.close('');
});

test('the link of a device ends when another node revokes its certificate, or deletes the device or its token', async () => {
  const { hub, newToken } = scene;
  const { db } = hub.database;
  const linked = async (token = scene.token) => {
    const device = await newDevice();
    const link = await scene.connectDevice(device, token);
    return { link, rawId: ids.device.raw(await deviceIdOf(link)) };
  };
  const { token, tokenId } = await newToken(true);
  const [revoked, deleted, withoutToken, good] = [
    await linked(),
    await linked(),
    await linked(token),
    await linked(),
  ];
  // Without an event, as if it happened elsewhere.
  await db
    .updateTable('device_certificates')
    .set({ status: 'Revoked' })
    .where('device_id', '=', revoked.rawId)
    .execute();
  const { project_id } = await db
    .selectFrom('devices')
    .select('project_id')
    .where('device_id', '=', deleted.rawId)
    .executeTakeFirstOrThrow();
  await deleteDevices(db, project_id, [deleted.rawId], new Date());
  await db
    .deleteFrom('deployment_tokens')
    .where('token_id', '=', ids.deploymentTokenId.raw(tokenId))
    .execute();
  const reasons = () => [revoked, deleted, withoutToken].map(({ link }) => link.connection.end?.reason);
  const isInactive = 'the certificate is not active any more';
  await vi.waitFor(() =>
    expect(reasons()).toEqual([isInactive, isInactive, 'the deployment token was deleted']),
  );
  expect(await isClosed(good.link)).toBe(false);
  good.link.connection.close('');
});
