import { randomInt } from 'node:crypto';
import { ActionError, ids, problemMessages } from '@corral/contract';
import { sql } from 'kysely';
import {
  newGrantId,
  proxyKeyPurpose,
  signProxyToken,
  singleUseLifetimeSecs,
} from '../../../auth/proxy-token.ts';
import type { Handler, HandlerContext } from '../../../calls/handler.ts';
import { amounts } from '../../../limits/amounts.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { instanceKey } from '../../instance/index.ts';
import { mustSeeDevice } from '../../projects/index.ts';
import { mustBePerson, type Person } from '../../../auth/actors.ts';
import { requestedLabel, hostOf, consolePathOf } from '../policy/proxy-token-options.ts';
import { validitySecs } from '../policy/token-lifetimes.ts';

type Context = HandlerContext<'devices_IssueDeviceHttpProxyToken'>;

interface Access {
  readonly person: Person;
  /** Raw. */
  readonly projectId: string;
}

const defaultPort = 80;

/** Issues the URL of a web page of a device. It works only while its user may access the device. */
export const IssueDeviceHttpProxyToken: Handler<'devices_IssueDeviceHttpProxyToken', Access> = {
  async authorize({ tx, actor, input }) {
    const person = mustBePerson(actor);
    const { projectId } = await mustSeeDevice(tx, person, input.deviceId);
    return { person, projectId };
  },

  async run(context, { person, projectId }) {
    const { input, now, emit, origins } = context;
    const secs = validitySecs(input.validForSecs, 'proxy token');
    const to = { deviceId: ids.device.raw(input.deviceId), port: mustBePort(input.port ?? defaultPort) };
    const redirect = consolePathOf(input.redirect, origins.console);
    const label = await labelFor(context, to);
    const isSingleUse = input.validForSecs === undefined;
    const nowSecs = Math.floor(now.getTime() / 1000);
    const grant = {
      id: newGrantId(),
      userId: ids.user.raw(person.userId),
      ...credentialOf(context, person),
      ...to,
      label,
      ...(redirect === undefined ? {} : { redirect }),
      isSingleUse,
      endsAtSecs: nowSecs + secs,
    };
    const key = await instanceKey(context, proxyKeyPurpose);
    const expiresAtSecs = isSingleUse ? nowSecs + singleUseLifetimeSecs : grant.endsAtSecs;
    const jwt = await signProxyToken(key, 'entry', grant, now, expiresAtSecs);
    const { deviceId } = input;
    const { port } = to;
    emit('devices_HttpProxyTokenIssued', {
      deviceId,
      projectId: ids.project.of(projectId),
      port,
      hostname: hostOf(origins, label),
    });
    return { jwt, url: `${origins.proxyOf(label)}/?token=${jwt}` };
  },
};

/** The session or user token with which the grant ends. */
function credentialOf({ origin }: Context, person: Person): { sessionId?: string; tokenId?: string } {
  if (person.actor === 'UserToken') return { tokenId: ids.userTokenId.raw(person.tokenId) };
  return origin.sessionId === undefined ? {} : { sessionId: origin.sessionId };
}

function mustBePort(port: number): number {
  if (port > 0) return port;
  throw new ActionError('Invalid', problemMessages.portInvalid);
}

async function labelFor({ tx, input, now, origins }: Context, to: DevicePort): Promise<string> {
  if (input.hostname === undefined) return permanentLabel(tx, to, now);
  const label = requestedLabel(input.hostname, origins.proxyDomain);
  if (await assignLabel(tx, to, label, now)) return label;
  throw new ActionError('Invalid', 'This host name is not free; leave it out to get one that is.');
}

const labelAlphabet = 'abcdefghijklmnopqrstuvwxyz234567';
const labelSymbols = 26;

/** A port of a device, by the raw id of the device. */
interface DevicePort {
  readonly deviceId: string;
  readonly port: number;
}

/** The permanent label of the host name of a device's port: 130 random bits, created on first use. */
async function permanentLabel(tx: Database, { deviceId, port }: DevicePort, now: Date): Promise<string> {
  const { rows } = await sql<{ label: string }>`
    insert into device_proxy_hosts (label, device_id, port, is_chosen, created_at)
      values (${randomLabel()}, ${deviceId}, ${port}, false, ${now})
      on conflict (device_id, port) where not is_chosen do update set port = excluded.port
      returning label`.execute(tx);
  if (rows[0] === undefined) throw new Error('A host name could not be kept.');
  return rows[0].label;
}

/** Assigns a chosen label to a port of a device; false if another port has or had the label, or the device already has 32. */
async function assignLabel(
  tx: Database,
  { deviceId, port }: DevicePort,
  label: string,
  now: Date,
): Promise<boolean> {
  await sql`
    insert into device_proxy_hosts (label, device_id, port, is_chosen, created_at)
      select ${label}, ${deviceId}, ${port}, true, ${now}
      where (select count(*) from device_proxy_hosts where device_id = ${deviceId} and is_chosen) < ${amounts.proxyHosts.max}
      on conflict (label) do nothing`.execute(tx);
  const { rows } = await sql`
    select 1 from device_proxy_hosts where label = ${label} and device_id = ${deviceId} and port = ${port}`.execute(
    tx,
  );
  return rows.length > 0;
}

function randomLabel(): string {
  return Array.from({ length: labelSymbols }, () => labelAlphabet[randomInt(labelAlphabet.length)]).join('');
}
