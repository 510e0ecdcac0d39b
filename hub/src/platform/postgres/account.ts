import { readFileSync } from 'node:fs';
import { PostgresStartError } from './PostgresStartError.ts';

/** The system account that PostgreSQL runs as. */
export interface Account {
  name: string;
  uid: number;
  gid: number;
}

/** Existing accounts to use, in order of preference. The hub never creates one. */
const preferredNames = ['corral', 'postgres', '_postgres', 'nobody'];

/** Whether the hub runs as root, as which PostgreSQL refuses to run. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Chooses the unprivileged account for PostgreSQL when the hub is root, else undefined (the hub's own account).
 * The owner of an existing cluster takes precedence, so that an account that is added later does not make the cluster inaccessible.
 */
export function chooseAccount(clusterOwner?: { uid: number; gid: number }): Account | undefined {
  if (!isRoot()) return undefined;
  const known = readAccounts();
  if (clusterOwner) {
    return (
      known.find(({ uid }) => uid === clusterOwner.uid) ?? { name: `${clusterOwner.uid}`, ...clusterOwner }
    );
  }
  for (const name of preferredNames) {
    const found = known.find((account) => account.name === name && account.uid > 0);
    if (found) return found;
  }
  throw new PostgresStartError(
    'PostgreSQL refuses to run as root and this system has no account named corral, postgres or nobody: add one, or start the hub as another user.',
  );
}

function readAccounts(): Account[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name: name ?? '', uid: Number(uid), gid: Number(gid) }));
}
