import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runTool } from '../release/run-tool.ts';
import { repositoryRoot } from '../source-files.ts';
import { apiBreaks, type ApiDocument } from './api-breaks.ts';
import { newestRelease } from './earlier-checkout.ts';

const text = readFileSync(join(repositoryRoot, 'docs/openapi.json'), 'utf8');
const present = JSON.parse(text) as ApiDocument;
const path = (name: string): string => `/api/v1/actions/invoke/${name}`;
interface Input {
  readonly required: string[];
  readonly properties: Record<string, { enum: string[] } | undefined>;
}
const schemaOf = (body: unknown): Input =>
  (body as { content: { 'application/json': { schema: Input } } }).content['application/json'].schema;
const inputOf = (path: ApiDocument['paths'][string] | undefined): Input => schemaOf(path?.post.requestBody);

/** Where a release had to break the API, which its notes say under Before you upgrade. */
const announced: readonly string[] = [];

test('since the newest release the API has only grown; before the first one nothing is promised', () => {
  const tag = newestRelease();
  const released =
    tag === undefined ? text : runTool('git', ['show', `${tag}:docs/openapi.json`], repositoryRoot);
  const found = apiBreaks(JSON.parse(released) as ApiDocument, present);
  expect(found.filter((each) => !announced.includes(each))).toEqual([]);
});

test('an action, a newer name, a field of an answer, or a value of an input that is gone is found', () => {
  const without = (name: string): ApiDocument => {
    const { [path(name)]: _, ...paths } = present.paths;
    return { paths };
  };
  expect(apiBreaks(present, without('users_Query'))).toEqual(['users_Query is gone']);
  expect(apiBreaks(without('users_Query'), present)).toEqual([]);
  const renamed = JSON.parse(text.replace('"maxDeviceCount":', '"deviceQuota":')) as ApiDocument;
  expect(apiBreaks(present, renamed)).toEqual(['projects_GetProjectDetails output.maxDeviceCount is gone']);
  const name = 'projects_CreateWebhook';
  const later = structuredClone(present.paths[path(name)]);
  inputOf(later).properties.format?.enum.pop();
  expect(apiBreaks(present, { paths: { ...present.paths, [path(name)]: later as never } })).toEqual([
    `${name} input.format no longer takes Alertmanager`,
  ]);
});

test('a field of an input that is required now, and one of an answer that may be absent now, are found', () => {
  const name = 'projects_CreateDeploymentToken';
  const later = structuredClone(present.paths[path(name)]);
  inputOf(later).required.push('flags');
  schemaOf(later?.post.responses['200']).required.pop();
  expect(apiBreaks(present, { paths: { ...present.paths, [path(name)]: later as never } })).toEqual([
    `${name} input.flags is required now`,
    `${name} output.token may be absent now`,
  ]);
});
