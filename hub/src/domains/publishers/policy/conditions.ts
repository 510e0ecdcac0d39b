import { ActionError, wellKnownIssuers, type Input } from '@corral/contract';
import type { Condition } from '../../../auth/ci/publisher-match.ts';

type Publisher = Pick<Input<'repositories_AddPublisher'>, 'kind' | 'issuer' | 'conditions'>;

/** Names can be given to somebody else; these ids never are. */
export const immutableIds = {
  GitHub: ['repository_id', 'repository_owner_id'],
  Forgejo: ['repository_id', 'repository_owner_id'],
  GitLab: ['project_id', 'namespace_id'],
  Other: [],
} as const satisfies Record<Publisher['kind'], readonly string[]>;
const kindOfIssuer: ReadonlyMap<string, Publisher['kind']> = new Map([
  [wellKnownIssuers.github, 'GitHub'],
  [wellKnownIssuers.gitlab, 'GitLab'],
]);
/** Every token has these; who may publish does not follow from them. */
const ofEveryToken = new Set(['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti']);
const refs = new Set(['ref', 'ref_path']);
const workflows = new Set(['job_workflow_ref', 'workflow_ref', 'ci_config_ref_uri']);
const longestValue = 300;

const refused = (sentence: string): ActionError => new ActionError('Invalid', sentence);

/** Requires conditions that hold for one repository or project of a CI for good. Throws an `ActionError`. */
export function mustBeConditions({ kind, issuer, conditions }: Publisher, issuers: readonly string[]): void {
  if (!issuers.includes(issuer))
    throw refused(
      'The administrator of the hub does not allow this issuer; see the settings of the instance.',
    );
  const ownKind = kindOfIssuer.get(issuer);
  if (ownKind !== undefined && ownKind !== kind)
    throw refused(`The tokens of ${issuer} are those of ${ownKind}.`);
  const names = conditions.map(({ claim }) => claim);
  if (new Set(names).size < names.length) throw refused('Each claim may be given once.');
  for (const condition of conditions) mustBeComparable(condition);
  for (const id of immutableIds[kind]) {
    const { expected = '' } = conditions.find(({ claim }) => claim === id) ?? {};
    if (!/^\d{1,20}$/.test(expected))
      throw refused(`The claim ${id} must be given, as a number: names can later belong to somebody else.`);
  }
  if (names.every((name) => ofEveryToken.has(name)))
    throw refused(
      'Give a claim that only the tokens of your own jobs have, such as the id of their project.',
    );
}

function mustBeComparable({ claim, expected }: Condition): void {
  if (!/^[a-zA-Z][\w.:/-]{0,99}$/.test(claim)) throw refused('The name of a claim is wrong.');
  if (ofEveryToken.has(claim) && claim !== 'sub') throw refused(`The hub itself checks the claim ${claim}.`);
  if (expected === '' || expected.length > longestValue || /\p{C}/u.test(expected))
    throw refused(`The claim ${claim} must have a value of 1 to ${longestValue} characters.`);
  if (expected.includes('*')) mustBePattern(claim, expected);
}

function mustBePattern(claim: string, expected: string): void {
  const before = expected.slice(0, -1);
  const isAtEnd = expected.endsWith('*') && !before.includes('*');
  const isRef = refs.has(claim) && /^refs\/(?:heads|tags)\//.test(before);
  const isOfWorkflow = workflows.has(claim) && /@refs\/(?:heads|tags)\//.test(before);
  if (isAtEnd && (isRef || isOfWorkflow)) return;
  throw refused('A * may only end a ref that begins with refs/heads/ or refs/tags/.');
}
