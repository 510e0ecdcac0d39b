import { channelReasons, ids, resumableForwards, type Id } from '@corral/contract';
import {
  ChannelRejection,
  ConnectionClosure,
  splice,
  type Channel,
  type ChannelRequest,
} from '@corral/multiplex';

/** What a channel is for: the node of the device limits the number of streams for pages of each device, and for forwards of each user. */
export interface ChannelPurpose {
  readonly isForPages?: boolean;
  readonly userId?: Id<'user'>;
  /** Whether it leads to a terminal that the node of the device serves, and not to the device; the endpoint is the id of the terminal. */
  readonly isForTerminal?: boolean;
}

/** Opens a channel over a connection that a device has with this node; undefined when it has none. */
export type OpenHere = (
  deviceId: Id<'device'>,
  endpoint: string,
  options: ChannelPurpose & { readonly signal: AbortSignal },
) => Promise<Channel> | undefined;

/** Serves a client of another node in a terminal on a device of this node. */
export type ServeTerminal = (deviceId: Id<'device'>, channel: Channel) => Promise<void>;

/** Longer than the requesting node waits, to end what it no longer waits for. */
const openTimeoutMs = 20_000;
const endpointPattern = /^device\/([^/]+)\/(?:(proxy|pages|terminal)|users\/([^/]+))\/(.+)$/;

interface Requested {
  readonly deviceId: Id<'device'>;
  readonly endpoint: string;
  readonly purpose: ChannelPurpose;
}

/** The endpoint at which a node opens a channel to a device of another node. */
export function peerEndpoint(
  deviceId: Id<'device'>,
  endpoint: string,
  { isForPages, userId, isForTerminal }: ChannelPurpose,
): string {
  if (isForTerminal === true) return `device/${deviceId}/terminal/${endpoint}`;
  if (userId !== undefined) return `device/${deviceId}/users/${userId}/${endpoint}`;
  return `device/${deviceId}/${isForPages === true ? 'pages' : 'proxy'}/${endpoint}`;
}

/** Undefined for an endpoint that only a newer release, or a newer version of the protocol, knows. */
function parseEndpoint(text: string, hasResumable: boolean): Requested | undefined {
  const [, deviceId, kind, userId, endpoint] = endpointPattern.exec(text) ?? [];
  const device = ids.device.schema.safeParse(deviceId);
  const user = ids.user.schema.optional().safeParse(userId);
  if (!device.success || !user.success || endpoint === undefined) return undefined;
  if (resumableForwards.isEndpoint(endpoint) && !hasResumable) return undefined;
  if (kind === 'terminal') return { deviceId: device.data, endpoint, purpose: { isForTerminal: true } };
  const purpose = user.data === undefined ? { isForPages: kind === 'pages' } : { userId: user.data };
  return { deviceId: device.data, endpoint, purpose };
}

/** Joins a channel that another node requests, which has checked the permission, with one to the device. Never rejected. */
export async function serveChannelRequest(
  request: ChannelRequest,
  openHere: OpenHere,
  { hasResumable, serveTerminal }: { readonly hasResumable: boolean; readonly serveTerminal: ServeTerminal },
): Promise<void> {
  const requested = parseEndpoint(request.endpoint, hasResumable);
  if (requested === undefined) return request.reject(channelReasons.hubOfAnotherRelease);
  const { deviceId, endpoint, purpose } = requested;
  if (purpose.isForTerminal === true) return serveTerminal(deviceId, request.accept());
  try {
    const signal = AbortSignal.timeout(openTimeoutMs);
    const opening = openHere(deviceId, endpoint, { signal, ...purpose });
    if (opening === undefined) return request.reject(channelReasons.deviceNotConnected);
    const channel = await opening;
    await splice(request.accept(), channel);
  } catch (error) {
    request.reject(reasonOf(error));
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof ChannelRejection) return error.message;
  return error instanceof ConnectionClosure ? channelReasons.deviceNotConnected : channelReasons.deviceSilent;
}
