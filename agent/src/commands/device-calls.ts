import { randomBytes } from 'node:crypto';
import type { Executor } from '@corral/client';
import { datedRaw, ids, type Id, type DeviceEventSeverity, type Json } from '@corral/contract';
import { AgentError } from '../AgentError.ts';
import type { DeviceCall } from './one-shot.ts';

/** Replaces the metadata. */
export async function setMetadata(call: DeviceCall, metadata: Record<string, Json>): Promise<void> {
  await call.executor.invoke('devices_SetDeviceMetadata', { deviceId: call.deviceId, metadata });
}

/** A property with its version and the time of its last change. Rejected with an AgentError when there is none by this name. */
export async function getPropertyDetails(call: DeviceCall, name: string): Promise<Record<string, Json>> {
  const answer = await call.executor.invoke('devices_GetDeviceProperty', { deviceId: call.deviceId, name });
  if (answer.result === 'NotFound')
    throw new AgentError(`This device has no property ${JSON.stringify(name)}.`);
  const { result: _result, ...property } = answer;
  return property;
}

/** The value of a property. Rejected with an AgentError when there is none by this name. */
export async function getProperty(call: DeviceCall, name: string): Promise<Json> {
  const { value = null } = await getPropertyDetails(call, name);
  return value;
}

/** Writes a property. */
export async function setProperty(call: DeviceCall, name: string, value: Json): Promise<void> {
  await call.executor.invoke('devices_SetDeviceProperty', { deviceId: call.deviceId, name, value });
}

/** An event to report. */
export interface EventInput {
  readonly severity: DeviceEventSeverity;
  readonly category?: string | undefined;
  readonly body: Json;
  readonly attributes: Record<string, Json>;
}

/** Reports events with the current time; returns their ids. */
export async function emitEvents(call: DeviceCall, inputs: readonly EventInput[]): Promise<string[]> {
  const atMs = Date.now();
  const events = inputs.map(({ category, ...event }) => ({
    ...event,
    ...(category === undefined ? {} : { category }),
    eventId: ids.deviceEvent.of(datedRaw(atMs, (count) => randomBytes(count))),
    emittedAt: new Date(atMs).toISOString(),
  }));
  await call.executor.invoke('devices_PublishDeviceEvents', { deviceId: call.deviceId, events });
  return events.map(({ eventId }) => eventId);
}

/** Options of a device token. */
export interface TokenOptions {
  readonly validForSecs?: number | undefined;
  readonly claims?: Json | undefined;
}

/** Issues a signed token by which third parties recognise this device. */
export async function issueToken(call: DeviceCall, { validForSecs, claims }: TokenOptions): Promise<string> {
  const { jwt } = await call.executor.invoke('devices_IssueDeviceToken', {
    deviceId: call.deviceId,
    ...(validForSecs === undefined ? {} : { validForSecs }),
    ...(claims === undefined ? {} : { claims }),
  });
  return jwt;
}

/** The names that identify an asset. */
export interface AssetPath {
  readonly repository: string;
  readonly package: string;
  readonly tag: string;
  /** May hold slashes. */
  readonly filename: string;
}

/** Reads `repository/package/tag/filename`. Throws an AgentError. */
export function assetPathOf(text: string): AssetPath {
  const [repository = '', packageName = '', tag = '', ...rest] = text.split('/');
  const filename = rest.join('/');
  if ([repository, packageName, tag, filename].includes(''))
    throw new AgentError('An asset is named by repository/package/tag/filename.');
  return { repository, package: packageName, tag, filename };
}

/** Issues a short-lived address of an asset; the tag of its path may also be the id of a version. Rejected with an AgentError when there is none by these names. */
export async function issueAssetUrl({ executor }: DeviceCall, path: AssetPath): Promise<string> {
  const assetId = await findAsset(executor, path);
  if (assetId === undefined) throw new AgentError(`There is no asset ${Object.values(path).join('/')}.`);
  const { url } = await executor.invoke('repositories_IssueAssetDownloadUrl', { assetId });
  return url;
}

async function findAsset(executor: Executor, path: AssetPath): Promise<Id<'asset'> | undefined> {
  if (!ids.packageVersion.schema.safeParse(path.tag).success) {
    const found = await executor.invoke('repositories_ResolvePackageVersionAssetByPath', path);
    return found.result === 'Found' ? (found.assetId as Id<'asset'>) : undefined;
  }
  const versionId = path.tag as Id<'packageVersion'>;
  const { assets } = await executor.invoke('repositories_GetPackageVersionDetails', { versionId });
  return assets.find(({ filename }) => filename === path.filename)?.assetId as Id<'asset'> | undefined;
}
