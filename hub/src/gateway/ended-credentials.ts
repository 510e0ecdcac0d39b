import { revocationReasons, type Id } from '@corral/contract';
import type { CredentialRefs } from './connection-registry.ts';
import type { GatewayContext, GatewayParts } from './gateway-context.ts';
import type { Link } from './link.ts';
import { deviceRevocations } from './revocations.ts';
import { systemCaller } from '../executor/system-caller.ts';

/** Credentials that are checked at the same time share one statement. */
const checkedAtOnce = 1000;
/** As many as one answer has: there may be more. */
const mostRecent = 1000;

/** What a check needs of a gateway. */
type Checked = Pick<GatewayContext, 'registry'> & { readonly parts: Pick<GatewayParts, 'executor'> };

/**
 * Closes the links whose tokens or certificates have ended, whose users are disabled or whose deployment tokens are deleted. This covers
 * what happened on other nodes and events that were lost. Without a database no link is closed.
 */
export class EndedCredentials {
  readonly #context: Checked;
  /** The recorded revocations that the last check saw. */
  #seen: ReadonlySet<string> = new Set();
  /** Those that two checks of all links have covered: a link may have been admitted while the first one ran. Undefined before the first one. */
  #covered: ReadonlySet<string> | undefined;
  /** The links that this round of checks had. Weak: a link that has ended must not be kept until the round ends. */
  #checked = new WeakSet<Link>();

  constructor(context: Checked) {
    this.#context = context;
  }

  /**
   * Checks the links of users and up to a thousand of devices, beginning where the last check ended; all of devices when the audit log has a revocation that is new. So a check of many links costs little, and what was recorded is noticed by the next one.
   */
  async check(): Promise<void> {
    const { userLinks, deviceLinks } = this.#links();
    await Promise.all([closeUserLinks(this.#context, userLinks), this.#checkSome(deviceLinks)]);
  }

  /** Checks all links. */
  async checkAll(): Promise<void> {
    const { userLinks, deviceLinks } = this.#links();
    await Promise.all([
      closeUserLinks(this.#context, userLinks),
      closeDeviceLinks(this.#context, deviceLinks),
    ]);
  }

  #links(): { userLinks: readonly Link[]; deviceLinks: readonly Link[] } {
    const links = [...this.#context.registry.links()];
    return {
      userLinks: links.filter(({ actor }) => actor.actor === 'UserToken'),
      deviceLinks: links.filter(({ actor }) => actor.actor === 'Device'),
    };
  }

  async #checkSome(links: readonly Link[]): Promise<void> {
    if (links.length <= checkedAtOnce) return void (await closeDeviceLinks(this.#context, links));
    const recent = await this.#recentRevocations();
    if (recent === undefined) return;
    const seen = this.#seen;
    this.#seen = new Set(recent);
    const covered = this.#covered;
    const isNew = recent.length >= mostRecent || recent.some((eventId) => covered?.has(eventId) !== true);
    if (covered !== undefined && !isNew) await closeDeviceLinks(this.#context, this.#nextLinks(links));
    else if (await closeDeviceLinks(this.#context, links))
      this.#covered = new Set(recent.filter((eventId) => seen.has(eventId)));
  }

  /** Up to a thousand links that this round has not had, fewer at its end; then the next round begins. */
  #nextLinks(links: readonly Link[]): readonly Link[] {
    const some = links.filter((link) => !this.#checked.has(link)).slice(0, checkedAtOnce);
    for (const link of some) this.#checked.add(link);
    if (some.length < checkedAtOnce) this.#checked = new WeakSet();
    return some;
  }

  /** Undefined without a database. */
  async #recentRevocations(): Promise<readonly string[] | undefined> {
    const { executor } = this.#context.parts;
    return executor.invoke(systemCaller, 'audit_FindRecentEvents', { names: [...deviceRevocations] }).then(
      ({ eventIds }) => eventIds,
      () => undefined,
    );
  }
}

async function closeUserLinks({ parts }: Checked, links: readonly Link[]): Promise<void> {
  for (const { some, tokenIds } of checks(links)) {
    const { ended } = await parts.executor
      .invoke(systemCaller, 'users_FindEndedTokens', {
        tokenIds: tokenIds as Id<'userTokenId'>[],
      })
      .catch(() => ({ ended: [] }));
    close(some, 'tokenId', ended, revocationReasons.userTokenEnded);
  }
}

/** Whether all were checked. */
async function closeDeviceLinks({ parts }: Checked, links: readonly Link[]): Promise<boolean> {
  let isComplete = true;
  for (const { some, tokenIds, certificateIds } of checks(links)) {
    const ended = await parts.executor
      .invoke(systemCaller, 'devices_FindEndedCredentials', {
        certificateIds: certificateIds as Id<'deviceCertificate'>[],
        tokenIds: tokenIds as Id<'deploymentTokenId'>[],
      })
      .catch(() => undefined);
    isComplete &&= ended !== undefined;
    if (ended === undefined) continue;
    close(some, 'certificateId', ended.certificateIds, revocationReasons.certificateInactive);
    close(some, 'tokenId', ended.tokenIds, revocationReasons.deploymentTokenDeleted);
  }
  return isComplete;
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
