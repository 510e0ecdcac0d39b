import { sql, type Kysely } from 'kysely';
import type { Tables } from '../src/platform/db/tables.ts';

/** The migrations from before the first release, which are one now. */
export const foldedMigrations: readonly string[] = `
  0001-first-tables 0002-admission-limits 0003-registrations 0004-connection-history 0005-http-proxy 0006-property-versions
  0007-sealed-keys 0008-list-orders 0009-project-counts 0010-repositories 0011-invitations 0012-administration
  0013-settings-and-token-bounds 0014-sealed-record 0015-downloads-in-the-log 0016-mails-of-invitations
  0017-quotas-and-retention 0018-device-lists 0019-deleted-devices 0020-deleted-projects 0021-device-facts 0022-facts-by-flag
  0023-outbox-of-all-nodes 0024-deleted-devices-leave-their-project 0025-devices-by-name-descending 0026-nodes-reach-each-other
  0029-oldest-release 0030-pending-certificates-by-age 0031-saved-views 0032-pending-of-devices 0033-multipart-uploads
  0034-damaged-assets 0035-adoption-tries 0036-stores-by-size 0037-newest-versions-of-packages
  0038-packages-by-kind-and-versions 0039-uses-of-assets 0040-assets-by-size-and-status
  0041-ended-connections-without-joins 0042-versions-by-name 0043-unclaimed-stores 0044-settings-of-nodes
  0045-assets-announced-and-to-delete 0046-assets-without-chunk-digests 0047-texts-of-devices 0048-invitations-not-mailed
  0049-bounded-data-of-devices 0050-sign-ins-end-with-their-session 0051-orders-of-users 0052-kept-names-of-repositories
  0053-confirmed-links-of-repositories 0054-unfinished-uploads-of-users 0057-unconfirmed-addresses 0059-one-spelling
  0060-natural-order 0061-device-times-of-events 0062-identities-of-devices 0063-addresses-of-new-certificates`
  .trim()
  .split(/\s+/);

/** Records in a database that these migrations made what the first of this release makes. */
export async function recordFolded(db: Kysely<Tables>, names = foldedMigrations): Promise<void> {
  await sql`
    delete from schema_migrations where name = '0001-first-release';
    insert into schema_migrations (name, timestamp)
      select name, '2026-10-01T00:00:00.000Z' from unnest(string_to_array(${sql.lit(names.join())}, ',')) name`.execute(
    db,
  );
}
