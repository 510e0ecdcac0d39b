import { revocationReasons, type Id } from '@corral/contract';
import type { CredentialRefs } from './connection-registry.ts';
import type { GatewayContext } from './gateway-context.ts';
import type { Link } from './link.ts';
import { systemCaller } from '../executor/system-caller.ts';

/** Credentials that are checked at the same time share one statement. */
const checkedAtOnce = 1000;

/**
 * Closes the links whose credentials have ended: user tokens that expired or were deleted, those of disabled users, certificates that are
 * not active and deployment tokens that were deleted. This covers what happened on other nodes and events that were lost.
 * Without a database no link is closed.
 */
export async function closeLinksOfEndedCredentials(context: GatewayContext): Promise<void> {
  const links = [...context.registry.links()];
  await Promise.all([
    closeUserLinks(
      context,
      links.filter(({ actor }) => actor.actor === 'UserToken'),
    ),
    closeDeviceLinks(
      context,
      links.filter(({ actor }) => actor.actor === 'Device'),
    ),
  ]);
}

async function closeUserLinks({ parts }: GatewayContext, links: readonly Link[]): Promise<void> {
  for (const { some, tokenIds } of checks(links)) {
    const { ended } = await parts.executor
      .invoke(systemCaller, 'users_FindEndedTokens', {
        tokenIds: tokenIds as Id<'userTokenId'>[],
      })
      .catch(() => ({ ended: [] }));
    close(some, 'tokenId', ended, revocationReasons.userTokenEnded);
  }
}

async function closeDeviceLinks({ parts }: GatewayContext, links: readonly Link[]): Promise<void> {
  for (const { some, tokenIds, certificateIds } of checks(links)) {
    const ended = await parts.executor
      .invoke(systemCaller, 'devices_FindEndedCredentials', {
        certificateIds: certificateIds as Id<'deviceCertificate'>[],
        tokenIds: tokenIds as Id<'deploymentTokenId'>[],
      })
      .catch(() => ({ certificateIds: [], tokenIds: [] }));
    close(some, 'certificateId', ended.certificateIds, revocationReasons.certificateInactive);
    close(some, 'tokenId', ended.tokenIds, revocationReasons.deploymentTokenDeleted);
  }
}

interface Check {
  readonly some: readonly Link[];
  readonly tokenIds: string[];
  readonly certificateIds: string[];
}

/** The links in parts that one statement checks, with the different credentials of each part. */
function checks(links: readonly Link[]): Check[] {
  const parts = Math.ceil(links.length / checkedAtOnce);
  return Array.from({ length: parts }, (_, index) => {
    const some = links.slice(index * checkedAtOnce, (index + 1) * checkedAtOnce);
    return {
      some,
      tokenIds: different(some, 'tokenId'),
      certificateIds: different(some, 'certificateId'),
    };
  });
}

function different(links: readonly Link[], name: keyof CredentialRefs): string[] {
  return [...new Set(links.flatMap(({ credentialRefs }) => credentialRefs[name] ?? []))];
}

function close(
  links: readonly Link[],
  name: keyof CredentialRefs,
  ended: readonly string[],
  reason: string,
): void {
  if (ended.length === 0) return;
  const gone = new Set(ended);
  for (const link of links) if (gone.has(link.credentialRefs[name] ?? '')) link.close(reason);
}
