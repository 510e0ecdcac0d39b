import { channelReasons, ids, type Id } from '@corral/contract';
import {
  ChannelRejection,
  ConnectionClosure,
  splice,
  type Channel,
  type ChannelRequest,
} from '@corral/multiplex';

/** Opens a channel over a connection that a device has with this node; undefined when it has none. */
export type OpenHere = (
  deviceId: Id<'device'>,
  endpoint: string,
  options: { readonly signal: AbortSignal; readonly isForPages: boolean },
) => Promise<Channel> | undefined;

/** The node that asks gives up sooner; this ends what it no longer waits for. */
const openTimeoutMs = 20_000;
const endpointPattern = /^device\/([^/]+)\/(proxy|pages)\/(.+)$/;

/** The endpoint at which a node opens a channel to a device of another node, which counts those for pages. */
export function peerEndpoint(deviceId: Id<'device'>, endpoint: string, isForPages = false): string {
  return `device/${deviceId}/${isForPages ? 'pages' : 'proxy'}/${endpoint}`;
}

/** Joins a channel that another node requests, which has checked the permission, with one to the device. Never rejected. */
export async function serveChannelRequest(request: ChannelRequest, openHere: OpenHere): Promise<void> {
  const [, deviceId, purpose, endpoint = ''] = endpointPattern.exec(request.endpoint) ?? [];
  const device = ids.device.schema.safeParse(deviceId);
  if (!device.success) return request.reject('unknown endpoint');
  try {
    const signal = AbortSignal.timeout(openTimeoutMs);
    const opening = openHere(device.data, endpoint, { signal, isForPages: purpose === 'pages' });
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
