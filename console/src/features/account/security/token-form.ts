import { type Id, nameProblem } from '@corral/contract';
import { object, pipe, string, trim } from 'valibot';
import { problemCopy } from '../../../copy/problems.ts';
import { follows } from '../../../parts/follows.ts';
import { securityCopy as words } from './copy.ts';

/** Stands for all projects, or all repositories, of the user. */
const all = 'all';
const dayMs = 86_400_000;
const validDays = [7, 30, 90, 365] as const;

/** The validation of the form of a new user token. */
export const tokenSchema = object({
  name: pipe(
    follows((typed) => nameProblem(typed, 'name'), problemCopy),
    trim(),
  ),
  access: string(),
  project: string(),
  repository: string(),
  days: string(),
});

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The choices of what the token may do; the rights of an administrator are offered to administrators only. */
export function accessChoices(isAdmin: boolean) {
  const choices = [
    { value: 'full', label: words.accessFull },
    { value: 'read', label: words.accessRead },
  ];
  return isAdmin ? [...choices, { value: 'administrator', label: words.accessAdministrator }] : choices;
}

/** The choices of how long it is good. */
export function dayChoices() {
  return validDays.map((days) => ({ value: String(days), label: words.days(days) }));
}

/** The choices of one of these things, or all. */
export function oneOrAll(allLabel: string, things: readonly Named[]) {
  return [{ value: all, label: allLabel }, ...things.map(({ id, name }) => ({ value: id, label: name }))];
}

/** What the form chooses before anything is changed. */
export const tokenDefaults = { access: 'full', project: all, repository: all, days: '90' } as const;

/** The bounds of the new token, as its action takes them; what is not bounded is left out. */
export function boundsOf(
  chosen: { access: string; project: string; repository: string; days: string },
  nowMs: number,
) {
  return {
    ...(chosen.access === 'read' ? { access: 'read' as const } : {}),
    ...(chosen.access === 'administrator' ? { administrator: true } : {}),
    ...(chosen.project === all ? {} : { projects: [chosen.project as Id<'project'>] }),
    ...(chosen.repository === all ? {} : { repositories: [chosen.repository as Id<'repository'>] }),
    expiresAt: new Date(nowMs + Number(chosen.days) * dayMs).toISOString(),
  };
}
