import { sql } from 'kysely';
import type { Operation, Turn } from './operations.ts';

/** Notes that a device has proved to have a version, by its raw id, and which one it had before. A version that is deleted is not noted. */
export async function recordInstall(
  { tx, now }: Turn,
  operation: Operation,
  versionId: string,
): Promise<void> {
  await sql`
    insert into device_installs as i (device_id, package_id, version_id, version_before, device_operation_id, proved_at)
    select ${operation.deviceId}, v.package_id, v.version_id, null, ${operation.operationId}, ${now}
    from package_versions v where v.version_id = ${versionId}
    on conflict (device_id, package_id) do update set version_id = excluded.version_id, proved_at = excluded.proved_at,
      version_before = i.version_id, device_operation_id = excluded.device_operation_id`.execute(tx);
}
