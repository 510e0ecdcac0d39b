import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { signedInUserId } from '../data/session.ts';

/** Something with a page of its own that the user has visited. */
export interface RecentItem {
  readonly kind: 'project' | 'device' | 'operation' | 'repository' | 'package';
  readonly id: string;
  /** What it was called at the last visit. */
  readonly name: string;
  /** The project of a device or an operation, the repository of a package. */
  readonly scopeId?: string | undefined;
}

const storageKey = 'corral.recent';
/** How many visits a browser keeps, of one user. */
const maxItems = 20;
const maxNameCharacters = 200;
const kinds: readonly unknown[] = [
  'project',
  'device',
  'operation',
  'repository',
  'package',
] satisfies RecentItem['kind'][];

/** Remembers that the user visits something; nothing while its name is not known. */
export function useVisit({
  kind,
  id,
  name,
  scopeId,
}: Omit<RecentItem, 'name'> & { name: string | undefined }): void {
  const client = useQueryClient();
  useEffect(() => {
    if (name === undefined) return;
    const userId = signedInUserId(client);
    const item = { kind, id, name: name.slice(0, maxNameCharacters), scopeId };
    write(userId, [item, ...recentItems(userId).filter((one) => one.id !== id)].slice(0, maxItems));
  }, [client, kind, id, name, scopeId]);
}

/** What the user has visited in this browser, the latest first. */
export function recentItems(userId: string): readonly RecentItem[] {
  const stored = read();
  return stored?.userId === userId ? stored.items : [];
}

/** The project that the user had open last in this browser. */
export function lastProject(userId: string): string | undefined {
  const latest = recentItems(userId).find(({ kind }) => ['project', 'device', 'operation'].includes(kind));
  return latest?.kind === 'project' ? latest.id : latest?.scopeId;
}

/** Forgets what is not found any more at a path. */
export function forgetVisits(path: string): void {
  const stored = read();
  if (stored === undefined) return;
  const ids = path.split('/');
  write(
    stored.userId,
    stored.items.filter(({ id }) => !ids.includes(id)),
  );
}

/** Forgets all visits, when the user signs out. */
export function forgetAllVisits(): void {
  try {
    localStorage.removeItem(storageKey);
  } catch {
    // Storage may be disabled; then there is nothing to forget.
  }
}

interface Stored {
  readonly userId: string;
  readonly items: readonly RecentItem[];
}

function read(): Stored | undefined {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey) ?? '') as Partial<Stored> | null;
    if (typeof stored?.userId !== 'string' || !Array.isArray(stored.items)) return undefined;
    return { userId: stored.userId, items: stored.items.filter(isItem) };
  } catch {
    // Nothing is stored, it was changed by hand, or storage is disabled.
    return undefined;
  }
}

function isItem(value: unknown): value is RecentItem {
  const { kind, id, name } = (value ?? {}) as Partial<RecentItem>;
  return kinds.includes(kind) && typeof id === 'string' && typeof name === 'string';
}

function write(userId: string, items: readonly RecentItem[]): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify({ userId, items }));
  } catch {
    // Storage may be disabled or full; then nothing is remembered.
  }
}
