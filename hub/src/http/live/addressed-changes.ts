import { events, type DomainEvent, type LiveChange } from '@corral/contract';

/** Who receives a change. */
export type Audience =
  | { readonly kind: 'project'; readonly projectId: string }
  | { readonly kind: 'repository'; readonly repositoryId: string }
  | { readonly kind: 'user'; readonly userId: string }
  | { readonly kind: 'administrators' }
  | { readonly kind: 'everyone' };

/** A change and its audience; administrators receive all changes. */
export interface AddressedChange {
  readonly change: LiveChange;
  readonly audience: Audience;
}

/** The changes that an event causes in live views; a logged event also changes the log. */
export function addressedChanges({ name, data }: DomainEvent): AddressedChange[] {
  const { stale, persistence } = events[name];
  const projectId = text(data['projectId']);
  const deviceId = text(data['deviceId']);
  const userId = text(data['userId']);
  const repositoryId = text(data['repositoryId']);
  const found: AddressedChange[] = [];
  const add = (change: LiveChange, audience: Audience): void => void found.push({ change, audience });
  if (stale.project !== undefined && projectId !== undefined) {
    const where = deviceId === undefined ? { projectId } : { projectId, deviceId };
    add({ topic: stale.project, ...where }, { kind: 'project', projectId });
  }
  if (stale.repository !== undefined && repositoryId !== undefined)
    add({ topic: stale.repository, repositoryId }, { kind: 'repository', repositoryId });
  if (stale.user !== undefined && userId !== undefined)
    add({ topic: stale.user, userId }, { kind: 'user', userId });
  if (stale.everyone !== undefined) add({ topic: stale.everyone }, { kind: 'everyone' });
  if (stale.administrators !== undefined) add({ topic: stale.administrators }, { kind: 'administrators' });
  if (persistence === 'log') found.push(...logChanges(projectId, repositoryId));
  return found;
}

/** The logs of a project and of a repository that an event is in, or else only that of the instance. */
function logChanges(projectId: string | undefined, repositoryId: string | undefined): AddressedChange[] {
  const found: AddressedChange[] = [];
  if (projectId !== undefined)
    found.push({ change: { topic: 'log', projectId }, audience: { kind: 'project', projectId } });
  if (repositoryId !== undefined)
    found.push({ change: { topic: 'log', repositoryId }, audience: { kind: 'repository', repositoryId } });
  if (found.length > 0) return found;
  return [{ change: { topic: 'log' }, audience: { kind: 'administrators' } }];
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
