import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { actions, verbOf, type ActionName } from '@corral/contract';
import { repositoryRoot } from '../source-files.ts';
import { exampleOf, fieldsOf, type Field, type Schema, type Shown } from './schema-fields.ts';
import { whoMay } from './who-may.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly 'x-corral-kind': 'command' | 'query';
  readonly 'x-corral-alias-of'?: string;
  readonly 'x-corral-max-input-bytes'?: number;
  readonly requestBody: Body;
  readonly responses: Readonly<Record<string, Body & { readonly description: string }>>;
}

interface Body {
  readonly content: { readonly 'application/json': { readonly schema: Schema } };
}

interface OpenApi {
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const titles: Readonly<Record<string, string>> = {
  actor: 'The caller',
  alerts: 'Alerts',
  audit: 'The audit log',
  cluster: 'The cluster',
  devices: 'Devices',
  fleet: 'Operations on fleets',
  instance: 'The instance',
  jobs: 'Jobs of the hub',
  otlp: 'OpenTelemetry',
  projects: 'Projects',
  repositories: 'Repositories',
  users: 'Users',
};
/** What other schemas refer to by name, in words. */
const named: Readonly<Record<string, string>> = {
  Expr: 'an expression',
  Mutation: 'a change of a property',
  MutationExpr: 'an expression',
};

/** The reference of the API as Markdown, from `docs/openapi.json`: what all actions share, and a page a domain. */
export function apiReference(): {
  overview: string;
  pages: { domain: string; title: string; about: string; markdown: string }[];
} {
  const document = JSON.parse(readFileSync(join(repositoryRoot, 'docs/openapi.json'), 'utf8')) as OpenApi;
  const all = Object.entries(document.paths).map(([path, { post }]) => ({ path, ...post }));
  const aliases = new Map(all.map((each) => [each['x-corral-alias-of'], each.operationId]));
  const callers = whoMay();
  const own = all.filter((each) => each['x-corral-alias-of'] === undefined);
  const domains = [...new Set(own.flatMap(({ tags }) => tags))].toSorted();
  const pages = domains.map((domain) => {
    const ofDomain = own.filter(({ tags }) => tags.includes(domain));
    const title = titles[domain] ?? domain;
    const shown: Shown = { named, places: new Map() };
    const sections = ofDomain.map((each) =>
      section(each, callers.get(each.operationId) ?? '', aliases.get(each.operationId), shown),
    );
    const errors =
      '[The API](/api) has what all actions share, such as how a script signs in and what errors look like.';
    const about = `${ofDomain.length} action${ofDomain.length === 1 ? '' : 's'}`;
    return { domain, title, about, markdown: `# ${title}\n\n${errors}\n\n${sections.join('\n\n')}\n` };
  });
  return { overview: overviewOf(document, own[0]), pages };
}

function section(
  operation: Operation & { path: string },
  callers: string,
  alias: string | undefined,
  shown: Shown,
): string {
  const { operationId, summary, path, requestBody, responses } = operation;
  const input = requestBody.content['application/json'].schema;
  const output = responses['200']?.content['application/json'].schema ?? {};
  const verb = operationId in actions ? verbOf(operationId as ActionName) : 'none';
  const bytes = operation['x-corral-max-input-bytes'];
  const facts = [
    `**Who may:** ${callers}`,
    `**Verb of a token:** ${verb === 'none' ? 'none, only a token without verbs' : `\`${verb}\``}`,
    ...(bytes === undefined ? [] : [`**Input:** up to ${bytes / 1024} KiB`]),
    ...(alias === undefined ? [] : [`**Newer name:** \`${alias}\``]),
  ];
  return [
    `## ${operationId}`,
    summary,
    `${operation['x-corral-kind'] === 'query' ? 'Query' : 'Command'} \`POST ${path}\`. ${facts.join('. ')}.`,
    ...tableOf('Input', fieldsOf(input, operationId, shown)),
    ...tableOf('Output', fieldsOf(output, operationId, shown)),
    ['```sh', curl(path, exampleOf(input)), '```'].join('\n'),
  ].join('\n\n');
}

function tableOf(title: string, fields: readonly Field[]): string[] {
  if (fields.length === 0) return [`${title}: \`{}\`.`];
  const rows = fields.map(
    ({ path, type, isRequired, about }) =>
      `| \`${path}\`${isRequired ? '' : ' (optional)'} | ${cell(about === '' ? type : `${type}. ${about}`)} |`,
  );
  return [[`| ${title} | Type |`, '| --- | --- |', ...rows].join('\n')];
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function curl(path: string, example: unknown): string {
  const body = JSON.stringify(example).replaceAll("'", String.raw`'\''`);
  return `curl -fsS https://hub.example${path} \\\n  -H "Authorization: Bearer $CORRAL_TOKEN" -H 'Content-Type: application/json' \\\n  -d '${body}'`;
}

function overviewOf({ info, components }: OpenApi, one: Operation | undefined): string {
  const statuses = Object.entries(one?.responses ?? {}).map(
    ([status, { description }]) => `| ${status} | ${description} |`,
  );
  return `# The API

${info.description} A query changes nothing. Send both as \`POST\`, with the name of the action in the path. The console, the command line and the agent use nothing else.

The whole reference is also one file in the form of OpenAPI 3.1; a hub serves its own at \`/api/openapi.json\`.

## Who calls

A script shows a user token, which \`corral login\` or *Settings*, *Security* makes: \`Authorization: Bearer u_sk_…\`. It has the rights of its user within its bounds: a token with verbs may do what its verbs
name. “Who may” says whose role is enough with what is their own: a project, its devices, a repository. For everybody else the thing does not exist.

\`\`\`sh
${curl('/api/v1/actions/invoke/projects_QueryProjects', {})}
\`\`\`

The command line does the same: \`corral actions execute projects_QueryProjects\`.

## Answers and errors

| Status | Meaning |
| --- | --- |
${statuses.join('\n')}

An error is an object:

${tableOf('Error', fieldsOf(components.schemas['Error'] ?? {}, 'Error', { named, places: new Map() })).join('')}

## Lists

A query of a long list takes \`limit\` and \`after\`, and answers with \`next\` where there is more: give that as the next \`after\`.

## Domains
`;
}
