import { ids, type Id } from '@corral/contract';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { connectLink, isOpen, type OpenLink } from '../../test/device-client.ts';
import { commandLineHeaders, gatewayScene, type GatewayScene } from '../../test/gateway-scene.ts';

let scene: GatewayScene;
beforeAll(async () => void (scene = await gatewayScene()));
afterAll(() => scene[Symbol.asyncDispose]());

async function connected(token: string): Promise<OpenLink> {
  const answer = await connectLink(scene.url, commandLineHeaders(token));
  if (!isOpen(answer)) throw new Error(answer.body.message);
  return answer;
}

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
  const isClosed = async ({ connection }: OpenLink) =>
    connection.openChannel('executor').then(
      () => false,
      () => true,
    );
  await vi.waitFor(
    async () => expect([await isClosed(links[0]!), await isClosed(links[1]!)]).toEqual([true, true]),
    { timeout: 15_000, interval: 100 },
  );
  expect(await isClosed(links[2]!)).toBe(false);
  links[2]?.connection.close('');
});
