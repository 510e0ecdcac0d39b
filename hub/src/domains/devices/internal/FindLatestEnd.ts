import { sql } from 'kysely';
import type { Internal } from '../../../calls/handler.ts';

/** Returns when the last certificate ended by its time; whoever has seen that end needs to look for ended certificates no more. */
export const FindLatestEnd: Internal<void, { readonly endedAt: string | undefined }> = {
  name: 'devices_FindLatestCertificateEnd',
  isQuery: true,

  async run({ tx, now }) {
    const { rows } = await sql<{ endedAt: string }>`
      select ends_at as "endedAt" from device_certificates where ends_at <= ${now} and status = 'Active' order by ends_at desc limit 1`.execute(
      tx,
    );
    return { endedAt: rows[0]?.endedAt };
  },
};
