import { ActionError, ids, type Json } from '@corral/contract';
import { readGroupMapping } from '../../../auth/oidc/group-mapping.ts';
import type { Database } from '../../../platform/db/connect.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import { readSettings } from '../../instance/index.ts';
import { hasUsablePassword } from '../../users/index.ts';
import { knownProjects } from '../sql/follow-groups.ts';
import { readTest } from '../sql/provider-tests.ts';
import { hasLinkedAdministrator, readIdentities } from '../sql/user-identities.ts';

interface Parts {
  readonly tx: Database;
  readonly vault: Vault;
  readonly settings: ReadonlyMap<string, { readonly configured: { readonly value: Json } | undefined }>;
}

/** The issuer of the provider, and when somebody last signed in there with the present settings. */
export async function presentProvider({ tx, vault, settings }: Parts) {
  const stored = await readSettings(tx, vault);
  const [issuer, clientId] = ['oidcIssuer', 'oidcClientId'].map(
    (key) => settings.get(key)?.configured?.value ?? stored.get(key),
  );
  const test = await readTest(tx);
  const isTested = test !== undefined && test.issuer === issuer && test.client_id === clientId;
  return {
    issuer: typeof issuer === 'string' ? issuer : undefined,
    testedAt: isTested ? test.tested_at : undefined,
    passwords: stored.get('passwords') ?? 'allowed',
  };
}

/** Whether a user, by its raw id, has an identity at the provider of the present settings. */
export async function isLinkedAtProvider(parts: Parts, userId: string): Promise<boolean> {
  const { issuer } = await presentProvider(parts);
  const identities = (await readIdentities(parts.tx, userId)) ?? [];
  return identities.some((identity) => identity.issuer === issuer);
}

/** Requires that a user, by its raw id, can sign in without passkeys: by a password that may be used, or at the provider. */
export async function mustSignInWithoutPasskeys(parts: Parts, userId: string): Promise<void> {
  if ((await hasUsablePassword(parts.tx, userId)) || (await isLinkedAtProvider(parts, userId))) return;
  throw new ActionError(
    'Invalid',
    'This is the only way to sign in to this account. Set a password first, or link an account at the provider.',
  );
}

const freshMs = 3_600_000;
const ofProvider: ReadonlySet<string> = new Set(['oidcIssuer', 'oidcClientId', 'oidcClientSecret']);

/** Refuses a mapping of groups to a project that does not exist. */
export async function mustMapKnownProjects(tx: Database, key: string, value: Json): Promise<void> {
  if (key !== 'oidcGroups' || typeof value !== 'string') return;
  const named = (readGroupMapping(value) ?? []).flatMap(({ projectId }) => projectId ?? []);
  const known = await knownProjects(tx, named);
  const unknown = named.find((projectId) => !known.has(projectId));
  if (unknown !== undefined)
    throw new ActionError('Invalid', `There is no project ${ids.project.of(unknown)}.`);
}

/** Refuses a setting after which nobody could sign in. */
export async function mustLeaveSignIn(
  parts: Parts & { readonly now: Date },
  key: string,
  value: Json,
): Promise<void> {
  if (key !== 'passwords' && !ofProvider.has(key)) return;
  const { issuer, testedAt, passwords } = await presentProvider(parts);
  if (key !== 'passwords') {
    if (passwords !== 'nobody') return;
    throw new ActionError(
      'Invalid',
      'Let administrators use passwords first: if the new settings do not work, nobody could sign in.',
    );
  }
  // Back to passwords it always goes.
  if (value === null || value === 'allowed' || passwords === 'nobody') return;
  if (issuer === undefined || testedAt === undefined)
    throw new ActionError(
      'Invalid',
      'Test a sign-in at the provider first: only with settings that work can passwords be switched off.',
    );
  const since = new Date(parts.now.getTime() - freshMs);
  if (value === 'nobody' && !(await hasLinkedAdministrator(parts.tx, issuer, since)))
    throw new ActionError(
      'Invalid',
      'Sign in at the provider first: an administrator must have done so within the last hour.',
    );
}
