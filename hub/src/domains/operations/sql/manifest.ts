import { type Json, parseExactJson } from '@corral/contract';
import type { Database } from '../../../platform/db/connect.ts';
import { commandsProperty, readUnparsedProperty } from '../../devices/index.ts';
import type { Step } from './operations.ts';

/** What a device says of its commands, by its raw id; undefined without steps that are commands. */
export async function readManifest(
  tx: Database,
  deviceId: string,
  steps: readonly Step[],
): Promise<Json | undefined> {
  if (!steps.some(({ kind }) => kind === 'DeviceCommand')) return undefined;
  const offered = await readUnparsedProperty(tx, deviceId, commandsProperty);
  return offered && (parseExactJson(offered.value) as Json);
}
