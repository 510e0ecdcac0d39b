import { ActionError, ids, problemMessages } from '@corral/contract';
import {
  newGrantId,
  proxyKeyPurpose,
  signProxyToken,
  singleUseLifetimeSecs,
} from '../../auth/proxy-token.ts';
import type { Handler, HandlerContext } from '../../executor/handler.ts';
import { mustBePerson, type Person } from '../../policy/actors.ts';
import { requestedLabel, hostOf, consolePathOf } from '../../policy/proxy-token-options.ts';
import { mustSeeDevice } from '../../policy/projects.ts';
import { validitySecs } from '../../policy/token-lifetimes.ts';
import { instanceKey } from '../../store/instance-keys.ts';
import { permanentLabel, assignLabel, type DevicePort } from '../../store/proxy-hosts.ts';

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
