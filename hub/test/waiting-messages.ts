import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { loadConfig } from '../src/config/config.ts';
import { openExistingDatabase } from '../src/operator/open-existing-database.ts';
import { storeEnv, type BackedUpHub } from './backed-up-hub.ts';
import { connectLink, deviceHeaders, isOpen, newDevice } from './device-client.ts';

/** A webhook with a message that its receiver, which does not run, has not accepted. */
export async function webhookWithWaitingMessage({ program }: BackedUpHub): Promise<string> {
  const { projectId } = await program.invoke('projects_CreateProject', { name: 'Tells' });
  const given = { projectId, name: 'Down', url: 'http://127.0.0.1:9/', types: [] };
  const { webhookId } = await program.invoke('projects_CreateWebhook', given);
  await program.invoke('projects_TestWebhook', { webhookId });
  return String(webhookId);
}

/** An alert that fires, of which its owner and a webhook are told by messages that nobody takes. */
export async function tellThatOneFires({ program, dataDir }: BackedUpHub): Promise<void> {
  const { projectId } = await program.invoke('projects_CreateProject', {
    name: 'Away',
  });
  const given = {
    projectId,
    name: 'Down',
    url: 'http://127.0.0.1:9/',
    types: [],
  };
  const { webhookId } = await program.invoke('projects_CreateWebhook', given);
  await program.invoke('alerts_CreateRule', {
    projectId,
    name: 'Not there',
    condition: { kind: 'Matching', filter: 'all', forSecs: 0 },
    severity: 'Critical',
    channels: { mails: 'Owners', webhookIds: [webhookId] },
  });
  const { token } = await program.invoke('projects_CreateDeploymentToken', {
    projectId,
    name: 'token',
    flags: { autoAccept: true },
  });
  const headers = deviceHeaders(await newDevice(), String(token));
  const link = await connectLink(program.url.replace(/\/$/, ''), headers);
  if (isOpen(link)) link.connection.close('');
  const isTold = async () =>
    expect(await readTelling({ CORRAL_DATA_DIR: dataDir })).toEqual({
      firing: 1,
      told: 1,
      mails: 1,
      waiting: 2,
      ends: 0,
    });
  await vi.waitFor(isTold, { timeout: 60_000, interval: 500 });
}

/** Deletes the device of the alert that fires in a restored hub, and waits until its end is told. */
export async function mustTellItsEnd(
  program: BackedUpHub['program'],
  settings: Record<string, string>,
): Promise<void> {
  const telling = { firing: 1, told: 1, mails: 0, waiting: 0, ends: 0 };
  expect(await readTelling(settings)).toEqual(telling);
  const { alerts } = await program.invoke('alerts_QueryAlerts', { all: true, states: ['Firing'] });
  const [{ deviceId }] = alerts as [{ deviceId: string }];
  await program.invoke('devices_DeleteDevice', { deviceId });
  await vi.waitFor(
    async () => expect(await readTelling(settings)).toMatchObject({ firing: 0, mails: 1, ends: 1 }),
    { timeout: 60_000, interval: 500 },
  );
}

/** What alerts have told and still have to tell. */
async function readTelling(settings: Record<string, string>): Promise<unknown> {
  const database = await openExistingDatabase(loadConfig({ argv: [], env: { ...storeEnv, ...settings } }));
  try {
    const { rows } = await sql`
      select (select count(*) from alerts where state = 'Firing') as firing, (select count(*) from alerts where to_tell is not null or is_told) as told,
        (select count(*) from queued_mails where alert_message is not null) as mails,
        (select count(*) from webhook_messages where next_attempt_at is not null) as waiting,
        (select count(*) from webhook_messages where type = 'alert.resolved') as ends`.execute(database.db);
    return rows[0];
  } finally {
    await database.close();
  }
}
