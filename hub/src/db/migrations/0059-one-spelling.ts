import { canonicalEmail } from '@corral/contract';
import { sql, type Kysely } from 'kysely';

/** Tables with addresses, their keys, and the condition that two rows may not have the same address. */
const addresses = [
  ['users', 'user_id', 'true'],
  ['user_registrations', 'user_id', 'false'],
  ['invitations', 'invitation_id', '(o.project_id = t.project_id or o.repository_id = t.repository_id)'],
] as const;

/** Names that may be given twice. */
const names = [
  ['users', 'display_name'],
  ['user_registrations', 'display_name'],
  ['user_tokens', 'name'],
  ['login_requests', 'name'],
  ['projects', 'name'],
  ['deployment_tokens', 'name'],
  ['all_devices', 'name'],
  ['packages', 'kind'],
  ['package_versions', 'name'],
] as const;

/** Names that are given once: in what, a key that tells one from the others where the composed form is taken, and how many characters leave room for it. */
const uniqueNames = [
  ['repositories', 'name', 'true', 'repository_id', 110],
  ['saved_views', 'name', 'o.project_id = t.project_id and o.user_id = t.user_id', 'md5(t.name)', 50],
  ['package_assets', 'filename', 'o.package_id = t.package_id', 'asset_id', 240],
  ['version_assets', 'filename', 'o.version_id = t.version_id', 'asset_id', 240],
] as const;

/**
 * Brings addresses into their canonical form, and names into the composed form of Unicode, as this release stores and looks for them. Where the canonical address is an account's already, the
 * other keeps its spelling, by which the sign-in still finds it. Of two names that are one, the later found gets a few characters more.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, key, isSame] of addresses) await respell(db, table, key, isSame);
  for (const [table, column] of names)
    await sql`update ${sql.ref(table)} set ${sql.ref(column)} = normalize(${sql.ref(column)})
      where ${sql.ref(column)} is not nfc normalized`.execute(db);
  for (const unique of uniqueNames) await compose(db, unique);
}

async function respell(db: Kysely<unknown>, table: string, key: string, isSame: string): Promise<void> {
  const { rows } = await sql<{ id: string; email: string }>`
    select ${sql.ref(key)} as id, email from ${sql.ref(table)}
    where email ~ '[^\\x01-\\x7f]' or email ~ '[@.]xn--' order by created_at, ${sql.ref(key)}`.execute(db);
  for (const { id, email } of rows)
    await sql`
      update ${sql.ref(table)} t set email = ${canonicalEmail(email)} where ${sql.ref(key)} = ${id} and not exists (
        select from ${sql.ref(table)} o where o.email = ${canonicalEmail(email)} and ${sql.raw(isSame)})`.execute(
      db,
    );
}

async function compose(
  db: Kysely<unknown>,
  [table, column, isSame, tail, characters]: (typeof uniqueNames)[number],
): Promise<void> {
  const name = sql.ref(`t.${column}`);
  const taken = sql`exists (select from ${sql.ref(table)} o where o.${sql.ref(column)} = normalize(${name}) and ${sql.raw(isSame)})`;
  // Two such names may become the same one: the first of them takes it, and the next statement finds the others.
  await sql`
    update ${sql.ref(table)} t set ${sql.ref(column)} = normalize(${name}) where ${name} is not nfc normalized and not ${taken} and ${name} = (
      select min(o.${sql.ref(column)}) from ${sql.ref(table)} o where normalize(o.${sql.ref(column)}) = normalize(${name}) and ${sql.raw(isSame)})`.execute(
    db,
  );
  await sql`
    update ${sql.ref(table)} t set ${sql.ref(column)} = left(normalize(${name}), ${sql.lit(characters)}) || ' ' || left(${sql.raw(tail)}, 8)
    where ${name} is not nfc normalized`.execute(db);
}
