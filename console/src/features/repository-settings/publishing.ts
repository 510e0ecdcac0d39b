import type { CallInput, Id, Output } from '@corral/contract';
import { actionMutation } from '../../data/action-mutation.ts';
import { actionQuery } from '../../data/action-query.ts';
import { everyMinute } from '../../data/intervals.ts';

/** Jobs of a CI that may publish. */
export type Publisher = Output<'repositories_GetPublishers'>['publishers'][number];

/** What may publish to a repository from a CI, and which tokens were refused last; for owners. */
export const publishersQuery = (repositoryId: Id<'repository'>) =>
  actionQuery('repositories_GetPublishers', { repositoryId }, everyMinute);

/** Allows jobs of a CI to publish. */
export const addPublisher = actionMutation('repositories_AddPublisher', 'repositories_PublisherAdded');

/** Ends that jobs of a CI may publish. */
export const deletePublisher = actionMutation(
  'repositories_DeletePublisher',
  'repositories_PublisherDeleted',
);

type Kind = Publisher['kind'];

/** What CIs call the same things. */
const claimsOf: Readonly<
  Record<Kind, Readonly<Record<'projectId' | 'ownerId' | 'ref' | 'workflow', string>>>
> = {
  GitHub: {
    projectId: 'repository_id',
    ownerId: 'repository_owner_id',
    ref: 'ref',
    workflow: 'job_workflow_ref',
  },
  Forgejo: {
    projectId: 'repository_id',
    ownerId: 'repository_owner_id',
    ref: 'ref',
    workflow: 'workflow_ref',
  },
  GitLab: {
    projectId: 'project_id',
    ownerId: 'namespace_id',
    ref: 'ref_path',
    workflow: 'ci_config_ref_uri',
  },
  Other: { projectId: 'project_id', ownerId: 'owner_id', ref: 'ref', workflow: 'workflow_ref' },
};

/** The fields of the dialog as conditions; empty ones are none. */
export function conditionsOf(
  kind: Kind,
  {
    environment,
    claims,
    ...named
  }: Readonly<Record<'projectId' | 'ownerId' | 'ref' | 'workflow' | 'environment' | 'claims', string>>,
): CallInput<'repositories_AddPublisher'>['conditions'] {
  const fields = Object.entries(claimsOf[kind]).map(([field, claim]) => [claim, named[field as 'ref']]);
  const further = claims.split(',').map((pair) => {
    const at = pair.indexOf('=');
    return at < 0 ? ['', ''] : [pair.slice(0, at), pair.slice(at + 1)];
  });
  return [...fields, ['environment', environment], ...further].flatMap(([claim = '', expected = '']) =>
    expected.trim() === '' ? [] : [{ claim: claim.trim(), expected: expected.trim() }],
  );
}

const download = 'curl -fsSO "$CORRAL_URL/download/corral.mjs" && node corral.mjs publish';

/** A job that publishes, as the file of its CI has it. */
export function workflowOf(kind: Kind, hubUrl: string): string {
  if (kind === 'GitLab' || kind === 'Other')
    return `publish:
  image: node:24
  id_tokens:
    CORRAL_ID_TOKEN:
      aud: ${hubUrl}
  variables:
    CORRAL_URL: ${hubUrl}
  script:
    - ${download}`;
  const permission =
    kind === 'GitHub'
      ? `permissions:
      contents: read
      id-token: write`
      : 'enable-openid-connect: true';
  return `jobs:
  publish:
    runs-on: ${kind === 'GitHub' ? 'ubuntu-latest' : 'docker'}
    ${permission}
    env:
      CORRAL_URL: ${hubUrl}
    steps:
      - uses: actions/checkout@v5
      - run: ${download}`;
}
