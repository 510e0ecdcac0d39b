import { type Id, nameProblem } from '@corral/contract';
import { object, pipe, string, trim } from 'valibot';
import { problemCopy } from '../../../copy/problems.ts';
import { follows } from '../../../parts/follows.ts';
import { securityCopy as words } from './copy.ts';

const validDays = [7, 30, 90, 365] as const;

/** The validation of the form of a new user token. */
export const tokenSchema = object({
  name: pipe(
    follows((typed) => nameProblem(typed, 'name'), problemCopy),
    trim(),
  ),
  access: string(),
  projects: string(),
  repositories: string(),
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

/** The choices of projects or repositories; when none is chosen, the token is good for all. */
export function choicesOf(scopes: readonly Named[]) {
  return scopes.map(({ id, name }) => ({ value: id, label: name }));
}

/** What the form chooses before anything is changed. */
export const tokenDefaults = { access: 'full', days: '90' } as const;

const idsIn = <Of extends string>(chosen: string): Of[] => chosen.split(' ') as Of[];

/** The bounds of the new token, as its action takes them; what is not bounded is left out. */
export function boundsOf(chosen: { access: string; projects: string; repositories: string; days: string }) {
  return {
    ...(chosen.access === 'read' ? { access: 'read' as const } : {}),
    ...(chosen.access === 'administrator' ? { administrator: true } : {}),
    ...(chosen.projects === '' ? {} : { projects: idsIn<Id<'project'>>(chosen.projects) }),
    ...(chosen.repositories === '' ? {} : { repositories: idsIn<Id<'repository'>>(chosen.repositories) }),
    validForDays: Number(chosen.days),
  };
}
