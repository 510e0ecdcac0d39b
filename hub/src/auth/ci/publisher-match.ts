import type { CiClaims } from './CiTokenRefused.ts';
import { shown } from './ci-issuers.ts';

/** What a claim of a token must be. */
export interface Condition {
  readonly claim: string;
  readonly expected: string;
}

/** Which jobs of a CI may publish. */
export interface ExpectedJob {
  readonly conditions: readonly Condition[];
  readonly allowsPullRequests: boolean;
}

/** Why a job is not the expected one, in sentences; none if it is. */
export function differencesOf(job: ExpectedJob, claims: CiClaims): string[] {
  const different = job.conditions
    .filter((condition) => !isFulfilled(condition, claims))
    .map(({ claim, expected }) => `The claim ${claim} is ${shown(claims[claim])}, not ${expected}.`);
  if (job.allowsPullRequests || !isOfPullRequest(claims)) return different;
  return [...different, 'The job is of a pull request or merge request.'];
}

/** Whether a claim is what it must be. A value that ends with * stands for all that begin like it; none of the names it begins can hold a *. */
export function isFulfilled({ claim, expected }: Condition, claims: CiClaims): boolean {
  const found = textOf(claims[claim]);
  if (found === undefined) return false;
  return expected.endsWith('*') ? found.startsWith(expected.slice(0, -1)) : found === expected;
}

/** Some CIs send ids as numbers. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

const proposals = /^(?:refs\/)?(?:pull|merge-requests|merge)\//;

/** Whether the code of the job is what somebody proposes, or may be: a child pipeline of GitLab does not say what its parent is of. */
function isOfPullRequest(claims: CiClaims): boolean {
  const of = (claim: string): string => textOf(claims[claim]) ?? '';
  return (
    of('event_name').startsWith('pull_request') ||
    /^(?:merge_request_event|external_pull_request_event|parent_pipeline)$/.test(of('pipeline_source')) ||
    /:pull_request(?:_target)?$/.test(of('sub')) ||
    ['ref', 'ref_path'].some((claim) => proposals.test(of(claim)))
  );
}

/** How a CI names a job, for people. */
export function jobOf(claims: CiClaims): string {
  const named = (...names: readonly string[]): string | undefined =>
    names.map((name) => textOf(claims[name])).find((value) => value !== undefined && value !== '');
  const place = named('repository', 'project_path', 'sub') ?? 'an unnamed job';
  const ref = named('ref_path', 'ref');
  return shown(ref === undefined ? place : `${place} at ${ref}`);
}
