import { ActionError, type DomainEvent, type Id, revocationReasons } from '@corral/contract';
import { systemCaller } from '../../calls/handler.ts';
import { forEachConcurrently } from '../../platform/concurrency/for-each-concurrently.ts';
import type { ForwardedStream } from './forward.ts';
import type { GatewayContext, GatewayParts } from './gateway-context.ts';
import type { CredentialRefs, Link, Revocation } from './link.ts';
import { FindRecentEvents } from '../../domains/audit/internal/FindRecentEvents.ts';
import { FindLatestEnd } from '../../domains/devices/internal/FindLatestEnd.ts';
import { FindEndedCredentials } from '../../domains/devices/internal/FindEndedCredentials.ts';
import { FindEndedTokens } from '../../domains/users/internal/FindEndedTokens.ts';

type Rule = (data: DomainEvent['data']) => Revocation | undefined;

function revokes(reason: string, ...names: (keyof CredentialRefs)[]): Rule {
  return (data) => {
    const credentialRefs: Record<string, string> = {};
    for (const name of names) {
      const value = data[name];
      if (typeof value !== 'string') return undefined;
      credentialRefs[name] = value;
    }
    return { credentialRefs, reason };
  };
}

const certificateChanged: Rule = (data) =>
  data['status'] === 'Active'
    ? undefined
    : revokes(revocationReasons.certificateInactive, 'certificateId')(data);

const userDisabled: Rule = (data) =>
  data['isDisabled'] === true ? revokes(revocationReasons.userDisabled, 'userId')(data) : undefined;

/** The events that close connections, and which ones. */
const rules: Readonly<Partial<Record<DomainEvent['name'], Rule>>> = {
  devices_CertificateStatusChanged: certificateChanged,
  devices_CertificateDeleted: revokes(revocationReasons.certificateDeleted, 'certificateId'),
  devices_Deleted: revokes(revocationReasons.deviceDeleted, 'deviceId'),
  projects_Deleted: revokes(revocationReasons.projectDeleted, 'projectId'),
  projects_DeploymentTokenDeleted: revokes(revocationReasons.deploymentTokenDeleted, 'tokenId'),
  users_TokenDeleted: revokes(revocationReasons.userTokenDeleted, 'tokenId'),
  users_SetIsDisabled: userDisabled,
  users_Deleted: revokes(revocationReasons.userDeleted, 'userId'),
  users_ServiceAccountDeleted: revokes(revocationReasons.userDeleted, 'userId'),
};

/** The names of the events that end credentials of devices. */
const deviceRevocations: readonly string[] = Object.keys(rules).filter((name) => !name.startsWith('users_'));

/** Which connections an event revokes; undefined for most events. */
export function revocationOf(event: DomainEvent): Revocation | undefined {
  return rules[event.name]?.(event.data);
}

/** Each question takes a connection to the database for a moment; thousands of streams must leave some to others. */
const questionsAtOnce = 8;

const removals: ReadonlySet<string> = new Set([
  'projects_MemberRemoved',
  'users_SetIsAdmin',
  'users_SetIsDisabled',
]);

/** Aborts the streams of a user whom an event has removed from a project or disabled, or whose rights of an administrator it has ended. */
export async function recheckStreamsAfterEvent(context: GatewayContext, event: DomainEvent): Promise<void> {
  if (!removals.has(event.name)) return;
  const { userId } = event.data;
  const concerned = [...context.forwardedStreams].filter((stream) => stream.userId === userId);
  // A check that fails counts as a refusal, since a permission was revoked.
  await recheck(context, concerned, false);
}

/** Aborts every stream whose user may no longer access its device. This covers events that were lost. Without a database none is aborted. */
export function recheckStreams(context: GatewayContext): Promise<void> {
  return recheck(context, [...context.forwardedStreams], true);
}

/** Checks the streams of one caller to one device together. */
async function recheck(
  context: GatewayContext,
  forwardedStreams: readonly ForwardedStream[],
  isAllowedOnError: boolean,
): Promise<void> {
  const groups = Map.groupBy(
    forwardedStreams,
    ({ userId, deviceId, actor }) =>
      `${userId} ${deviceId} ${actor.actor === 'UserToken' ? actor.tokenId : actor.actor}`,
  );
  const check = async (group: readonly ForwardedStream[]): Promise<void> => {
    if (group[0] === undefined || (await isAllowed(context, group[0], isAllowedOnError))) return;
    for (const stream of group) stream.abort(revocationReasons.permissionDenied);
  };
  await forEachConcurrently([...groups.values()], questionsAtOnce, check);
}

async function isAllowed(
  context: GatewayContext,
  stream: ForwardedStream,
  isAllowedOnError: boolean,
): Promise<boolean> {
  const { userId, deviceId, actor } = stream;
  try {
    const caller = { actor, origin: {}, isOfHub: true };
    const input = { userId, deviceId };
    return (await context.parts.executor.invoke(caller, 'users_GetDevicePermissions', input)).hasAccess;
  } catch (error) {
    const isRefused = error instanceof ActionError && !['NotReady', 'Internal'].includes(error.kind);
    return isAllowedOnError && !isRefused;
  }
}

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
   * Checks the links of users and up to a thousand of devices, beginning where the last check ended; all of devices when the audit log has a revocation that is new, or another certificate has ended by its time. So a check of many links costs little, and what was recorded is noticed by the next one.
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

  /** With the last end of a certificate; undefined without a database. */
  async #recentRevocations(): Promise<readonly string[] | undefined> {
    const { executor } = this.#context.parts;
    const found = Promise.all([
      executor.run(systemCaller, FindRecentEvents, { names: [...deviceRevocations] }),
      executor.run(systemCaller, FindLatestEnd),
    ]);
    return found.then(
      ([{ eventIds }, { endedAt }]) => [...eventIds, ...(endedAt === undefined ? [] : [endedAt])],
      () => undefined,
    );
  }
}

async function closeUserLinks({ parts }: Checked, links: readonly Link[]): Promise<void> {
  for (const { some, tokenIds } of checks(links)) {
    const { ended } = await parts.executor
      .run(systemCaller, FindEndedTokens, {
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
      .run(systemCaller, FindEndedCredentials, {
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
