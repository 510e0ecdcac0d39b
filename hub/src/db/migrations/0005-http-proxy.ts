import { sql, type Kysely } from 'kysely';

/**
 * Adds the host names of devices' web pages, which outlive their devices so that none is ever assigned twice, and the tokens of the
 * HTTP proxy that have been redeemed and work only once.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table device_proxy_hosts (
      label text primary key,
      device_id text not null,
      port integer not null,
      is_chosen boolean not null,
      created_at timestamptz not null
    );
    create unique index device_proxy_hosts_own on device_proxy_hosts (device_id, port) where not is_chosen;
    create index device_proxy_hosts_chosen on device_proxy_hosts (device_id) where is_chosen;
    create table redeemed_proxy_tokens (
      token_id text primary key,
      expires_at timestamptz not null
    );
    create index redeemed_proxy_tokens_by_expiry on redeemed_proxy_tokens (expires_at);
  `.execute(db);
}
