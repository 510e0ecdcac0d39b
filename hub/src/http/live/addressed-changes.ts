import { events, type DomainEvent, type LiveChange } from '@corral/contract';

/** Who receives a change. */
export type Audience =
  | { readonly kind: 'project'; readonly projectId: string }
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
  const { stale, keeping } = events[name];
  const projectId = text(data['projectId']);
  const deviceId = text(data['deviceId']);
  const userId = text(data['userId']);
  const found: AddressedChange[] = [];
  const add = (change: LiveChange, audience: Audience): void => void found.push({ change, audience });
  if (stale.project !== undefined && projectId !== undefined) {
    const where = deviceId === undefined ? { projectId } : { projectId, deviceId };
    add({ topic: stale.project, ...where }, { kind: 'project', projectId });
  }
  if (stale.user !== undefined && userId !== undefined)
    add({ topic: stale.user, userId }, { kind: 'user', userId });
  if (stale.everyone !== undefined) add({ topic: stale.everyone }, { kind: 'everyone' });
  if (keeping === 'log') found.push(logChange(projectId));
  return found;
}

function logChange(projectId: string | undefined): AddressedChange {
  if (projectId === undefined) return { change: { topic: 'log' }, audience: { kind: 'administrators' } };
  return { change: { topic: 'log', projectId }, audience: { kind: 'project', projectId } };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
