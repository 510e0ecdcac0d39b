import { sql } from 'kysely';
import { newRawId } from '../../../auth/random.ts';
import { hashSecret, isSecret, lookupKey } from '../../../auth/secret.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { mustHaveRoomForDevice } from '../../assets/index.ts';
import { lockDevice } from './device-properties.ts';

/** A device that a key pairs: the raw parts of its project, its fingerprint and its token, and its name. */
interface PairedDevice {
  readonly projectId: string;
  readonly fingerprint: string;
  readonly tokenId: string;
  readonly name: string | null;
  readonly now: Date;
}

interface Row {
  readonly device_id: string;
  readonly project_id: string;
  readonly fingerprint_hash: Buffer;
}

/** Adds a device, or finds the one that the project has by its fingerprint, and resolves with its raw id; undefined where a device of another project has the fingerprint. */
export async function addPairedDevice(
  tx: Database,
  paired: PairedDevice,
): Promise<{ readonly deviceId: string; readonly isNew: boolean } | undefined> {
  const { projectId, fingerprint, tokenId, name, now } = paired;
  const known = await devicesWith(tx, fingerprint);
  if (known.length > 0) {
    const device = ofProject(known, paired);
    if (device !== undefined) await lockDevice(tx, device.deviceId);
    return device;
  }
  await mustHaveRoomForDevice(tx, projectId);
  const deviceId = newRawId();
  await sql`
    insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, enrolled_by, name, created_at)
    values (${deviceId}, ${projectId}, ${lookupKey(fingerprint)}, ${hashSecret(fingerprint)}, ${tokenId}, ${name}, ${now})
    on conflict (project_id, fingerprint_id) do nothing`.execute(tx);
  const found = ofProject(await devicesWith(tx, fingerprint), paired);
  return found && { ...found, isNew: found.deviceId === deviceId };
}

async function devicesWith(tx: Database, fingerprint: string): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    select device_id, project_id, fingerprint_hash from devices where fingerprint_id = ${lookupKey(fingerprint)} limit 2`.execute(
    tx,
  );
  return rows;
}

function ofProject([device, other]: readonly Row[], { projectId, fingerprint }: PairedDevice) {
  const isOfProject =
    device?.project_id === projectId && other === undefined && isSecret(fingerprint, device.fingerprint_hash);
  return isOfProject ? { deviceId: device.device_id, isNew: false } : undefined;
}
