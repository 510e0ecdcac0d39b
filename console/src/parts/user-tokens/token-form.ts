import { type Id, nameProblem, type TokenVerb } from '@corral/contract';
import { object, pipe, string, trim } from 'valibot';
import { problemCopy } from '../../copy/problems.ts';
import { follows } from '../follows.ts';
import { userTokensCopy as words } from './copy.ts';

const validDays = [7, 30, 90, 365] as const;

const common = {
  name: pipe(
    follows((typed) => nameProblem(typed, 'name'), problemCopy),
    trim(),
  ),
  may: string(),
  days: string(),
};

/** The validation of the form of a new token of a service account, which is for all that the account reaches. */
export const serviceTokenSchema = object(common);

/** The validation of the form of a new user token. */
export const tokenSchema = object({ ...common, projects: string(), repositories: string() });

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The choices of what a token may do; without one of the verbs it may do all that its user may. */
export function choicesOfRights(isAdmin: boolean) {
  const verbs = Object.entries(words.choices).map(([value, label]) => ({ value, label }));
  return isAdmin ? [...verbs, { value: 'administrator', label: words.administrator }] : verbs;
}

/** The choices of how long it is good. */
export function dayChoices() {
  return validDays.map((days) => ({ value: String(days), label: words.days(days) }));
}

/** The choices of projects or repositories; when none is chosen, the token is good for all. */
export function choicesOf(scopes: readonly Named[]) {
  return scopes.map(({ id, name }) => ({ value: id, label: name }));
}

/** How long a token is good before anything is changed. */
export const defaultDays = '90';

const idsIn = <Of extends string>(chosen: string): Of[] => chosen.split(' ') as Of[];

/** The bounds of the new token, as its action takes them; what is not bounded is left out. */
export function boundsOf(chosen: { may: string; projects?: string; repositories?: string; days: string }) {
  const { projects = '', repositories = '' } = chosen;
  const may = chosen.may === '' ? [] : idsIn<TokenVerb | 'administrator'>(chosen.may);
  const verbs = may.filter((right) => right !== 'administrator');
  return {
    ...(verbs.length === 0 ? {} : { verbs }),
    ...(may.includes('administrator') ? { administrator: true } : {}),
    ...(projects === '' ? {} : { projects: idsIn<Id<'project'>>(projects) }),
    ...(repositories === '' ? {} : { repositories: idsIn<Id<'repository'>>(repositories) }),
    validForDays: Number(chosen.days),
  };
}
