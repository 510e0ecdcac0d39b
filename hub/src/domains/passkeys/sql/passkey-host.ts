import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { readSetting } from '../../instance/index.ts';
import { operatorCommand } from '../../../operator-command.ts';

/** The setting that says to which host name the passkeys of the instance belong: where the last one was added, unless the operator has moved them. */
export const hostSetting = 'passkeyHost';

/** Passkeys that work only at other names than the present one of the hub. */
export interface FormerPasskeys {
  readonly names: readonly string[];
  readonly users: number;
}

/** Whose passkeys would be lost if new ones belonged to this host name; undefined where there are none, and where the operator has moved them there. */
export async function formerPasskeys(
  tx: Database,
  rpId: string | undefined,
): Promise<FormerPasskeys | undefined> {
  if (rpId !== undefined && (await readSetting(tx, hostSetting)) === rpId) return undefined;
  const { rows } = await sql<{ names: string[] | null; users: number }>`
    select array_agg(distinct rp_id order by rp_id) as names, count(distinct user_id)::integer as users
      from passkeys where rp_id is distinct from ${rpId ?? null}`.execute(tx);
  const [{ names, users } = { names: null, users: 0 }] = rows;
  return names === null ? undefined : { names, users };
}

/** Whose they are, in a sentence without its end. */
export function whoseFormer({ names, users }: FormerPasskeys): string {
  return `${users === 1 ? '1 user has' : `${users} users have`} passkeys that work only at ${names.join(', ')}`;
}

/** What the operator has to know of passkeys of former names; undefined where there are none. */
export async function passkeysElsewhere(tx: Database, rpId: string | undefined): Promise<string | undefined> {
  const former = await formerPasskeys(tx, rpId);
  if (former === undefined) return undefined;
  return `${whoseFormer(former)}, and ${
    rpId === undefined
      ? 'this hub has no name at which browsers know passkeys: set CORRAL_PUBLIC_URL back.'
      : `this hub is ${rpId} now, where nobody can add one: set CORRAL_PUBLIC_URL back, or run: ${operatorCommand('move-passkeys')}.`
  }`;
}
