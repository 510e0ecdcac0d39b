import { catalogue } from '../../copy/catalogue.ts';

/** The texts of publishing from CI. */
export const publishingCopy = catalogue('publishing', {
  title: 'Publishing from CI',
  text: 'Jobs of a CI publish to this repository without a stored secret: the hub exchanges the ID token of a job for a token that is good for 15 minutes.',
  noIssuers: 'The administrator of the hub allows no CI yet, in the settings of the instance.',
  notAllowed: 'The administrator of the hub no longer allows this issuer, so nothing is published.',
  add: 'Allow jobs',
  remove: 'Remove',
  removeOf: (name: string) => `Remove “${name}”`,
  removeText: 'Its jobs can no longer publish. Those that do so now are ended at once.',
  removed: (name: string) => `“${name}” was removed`,
  lastUsed: 'Last used',
  never: 'Never used',
  by: (job: string) => `by ${job}`,
  any: 'from any branch and tag',
  pullRequests: 'also of pull requests',
  workflow: (kind: string) => `A job of ${kind}`,
  refusals: 'Refused last',
  dialog: {
    text: 'Names can later belong to somebody else, so jobs are recognised by the numbers of their project and its owner.',
    name: 'Name',
    kind: 'CI',
    issuer: 'Issuer of its tokens',
    projectId: 'Number of the repository or project',
    projectIdHint:
      'GitHub and Forgejo: “id” in the answer of the API to /repos/OWNER/NAME. GitLab: the project ID on the page of the project.',
    ownerId: 'Number of its owner, organization or group',
    ownerIdHint:
      '“owner.id” in the same answer. GitLab: the group ID, or “namespace.id” in /api/v4/projects/ID.',
    ref: 'Branch or tag',
    refHint: 'Such as refs/heads/main or refs/tags/v*. Without one, jobs of all branches and tags publish.',
    environment: 'Environment',
    workflow: 'Workflow',
    workflowHint:
      'As the token names it, such as owner/name/.github/workflows/release.yml@refs/heads/main or gitlab.example/group/name//.gitlab-ci.yml@refs/heads/main.',
    claims: 'Further claims',
    claimsHint: 'NAME=VALUE, separated by commas. A CI of another kind needs at least one.',
    claimsInvalid: 'Write them as NAME=VALUE, separated by commas.',
    pullRequests: 'Jobs of pull requests publish, too',
    pullRequestsHint: 'Their code is what somebody proposes.',
  },
  kinds: { GitHub: 'GitHub Actions', GitLab: 'GitLab CI', Forgejo: 'Forgejo Actions', Other: 'Another CI' },
});
